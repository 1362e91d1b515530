import ConsoleRequests
import Foundation
import JSON
import Moments
import Privacy
import TestSupport
import Testing
import Texts

@testable import homeward_plugin_console

@Suite struct DevicePageTests {
  private static let keys: JSONValue = [
    "tag": "keys", "tagName": "Keys", "resident": "mary", "kind": "keys", "presence": "near",
    "lastHeardAt": "2026-11-18T06:40:00.000Z", "batteryPercent": 80, "isBatteryLow": false,
    "isSilent": false,
  ]
  private static let meter: JSONValue = [
    "address": "C0:11:22:33:44:55/random", "resident": "mary", "name": "The meter",
    "isBonded": true, "state": "waiting", "batteryPercent": 60,
  ]
  private static let found: JSONValue = [
    "address": "A4:C1:38:8D:18:B2", "name": "<Beacon>", "rssi": -50, "isMeter": false,
    "isKnown": false, "identities": ["address:A4:C1:38:8D:18:B2"],
  ]

  private func visit(
    _ role: JSONValue = "caregiver", _ fields: [String: String] = [:],
    nearby: JSONValue = ["isUsed": true, "found": [], "changing": 0],
    components: JSONValue = [], in language: Language = .en
  ) -> Visit {
    let account: JSONValue = [
      "id": "anna", "role": role, "sessions": [], "profile": ["name": "Anna"],
    ]
    return Visit(
      visitor: Visitor(address: "", language: language), path: ["devices"], fields: fields,
      now: Timestamp(milliseconds: 1_795_000_000_000),
      answers: Answers([
        "account.show": .success(account),
        "residents.list": .success([
          ["id": "mary", "name": "Mary", "tracking": ["isOn": true]],
          ["id": "ben", "name": "Ben", "tracking": ["isOn": false]],
        ]),
        "tags.list": .success([Self.keys]), "meters.list": .success([Self.meter]),
        "status": .success(["components": components]),
        "plugins.list": .success([
          [
            "name": "webpush", "version": "1.0.0", "state": "running",
            "withheld": ["position.precise"],
          ]
        ]),
        "devices.nearby": .success(nearby),
        "zones.list": .success([["id": "home", "resident": "mary", "isHome": true]]),
        "tag.get": .success([
          "id": "keys", "resident": "mary", "name": "Keys", "kind": "keys", "awaySeconds": 90,
        ]),
      ]))
  }

  private func text(_ visit: Visit) -> String { DevicesPage.page.content(visit).main.source }

  @Test("Tags and meters say whose they are, when they were heard, and how their batteries are")
  func lists() {
    let said = text(visit())
    for words in ["Keys", "Mary", "Battery 80 %", "The meter", "Battery 60 %", "Near"] {
      #expect(said.contains(words), "\(words)")
    }
    #expect(said.contains("datetime=\"2026-11-18T06:40:00.000Z\""))
    #expect(said.contains("href=\"/devices?resident=mary&amp;tag=keys\""))
  }

