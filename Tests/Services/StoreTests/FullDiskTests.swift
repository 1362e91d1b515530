import Care
import Foundation
import Loop
import Ports
import TestSupport
import Testing

@testable import Store

/// A small disk of its own, really full.
@Suite struct FullDiskTests {
  let directory: TemporaryDirectory
  var options: SQLiteStore.Options {
    var options = SQLiteStore.Options(directory: directory.path(of: "store"))
    options.minimumFreeBytes = 64 << 20
    options.reserveBytes = 2 << 20
    return options
  }

  init() throws { directory = try TemporaryDirectory() }

  /// Leaves so many bytes free.
  private func fill(leaving bytes: Int64) throws {
    let filler = options.path("filler")
    try FileManager.default.removeItemIfPresent(filler)
    let all = try #require(Files.freeBytes(at: options.directory))
    _ = FileManager.default.createFile(
      atPath: filler, contents: Data(count: Int(max(0, all - bytes))))
  }

  /// Commits numbered steps until the health is as wanted; each commit is a look at the disk.
  private func work(
    _ store: SQLiteStore, from number: inout Int, until isReached: (Int) -> Bool
  ) async -> [CommitOutcome] {
    var outcomes: [CommitOutcome] = []
    while !isReached(number) {
      number += 1
      outcomes.append(
        await store.commit(
          StepRecord(events: [
            Make.event(number, .alarm), Make.event(1_000_000 + number, .trace),
          ])))
    }
    return outcomes
  }

  private func isCommitted(_ outcome: CommitOutcome) -> Bool {
    if case .committed = outcome { return true }
    return false
  }

  @Test(.timeLimit(.minutes(1)))
  func aFullDiskThinsTracesThenUsesTheReserveAndRecovers() async throws {
    try FileManager.default.createDirectory(
      atPath: options.directory, withIntermediateDirectories: true)
    guard let mount = try Mount(options.directory, "-t", "tmpfs", "-o", "size=256m") else {
      print("skipped: mounting is not permitted here")
      return
    }
    let store = try SQLiteStore.open(options)
    var number = 0
    _ = await work(store, from: &number) { $0 == 400 }
    #expect(store.healthReport.state == .working)
    #expect(Files.size(options.path("ballast")) == 2 << 20)
    let heads = await store.status().heads
    #expect(heads == LaneHeads(alarm: 400, trace: 400))

    // Far from half of the minimum, where all traces go, however much a quick machine writes before the next look.
    try fill(leaving: options.minimumFreeBytes - (512 << 10))
    let low = await work(store, from: &number) { _ in store.healthReport.code == "space-low" }
    #expect(low.allSatisfy(isCommitted))
    let before = await store.status()
    let thinnedFrom = number
    _ = await work(store, from: &number) { $0 == thinnedFrom + 100 }
    let after = await store.status()
    // One in ten: of the hundred traces ninety went.
    #expect(after.thinnedTraces - before.thinnedTraces == 90)
    #expect(after.heads.trace - before.heads.trace == 10)

    try fill(leaving: 0)
    let full = await work(store, from: &number) { _ in store.healthReport.code == "space-full" }
    #expect(full.allSatisfy(isCommitted))
    #expect(!FileManager.default.fileExists(atPath: options.path("ballast")))

    // With the reserve gone as well, records wait; alarms are told so and come through when there is space.
    try fill(leaving: 0)
    let heard = Heard<CommitOutcome>()
    while !heard.items.contains(where: { if case .delayed = $0 { true } else { false } }) {
      number += 1
      let told = heard.items.count
      store.submit(Make.step(number, .alarm)) { heard.add($0) }
      await heard.wait { $0.count > told }
    }
    #expect(store.healthReport.state == .failed)
    #expect(store.healthReport.code == "full")
    try FileManager.default.removeItem(atPath: options.path("filler"))
    await heard.wait { $0.last.map(isCommitted) ?? false }
    let recovered = await work(store, from: &number) { _ in store.healthReport.state == .working }
    #expect(recovered.allSatisfy(isCommitted))
    #expect(Files.size(options.path("ballast")) == 2 << 20)
    let rows = try await store.rows(.alarm)
    #expect(rows.map(\.id.rawValue) == (1...number).map { "event-\($0)" })
    await store.close()
    mount.end()
  }
}

extension FileManager {
  func removeItemIfPresent(_ path: String) throws {
    if fileExists(atPath: path) { try removeItem(atPath: path) }
  }
}
