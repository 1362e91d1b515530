import Care
import CivilTime
import JSON
import Moments
import Testing
import Texts

/// What is known of the house is the same for whoever asks, and says when it changed.
@Suite("The house") struct HouseTests {
  private static let mary = Resident(
    id: "mary", name: "Mary", timeZone: "UTC", gpsSource: "gps")
  private static let ben = Resident(id: "ben", name: "Ben", timeZone: "Europe/Oslo")

  private func zone(
    _ id: ZoneID, of resident: ResidentID = "mary", hours: String? = nil
  ) throws -> SafeZone {
    SafeZone(
      id: id, resident: resident, name: id.rawValue,
      area: .circle(center: try RequestSamples.place(), radiusMeters: 25),
      hours: hours.flatMap(DailyHours.init))
  }

  private func refusal(
    _ ask: () throws(CommandReply.Refusal) -> Void
  ) -> CommandReply.Refusal? {
    do throws(CommandReply.Refusal) { try ask() } catch { return error }
    return nil
  }

  // MARK: Zones

  @Test(
    "A zone counts in its hours; while nobody knows the time those count that always do, or else all",
    arguments: [
      (["home": nil, "club": "08:00-16:00"], 12, ["club", "home"]),
      (["home": nil, "club": "08:00-16:00"], 16, ["home"]),
      (["home": nil, "club": "08:00-16:00"], nil, ["home"]),
      (["club": "08:00-16:00", "night": "22:00-07:00"], 12, ["club"]),
      (["club": "08:00-16:00", "night": "22:00-07:00"], 20, []),
      (["club": "08:00-16:00", "night": "22:00-07:00"], nil, ["club", "night"]), ([:], nil, []),
    ] as [([String: String?], Int?, [String])])
  func counting(zones: [String: String?], hour: Int?, counting: [String]) throws {
    var house = House(residents: [Self.mary, Self.ben], zones: [try zone("other", of: "ben")])
    for (id, hours) in zones { house.zones[ZoneID(id)] = try zone(ZoneID(id), hours: hours) }
    let local = hour.map { CivilDateTime(year: 2026, month: 11, day: 20, hour: $0) }
    #expect(house.zones(of: "mary", countingAt: local).map(\.id.rawValue) == counting)
    #expect(house.zones(of: "mary").map(\.id.rawValue) == zones.keys.sorted())
  }

  // MARK: People

  @Test("A person speaks and rests as was set, from the moment that it was")
  func people() {
    var house = House(residents: [Self.mary, Self.ben], timeZones: ["UTC": .utc])
    #expect(house.people["mary"]?.zone == .utc && house.people["ben"]?.zone == nil)
    #expect(house.people["mary"]?.quietHours?.text == "22:00-07:00")
    #expect(house.language(of: "mary") == .en && house.language(of: "nobody") == .en)
    house.settings["mary"] = ["language": "zh", "quietHours": "none", "tierSeconds": 60]
    #expect(house.language(of: "mary") == .zh && house.language(of: "ben") == .en)
    #expect(house.people["mary"]?.quietHours == nil)
    #expect(house.people["mary"]?.alarms.tierSeconds == 60)
    house.timeZones["Europe/Oslo"] = .utc
    #expect(house.people["ben"]?.zone == .utc)
    house.residents["ben"] = nil
    #expect(house.people["ben"] == nil && house.sortedResidents == [Self.mary])
    house.residents["ben"] = Self.ben
    #expect(house.sortedResidents.map(\.id) == ["ben", "mary"])
  }

  @Test("Whatever is changed, the house is another one")
  func versions() throws {
    let consent = Consent(
      resident: "mary", kind: .camera, isGranted: true, by: "Mary", at: .seconds(1),
      principal: "local:mary")
    let zone = try zone("home")
    let changes: [(inout House) -> Void] = [
      { $0.language = .zh }, { $0.residents["mary"] = Self.mary }, { $0.zones["home"] = zone },
      { $0.settings["mary"] = ["language": "zh"] }, { $0.timeZones["UTC"] = .utc },
      { $0.consents = [consent] }, { $0.defaults = ["exitFixCount": 3] },
      { $0.receivers = KnownReceivers(names: ["gps"]) }, { $0.faultAfterSeconds = 20 },
      { $0.heartbeatSeconds = 60 }, { $0.hearers = [TagHearer(id: "a", place: .withResident)] },
      { $0.buttons = [ButtonBinding(button: "wired")] },
      { $0.put(Guardian(id: "anna", resident: "mary", name: "Anna")) },
      { $0.removeGuardians { $0.id == "anna" } },
    ]
    var house = House()
    for (index, change) in changes.enumerated() {
      let version = house.version
      change(&house)
      #expect(house.version != version, "change \(index)")
    }
  }

