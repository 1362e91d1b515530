import Bytes
import Moments
import Ports
import Testing

@testable import BlueZ

@Suite("What an adapter is asked for")
struct AdapterDriveTests {
  private typealias Step = AdapterDrive.Step

  private func drive(searches: Bool = true) -> AdapterDrive {
    AdapterDrive(patience: BlueZSource.Patience(), searches: searches)
  }

  private func at(_ milliseconds: Int64) -> Tick {
    Tick.seconds(1000).advanced(byMilliseconds: milliseconds)
  }

  /// One that listens since the moment 0.
  private func listening() -> AdapterDrive {
    var drive = drive()
    #expect(drive.begin(isPowered: true, at: at(0)) == .setFilter)
    #expect(drive.answered(.done, at: at(0)) == .startDiscovery)
    drive.discoveryChanged(true, at: at(0))
    #expect(drive.answered(.done, at: at(0)) == nil)
    #expect(drive.condition == .listening)
    return drive
  }

  @Test("One that is off is switched on first, one that need not search is left at that")
  func beginning() {
    var first = drive()
    #expect(first.begin(isPowered: false, at: at(0)) == .setPowered(true))
    #expect(first.begin(isPowered: false, at: at(0)) == nil)
    #expect(first.answered(.done, at: at(0)) == .setFilter)
    var second = drive(searches: false)
    #expect(second.begin(isPowered: true, at: at(0)) == nil)
    #expect(second.condition == .listening)
    #expect(second.check(isBusy: false, at: at(10_000_000)) == nil)
  }

  @Test("A search that goes on already is a search")
  func inProgress() {
    var drive = drive()
    _ = drive.begin(isPowered: true, at: at(0))
    _ = drive.answered(.done, at: at(0))
    #expect(drive.answered(.refused("InProgress"), at: at(0)) == nil)
    #expect(drive.condition == .listening)
  }

  @Test("Resets come at once, then 30 s, 60 s and so on apart, and never more than 15 minutes")
  func resets() {
    var drive = drive()
    var now: Int64 = 0
    var step = drive.begin(isPowered: true, at: at(0))
    var pauses: [Int64] = []
    for _ in 0..<12 {
      #expect(step == .setFilter)
      step = drive.answered(.timedOut, at: at(now))
      if step == nil, let wake = drive.nextWake {
        pauses.append(wake.milliseconds(since: at(now)) / 1000)
        now += wake.milliseconds(since: at(now))
        #expect(drive.time(at: at(now - 1)) == nil)
        step = drive.time(at: at(now))
      }
      #expect(step == .setPowered(false))
      #expect(drive.answered(.timedOut, at: at(now)) == nil)
      now += 1000
      #expect(drive.time(at: at(now)) == .setPowered(true))
      step = drive.answered(.done, at: at(now))
    }
    #expect(pauses == [30, 60, 120, 240, 480, 900, 900, 900, 900, 900, 900])
    #expect(drive.isLasting && drive.condition == .hung)
    _ = drive.answered(.done, at: at(now))
    _ = drive.answered(.done, at: at(now))
    #expect(drive.isLasting && drive.condition == .listening)
    drive.heard(at: at(now))
    #expect(!drive.isLasting)
  }

  @Test("Three refusals in a row are a hang")
  func refusals() {
    var drive = drive()
    _ = drive.begin(isPowered: true, at: at(0))
    for (pause, condition) in [
      (Int64(4000), BluetoothAdapter.Condition.starting), (8000, .refusing),
    ] {
      #expect(drive.answered(.refused("Failed"), at: at(0)) == nil)
      #expect(drive.condition == condition)
      #expect(drive.nextWake == at(pause))
      #expect(drive.time(at: at(pause)) == .setFilter)
    }
    #expect(drive.answered(.refused("Failed"), at: at(0)) == .setPowered(false))
    #expect(drive.condition == .hung)
  }

