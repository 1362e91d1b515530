import Care
import JSON
import Moments
import Testing
import Texts

/// What happened is told in one way, and tells plugins no more than it says that it does.
@Suite("Events and what they tell") struct EventTests {
  // MARK: Drafts

  @Test("That something was changed is told with who did it and what it is now")
  func notes() {
    let draft = EventDraft.note(
      "zone.put", "home", of: "mary", by: Principal(channel: .plugin, name: "mqtt/anna"),
      ["id": "home"])
    #expect(draft.type == .recordChanged && draft.lane == .record && draft.resident == "mary")
    #expect(
      draft.facts.serialized
        == #"{"action":"zone.put","target":"home","by":"plugin:mqtt/anna","content":{"id":"home"}}"#
    )
  }

  @Test(
    "That rows could not be read is told once for all of them, in a sentence",
    arguments: [
      (
        Language.en, "Mary: What was stored about fix, zone:home could not be read and starts anew."
      ),
      (.zh, nil),
    ] as [(Language, String?)])
  func unreadable(language: Language, sentence: String?) throws {
    let mary = Resident(id: "mary", name: "Mary", timeZone: "UTC")
    let draft = EventDraft.unreadableRows(
      ["zone:home", "fix"], of: "tracking", about: mary, in: language)
    #expect(draft.type == .faultRaised && draft.resident == "mary" && !draft.isForGuardians)
    #expect(draft.facts["component"] == "tracking/mary" && draft.facts["state"] == "degraded")
    #expect(draft.facts["code"] == "state-unreadable")
    let told = try #require(draft.facts["explanation"]?.stringContent)
    #expect(sentence.map { $0 == told } ?? !told.contains("What was stored"))
    #expect(told.contains("fix, zone:home") && told.contains("Mary"))
  }

  @Test("A row that holds ticks names their boot, and is removed by its name alone")
  func rows() {
    let row = EngineRow(
      engine: "alarms", subject: "mary", name: "alarm:7", content: ["tick": 5], boot: "b-1")
    #expect(row.content == ["tick": 5, "boot": "b-1"])
    #expect(
      row.removal == .removeEngineRow(engine: "alarms", subject: "mary", name: "alarm:7"))
  }

  // MARK: Events

  private func event(of resident: ResidentID?) -> Event {
    Event(
      id: "e-1", type: .heartbeat, lane: .trace, resident: resident,
      moment: Moment(tick: .seconds(5), utc: .seconds(0), quality: .satellite), facts: ["a": 1])
  }

  @Test("An event about nobody is the gateway's, and its bytes are those of the standard")
  func cloudEvent() {
    #expect(event(of: "mary").subject == "resident/mary")
    let encoded = event(of: nil).cloudEvent(gateway: "hub", boot: "b-1")
    #expect(encoded.subject == "gateway" && encoded.lane == .trace && !encoded.isForGuardians)
    #expect(
      String(decoding: encoded.body, as: UTF8.self)
        == #"{"specversion":"1.0","id":"e-1","source":"urn:homeward:gateway:hub","#
        + #""type":"gateway.heartbeat","subject":"gateway","time":"1970-01-01T00:00:00.000Z","#
        + #""datacontenttype":"application/json","lane":"trace","timequality":"satellite","#
        + #""bootid":"b-1","tick":"5000000000","data":{"a":1}}"#)
  }

  @Test("Whom an erased resident was is told by a name that only who knows it can tell")
  func digests() {
    // printf e-1:mary | sha256sum
    #expect(
      ResidentID("mary").digest(in: "e-1")
        == "bf528c3fc1f2b965dae9ca5584941ce9e3fd7286d9a02effa947b80bfbf96f45")
    #expect(ResidentID("mary").digest(in: "e-2") != ResidentID("mary").digest(in: "e-1"))
    #expect(ResidentID("ben").digest(in: "e-1") != ResidentID("mary").digest(in: "e-1"))
  }

  @Test("Alarms go first, traces last, and each lane has a head of its own")
  func lanes() {
    #expect([Lane.trace, .record, .alarm].sorted() == [.alarm, .record, .trace])
    var heads = LaneHeads()
    for (number, lane) in Lane.allCases.enumerated() { heads[lane] = Int64(number) + 7 }
    #expect(heads == LaneHeads(alarm: 7, record: 8, trace: 9))
    #expect(Lane.allCases.map { heads[$0] } == [7, 8, 9])
  }

  // MARK: Declarations

  private static let declaration = EventDeclaration(
    "toy.found", [.record, .trace], about: .either, "A toy was found.",
    [.text("color", "Its colour."), .whole("size", "How large it is.").optional],
    .contacts([.text("finder", "Who found it."), .text("helper", "Who helped.").plain]),
    .position,
    [
      .objects(
        "parts",
        [.text("name", "What it is."), EventFact("at", .number, "Where.", disclosure: .measure)],
        "Its parts."), .by, .record("before", "What it was."), .explanation,
    ],
    .kinds([.health, .notes], [.number("dose", "How much.")]))

  @Test("What each fact tells is told by its name")
  func disclosures() {
    let members = Self.declaration.members
    #expect(
      members == [
        "color": .plain, "size": .plain, "finder": .kinds([.contacts]),
        "helper": .kinds([.contacts]), "latitude": .coordinate, "longitude": .coordinate,
        "accuracyMeters": .measure, "parts": .members(["name": .plain, "at": .measure]),
        "by": .kinds([.contacts]), "before": .record, "explanation": .plain,
        "dose": .kinds([.health, .notes]),
      ])
    #expect(Self.declaration.subject == .either && Self.declaration.lanes == [.record, .trace])
  }

  @Test(
    "A list of facts tells of its kind, and what tells nothing is said to",
    arguments: [
      ([EventFact].contacts([.text("a", "")]), Disclosure.kinds([.contacts])),
      (.health([.text("a", "")]), .kinds([.health])),
      (.places([.text("a", "")]), .kinds([.places])),
      (.messages([.text("a", "")]), .kinds([.messages])),
      (.exact([.text("a", "")]), .kinds([.position])),
      (.faultSentence([.text("a", "")]), .faultSentence),
      (
        .alarmSentence(namesGuardians: true, [.text("a", "")]),
        .alarmSentence(namesGuardians: true)
      ),
      ([EventFact.by.plain], .plain),
    ])
  func lists(facts: [EventFact], disclosure: Disclosure) {
    #expect(facts.map(\.disclosure) == [disclosure])
    #expect(facts.optional.map(\.disclosure) == [disclosure] && facts.optional[0].isOptional)
  }

  @Test("Facts that may be absent are required of nobody")
  func shapes() {
    let schema = Self.declaration.facts.shape.schema
    #expect(
      schema["required"] == [
        "color", "finder", "helper", "latitude", "longitude", "parts", "by", "before",
        "explanation", "dose",
      ])
    #expect(schema["properties"]?["size"]?["minimum"] == 0)
    #expect(schema["properties"]?["parts"]?["items"]?["required"] == ["name", "at"])
    #expect(schema["properties"]?["latitude"]?["maximum"] == 90.0)
    #expect(Self.declaration.facts.optional.shape.schema["required"] == nil)
  }

  @Test("Of two that speak of one member the later one counts")
  func later() {
    let facts: [String: Disclosure] = .plain(["a", "b"]) + .notes(["b", "c"])
    #expect(facts == ["a": .plain, "b": .kinds([.notes]), "c": .kinds([.notes])])
    let twice = [EventFact.text("a", ""), .by] + [EventFact].contacts([.text("a", "")])
    #expect(twice.disclosures == ["a": .kinds([.contacts]), "by": .kinds([.contacts])])
    #expect([String: Disclosure].position["speedMetersPerSecond"] == .measure)
    let all: [[String: Disclosure]] = [
      .contacts(["a"]), .health(["a"]), .messages(["a"]), .notes(["a"]), .places(["a"]),
      .exact(["a"]),
    ]
    #expect(Set(all.compactMap { $0["a"] }).count == all.count)
  }
}
