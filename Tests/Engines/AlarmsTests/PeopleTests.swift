import Care
import JSON
import Testing
import Texts

@testable import Alarms

/// Who may take charge, and who may not.
@Suite struct PeopleTests {
  private static let tom = Resident(id: "tom", name: "Tom", timeZone: "Etc/UTC")
  private static let carol = Guardian(
    id: "carol", resident: "tom", name: "Carol", phone: "+4790000001", isCaregiver: true)

  private func open() throws -> House {
    var house = House(
      residents: [House.mary, Self.tom], guardians: [House.anna, House.bob, Self.carol])
    try house.press()
    house.wait(until: 15)
    return house
  }

  @Test(arguments: [
    "anna", "+4791234567", "+47 912 34 567", "004791234567", "(+47) 91234567",
  ]) func guardiansAreKnownByIdAndByEveryWayToWriteTheirNumber(by: String) throws {
    var house = try open()
    let reply = try house.ask(.acknowledge(alarm: nil, by: by))
    #expect(reply["acknowledgedBy"] == ["anna"])
    #expect(house.events.last { $0.draft.type == .alarmAcknowledged }?.draft.text("by") == "anna")
  }

  @Test func nobodyElseTakesCharge() throws {
    var house = try open()
    let tries: [(String?, Principal)] = [
      (nil, .local), ("", .local), ("mary", .local), ("tom", .local), ("carol", .local),
      ("nobody", .local), ("91234567", .local), ("+", .local),
      (String(repeating: "9", count: 999), .local),
      (nil, .sms("+4799999999")), (nil, .sms("")), (nil, .sms("mary")), (nil, .sms("+4790000001")),
      ("anna", .sms("+4799999999")), ("anna", .sms("+4790000001")),
      (nil, Principal(channel: .plugin, name: "mqtt")),
      (nil, Principal(channel: .gateway, name: "homeward")),
    ]
    for (by, principal) in tries {
      let refusal = house.refusal(.acknowledge(alarm: nil, by: by), as: principal)
      #expect(refusal != nil, "\(by ?? "nil") \(principal.description)")
      #expect((refusal?.message.description.count ?? 0) > 20)
    }
    #expect(house.all(.alarmAcknowledged).isEmpty)
    #expect(house.engine.summaries().first?["stage"] == "dispatched")
  }

  @Test func aGuardianWhoIsThePersonInDangerCannotTakeCharge() throws {
    let herself = Guardian(id: "mary", resident: "mary", name: "Mary", phone: "+4700000002")
    var house = House(guardians: [House.anna, herself])
    try house.press()
    house.wait(until: 15)
    #expect(house.refusal(.acknowledge(alarm: nil, by: "mary"))?.code == .forbidden)
    #expect(house.refusal(.acknowledge(alarm: nil, by: nil), as: .sms("+4700000002")) != nil)
  }

  @Test func theSameAnswerTwiceIsDoneOnceAndASecondHelperIsNoted() throws {
    var house = try open()
    try house.ask(.acknowledge(alarm: nil, by: "anna"))
    let before = house.events.count
    let again = try house.ask(.acknowledge(alarm: nil, by: "anna"))
    #expect(again["acknowledgedBy"] == ["anna"])
    #expect(house.events.count == before)
    let both = try house.ask(.acknowledge(alarm: nil, by: "bob"))
    #expect(both["acknowledgedBy"] == ["anna", "bob"])
    #expect(house.all(.alarmAcknowledged).last?.draft.facts["isFirst"] == false)
  }

