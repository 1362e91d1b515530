import Care
import Foundation
import Loudspeaker
import TestSupport
import Testing
import Texts

@Suite struct CardTests {
  @Test func withoutACardEverySoundFailsAndTheFaultSaysWhatToDo() async throws {
    let room = try await Room("plughw:CARD=NoSuchCard")
    #expect(room.becomes(.failed))
    let health = try #require(room.health.last)
    #expect(health.component == "sound" && health.code == "no-card")
    #expect(
      health.detail.description.contains("aplay -L")
        && health.detail.description.contains("NoSuchCard"))
    await room.play(.pattern("sos", id: "sos", priority: .emergency, repetitions: nil))
    await room.play(.pattern("chime", id: "once"))
    #expect(room.hears(.failed, "sos"))
    #expect(room.hears(.failed, "once"))
    await room.stopSound("sos")
    #expect(room.hears(.stopped, "sos"))
    #expect(room.reports.count == 3)
    await room.stop()
  }

  @Test func aCardThatAppearsLateSoundsWhatIsStillWanted() async throws {
    let card = try TestCard()
    card.allow()
    card.setGone(true)
    let room = try await Room(card.device)
    #expect(room.becomes(.failed))
    await room.play(.pattern("high", id: "alarm", priority: .emergency, repetitions: nil))
    #expect(room.hears(.failed, "alarm"))
    #expect(card.opened == 0)
    card.setGone(false)
    #expect(room.becomes(.working))
    #expect(room.hears(.started, "alarm"))
    await room.stop()
    #expect(Eventually.holds(withinSeconds: 30) { card.opened == 0 })
  }

  @Test func aBusyCardIsNamedAndTakenWhenItIsFree() async throws {
    let card = try TestCard()
    card.allow()
    card.setBusy(true)
    let room = try await Room(card.device)
    #expect(room.becomes(.failed))
    #expect(room.health.last?.code == "busy")
    card.setBusy(false)
    // A sound does not wait for the next look: it makes one.
    await room.play(.pattern("chime"))
    #expect(room.hears(.finished, "it"))
    #expect(room.health.last?.state == .working)
    await room.stop()
  }

  @Test func aCardPulledOutWhileItSoundsIsReportedAndTheSoundGoesOnWhenItIsBack() async throws {
    let card = try TestCard()
    let room = try await Room(card.device)
    await room.play(.pattern("sos", id: "sos", priority: .emergency, repetitions: nil))
    card.allow(9_600)
    #expect(room.hears(.started, "sos"))
    card.setGone(true)
    card.allow(480)
    #expect(room.hears(.failed, "sos"))
    #expect(room.health.last?.code == "no-card")
    card.setGone(false)
    card.allow(48_000)
    #expect(room.hears(.started, "sos", times: 2))
    #expect(room.health.last?.state == .working)
    await room.stop()
  }

  @Test func aCardPulledOutWhileNothingSoundsIsNoticedAtOnce() async throws {
    let card = try TestCard()
    card.allow()
    let room = try await Room(card.device)
    #expect(room.becomes(.working))
    card.setGone(true)
    #expect(room.becomes(.failed))
    #expect(Eventually.holds(withinSeconds: 30) { card.opened == 0 })
    card.setGone(false)
    await room.play(.pattern("chime"))
    #expect(room.hears(.finished, "it"))
    await room.stop()
  }

  @Test(arguments: [EPIPE, ESTRPIPE])
  func anUnderrunOrASuspendCostsAFewMillisecondsAndNotTheSound(error: Int32) async throws {
    let card = try TestCard("trouble-\(error)(")
    let room = try await Room(card.device)
    await room.play(.pattern("medium"))
    card.allow(9_600)
    #expect(room.hears(.started, "it"))
    card.trouble(error)
    card.allow()
    #expect(room.hears(.finished, "it"))
    #expect(room.health.map(\.state) == [.starting, .working])
    #expect(room.reports.map(\.outcome) == [.started, .finished])
    await room.stop()
  }

  @Test func aCardThatHangsIsClosedAndOpenedAgain() async throws {
    let card = try TestCard()
    let room = try await Room(card.device) { $0.hangMilliseconds = 100 }
    await room.play(.pattern("sos", id: "sos", priority: .emergency, repetitions: nil))
    card.allow(9_600)
    #expect(room.hears(.started, "sos"))
    #expect(room.hears(.failed, "sos"))
    #expect(room.health.contains { $0.state == .failed && $0.code == "device" })
    card.allow()
    #expect(room.hears(.started, "sos", times: 2))
    #expect(room.health.count { $0.state == .working } >= 2)
    await room.stop()
  }

  @Test func theVolumeIsRaisedForAnEmergencyAndPutBackAfterIt() async throws {
    let card = try TestCard()
    card.allow()
    let room = try await Room(card.device) {
      $0.mixerCard = card.device
      $0.emergencyLevelPercent = 75
    }
    await room.play(.pattern("chime", id: "calm"))
    #expect(room.hears(.finished, "calm"))
    #expect(card.mixer == [30, 0])
    await room.play(.pattern("high", id: "alarm", priority: .emergency, repetitions: nil))
    #expect(room.hears(.started, "alarm"))
    #expect(card.mixer == [150, 1])
    await room.stopSound("alarm")
    // The minute may be over by now, and the alarm still has to fade.
    card.allow()
    #expect(Eventually.holds(withinSeconds: 30) { card.mixer == [30, 0] })
    #expect(room.health.last?.state == .working)
    await room.stop()
  }

  @Test func aVolumeThatCannotBeSetIsAFaultAndTheAlarmSoundsAllTheSame() async throws {
    let card = try TestCard()
    card.allow()
    card.volumeTrouble(EIO)
    let room = try await Room(card.device) { $0.mixerCard = card.device }
    await room.play(.pattern("high", id: "alarm", priority: .emergency))
    #expect(room.hears(.finished, "alarm"))
    #expect(room.becomes(.degraded))
    #expect(room.health.last?.detail.description.contains("\"Master\"") == true)
    await room.stop()
  }

  @Test func theVolumeIsPutBackWhenTheSpeakerStopsInTheMiddleOfAnAlarm() async throws {
    let card = try TestCard()
    card.allow()
    let room = try await Room(card.device) { $0.mixerCard = card.device }
    await room.play(.pattern("sos", id: "alarm", priority: .emergency, repetitions: nil))
    #expect(room.hears(.started, "alarm"))
    #expect(card.mixer == [180, 1])
    await room.stop()
    #expect(Eventually.holds(withinSeconds: 30) { card.mixer == [30, 0] && card.opened == 0 })
  }

  @Test func aSpeakerThatIsSwitchedOffSaysSoAndFailsEverySound() async throws {
    let room = try await Room("card:off") { $0.isEnabled = false }
    #expect(room.becomes(.unused))
    await room.play(.pattern("sos"))
    #expect(room.hears(.failed, "it"))
    await room.stop()
  }
}
