import Care
import ControlSocket
import Door
import Foundation
import JSON
import Loop
import Moments
import Testing

@Suite struct HistoryTests {
  private static let mary = Resident(id: "mary", name: "Mary", timeZone: "Asia/Shanghai")

  private static func record(_ index: Int64) throws -> LocationRecord {
    LocationRecord(
      resident: "mary", time: Timestamp(milliseconds: 1_700_000_000_000 + index * 300_000),
      timeQuality: .synchronised, coordinate: try place(-0.00004, 116.40741), accuracyMeters: nil,
      minutesAtLocation: Int(index), reason: .aged)
  }

  /// Answers location queries as the store does: before `until`, newest first, at most `limit`.
  private func daemon(_ records: [LocationRecord]) async throws -> FakeDaemon {
    try await FakeDaemon { request in
      guard request.method == .locationsQuery else { return .success([Self.mary.json]) }
      let until = request.params["until"]?.stringContent.flatMap { try? Timestamp(iso8601: $0) }
      let matching = records.reversed().filter { record in until.map { record.time < $0 } ?? true }
      return .success(.part(of: matching.map(\.json), request.params))
    }
  }

  @Test func theExportIsTabDelimitedOldestFirstInTheResidentsZone() async throws {
    let daemon = try await daemon([try Self.record(0), try Self.record(1)])
    let outcome = try daemon.tool.run(["history", "--series", "--tsv"])
    #expect(
      outcome.output == "mary\t2023-11-15\t06:13:20\t0.0000\t116.4074\t0\n"
        + "mary\t2023-11-15\t06:18:20\t0.0000\t116.4074\t1\n")
    #expect(await daemon.requests.last?.params["series"] == true)
    await daemon.stop()
  }

  @Test func theExportHoldsEveryRecordAlsoWhereSeveralShareATime() async throws {
    var records = try (0..<25_000).map { try Self.record($0) }
    for index in [9_999, 10_000, 15_000, 15_001] { records[index].time = records[index - 1].time }
    let daemon = try await daemon(records)
    let outcome = try daemon.tool.run(["history", "--tsv"])
    let minutes = outcome.output.split(separator: "\n").compactMap {
      $0.split(separator: "\t").last.flatMap { Int($0) }
    }
    #expect(minutes.count == 25_000)
    #expect(minutes.sorted() == Array(0..<25_000))
    await daemon.stop()
  }

  @Test func timesAreShownInTheUsersZone() async throws {
    let daemon = try await daemon([try Self.record(0)])
    let outcome = try daemon.tool.run(["history"])
    #expect(outcome.output.contains("2023-11-14 23:13:20 CET"))
    #expect(outcome.output.contains("unknown"))
    await daemon.stop()
  }

  @Test func sinceIsReadInTheUsersZone() async throws {
    let daemon = try await daemon([])
    for since in ["2026-07-01", "2026-07-01 12:30", "2026-07-01T10:30:00Z"] {
      #expect(try daemon.tool.run(["history", "--since", since]).code == 0)
    }
    let asked = await daemon.requests.compactMap { $0.params["since"]?.stringContent }
    #expect(
      asked == ["2026-06-30T22:00:00.000Z", "2026-07-01T10:30:00.000Z", "2026-07-01T10:30:00.000Z"])
    #expect(try daemon.tool.run(["history", "--since", "nonsense"]).code == 2)
    await daemon.stop()
  }

  @Test("A place says how far it may be off, and whether the clock could be believed")
  func doubts() async throws {
    var record = try Self.record(0)
    (record.accuracyMeters, record.timeQuality) = (12.4, .untrusted)
    let daemon = try await daemon([record])
    let shown = try daemon.tool.run(["history"]).output
    #expect(shown.contains("2023-11-14 23:13:20 CET (clock not trusted)"), "\(shown)")
    #expect(shown.contains("  ± 12 m "), "\(shown)")
    await daemon.stop()
    let empty = try await self.daemon([])
    #expect(try empty.tool.run(["history"]).output == "No records in this time.\n")
    #expect(try empty.tool.run(["history", "--tsv"]).output.isEmpty)
    await empty.stop()
  }

  @Test(
    "How many are wanted is a whole number within bounds",
    arguments: ["0", "10001", "-1", "1.5", "many", ""])
  func limits(text: String) async throws {
    let daemon = try await daemon([])
    let outcome = try daemon.tool.run(["history", "--limit", text])
    #expect(outcome.code == 2 && outcome.errors.contains("from 1 to 10000, not \"\(text)\"."))
    #expect(await daemon.requests.allSatisfy { $0.method != .locationsQuery })
    await daemon.stop()
  }
}
