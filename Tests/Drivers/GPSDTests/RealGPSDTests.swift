import Care
import Foundation
import GPSD
import Loop
import Moments
import Ports
import TestSupport
import Testing
import Texts

@Suite(.enabled(if: GPSDaemon.isInstalled, "gpsd is needed"), .serialized)
struct RealGPSDTests {
  private let directory: TemporaryDirectory
  private let port: Int

  init() throws {
    directory = try TemporaryDirectory()
    port = try freePort()
  }

  private func daemon(_ devices: String...) throws -> GPSDaemon {
    try GPSDaemon(port: port, devices: devices, controlSocket: directory.path(of: "control"))
  }

  @Test(.timeLimit(.minutes(1)))
  @LoopActor func aDaemonThatIsKilledAndStartedAgainIsFoundAgain() async throws {
    let watched = Watched(.init(id: "gps", port: port))
    let recorder = watched.recorder
    defer { watched.source.stop() }
    await recorder.waitForCode("gpsd-gone")
    #expect(recorder.health.last?.detail.description.contains("systemctl status gpsd") == true)
    for _ in 0..<2 {
      let known = recorder.health.count
      let feed = try StreamFeed()
      let daemon = try daemon(feed.device)
      await recorder.waitForCode("starting", after: known)
      feed.send(marker(seconds: 0..<10))
      await recorder.waitForCode("", after: known)
      #expect(recorder.health.last?.state == .working)
      daemon.kill()
      await recorder.waitForCode("gpsd-gone", after: known)
    }
    #expect(
      recorder.codes == [
        "starting", "gpsd-gone", "starting", "", "gpsd-gone", "starting", "", "gpsd-gone",
      ])
  }

  @Test(.timeLimit(.minutes(1)))
  @LoopActor func aReceiverThatIsUnpluggedAndPluggedInAgainIsNamed() async throws {
    var line: PseudoTerminal? = try PseudoTerminal()
    let path = try #require(line?.path)
    let daemon = try daemon(path)
    defer { daemon.kill() }
    let watched = Watched(.init(id: "gps", port: port))
    let recorder = watched.recorder
    defer { watched.source.stop() }
    try await write(to: try #require(line), until: "", after: 0, recorder: recorder)
    line = nil
    var known = recorder.health.count
    try hotplug("-\(path)", at: daemon.controlSocket)
    await recorder.waitForCode("receiver-gone", after: known)
    #expect(recorder.health.last?.detail.description.contains(path) == true)
    #expect(recorder.health.last?.state == .failed)
    known = recorder.health.count
    let again = try PseudoTerminal()
    try hotplug("+\(again.path)", at: daemon.controlSocket)
    await recorder.waitForCode("starting", after: known)
    try await write(to: again, until: "", after: known, recorder: recorder)
  }

  @Test(.timeLimit(.minutes(1)))
  @LoopActor func aReceiverThatFallsSilentIsAnotherFaultThanOneWithoutAFix() async throws {
    let feed = try StreamFeed()
    let watched = Watched(.init(id: "gps", port: port, noReportSeconds: 1))
    let recorder = watched.recorder
    defer { watched.source.stop() }
    await recorder.waitForCode("gpsd-gone")
    var known = recorder.health.count
    let daemon = try daemon(feed.device)
    defer { daemon.kill() }
    await recorder.waitForCode("starting", after: known)
    feed.send((0..<10).flatMap { sentence("GPRMC,12000\($0).000,V,,,,,,,010130,,,N") })
    await recorder.waitForCode("no-fix", after: known)
    #expect(recorder.health.last?.state == .degraded)
    #expect(recorder.fixes.last?.mode == FixMode.none)
    known = recorder.health.count
    await recorder.waitForCode("no-report", after: known)
    #expect(recorder.health.last?.state == .failed)
    #expect(recorder.health.last?.detail.description.contains("1 s") == true)
  }

  @Test(.timeLimit(.minutes(1)))
  @LoopActor func aDaemonWithoutReceiversSaysSo() async throws {
    let daemon = try daemon()
    defer { daemon.kill() }
    let watched = Watched(.init(id: "gps", port: port))
    defer { watched.source.stop() }
    await watched.recorder.waitForCode("no-receiver")
    #expect(watched.recorder.health.last?.detail.description.contains("/etc/default/gpsd") == true)
  }

  @Test(.timeLimit(.minutes(1)))
  @LoopActor func onlyTheWantedReceiverIsListenedTo() async throws {
    let (wanted, other) = (try StreamFeed(), try StreamFeed())
    let watched = Watched(.init(id: "gps", port: port, device: wanted.device))
    let recorder = watched.recorder
    defer { watched.source.stop() }
    await recorder.waitForCode("gpsd-gone")
    let known = recorder.health.count
    let daemon = try daemon(other.device, wanted.device)
    defer { daemon.kill() }
    await recorder.waitForCode("starting", after: known)
    other.send(marker(seconds: 0..<20, latitude: "0200.0000"))
    wanted.send(marker(seconds: 0..<20))
    await recorder.wait { $0.fixes.count >= 10 }
    #expect(recorder.fixes.allSatisfy { $0.latitudeDegrees == 1 })
  }

  @Test(.timeLimit(.minutes(1)))
  @LoopActor func economySleepsAfterAFewFixesAndABurstWakesIt() async throws {
    let feed = try StreamFeed()
    let watched = Watched(
      .init(id: "gps", port: port, sampling: .economy(intervalSeconds: 86_400)))
    let recorder = watched.recorder
    defer { watched.source.stop() }
    await recorder.waitForCode("gpsd-gone")
    let known = recorder.health.count
    let daemon = try daemon(feed.device)
    defer { daemon.kill() }
    await recorder.waitForCode("starting", after: known)
    feed.send(marker(seconds: 0..<20))
    await recorder.wait { $0.fixes.count >= 3 }
    let before = recorder.fixes.count
    watched.source.sampleBurst(until: EventLoop.now.advanced(byMilliseconds: 60_000))
    // Bit by bit: what gpsd reports before the source is back is nobody's.
    var second = 20
    let timer = Repeater(milliseconds: 50) {
      guard second < 60 else { return }
      feed.send(marker(seconds: second..<second + 1))
      second += 1
    }
    defer { timer.stop() }
    await recorder.wait { $0.fixes.count >= before + 10 }
  }

  /// Writes sentences a few at a time, as often as the health is not yet there: gpsd drops what arrives while it opens
  /// a line.
  @LoopActor private func write(
    to line: PseudoTerminal, until code: String, after count: Int, recorder: Recorder
  ) async throws {
    var second = 0
    let timer = Repeater(milliseconds: 50) {
      line.write(marker(seconds: second..<second + 1))
      second = (second + 1) % 60
    }
    await recorder.waitForCode(code, after: count)
    timer.stop()
  }
}

/// Does something again and again on the loop until stopped.
@LoopActor
final class Repeater {
  private var timer: LoopTimer?

  init(milliseconds: Int64, _ work: @escaping @LoopActor () -> Void) {
    timer = LoopTimer { [weak self] in
      work()
      self?.timer?.set(afterMilliseconds: milliseconds)
    }
    timer?.set(afterMilliseconds: milliseconds)
  }

  func stop() {
    timer?.cancel()
    timer = nil
  }
}
