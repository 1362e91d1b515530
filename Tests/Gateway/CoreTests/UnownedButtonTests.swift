import Care
import Core
import JSON
import Moments
import Testing

/// Holding a button calls for help, whoever it belongs to.
@Suite struct UnownedButtonTests {
  private static let john = Resident(id: "john", name: "John", timeZone: "Europe/Oslo")
  private static let anna = Guardian(
    id: "anna", resident: "mary", name: "Anna", phone: "+4791234567", isCaregiver: true)
  private static let bob = Guardian(
    id: "bob", resident: "john", name: "Bob", email: "bob@example.org", isCaregiver: true)

  private func house(
    _ buttons: [ButtonBinding], residents: [Resident] = [CoreFixture.mary, john]
  ) -> CoreFixture {
    var house = CoreFixture(
      configuration: CoreConfiguration(gateway: "test", buttons: buttons))
    house.step(.started(version: "0"))
    for resident in residents { house.perform(.putResident(resident)) }
    for guardian in [Self.anna, Self.bob]
    where residents.contains(where: { $0.id == guardian.resident }) {
      house.perform(.putGuardian(guardian))
    }
    return house
  }

  private func press(
    _ gesture: ButtonGesture, on button: SourceID = "hall", _ house: inout CoreFixture
  ) -> StepResult {
    house.step(
      .observation(.button(ButtonReport(button: button, gesture: gesture, edge: house.now.tick))),
      afterSeconds: 1)
  }

  private func messages(after seconds: Double, _ house: inout CoreFixture) -> [AlarmMessage] {
    house.step(.wake, afterSeconds: seconds).actions.compactMap {
      if case .notify(let message) = $0 { message } else { nil }
    }
  }

  static let nobodys: [(String, [ButtonBinding], SourceID)] = [
    ("of a resident who is not there", [ButtonBinding(button: "hall", resident: "marry")], "hall"),
    ("of a caregiver who is not there", [ButtonBinding(button: "hall", caregiver: "ann")], "hall"),
    ("of nobody in a house of two", [ButtonBinding(button: "hall")], "hall"),
    ("of a plugin and not in the configuration", [], "mqtt-hall"),
    (
      "bound to an SOS by its press",
      [ButtonBinding(button: "hall", resident: "marry", press: .sos)], "hall"
    ),
  ]

  @Test("A hold calls for help for somebody, and all guardians are told", arguments: nobodys)
  func hold(name: String, buttons: [ButtonBinding], button: SourceID) throws {
    var house = house(buttons)
    let gesture: ButtonGesture = buttons.first?.press == .sos ? .press : .hold
    let held = press(gesture, on: button, &house)
    let raised = try #require(held.events.first { $0.type == .alarmRaised }, "\(name)")
    #expect(raised.facts["kind"] == "sos" && raised.resident == nil)
    #expect(raised.facts["residentName"] == "Somebody")
    #expect(
      raised.facts["explanation"]?.stringContent?.hasPrefix("Somebody asked for help.") == true)
    let told = messages(after: 15, &house)
    #expect(Set(told.map(\.guardian)) == ["anna", "bob"])
    #expect(told.allSatisfy { $0.text.contains("Somebody") && $0.asksForAcknowledgement })
    // Anybody's guardian takes charge, and a caregiver ends it.
    let taken = house.perform(.alarm(.acknowledge(alarm: nil, by: "bob")))
    #expect(taken.events.contains { $0.type == .alarmAcknowledged })
    let ended = house.perform(.alarm(.resolve(alarm: nil, by: "anna", reason: "It was John")))
    #expect(
      ended.reply?.refusalCode == nil
        && house.core.alarms.summaries().allSatisfy { $0["kind"] != "sos" })
  }

  @Test("A button of a gateway without residents calls for help as well")
  func nobodyThere() {
    var house = CoreFixture()
    let held = press(.hold, &house)
    #expect(held.events.contains { $0.type == .alarmRaised })
    #expect(held.actions.contains { if case .play = $0 { true } else { false } })
  }

  @Test("Two presses of any button, or any resident's word, take it back")
  func cancelled() {
    var house = house([])
    _ = press(.hold, on: "mqtt-hall", &house)
    #expect(press(.double, on: "mqtt-hall", &house).events.contains { $0.type == .alarmCancelled })
    _ = press(.hold, on: "mqtt-hall", &house)
    let word = house.perform(.alarm(.cancel(resident: "john", pin: nil, message: nil)))
    #expect(word.events.contains { $0.type == .alarmCancelled })
    _ = press(.hold, on: "mqtt-hall", &house)
    house.step(.wake, afterSeconds: 20)
    // Once guardians were told, two presses end nothing.
    #expect(!press(.double, on: "mqtt-hall", &house).events.contains { $0.type == .alarmCancelled })
    #expect(house.core.alarms.summaries().contains { $0["stage"] == "dispatched" })
  }

  @Test("It goes on over a restart")
  func restarted() {
    var house = house([])
    _ = press(.hold, on: "mqtt-hall", &house)
    var later = CoreFixture(stored: house.core.storedState, seed: 2, at: house.now)
    later.step(.started(version: "0"))
    #expect(Set(messages(after: 20, &later).map(\.guardian)) == ["anna", "bob"])
  }

  @Test("Whose nobody knows is a fault that lasts until somebody says")
  func fault() {
    var house = house(
      [ButtonBinding(button: "hall", resident: "john")], residents: [CoreFixture.mary])
    let raised = house.step(.wake, afterSeconds: 11)
    let fault = raised.events.first {
      $0.type == .faultRaised && $0.facts["component"] == "buttons"
    }
    #expect(fault?.facts["code"] == "of-nobody")
    #expect(fault?.facts["explanation"]?.stringContent?.contains("hall") == true)
    #expect(
      house.core.upkeep.ownReports.contains { $0.component == "buttons" && $0.state == .degraded })
    let known = house.perform(.putResident(Self.john))
    #expect(
      known.events.contains { $0.type == .faultCleared && $0.facts["component"] == "buttons" })
  }

  @Test("Once it was held, nothing is waited for")
  func faultOfHold() {
    var house = house([])
    let held = press(.hold, on: "mqtt-hall", &house)
    let later = house.step(.wake)
    #expect(
      (held.events + later.events).contains {
        $0.type == .faultRaised && $0.facts["component"] == "buttons"
      })
  }

  @Test("A button that is one resident's, or the only one's, is no fault and calls for them")
  func known() {
    for (binding, residents) in [
      (ButtonBinding(button: "hall", resident: "john"), [CoreFixture.mary, Self.john]),
      (ButtonBinding(button: "hall"), [CoreFixture.mary]),
      (ButtonBinding(button: "hall", caregiver: "anna"), [CoreFixture.mary, Self.john]),
    ] {
      var house = house([binding], residents: residents)
      let later = house.step(.wake, afterSeconds: 11)
      #expect(
        !later.events.contains { $0.type == .faultRaised && $0.facts["component"] == "buttons" })
      let raised = press(.hold, &house).events.first { $0.type == .alarmRaised }
      #expect(raised?.resident == (binding.resident ?? "mary"))
    }
  }
}
