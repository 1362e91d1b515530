import Care
import JSON
import Room
import TestSupport
import Testing

@Suite("What a press means in the room")
struct PressTests {
  @Test("Two presses make a call come in, one answers it, one more ends it")
  func call() throws {
    var room = RoomScene()
    #expect(!room.shown(.call).isCallOn)
    #expect(try room.press(.double)?.sounds.map(\.priority) == [.call])
    #expect(room.shown(.call).isCallOn)
    let answered = try room.press(.press)
    #expect(answered?.events.map(\.type) == [.fakeCallChanged])
    #expect(answered?.events.first?.facts["stage"] == "talking")
    #expect(room.shown(.call).isCallOn)
    #expect(try room.press(.press)?.events.first?.facts["reason"] == "hung-up")
    #expect(!room.shown(.call).isCallOn)
  }

  @Test("Two presses while a call rings or is being answered are nobody's")
  func callTwice() throws {
    var room = RoomScene()
    #expect(try room.press(.double) != nil)
    #expect(try room.press(.double) == nil)
    #expect(try room.press(.press) != nil && room.shown(.call).isCallOn)
    #expect(try room.press(.double) == nil && room.shown(.call).isCallOn)
  }

  @Test("A call that is planned is not on, and a press does not answer it")
  func planned() throws {
    var room = RoomScene()
    #expect(room.ask(.startFakeCall(resident: "mary", afterSeconds: 60)).refusal == nil)
    #expect(!room.shown(.call).isCallOn)
    #expect(try room.press(.press)?.sounds.map(\.id) == ["clock"])
    #expect(try room.press(.double)?.sounds.map(\.priority) == [.call])
  }

  @Test("No call comes in while help is needed")
  func help() throws {
    var room = RoomScene()
    for need in ["open", "prealarm", "somebody"] {
      room.need = World.Need()
      if need == "open" { room.need.open = ["mary"] }
      if need == "prealarm" { room.need.prealarm = ["mary"] }
      room.need.isSomebodys = need == "somebody"
      #expect(try room.press(.double) == nil, "\(need)")
    }
    #expect(room.engine.nextWake == nil)
    room.need = World.Need()
    room.need.open = ["john"]
    #expect(try room.press(.double) != nil)
  }

  @Test("A press with nothing to answer says the time in the resident's zone and language")
  func timeOfDay() throws {
    var room = RoomScene()
    room.house.settings["mary"] = ["language": "zh"]
    let said = try room.press(.press)
    #expect(
      said?.sounds.map(\.parts)
        == [[.pattern("chime"), .clock(timeZone: "Australia/Darwin", language: "zh")]])
    #expect(said?.sounds.map(\.priority) == [.chime] && said?.events.isEmpty == true)
  }

  @Test("Everybody's button says the time of the first resident, one of somebody who is gone none")
  func whose() throws {
    var room = RoomScene([RoomScene.mary, RoomScene.john])
    #expect(
      try room.press(.press)?.sounds.first?.parts.last
        == .clock(timeZone: "Europe/Oslo", language: "en"))
    room.house.buttons = [ButtonBinding(button: "hall", resident: "marry")]
    #expect(try room.press(.press) == nil && room.press(.double) == nil)
    var nobody = RoomScene([])
    for gesture in ButtonGesture.allCases {
      #expect(try nobody.press(gesture) == nil, "\(gesture)")
    }
  }

  @Test("A hold, three presses and what the button itself does are for others")
  func others() throws {
    var room = RoomScene()
    for gesture in [ButtonGesture.hold, .triple, .down, .stuck, .loose] {
      #expect(try room.press(gesture) == nil, "\(gesture)")
    }
  }

  @Test("A call that rings for a resident who is erased falls silent, and nothing is told of it")
  func erased() throws {
    var room = RoomScene([RoomScene.mary, RoomScene.john])
    #expect(room.ask(.startFakeCall(resident: "mary", afterSeconds: 0)).refusal == nil)
    #expect(try room.hear(.changed(.erased("john"))) == nil && room.shown(.call).isCallOn)
    let erased = try #require(try room.hear(.changed(.erased("mary"))))
    #expect(erased.events.isEmpty)
    #expect(erased.actions.count == 1 && erased.sounds.isEmpty)
    #expect(
      erased.changes == [.removeEngineRow(engine: "fake-call", subject: "mary", name: "call")])
    #expect(!room.shown(.call).isCallOn && room.engine.nextWake == nil)
  }

  @Test("A real alarm ends the call, and one without a call is none of the room's business")
  func alarm() throws {
    var room = RoomScene()
    #expect(try room.hear(.signalled(.alarmBegan)) == nil)
    #expect(try room.press(.double) != nil)
    let ended = try room.hear(.signalled(.alarmBegan))
    #expect(ended?.events.first?.facts["reason"] == "alarm" && !room.shown(.call).isCallOn)
  }
}