  @Test("Whoever is looked after sees the same, and nothing to change it with")
  func resident() {
    let said = text(visit("resident"))
    #expect(said.contains("Keys") && !said.contains("data-command"))
    #expect(
      !DevicesPage.page.questions(Visit.unasked("resident")).contains {
        $0.route == "devices.nearby"
      })
    #expect(
      DevicesPage.page.questions(Visit.unasked("caregiver")).contains {
        $0.route == "devices.nearby"
      })
  }

  @Test("A search shows how far it is, what it found, and never takes a device's name for markup")
  func search() {
    let going = text(
      visit(nearby: [
        "isUsed": true, "found": [], "changing": 0,
        "search": ["isGoingOn": true, "seconds": 15, "secondsLeft": 6],
      ]))
    #expect(going.contains("<progress max=\"15\" value=\"9\"") && going.contains("data-waits"))
    #expect(!going.contains("device.search"))
    let over: JSONValue = ["isGoingOn": false, "seconds": 15, "secondsLeft": 0]
    let done = text(
      visit(nearby: ["isUsed": true, "found": [Self.found], "changing": 3, "search": over]))
    #expect(done.contains("&lt;Beacon&gt;") && done.contains("Very close"))
    #expect(done.contains("3 more devices") && !done.contains("data-waits"))
    #expect(done.contains("add=A4%3AC1%3A38%3A8D%3A18%3AB2"))
    let none = text(visit(nearby: ["isUsed": true, "found": [], "changing": 0, "search": over]))
    #expect(none.contains("Nothing was heard"))
    #expect(text(visit(nearby: ["isUsed": false])).contains("does not use Bluetooth"))
  }

  @Test("What was found is added with a name, what it is for, and whose it is")
  func add() {
    let nearby: JSONValue = ["isUsed": true, "found": [Self.found], "changing": 0]
    let said = text(visit("caregiver", ["add": "A4:C1:38:8D:18:B2"], nearby: nearby))
    #expect(said.contains("data-command=\"tag.put\"") && said.contains("address:A4:C1:38:8D:18:B2"))
    #expect(said.contains("name=\"tag.kind\"") && said.contains("name=\"tag.resident\""))
    let meter: JSONValue = [
      "isUsed": true, "changing": 0, "found": [Self.found.setting("isMeter", to: true)],
    ]
    let pairing = text(visit("caregiver", ["add": "A4:C1:38:8D:18:B2"], nearby: meter))
    #expect(pairing.contains("data-command=\"meter.pair\""))
    #expect(text(visit("caregiver", ["add": "nothing"], nearby: nearby)).contains("not there"))
  }

  @Test("A tag is changed with what is set, and taken away with a question before and a way back")
  func change() {
    let said = text(visit("caregiver", ["tag": "keys"]))
    #expect(said.contains("<option value=\"90\" selected"))
    #expect(said.contains("data-command=\"tag.remove\"") && said.contains("data-asks=\"Take Keys"))
    #expect(said.contains("data-undo=\"tag.put\""))
    let meter = text(visit("caregiver", ["meter": "C0:11:22:33:44:55/random"]))
    #expect(
      meter.contains("data-command=\"meter.put\"") && meter.contains("data-undo=\"meter.put\""))
    // How a meter does is not put with it.
    #expect(!meter.contains("&quot;batteryPercent"))
  }

  @Test(
    "What a pairing waits for is asked on the page",
    arguments: ["passkey", "confirmation", "type-on-device"])
  func questions(kind: String) {
    let nearby: JSONValue = [
      "isUsed": true, "found": [], "changing": 0,
      "pairing": ["state": "going-on", "name": "The meter", "address": "C0:11:22:33:44:55/random"],
      "question": [
        "kind": .string(kind), "number": 4711, "address": "C0:11:22:33:44:55/random",
      ],
    ]
    let said = text(visit(nearby: nearby))
    #expect(said.contains("data-waits"))
    #expect(said.contains("meter.answer") == (kind != "type-on-device"))
    #expect(said.contains("004711") == (kind != "passkey"))
  }

  @Test(
    "Each part of the house has a name that families know, and says what to do when it is not well")
  func parts() {
    let components = [
      "gps/phone", "bluetooth", "meter/C0:11", "button/kitchen", "buttons", "sound", "speech",
      "lamp", "power/hub", "guardians", "store", "store/commit", "clock", "routine/zone", "log",
      "control", "plugin/webpush", "something/new",
    ]
    for language in [Language.en, .zh] {
      let failed = components.map { component -> JSONValue in
        ["component": .string(component), "state": "failed", "detail": "Detail of it."]
      }
      let said = text(visit(components: .array(failed), in: language))
      #expect(said.ranges(of: "<br>Detail of it.").count == components.count)
      for raw in components.dropLast() {
        #expect(!said.contains("<strong>\(raw)</strong>"), "\(raw)")
      }
      #expect(said.contains("<strong>something/new</strong>"))
    }
    let well = text(visit(components: [["component": "sound", "state": "working", "detail": ""]]))
    #expect(well.contains("Loudspeaker") && !well.contains("turned up"))
    #expect(well.contains("Alarms on closed telephones"))
  }

  @Test("Who is tracked, and whose home is blurred for others, stands beside what is connected")
  func blurring() {
    let said = text(visit())
    let mary = "<strong>Mary</strong> <span class=\"pill safe\">Tracked</span> "
    #expect(said.contains(mary + "<span class=\"pill safe\">Blurred at home</span>"))
    let ben = "<strong>Ben</strong> <span class=\"pill unknown\">Tracking is off</span> "
    #expect(said.contains(ben + "<span class=\"pill attention\">Not blurred</span>"))
    #expect(said.contains("are told a place up to 402 m away from it"))
    #expect(ObfuscationPart.farthestMeters == PrivacyDisc.greatestOffsetMeters)
    #expect(said.contains("Positions blurred at home"))
    #expect(text(visit(in: .zh)).contains("家附近已模糊"))
  }

  @Test("A position that came blurred says so, on every page that shows it")
  func blurred() {
    var visit = visit()
    let position: JSONValue = [
      "latitude": 40, "longitude": -74, "time": "2026-11-18T06:40:00.000Z",
      "positionPrivacy": "approximate",
    ]
    let words = "blurred for privacy, as always near a home: up to 402 m away from it"
    let resident: JSONValue = ["id": "mary", "tracking": ["isOn": true, "position": position]]
    #expect(Whereabouts.position(resident, visit).source.contains(words))
    visit.answers = Answers([
      "alarm.linked": .success([
        "alarm": "a", "kind": "sos", "residentName": "Mary", "position": position,
      ])
    ])
    #expect(LinkPage(visit: visit).content.main.source.contains(words))
    #expect(Trail([position]).isBlurred && !Trail([]).isBlurred)
    let exact = position.setting("positionPrivacy", to: .null)
    let known: JSONValue = ["id": "mary", "tracking": ["isOn": true, "position": exact]]
    #expect(!Whereabouts.position(known, visit).source.contains("blurred"))
  }

  @Test("Every plugin of the house has a name that a family knows")
  func pluginNames() throws {
    let folder = Checkout.root.appendingPathComponent("plugins")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter {
      FileManager.default.fileExists(atPath: "\(folder.path)/\($0)/plugin.json")
    }
    #expect(names.count > 10)
    for name in names {
      let line = HousePart.line(ofPlugin: ["name": .string(name), "state": "running"], visit())
      #expect(!line.source.contains("<strong>\(name)</strong>"), "\(name)")
    }
  }
}

extension Visit {
  /// Somebody's look before anything of the page's own was asked.
  fileprivate static func unasked(_ role: JSONValue) -> Visit {
    Visit(
      visitor: Visitor(address: "", language: .en), path: ["devices"], fields: [:],
      now: Timestamp(milliseconds: 1_795_000_000_000),
      answers: Answers([
        "account.show": .success(["id": "anna", "role": role]),
        "residents.list": .success([["id": "mary", "name": "Mary"]]),
      ]))
  }
}