  @Test("A silent one is asked to begin anew after two minutes, and again after two more")
  func silence() {
    var drive = listening()
    #expect(drive.check(isBusy: false, at: at(119_999)) == nil)
    #expect(drive.check(isBusy: true, at: at(120_000)) == nil)
    #expect(drive.check(isBusy: false, at: at(120_000)) == .stopDiscovery)
    #expect(drive.check(isBusy: false, at: at(120_000)) == nil)
    #expect(drive.answered(.refused("Failed"), at: at(120_000)) == .setFilter)
    #expect(drive.answered(.done, at: at(120_000)) == .startDiscovery)
    #expect(drive.answered(.done, at: at(120_000)) == nil)
    #expect(drive.check(isBusy: false, at: at(239_999)) == nil)
    #expect(drive.check(isBusy: false, at: at(240_000)) == .stopDiscovery)
    #expect(drive.answered(.timedOut, at: at(250_000)) == .setPowered(false))
  }

  @Test("One that is heard is left alone, unless it searches no longer")
  func heard() {
    var drive = listening()
    for minute in Int64(1)...10 {
      drive.heard(at: at(minute * 60_000 - 1))
      #expect(drive.check(isBusy: false, at: at(minute * 60_000)) == nil)
    }
    drive.discoveryChanged(false, at: at(600_000))
    drive.heard(at: at(600_001))
    #expect(drive.check(isBusy: false, at: at(659_999)) == nil)
    #expect(drive.check(isBusy: false, at: at(660_000)) == .stopDiscovery)
  }

  @Test(
    "One that somebody switches off is switched on again; one that comes back by itself is set up")
  func power() {
    var drive = listening()
    #expect(drive.powerChanged(false, at: at(0)) == nil)
    #expect(drive.condition == .starting)
    #expect(drive.nextWake == at(2000))
    #expect(drive.powerChanged(true, at: at(100)) == .setFilter)
    #expect(drive.nextWake == nil)
    #expect(drive.powerChanged(true, at: at(100)) == nil)
  }

  @Test("An answer that nobody waits for, or a time that has not come, changes nothing")
  func stray() {
    var drive = listening()
    for answer: AdapterDrive.Answer in [.done, .timedOut, .refused("Failed")] {
      #expect(drive.answered(answer, at: at(0)) == nil)
    }
    #expect(drive.time(at: at(1_000_000_000)) == nil)
    #expect(drive.condition == .listening)
  }

  @Test(
    "Whatever happens in whatever order, it always waits for an answer, a time or a look, and heals"
  )
  func anyOrder() {
    var random = SplitMix64(seed: 66)
    for _ in 0..<300 {
      var drive = drive()
      var now: Int64 = 0
      var asked = drive.begin(isPowered: random.next() % 2 == 0, at: at(0))
      for _ in 0..<100 {
        now += Int64(random.next() % 40_000)
        let answers: [AdapterDrive.Answer] = [
          .done, .timedOut, .refused("Failed"), .refused("NotReady"), .refused("Blocked"),
          .refused(""),
        ]
        let next: Step? =
          switch random.next() % 6 {
          case 0: drive.powerChanged(random.next() % 2 == 0, at: at(now))
          case 1: drive.check(isBusy: random.next() % 4 == 0, at: at(now))
          case 2: drive.time(at: at(now))
          case 3 where asked != nil:
            Self.take(&asked, &drive, answers[Int(random.next() % 6)], at(now))
          default: nil
          }
        // Only one question at a time.
        if let next {
          #expect(asked == nil)
          asked = next
        }
        #expect(asked != nil || drive.nextWake != nil || drive.condition == .listening)
      }
      for _ in 0..<20 where drive.condition != .listening || asked != nil {
        now += 1_000_000
        asked = asked == nil ? drive.time(at: at(now)) : Self.take(&asked, &drive, .done, at(now))
      }
      #expect(drive.condition == .listening)
    }
  }

  private static func take(
    _ asked: inout Step?, _ drive: inout AdapterDrive, _ answer: AdapterDrive.Answer, _ now: Tick
  ) -> Step? {
    asked = nil
    return drive.answered(answer, at: now)
  }
}
