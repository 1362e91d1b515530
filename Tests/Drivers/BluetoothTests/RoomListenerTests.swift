import Care
import Loop
import Ports
import Testing

@testable import Bluetooth

@Suite("What other rooms hear")
@LoopActor
struct RoomListenerTests {
  private final class Told {
    var observations: [Observation] = []
  }

  private func house() throws -> (RoomListener, Told, PlayedClock) {
    let (told, clock) = (Told(), PlayedClock())
    let rooms = RoomListener(rooms: ["kitchen"], clock: clock) { told.observations.append($0) }
    rooms.setTags([
      KnownTag(
        id: "keys",
        identities: [
          try TagIdentity("address:A4:C1:38:8D:18:B2"),
          try TagIdentity("ibeacon:e2c56db5-dffb-48d2-b060-d0f5a71096e0:1:12"),
        ], awaySeconds: 120)
    ])
    return (rooms, told, clock)
  }

  private func report(_ device: String, room: String = "kitchen") -> RoomMessage {
    .report(RoomReport(device: device, room: room, strengthDBm: -60))
  }

  @Test(
    "A tag is found by its id and by the spellings of other programs",
    arguments: [
      "keys", "a4c1388d18b2", "known:A4C1388D18B2",
      "iBeacon:e2c56db5-dffb-48d2-b060-d0f5a71096e0-1-12",
    ])
  func spelled(_ device: String) throws {
    let (rooms, told, _) = try house()
    rooms.take(report(device))
    #expect(told.observations.first == .listening("room/kitchen", isListening: true))
    guard case .sighting(let sighting)? = told.observations.last else {
      Issue.record("no sighting of \(device)")
      return
    }
    #expect(sighting.tag == "keys" && sighting.hearer == "room/kitchen")
    #expect(sighting.strengthDBm == -60)
  }

  @Test("Strange rooms and devices say nothing, and one number is not taken for two")
  func strangers() throws {
    let (rooms, told, _) = try house()
    rooms.take(report("keys", room: "cellar"))
    rooms.take(.status(room: "cellar", isOnline: true))
    #expect(told.observations.isEmpty)
    rooms.take(report("iBeacon:e2c56db5-dffb-48d2-b060-d0f5a71096e0-11-2"))
    #expect(told.observations == [.listening("room/kitchen", isListening: true)])
  }

  @Test("A room that goes down, and one that is silent, do not listen")
  func silence() throws {
    let (rooms, told, clock) = try house()
    rooms.take(.status(room: "kitchen", isOnline: true))
    rooms.take(.status(room: "kitchen", isOnline: false))
    #expect(told.observations.last == .listening("room/kitchen", isListening: false))
    for _ in 0..<100 {
      clock.pass(milliseconds: 100)
      rooms.take(report("keys"))
    }
    let sightings = told.observations.filter { if case .sighting = $0 { true } else { false } }
    #expect((2...3).contains(sightings.count))
    clock.pass(milliseconds: RoomListener.silenceMilliseconds - 1)
    rooms.endSilence()
    #expect(told.observations.last != .listening("room/kitchen", isListening: false))
    clock.pass(milliseconds: 1)
    rooms.endSilence()
    #expect(told.observations.last == .listening("room/kitchen", isListening: false))
  }
}