  @Test("A guardian is there once, in the order of ids, until they are forgotten")
  func guardians() {
    var house = House(guardians: [Guardian(id: "dora", resident: "mary", name: "Dora")])
    for (id, resident, name) in [
      ("bob", "mary", "Bob"), ("anna", "ben", "Anna"), ("bob", "mary", "Robert"),
    ] {
      house.put(Guardian(id: GuardianID(id), resident: ResidentID(resident), name: name))
    }
    #expect(house.guardians.map(\.name) == ["Anna", "Robert", "Dora"])
    #expect(house.guardians(of: "mary").map(\.id) == ["bob", "dora"])
    #expect(house.guardian("bob")?.name == "Robert" && house.guardian("eve") == nil)
    house.removeGuardians { $0.resident == "mary" }
    #expect(house.guardians.map(\.id) == ["anna"])
  }

  @Test("A source of positions moves with one resident, or with nobody")
  func sources() {
    let house = House(residents: [Self.mary, Self.ben])
    #expect(house.resident(movingWith: "gps") == Self.mary)
    #expect(house.resident(movingWith: "tracker") == nil)
    let receivers = KnownReceivers(names: ["gps"], plugins: ["mqtt"])
    for (source, isKnown) in [
      ("gps", true), ("gps/1", false), ("mqtt/phone", true), ("mqtt/", true), ("mqtt", false),
      ("mqttx/phone", false), ("", false),
    ] {
      #expect(receivers.contains(SourceID(source)) == isKnown, "\(source)")
    }
    #expect(receivers.words == ["gps", "mqtt/…"])
    #expect(ComponentID("gps/car").receiver == "car" && ComponentID("store").receiver == nil)
  }

  // MARK: Settings

  @Test(
    "A resident's own setting goes before everybody's, and one that does not fit before nothing")
  func settings() {
    var house = House(residents: [Self.mary, Self.ben])
    house.defaults = ["prealarmSeconds": 5, "tierSeconds": 60, "language": "nb", "colour": "red"]
    house.settings["mary"] = ["prealarmSeconds": 20, "tierSeconds": 1]
    let mary = house.settings(AlarmSettings.self, of: "mary")
    #expect(mary.prealarmSeconds == 20 && mary.tierSeconds == 60 && mary.language == "en")
    let ben = house.settings(AlarmSettings.self, of: "ben")
    #expect(ben.prealarmSeconds == 5 && ben.tierSeconds == 60)
  }

  // MARK: Consents

  @Test("What a resident refused is not used, and who wants it is told whom to ask again")
  func consents() throws {
    func consent(_ kind: ConsentKind, _ isGranted: Bool) -> Consent {
      Consent(
        resident: "mary", kind: kind, isGranted: isGranted, by: "Mary's son",
        at: .seconds(1_795_185_000), principal: "local:anna")
    }
    var house = House(residents: [Self.mary])
    house.consents = [consent(.camera, false), consent(.location, true)]
    #expect(house.isRefused(.camera, by: "mary"))
    for (kind, resident) in [
      (ConsentKind.location, "mary"), (.microphone, "mary"), (.camera, "ben"),
    ] {
      let resident = ResidentID(resident)
      #expect(!house.isRefused(kind, by: resident))
      #expect(
        refusal { () throws(CommandReply.Refusal) in
          try house.requireConsent(kind, of: resident)
        } == nil)
    }
    let refusal = try #require(
      refusal { () throws(CommandReply.Refusal) in
        try house.requireConsent(.camera, of: "mary")
      })
    #expect(refusal.code == .forbidden)
    #expect(
      refusal.message.description
        == "Mary's son refused the use of the camera on 2026-11-20. Ask again; when the answer is yes: homeward consent grant camera"
    )
    #expect(Set(ConsentKind.allCases.map { $0.words.text(in: .zh) }).count == 6)
  }

  // MARK: Requirements

  @Test("Nothing is asked about somebody who is not looked after, and a hundred are enough")
  func requirements() {
    var house = House(
      residents: (1...99).map { number in
        Resident(id: ResidentID("r-\(number)"), name: "R", timeZone: "UTC")
      })
    let place = { (house: House) in
      refusal { () throws(CommandReply.Refusal) in try house.requirePlaceForResident() }
    }
    #expect(place(house) == nil)
    #expect(
      refusal { () throws(CommandReply.Refusal) in try house.requireResident("r-7") } == nil)
    #expect(
      refusal { () throws(CommandReply.Refusal) in try house.requireResident("mary") }?.code
        == .unknownTarget)
    house.residents["mary"] = Self.mary
    #expect(place(house)?.code == .conflict)
    #expect(
      place(house)?.message.description == "One gateway looks after at most 100 residents.")
  }
}