  @Test func anAnswerToWhatIsOverIsToldSo() throws {
    var house = try open()
    let tag = house.engine.summaries().first?["tag"]?.stringContent ?? ""
    try house.ask(.resolve(alarm: tag, by: "bob", reason: "found"))
    #expect(
      house.refusal(.acknowledge(alarm: tag, by: "anna"))?.message.description.contains("over")
        == true)
    #expect(house.refusal(.acknowledge(alarm: nil, by: "anna"))?.code == .conflict)
    #expect(house.refusal(.acknowledge(alarm: "ZZZZ", by: "anna"))?.code == .unknownTarget)
    house.wait(until: 90_000)
    #expect(house.refusal(.acknowledge(alarm: tag, by: "anna"))?.code == .unknownTarget)
    #expect(house.storedRows.filter { $0.name.hasPrefix("alarm:") }.isEmpty)
  }

  @Test func whereTwoAreOpenTheTagSaysWhich() throws {
    var house = try open()
    house.notice(.zoneLeft, ["zone": "home", "zoneName": "Home"])
    let refusal = house.refusal(.acknowledge(alarm: nil, by: "anna"))
    let tags = house.engine.summaries().compactMap { $0["tag"]?.stringContent }
    #expect(tags.count == 2)
    #expect(tags.allSatisfy { refusal?.message.description.contains($0) == true })
    try house.ask(.acknowledge(alarm: "#" + tags[1].lowercased(), by: "anna"))
    #expect(house.all(.alarmAcknowledged).last?.draft.text("kind") == "zone")
    #expect(house.engine.summaries().first?["stage"] == "dispatched")
  }

  @Test func aTestNeverStandsInTheWayOfTheRealThing() throws {
    var house = try open()
    try house.ask(.test(resident: "mary"))
    let reply = try house.ask(.acknowledge(alarm: nil, by: "anna"))
    #expect(reply["tag"] == house.engine.summaries().first?["tag"])
    #expect(house.all(.alarmAcknowledged).map { $0.draft.text("kind") } == ["sos"])
  }

  @Test func aPartThatNeedsCareNeverStandsInTheWayOfAPerson() throws {
    var house = try open()
    house.notice(
      .faultRaised,
      [
        "component": "gps/gps", "state": "failed", "code": "x",
        "explanation": "The receiver is gone.",
      ],
      of: nil)
    #expect(house.engine.summaries().count == 2)
    let reply = try house.ask(.acknowledge(alarm: nil, by: "anna"))
    #expect(reply["tag"] == house.engine.summaries().first?["tag"])
    #expect(house.all(.alarmAcknowledged).map { $0.draft.text("kind") } == ["sos"])
    #expect(!house.lights.contains(.failed))
  }

  @Test func inThePrealarmNobodyIsInChargeYet() throws {
    var house = House()
    let alarm = try house.press()
    #expect(house.refusal(.acknowledge(alarm: alarm.rawValue, by: "anna"))?.code == .conflict)
    house.wait(until: 10)
    #expect(house.messages.count == 3)
  }

  @Test func requestsAboutNobodyAreRefusedInPlainWords() throws {
    var house = House()
    let requests: [AlarmRequest] = [
      .raise(resident: "eve", kind: .sos, trigger: .backend, text: ""),
      .cancel(resident: "eve", pin: nil, message: nil), .photograph(resident: "eve"),
      .test(resident: "eve"), .setPIN(resident: "eve", kind: .okay, pin: nil),
      .prepareEmergency(resident: "eve", profile: "GB", registered: nil, text: "x"),
      .confirmEmergency(resident: "eve", code: "x"), .disableEmergency(resident: "eve"),
      .contactEmergency(resident: "eve", mode: .call),
    ]
    for request in requests {
      let refusal = house.refusal(request)
      #expect(refusal?.code == .unknownTarget, "\(request.action)")
      #expect(
        refusal?.message.description
          == "There is no resident \"eve\". List them with: homeward residents")
    }
    let long = String(repeating: "x", count: 501)
    #expect(
      house.refusal(.raise(resident: "mary", kind: .sos, trigger: .backend, text: long))?.code
        == .invalid)
    #expect(house.refusal(.cancel(resident: "mary", pin: nil, message: nil))?.code == .conflict)
    try house.press()
    #expect(house.refusal(.cancel(resident: "mary", pin: nil, message: ""))?.code == .invalid)
    #expect(house.refusal(.cancel(resident: "mary", pin: nil, message: long))?.code == .invalid)
    #expect(house.engine.rows == house.storedRows)
  }

  @Test func aResidentWhoIsErasedTakesEverythingAlong() throws {
    var house = try open()
    house.handle(.residentsChanged([Self.tom]))
    house.handle(.guardiansChanged([Self.carol]))
    #expect(!house.storedRows.contains { $0.subject == "mary" })
    #expect(house.events.last?.draft.resident == nil)
    #expect(house.engine.summaries().isEmpty)
    let count = house.messages.count
    house.wait(until: 400)
    #expect(house.messages.count == count)
  }

  @Test func hashesOfPINsAreKeptAndRemoved() throws {
    var house = House()
    try house.ask(.setPIN(resident: "mary", kind: .duress, pin: nil), as: .local, .hash("$y$1"))
    #expect(house.engine.pinHash(.duress, of: "mary") == "$y$1")
    #expect(house.engine.pinHash(.okay, of: "mary") == nil)
    house.cutPower()
    #expect(house.engine.pinHash(.duress, of: "mary") == "$y$1")
    try house.ask(.setPIN(resident: "mary", kind: .duress, pin: nil))
    #expect(house.engine.pinHash(.duress, of: "mary") == nil)
    #expect(house.storedRows.allSatisfy { $0.name != "pin:duress" })
  }
}
