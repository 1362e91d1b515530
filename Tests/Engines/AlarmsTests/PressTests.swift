import Care
import JSON
import Moments
import Testing
import Texts

@testable import Alarms

@Suite("What hands mean by buttons")
struct PressTests {
  private static let tom = Resident(id: "tom", name: "Tom", timeZone: "Etc/UTC")

  /// Does something with a button; answers what it was taken for, nil where alarms took it for nothing.
  private func press(
    _ gesture: ButtonGesture, _ house: inout House
  ) -> Press.Meaning? {
    let report = ButtonReport(button: "hall", gesture: gesture, edge: house.now.tick)
    return Press.meanings(of: report, in: house.known).first { house.handle(core: .pressed($0)) }?
      .meaning
  }

  private func bound(_ binding: ButtonBinding) -> House {
    var house = House()
    house.known.buttons = [binding]
    return house
  }

  // MARK: Help

  @Test("A hold calls for help for whoever the button belongs to, and a second one is no other")
  func hold() {
    var house = House()
    #expect(press(.hold, &house) == .help)
    #expect(press(.hold, &house) == .help)
    let raised = house.all(.alarmRaised).map(\.draft)
    #expect(raised.map(\.resident) == ["mary"] && raised.first?.text("trigger") == "button")
    #expect(house.types == ["alarm.raised", "alarm.repeated"] && house.signals.isEmpty)
  }

  @Test("A hold of a button of which nobody knows whose it is calls for somebody, and says so")
  func nobodys() throws {
    var house = House(residents: [House.mary, Self.tom])
    house.known.settings["mary"]?["language"] = "zh"
    #expect(press(.hold, &house) == .help)
    let raised = try #require(house.all(.alarmRaised).first?.draft)
    #expect(raised.resident == nil && raised.text("residentName") == "有人")
    #expect(raised.text("text").contains("hall") && !raised.text("text").contains("nobody"))
    #expect(house.signals == [.calledForNobody("hall")])
    house.wait(until: 11)
    #expect(!house.messages.isEmpty)
  }

  // MARK: Yes and no

  @Test("A press silences what sounds; where nothing does, it is for others")
  func yes() {
    var house = House()
    #expect(press(.press, &house) == nil)
    _ = press(.hold, &house)
    #expect(press(.press, &house) == nil, "a pre-alarm is not silenced")
    house.wait(until: 20)
    #expect(press(.press, &house) == .yes)
    #expect(house.types.last == "alarm.silenced" && !house.engine.state.isSounding)
    #expect(press(.press, &house) == nil)
  }

  @Test("Two presses cancel in the pre-alarm, and never later")
  func no() {
    var house = House()
    #expect(press(.double, &house) == nil)
    _ = press(.hold, &house)
    house.wait(until: 4)
    #expect(press(.double, &house) == .no)
    #expect(house.types.last == "alarm.cancelled")
    _ = press(.hold, &house)
    house.wait(until: 30)
    let count = house.events.count
    #expect(press(.double, &house) == nil && house.events.count == count)
  }

  @Test("A fault that waits for its patience is no pre-alarm")
  func faultIsNoPrealarm() {
    var house = House(settings: ["faultPatienceSeconds": 600])
    house.notice(
      .faultRaised, ["component": "gps/gps", "state": "failed", "explanation": "No receiver."])
    #expect(house.engine.summaries().first?["stage"] == "prealarm")
    #expect(press(.double, &house) == nil)
  }

  @Test("Two presses of anybody cancel a call for somebody, and keep quiet once others are told")
  func noForSomebody() {
    var house = House(residents: [House.mary, Self.tom])
    _ = press(.hold, &house)
    #expect(press(.double, &house) == .no)
    #expect(house.types.last == "alarm.cancelled")
    _ = press(.hold, &house)
    house.wait(until: 30)
    let count = house.events.count
    #expect(press(.double, &house) == .no, "no other engine answers while somebody needs help")
    #expect(house.events.count == count)
  }

  // MARK: Commands

  @Test("A caregiver's button takes charge; one that fits no alarm changes nothing")
  func acknowledge() {
    var house = bound(ButtonBinding(button: "hall", caregiver: "anna", double: .acknowledge))
    let before = house.engine.rows
    #expect(press(.double, &house) == .command(.acknowledge))
    #expect(house.events.isEmpty && house.engine.rows == before)
    _ = press(.hold, &house)
    house.wait(until: 12)
    #expect(press(.double, &house) == .command(.acknowledge))
    #expect(house.all(.alarmAcknowledged).last?.draft.text("principal") == "gateway:button/hall")
    var nobodys = bound(ButtonBinding(button: "hall", double: .acknowledge))
    #expect(press(.double, &nobodys) == nil)
  }

  @Test("Three presses take a photograph of an open SOS, and nothing otherwise")
  func photograph() {
    var house = House()
    #expect(press(.triple, &house) == .command(.photograph))
    #expect(house.actions.isEmpty)
    _ = press(.hold, &house)
    house.wait(until: 12)
    let before = house.actions.count
    _ = press(.triple, &house)
    #expect(house.photographs(from: before) == 1)
  }

  @Test("What a button brings about otherwise is for others")
  func others() {
    for command in ButtonCommand.allCases
    where command != .sos && command != .photograph && command != .acknowledge {
      var house = bound(ButtonBinding(button: "hall", triple: command))
      #expect(press(.triple, &house) == nil, "\(command)")
      #expect(house.events.isEmpty && house.actions.isEmpty)
    }
  }

  // MARK: The camera

  @Test("Who refused the camera is not photographed, and the alarm hears so at once")
  func refusedCamera() {
    var house = House(settings: ["language": "zh"])
    house.refuse(.camera)
    _ = press(.hold, &house)
    #expect(house.photographs() == 0)
    #expect(house.types == ["alarm.raised", "alarm.photo"])
    #expect(house.events.last?.draft.text("detail") == "被照护者拒绝拍照。")
    house.wait(until: 12)
    _ = press(.triple, &house)
    #expect(house.photographs() == 0 && house.types.last == "alarm.photo")
    let refusal = house.refusal(.photograph(resident: "mary"))
    #expect(refusal?.code == .forbidden)
    let words = refusal?.message.description
    #expect(words?.contains("homeward consent grant camera") == true, "\(words ?? "")")
  }
}

extension House {
  /// How many photographs were asked for.
  func photographs(from start: Int = 0) -> Int {
    actions.dropFirst(start).filter {
      if case .photograph = $0.action { true } else { false }
    }.count
  }

  /// Writes down that the resident refused something; nothing is told.
  mutating func refuse(_ kind: ConsentKind) {
    known.consents.append(
      Consent(
        resident: "mary", kind: kind, isGranted: false, by: "Anna", at: now.utc,
        principal: "local:anna"))
  }
}