/// What a hand means by what it does with a button.
@Suite("Presses") struct ButtonPressTests {
  private func meanings(
    _ gesture: ButtonGesture, _ change: (inout ButtonBinding) -> Void = { _ in }
  ) -> [Press.Meaning] {
    var house = House(residents: [Resident(id: "mary", name: "Mary", timeZone: "UTC")])
    var binding = ButtonBinding(button: "wired")
    change(&binding)
    house.buttons = [binding]
    let report = ButtonReport(button: "wired", gesture: gesture, edge: .seconds(1))
    return Press.meanings(of: report, in: house).map(\.meaning)
  }

  @Test("A hold is a call for help, whatever a button is bound to")
  func hold() {
    for command in ButtonCommand.allCases {
      #expect(
        meanings(.hold) { ($0.press, $0.double, $0.triple) = (command, command, command) }
          == [.help])
    }
    for gesture: ButtonGesture in [.down, .stuck, .loose] {
      #expect(meanings(gesture) { $0.press = .sos } == [.state])
    }
  }

  @Test("One press is a yes before it is anything else, two are a no")
  func presses() {
    #expect(meanings(.press) == [.yes, .command(.assist)])
    #expect(meanings(.double) == [.no, .command(.fakeCall)])
    #expect(meanings(.triple) == [.command(.photograph)])
    #expect(meanings(.press) { $0.press = .sos } == [.help])
    #expect(meanings(.double) { $0.double = .sos } == [.no, .help])
    #expect(meanings(.press) { $0.press = .none } == [])
    #expect(meanings(.double) { $0.double = .none } == [.no])
    #expect(meanings(.triple) { $0.triple = .takeHome } == [.command(.takeHome)])
    #expect(meanings(.press) { $0.press = .acknowledge } == [.command(.acknowledge)])
  }

  @Test(
    "Whose button it is, and who presses one of which nobody knows",
    arguments: [
      (nil, nil, 1, "ben", "ben"), (nil, nil, 2, nil, "ben"), (nil, nil, 0, nil, nil),
      ("mary", nil, 2, "mary", "mary"), ("eve", nil, 2, nil, nil), (nil, "anna", 2, "mary", "mary"),
      (nil, "eve", 2, nil, nil), ("ben", "anna", 2, "ben", "ben"),
    ] as [(ResidentID?, GuardianID?, Int, ResidentID?, ResidentID?)])
  func owners(
    resident: ResidentID?, caregiver: GuardianID?, residents: Int, owner: ResidentID?,
    presser: ResidentID?
  ) {
    let people = ["ben", "mary"].prefix(residents).map {
      Resident(id: ResidentID($0), name: $0, timeZone: "UTC")
    }
    var house = House(
      residents: people, guardians: [Guardian(id: "anna", resident: "mary", name: "Anna")])
    let binding = ButtonBinding(button: "wired", resident: resident, caregiver: caregiver)
    house.buttons = [ButtonBinding(button: "other"), binding]
    #expect(house.owner(of: binding) == owner)
    let report = ButtonReport(button: "wired", gesture: .hold, edge: .seconds(1))
    let presses = Press.meanings(of: report, in: house)
    #expect(presses.map(\.owner) == [owner] && presses.map(\.resident) == [presser])
    #expect(presses.map(\.binding) == [binding])
    #expect(presses.map(\.principal.description) == ["gateway:button/wired"])
  }

  @Test("A button that nobody configured is everybody's")
  func unknownButton() {
    let house = House(residents: [Resident(id: "mary", name: "Mary", timeZone: "UTC")])
    let report = ButtonReport(button: "found", gesture: .press, edge: .seconds(1))
    let presses = Press.meanings(of: report, in: house)
    #expect(presses.map(\.resident) == ["mary", "mary"])
    #expect(presses.map(\.meaning) == [.yes, .command(.assist)])
  }
}
