import Care
import Core
import JSON
import Moments
import Testing

/// Whoever takes away what protects somebody is told of, to everybody who cared before.
@Suite("Nothing goes off in silence") struct SilentDisarmingTests {
  private static let kiosk = Principal(channel: .plugin, name: "mqtt/kiosk")
  private static let anna = Guardian(
    id: "anna", resident: "mary", name: "Anna", phone: "+4791234567", email: "a@example.org")
  private static let bob = Guardian(
    id: "bob", resident: "mary", name: "Bob", phone: "+4791234568", push: "ntfy://bob")

  private func house(stored: StoredState = StoredState()) -> CoreFixture {
    var house = CoreFixture(stored: stored)
    house.step(.started(version: "0"))
    house.perform(.putResident(CoreFixture.mary))
    house.perform(.putZone(CoreFixture.zone()))
    house.perform(.setTracking(resident: "mary", isOn: true))
    house.perform(.putGuardian(Self.anna))
    house.perform(.putGuardian(Self.bob))
    _ = pass(120, &house)
    return house
  }

  @discardableResult
  private func pass(_ seconds: Int64, _ house: inout CoreFixture) -> [AlarmMessage] {
    var messages: [AlarmMessage] = []
    let end = house.now.tick.advanced(byMilliseconds: seconds * 1000)
    while let next = house.core.nextWake, next <= end {
      let wait = max(1, next.milliseconds(since: house.now.tick))
      messages += news(house.step(.wake, afterSeconds: Double(wait) / 1000))
    }
    house.now = house.now.advanced(byMilliseconds: end.milliseconds(since: house.now.tick))
    return messages
  }

  private func news(_ result: StepResult) -> [AlarmMessage] {
    result.actions.compactMap {
      if case .notify(let message) = $0, message.notice == .news { message } else { nil }
    }
  }

  private func ways(_ messages: [AlarmMessage]) -> Set<String> {
    Set(messages.map { "\($0.guardian) \($0.channel.rawValue)" })
  }

  private static let everybody: Set<String> = ["anna sms", "anna email", "bob sms", "bob push"]

  private static let disarming: [(request: Command.Request, word: String)] = [
    (.setTracking(resident: "mary", isOn: false), "tracking"),
    (.putResident(Resident(id: "mary", name: "Mary", timeZone: "Australia/Darwin")), "receiver"),
    (.putSetting(resident: "mary", name: "zoneAlarm", value: false), "zone-alarm"),
    (.putSetting(resident: "mary", name: "positionAlarm", value: false), "position-alarm"),
    (.putSetting(resident: "mary", name: "glucoseAlarm", value: false), "glucose-alarm"),
    (.putSetting(resident: "mary", name: "medicineAlarm", value: false), "medicine-alarm"),
    (.putSetting(resident: "mary", name: "faultAlarm", value: false), "fault-alarm"),
    (.putSetting(resident: "mary", name: "batteryAlarm", value: false), "battery-alarm"),
    (.putSetting(resident: "mary", name: "isSilent", value: true), "sound"),
    (.removeZone("home"), "zones"),
    (
      .putConsent(resident: "mary", kind: .location, isGranted: false, by: "Mary"), "tracking"
    ),
    (.removeGuardian("bob"), "way:bob"),
    (.putGuardian(changed(Self.bob) { $0.phone = "+4799999999" }), "way:bob"),
    (.putGuardian(changed(Self.bob) { $0.withoutChannels = [.sms] }), "way:bob"),
  ]

  private static func changed(_ guardian: Guardian, _ body: (inout Guardian) -> Void) -> Guardian {
    var guardian = guardian
    body(&guardian)
    return guardian
  }

