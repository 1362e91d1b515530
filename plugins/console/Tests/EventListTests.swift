import JSON
import Moments
import Testing
import Texts

@testable import homeward_plugin_console

@Suite struct EventListTests {
  private func visit(_ fields: [String: String] = [:], _ answers: [String: JSONValue] = [:])
    -> Visit
  {
    Visit(
      visitor: Visitor(address: "", language: .en), path: [], fields: fields,
      now: Timestamp(milliseconds: 1_795_000_000_000),
      answers: Answers(
        answers.merging(["residents.list": [["id": "mary", "name": "Mary"]]]) { own, _ in own }
          .mapValues { .success($0) }))
  }

  private func event(_ id: JSONValue, _ type: JSONValue, _ facts: JSONValue = .object([]))
    -> JSONValue
  {
    [
      "id": id, "type": type, "subject": "resident/mary", "time": "2026-11-18T10:00:00Z",
      "data": facts,
    ]
  }

  @Test("The first arrival at a zone is marked, unless somebody left it before")
  func firsts() {
    let newestFirst = [
      event("6", "zone.entered", ["zone": "park"]),
      event("5", "zone.entered", ["zone": "home"]),
      event("4", "zone.left", ["zone": "park"]),
      event("3", "zone.entered", ["zone": "park"]),
      event("2", "zone.certain", ["zone": "shop", "presence": "outside"]),
      event("1", "zone.left", ["zone": "home"]),
    ]
    #expect(FirstVisits.ids(in: newestFirst) == ["3"])
    #expect(
      FirstVisits.ids(in: [event("7", "zone.certain", ["zone": "shop", "presence": "inside"])])
        == ["7"])
  }

  @Test("Nothing is called a first visit where older ones were not looked at")
  func unsure() {
    let arrival = event("a", "zone.entered", ["zone": "park"])
    let few = visit([:], ["events.query": [arrival], "visits": [arrival]])
    let many = visit(
      [:], ["events.query": [arrival], "visits": .array(Array(repeating: arrival, count: 1000))])
    #expect(HistoryPage.page.content(few).main.source.contains("First visit that is known"))
    #expect(!HistoryPage.page.content(many).main.source.contains("First visit that is known"))
  }

  @Test("Of messages that fail again and again an alarm's page tells the newest of each way alone")
  func deliveries() {
    func told(_ id: JSONValue, _ channel: JSONValue, _ words: JSONValue) -> JSONValue {
      event(
        id, "alarm.delivery",
        [
          "alarm": "a", "recipient": "anna", "channel": channel, "notice": "alarm",
          "explanation": words,
        ])
    }
    let story = [
      told("4", "sms", "The third text failed."), told("3", "email", "The letter arrived."),
      told("2", "sms", "The second text failed."), told("1", "sms", "The first text failed."),
      event("a", "alarm.raised", ["alarm": "a", "explanation": "Mary asked for help."]),
    ]
    let page = AlarmPage.page.content(visit(["id": "a"], ["events.query": .array(story)])).main
      .source
    for words in ["The third text failed.", "The letter arrived.", "Mary asked for help."] {
      #expect(page.contains(words))
    }
    #expect(!page.contains("The second text") && !page.contains("The first text"))
  }

  @Test("Older visits are asked for only where somebody came somewhere")
  func questions() {
    let quiet = visit([:], ["events.query": [event("a", "zone.left", ["zone": "park"])]])
    let busy = visit([:], ["events.query": [event("a", "zone.entered", ["zone": "park"])]])
    #expect(HistoryPage.page.questions(quiet).isEmpty)
    #expect(HistoryPage.page.questions(busy).map(\.name) == ["visits"])
  }

  @Test("An alarm's page tells how it began, however much came after")
  func beginning() throws {
    let alarm: JSONValue = ["alarm": "a", "resident": "mary", "explanation": "It goes on."]
    let raised: JSONValue = ["alarm": "a", "resident": "mary", "explanation": "It began."]
    for count in [0, 11, 40] {
      let later = (0..<count).map { event(.string("\($0)"), "alarm.location", alarm) }
      let story = later + [event("a", "alarm.raised", raised)]
      let page = AlarmPage.page.content(visit(["id": "a"], ["events.query": .array(story)])).main
        .source
      #expect(page.contains("It began."))
      #expect(
        page.split(separator: "<li class=\"line\">").count - 1 == min(story.count, 13), "\(page)")
    }
  }

  @Test("A kind narrows the question itself, so that a long time is not cut short by others")
  func kinds() {
    let history = HistoryPage.page.questions(visit(["about": "alarms"]))
    #expect(history.first?.params["types"] == ["alarm", "sos"])
    #expect(HistoryPage.page.questions(visit()).first?.params["types"] == nil)
    #expect(AlertsPage.page.questions(visit(["about": "zones"])).first?.params["types"] == ["zone"])
  }

  @Test(
    "A list that goes on has a way to what is older, one that began before a way back, and a whole one neither"
  )
  func pager() {
    var whole = visit(["about": "zones"], ["events.query": []])
    #expect(Pager.links("events.query", whole, "/alerts") == .nothing)
    whole.answers.add(.success([]), next: "abc-1", as: "events.query")
    let first = Pager.links("events.query", whole, "/alerts", ["about": "zones"]).source
    #expect(
      first.contains("href=\"/alerts?about=zones&amp;cursor=abc-1\"") && first.contains("Older"))
    #expect(!first.contains("To the newest"))
    var last = visit(["cursor": "abc-1"])
    #expect(AlertsPage.page.questions(last).first?.params["cursor"] == "abc-1")
    #expect(AlertsPage.page.questions(visit()).first?.params["cursor"] == nil)
    last.answers.add(
      .failure(Refusal(code: "expired", words: "Older than a week.")), as: "events.query")
    let refused = Pager.links("events.query", last, "/alerts").source
    #expect(refused.contains("href=\"/alerts\"") && refused.contains("Begin with the newest."))
    #expect(!refused.contains("cursor="))
  }

  @Test(
    "What the badge counts is on the page of alerts, and whoever is looked after reads of attacks")
  func unseen() {
    let words = "Somebody tried 5 wrong passwords for the account of Mary."
    func looker(_ role: JSONValue, seen: JSONValue) -> Visit {
      visit(
        [:],
        [
          "account.show": [
            "id": "a", "role": role, "alertsSeen": seen, "sessions": [],
          ],
          "unseen": [
            event("1", "account.attacked", ["explanation": .string(words)])
          ],
        ])
    }
    func asked(_ role: JSONValue) -> [String] {
      var visit = looker(role, seen: "2026-11-18T09:00:00Z")
      visit.answers = Answers([
        "account.show": .success(visit.account), "residents.list": .success([["id": "mary"]]),
      ])
      return Unseen.questions(visit).first?.params["types"]?.arrayContent?
        .compactMap(\.stringContent) ?? []
    }
    let all = AlertsPage.page.questions(visit()).first?.params["types"]?.arrayContent
    let listed = (all ?? []).compactMap(\.stringContent)
    #expect(asked("resident") == ["account.attacked"])
    #expect(asked("caregiver").count == 5)
    for type in asked("caregiver") {
      #expect(
        listed.contains { type == $0 || type.hasPrefix($0 + ".") }, "\(type) is counted alone")
    }
    let (before, after): (JSONValue, JSONValue) = ("2026-11-18T09:00:00Z", "2026-11-18T10:00:00Z")
    let own = HomePage.page.content(looker("resident", seen: before)).main.source
    #expect(own.contains(words) && own.contains("data-age") && own.contains("href=\"/alerts\""))
    #expect(
      !HomePage.page.content(looker("resident", seen: after)).main.source.contains(words))
    #expect(
      !HomePage.page.content(looker("caregiver", seen: before)).main.source.contains(words))
    #expect(Unseen.count(looker("caregiver", seen: before)) == 1)
    #expect(
      AlertsPage.page.content(looker("resident", seen: before)).main.source.contains("id=\"seen\""))
  }

  @Test("Guardians are asked for by the pages that name them, once, and by no other")
  func guardians() {
    let naming = Set(
      Page.all.filter { page in
        page.next(visit()).contains { $0.route == "guardians.list" }
      }.map(\.path))
    #expect(naming == ["/account", "/alarm", "/alerts", "/guardians", "/history"])
    let answered = visit([:], ["guardians.list": []])
    #expect(!AlertsPage.page.next(answered).contains { $0.route == "guardians.list" })
  }

  @Test("Who changed what is said by names and in words, never by an address or a key")
  func records() {
    let setting: JSONValue = ["name": "prealarmSeconds", "value": 5]
    let change = event(
      "1", "record.changed",
      ["action": "setting.put", "by": "plugin:console/Anna@example.org", "content": setting])
    let asking = visit([:], ["events.query": [change]])
    #expect(
      HistoryPage.page.questions(asking).map(\.name) == ["accounts.linked", "settings.describe"])
    let known = visit(
      [:],
      [
        "accounts.linked": [["account": "a", "name": "Anna", "email": "anna@example.org"]],
        "guardians.list": [["id": "bo", "name": "Bo", "email": "bo@example.org"]],
        "settings.describe": [
          ["name": "prealarmSeconds", "words": "How long one waits.", "unit": "s"],
          ["name": "mapLink", "words": "Which map opens."],
        ],
      ])
    func words(_ action: JSONValue, by: JSONValue, _ content: JSONValue) -> String {
      EventWords.sentence(
        event("1", "record.changed", ["action": action, "by": by, "content": content]), known)
    }
    #expect(
      EventWords.sentence(change, known)
        == "Anna changed a setting to 5 s: How long one waits.")
    #expect(
      words("setting.put", by: "plugin:mqtt/bo", ["name": "prealarmSeconds", "value": .null])
        == "Bo set a setting back to its usual value: How long one waits.")
    #expect(
      words("setting.put", by: "plugin:mqtt/bo", ["name": "mapLink", "value": "google"])
        == "Bo changed a setting to Google’s map: Which map opens.")
    #expect(
      words("setting.put", by: "local:root", ["name": "gone", "value": true])
        == "Whoever keeps the gateway changed a setting.")
    #expect(
      words("zone.remove", by: "plugin:console/eve@example.org", ["name": "Park"])
        == "Somebody removed the safe zone Park.")
    #expect(
      words("meter.put", by: "gateway:accounts", ["name": "The meter"])
        == "The gateway changed the meter The meter.")
    #expect(words("new.deed", by: "", .null) == "Somebody changed something that is kept.")
    // No page shows the word of a type.
    for (answer, word): (JSONValue, String) in [
      ("asked", "asked"), ("accepted", "said yes"), ("declined", "said no"),
    ] {
      let facts: JSONValue = ["answer": answer, "name": "Ada", "otherName": "Anna"]
      #expect(EventWords.sentence(event("1", "account.asked", facts), known).contains(word))
    }
    #expect(!EventWords.sentence(event("1", "quite.new"), known).contains("quite.new"))
  }

  @Test("What happened most often comes first, and among equals what happened last")
  func tally() {
    let alarm: JSONValue = ["kind": "sos", "residentName": "Mary"]
    let events = [
      event("5", "alarm.raised", alarm),
      event("4", "zone.left", ["zoneName": "Park"]),
      event("3", "zone.left", ["zoneName": "Home"]),
      event("2", "alarm.delivery", alarm),
      event("1", "zone.left", ["zoneName": "Home"]),
    ]
    let groups = EventTally.groups(events, visit())
    #expect(groups.map(\.words) == ["Mary left Home", "Mary needs help", "Mary left Park"])
    #expect(groups.map(\.count) == [2, 1, 1])
    #expect(EventTally.card([], visit()) == .nothing)
  }
}
