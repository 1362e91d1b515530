import Care
import JSON
import Moments
import PluginKit
import Testing
import Texts

@testable import homeward_plugin_console

@Suite("What somebody consented to, and where it is asked again")
struct ConsentPartTests {
  private func mary(_ answers: [ConsentKind: JSONValue]) -> JSONValue {
    let consent = ConsentKind.allCases.map {
      JSONMember(key: $0.rawValue, value: answers[$0] ?? "granted")
    }
    return ["id": "mary", "name": "Mary", "consent": .object(consent), "tracking": ["isOn": true]]
  }

  private func visit(
    _ role: JSONValue = "caregiver", _ answers: [ConsentKind: JSONValue] = [:],
    alarms: JSONValue = [], fields: [String: String] = [:], in language: Language = .en
  ) -> Visit {
    Visit(
      visitor: Visitor(address: "", language: language), path: [], fields: fields,
      now: Timestamp(milliseconds: 1_795_000_000_000),
      answers: Answers([
        "account.show": .success(
          .object([
            "id": "anna", "role": role, "profile": ["name": "Anna"], "sessions": [],
          ])),
        "residents.list": .success([mary(answers)]), "alarms.list": .success(alarms),
        "plugins.list": .success([["name": "keyword", "version": "1.0.0", "state": "running"]]),
        "push.key": .success(["key": "k"]),
      ]))
  }

  private func source(_ path: String, _ visit: Visit) throws -> String {
    try #require(Page.at(path.isEmpty ? [] : [path])).content(visit).main.source
  }

  @Test("Every kind stands on the settings with its answer; who was not asked may also say no")
  func card() throws {
    let said = try source("settings", visit("resident", [.camera: "refused", .calls: "not-asked"]))
    for kind in ConsentKind.allCases {
      #expect(said.contains("&quot;kind&quot;:&quot;\(kind.rawValue)&quot;"), "\(kind)")
    }
    let states = ["Consented", "Refused", "Not asked yet"].map {
      said.ranges(of: ">\($0)<").count
    }
    #expect(states == [4, 1, 1])
    let buttons = ["Withdraw", "They consent", "They refuse"].map {
      said.ranges(of: ">\($0)<").count
    }
    #expect(buttons == [4, 2, 1])
  }

  @Test(
    "Where something is off because it was refused, the page says so and takes the other answer")
  func refused() throws {
    let sos: JSONValue = [
      "alarm": "a", "kind": "sos", "resident": "mary", "residentName": "Mary",
      "stage": "dispatched", "raisedAt": "2026-11-18T06:40:00.000Z",
    ]
    for (path, kind) in [
      ("", ConsentKind.location), ("map", .location), ("alarm", .location), ("alarm", .camera),
      ("devices", .microphone), ("guardians", .notifications), ("account", .notifications),
      ("guardians", .calls),
    ] {
      let visit = visit("caregiver", [kind: "refused"], alarms: [sos], fields: ["id": "a"])
      let said = try source(path, visit)
      #expect(said.contains("Mary does not agree"), "\(path) \(kind)")
      #expect(said.contains("data-command=\"consent.put\""), "\(path) \(kind)")
      #expect(kind != .location || !said.contains("data-command=\"locate\""), "\(path)")
      let agreed = try source(path, self.visit(alarms: [sos], fields: ["id": "a"]))
      #expect(!agreed.contains("consent.put"), "\(path)")
    }
  }

  @Test("Where nobody has asked yet, whoever looks is asked to, in both languages")
  func notAsked() throws {
    for (path, kind) in [
      ("map", ConsentKind.location), ("devices", .microphone), ("guardians", .calls),
      ("guardians", .notifications), ("account", .notifications),
    ] {
      let said = try source(path, visit("caregiver", [kind: "not-asked"]))
      #expect(said.contains("Please ask Mary, and write the answer down: May"), "\(path)")
      #expect(said.contains("They consent") && said.contains("They refuse"), "\(path)")
      let own = try source(path, visit("resident", [kind: "not-asked"]))
      #expect(!own.contains("Please ask"), "\(path)")
      let chinese = try source(path, visit("caregiver", [kind: "not-asked"], in: .zh))
      #expect(chinese.contains("请询问Mary，并记下答复："), "\(path)")
    }
  }

  @Test("Whoever has only the link in a message reads who can change it")
  func linked() {
    var visit = visit()
    visit.answers = Answers([
      "alarm.linked": .success([
        "alarm": "a", "kind": "sos", "residentName": "Mary", "isLocationRefused": true,
        "raisedAt": "2026-11-18T06:40:00.000Z", "position": .null,
      ])
    ])
    let said = LinkPage(visit: visit).content.main.source
    #expect(said.contains("Mary does not agree to be located. Mary, or whoever cares for Mary"))
    #expect(!said.contains("consent.put"))
  }
}