  @Test("Each that is taken away is an event at once, and a message to all by all their ways")
  func each() throws {
    for (request, word) in Self.disarming {
      var house = house()
      let result = house.perform(request, by: Self.kiosk, freshFor: 30)
      #expect(result.reply?.refusalCode == nil, "\(request.action)")
      let event = try #require(
        result.events.first { $0.type == .protectionChanged }, "\(request.action)")
      #expect(event.lane == .alarm && event.facts["protection"] == .string(word))
      #expect(event.facts["isOn"] == false && event.facts["by"] == "plugin:mqtt/kiosk")
      #expect(event.facts["undo"]?.stringContent?.contains("homeward ") == true)
      #expect(news(result).isEmpty, "gathered first")
      let messages = pass(4, &house)
      #expect(ways(messages) == Self.everybody, "\(request.action)")
      for message in messages {
        #expect(message.text.contains("kiosk (mqtt)") && message.text.contains("Mary"))
        #expect((message.channel == .sms) != message.text.contains("homeward "))
      }
    }
  }

  @Test("The last guardian, an erased resident and a PIN are told to those of before")
  func last() throws {
    var house = house()
    house.perform(.removeGuardian("bob"))
    _ = pass(120, &house)
    house.perform(.removeGuardian("anna"))
    #expect(ways(pass(4, &house).filter { $0.attempt == 1 }) == ["anna sms", "anna email"])
    var erased = self.house()
    let result = erased.perform(.eraseResident("mary"))
    #expect(!result.events.contains { $0.type == .protectionChanged })
    #expect(ways(pass(4, &erased)) == Self.everybody)
  }

  @Test("A PIN that is set or changed is told, and which of the two it was is not")
  func pin() throws {
    var texts: Set<String> = []
    for kind in PINKind.allCases {
      var house = house()
      let result = house.step(
        .command(
          Command(
            id: "pin", principal: Principal(channel: .local, name: "ole"),
            request: .alarm(.setPIN(resident: "mary", kind: kind, pin: nil)),
            pinProof: .hash("$6$x$y"))))
      let event = try #require(result.events.first { $0.type == .protectionChanged })
      #expect(event.facts["protection"] == "pin")
      texts.formUnion(pass(4, &house).map(\.text))
      texts.insert(event.facts["explanation"]?.stringContent ?? "")
    }
    #expect(texts.count == 2, "a text message says what the event says; a mail how to undo it, too")
  }

  @Test("What changes nothing, what only adds, and what is put right at once is not told")
  func quiet() {
    var house = house()
    for request in [
      .putSetting(resident: "mary", name: "zoneAlarm", value: true),
      .putSetting(resident: "mary", name: "prealarmSeconds", value: 5),
      .putZone(CoreFixture.zone("park", name: "Park", latitude: -24.1, isHome: false)),
      .removeZone("park"),
      .putGuardian(Self.changed(Self.anna) { $0.push = "ntfy://anna" }),
      .putSetting(resident: "mary", name: "isSilent", value: true),
      .putSetting(resident: "mary", name: "isSilent", value: false),
    ] as [Command.Request] {
      #expect(house.perform(request).reply?.refusalCode == nil)
    }
    #expect(pass(600, &house).isEmpty)
  }

  @Test("Several at once are one message; given back is told to whoever heard that it was gone")
  func together() {
    var house = house()
    house.perform(.setTracking(resident: "mary", isOn: false))
    house.perform(.putSetting(resident: "mary", name: "zoneAlarm", value: false))
    let first = pass(4, &house)
    #expect(first.count == 4)
    for message in first where message.channel != .sms {
      #expect(message.text.contains("tracking") && message.text.contains("zone that was left"))
    }
    house.perform(.setTracking(resident: "mary", isOn: true))
    #expect(pass(40, &house).isEmpty, "a minute lies between two messages")
    let second = pass(40, &house)
    #expect(second.count == 4 && second.allSatisfy { $0.text.contains("on again") })
  }

  @Test(
    "It is tried for a day, also over a restart, and each attempt but the last is the plugin's alone to settle"
  )
  func tried() throws {
    var house = house()
    house.perform(.removeZone("home"))
    let messages = pass(4, &house)
    #expect(messages.count == 4)
    for message in messages where message.channel != .email {
      house.step(.observation(.delivery(report(message, .sent))))
    }
    let mail = try #require(messages.first { $0.channel == .email })
    house.step(.observation(.delivery(report(mail, .failed))))
    let again = pass(35, &house)
    #expect(ways(again) == ["anna email"] && again[0].attempt == 2)
    // Nobody has answered: the same attempt is handed out after a restart.
    var next = CoreFixture(stored: house.core.storedState, seed: 2, at: house.now)
    let resumed = news(next.step(.started(version: "0")))
    #expect(ways(resumed) == ["anna email"] && resumed[0].attempt == 2)
    next.step(.observation(.delivery(report(resumed[0], .sent))))
    #expect(pass(3600, &next).isEmpty)
    // Without any answer it ends after a day.
    var silent = house
    let all = pass(26 * 3600, &silent)
    #expect(all.count > 20 && all.count < 120)
    #expect(!silent.core.storedState.engineRows.contains { $0.name.hasPrefix("notice:") })
  }

  @Test("A number of attempts that a damaged row holds ends nothing")
  func damagedAttempts() throws {
    var house = house()
    house.perform(.removeZone("home"))
    let message = try #require(pass(4, &house).first)
    house.step(.observation(.delivery(report(message, .failed))))
    var stored = house.core.storedState
    stored.engineRows = stored.engineRows.map { row in
      guard let message = row.content["message"] else { return row }
      return EngineRow(
        engine: row.engine, subject: row.subject, name: row.name,
        content: row.content.setting("message", to: message.setting("attempt", to: .integer(.max))))
    }
    var next = CoreFixture(stored: stored, seed: 2, at: house.now)
    next.step(.started(version: "0"))
    #expect(ways(pass(1000, &next)) == Self.everybody)
  }

  private func report(
    _ message: AlarmMessage, _ outcome: DeliveryReport.Outcome
  ) -> DeliveryReport {
    DeliveryReport(
      plugin: "", event: EventID(message.alarm.rawValue), recipient: message.guardian.rawValue,
      channel: message.channel.rawValue, outcome: outcome)
  }

  @Test("What was being gathered when the power went is told after the start")
  func powerCut() {
    var house = house()
    house.perform(.setTracking(resident: "mary", isOn: false))
    var next = CoreFixture(stored: house.core.storedState, seed: 2, at: house.now)
    next.step(.started(version: "0"))
    #expect(ways(pass(4, &next)) == Self.everybody)
  }

  /// A house at 00:40 in Mary's night, with Eve, who has nothing but a telephone.
  private func nightHouse() -> CoreFixture {
    var house = house()
    var eve = Guardian(id: "eve", resident: "mary", name: "Eve", phone: "+4791234569")
    eve.tier = 2
    house.perform(.putGuardian(eve))
    house.perform(
      .putResident(Resident(id: "mary", name: "Mary", timeZone: "UTC", gpsSource: "gps")))
    house.step(.timeZone(name: "UTC", file: Self.utc))
    // 2026-11-18 10:40 UTC and 14 hours.
    _ = pass(14 * 3600, &house)
    return house
  }

  @Test("At night a text message wakes only those who hear of it in no quieter way")
  func night() {
    var house = nightHouse()
    house.perform(.removeZone("home"))
    let messages = pass(4, &house)
    #expect(ways(messages) == ["anna email", "bob push", "eve sms"])
    for message in messages where message.guardian != "bob" {
      house.step(.observation(.delivery(report(message, .sent))))
    }
    for message in messages where message.guardian == "bob" {
      house.step(.observation(.delivery(report(message, .failed))))
    }
    // Bob's push message failed, or is with a plugin that says nothing: ten minutes are enough.
    let later = pass(660, &house).filter { $0.channel == .sms }
    #expect(ways(later) == ["bob sms"])
  }

  @Test("A quieter way that no plugin offers keeps no text message back at night")
  func nightWithoutMail() {
    var house = nightHouse()
    house.step(
      .observation(
        .ways(WaysReport(offers: [.init(channel: .sms, plugin: "sms-modem", isRunning: true)]))))
    house.perform(.removeZone("home"))
    let texts = pass(4, &house).filter { $0.channel == .sms }
    #expect(ways(texts) == ["anna sms", "bob sms", "eve sms"])
  }

  @Test("A text message that is kept back at night is kept over a restart")
  func nightRestart() {
    var house = nightHouse()
    house.perform(.removeZone("home"))
    _ = pass(4, &house)
    var next = CoreFixture(stored: house.core.storedState, seed: 2, at: house.now)
    next.step(.started(version: "0"))
    let texts = pass(660, &next).filter { $0.channel == .sms && $0.guardian != "eve" }
    #expect(ways(texts) == ["anna sms", "bob sms"])
  }

  /// The smallest file of the zone database: no transition, UTC.
  private static let utc: [UInt8] = {
    var header: [UInt8] = Array("TZif".utf8) + [0x32] + [UInt8](repeating: 0, count: 15)
    for count in [0, 0, 0, 0, 1, 4] as [UInt8] { header += [0, 0, 0, count] }
    let block: [UInt8] = [0, 0, 0, 0, 0, 0] + Array("UTC".utf8) + [0]
    return header + block + header + block + Array("\nUTC0\n".utf8)
  }()
}
