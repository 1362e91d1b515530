import Care
import Core
import JSON
import Moments
import Testing
import Texts

/// A command is one person's: its id, its answer, its moment and its name belong to whoever sent it.
@Suite struct OnePersonsCommandTests {
  private static let kiosk = Principal(channel: .plugin, name: "mqtt/kiosk")
  private static let anna = Principal(channel: .plugin, name: "mqtt/anna")
  private static let locate = Command.Request.locate(resident: "mary")
  private static let help = Command.Request.alarm(
    .raise(resident: "mary", kind: .sos, trigger: .backend, text: ""))

  private func house(at now: Moment = CoreFixture.start) -> CoreFixture {
    var house = CoreFixture(at: now)
    house.perform(.putResident(CoreFixture.mary))
    house.perform(
      .putGuardian(
        Guardian(
          id: "anna", resident: "mary", name: "Anna", phone: "+47 912 34 567", isCaregiver: true)))
    house.perform(
      .putGuardian(
        Guardian(id: "bob", resident: "mary", name: "Bob", email: "bob@example.org")))
    house.perform(.putSetting(resident: "mary", name: "prealarmSeconds", value: 0))
    return house
  }

  private func take(_ alarm: String? = nil, by: String? = nil) -> Command.Request {
    .alarm(.acknowledge(alarm: alarm, by: by))
  }

  private func isTaken(_ result: StepResult) -> Bool {
    result.events.contains { $0.type == .alarmAcknowledged }
  }

  /// The house goes on from what is stored.
  private func restarted(_ house: CoreFixture) -> CoreFixture {
    CoreFixture(stored: house.core.storedState, seed: 2, at: house.now)
  }

  // MARK: Whose id it is

  @Test("What a stranger asked with an id is no answer to what Anna asks with the same one")
  func idsBelongToPeople() {
    var house = house()
    house.perform(Self.help)
    let stranger = house.perform(Self.locate, id: "X", by: Self.kiosk, expiresIn: 60)
    #expect(stranger.reply?.refusalCode == nil)
    let taken = house.perform(take(), id: "X", by: Self.anna, freshFor: 30)
    #expect(isTaken(taken))
    #expect(taken.reply != stranger.reply)
  }

  @Test("Two apps that both count from 1 each get their call for help")
  func numberedApps() {
    var house = house()
    for app in ["mqtt/a", "mqtt/b", "webhook/a"] {
      let raised = house.perform(
        Self.help, id: "1", by: Principal(channel: .plugin, name: app), expiresIn: 60)
      #expect(raised.events.contains { $0.type == .alarmRaised || $0.type == .alarmRepeated })
    }
    #expect(house.perform(Self.help, id: "1").events.contains { $0.type == .alarmRepeated })
  }

  @Test("The same id for something else is refused in plain words, and for the same thing answered")
  func differentRequest() {
    var house = house()
    let first = house.perform(Self.locate, id: "X", by: Self.anna, expiresIn: 60)
    let other = house.perform(Self.help, id: "X", by: Self.anna, expiresIn: 60)
    #expect(other.reply?.refusalCode == .conflict)
    #expect(other.events.isEmpty && house.core.alarms.summaries().isEmpty)
    let again = house.perform(Self.locate, id: "X", by: Self.anna, expiresIn: 90)
    #expect(again.reply == first.reply && again.changes.isEmpty)
    var later = restarted(house)
    #expect(later.perform(Self.locate, id: "X", by: Self.anna, expiresIn: 60).reply == first.reply)
    #expect(
      later.perform(Self.help, id: "X", by: Self.anna, expiresIn: 60).reply?.refusalCode
        == .conflict)
  }

  @Test("What was refused for want of a clock is done when there is one")
  func passingRefusal() {
    let start = Moment(tick: .seconds(5), utc: Timestamp(milliseconds: 0), quality: .untrusted)
    var house = house(at: start)
    #expect(
      house.perform(Self.locate, id: "X", by: Self.anna, expiresIn: 60).reply?.refusalCode != nil)
    house.now = Moment(tick: .seconds(9), utc: CoreFixture.start.utc, quality: .synchronised)
    house.step(.observation(.clock(ClockReport(quality: .synchronised, stepMilliseconds: 0))))
    let again = house.perform(Self.locate, id: "X", by: Self.anna, expiresIn: 60)
    #expect(again.reply == .done(["requested": true]))
  }

  @Test("What was refused for a reason that has passed is done under the same id")
  func otherReasons() {
    var house = house()
    let john = Command.Request.locate(resident: "john")
    let early = house.perform(john, id: "X", by: Self.anna, expiresIn: 600)
    #expect(early.reply?.refusalCode == .unknownTarget)
    house.perform(.putResident(Resident(id: "john", name: "John", timeZone: "UTC")))
    #expect(
      house.perform(john, id: "X", by: Self.anna, expiresIn: 600).reply
        == .done(["requested": true]))
  }

  @Test("A wrong PIN that comes twice is counted once, and another PIN is another request")
  func wrongPIN() {
    var house = house()
    house.perform(Self.help)
    func cancel(_ verdict: PINVerdict) -> CommandReply? {
      house.step(
        .command(
          Command(
            id: "C", principal: Self.anna,
            freshUntil: house.now.tick.advanced(byMilliseconds: 60_000),
            request: .alarm(.cancel(resident: "mary", pin: nil, message: nil)),
            pinProof: .verdict(verdict)))
      ).reply
    }
    let first = cancel(.wrong)
    for _ in 0..<9 { #expect(cancel(.wrong) == first) }
    #expect(cancel(.correct)?.refusalCode == .conflict)
    #expect(house.core.alarms.summaries().contains { $0["stage"] == "dispatched" })
  }

  // MARK: Whose moment it is

  /// What acts on whichever alarm is open, as from a plugin that vouches for no moment.
  static let unnamed: [AlarmRequest] = [
    .acknowledge(alarm: nil, by: nil), .resolve(alarm: nil, by: nil, reason: "Found"), .silence,
    .cancel(resident: "mary", pin: nil, message: nil),
  ]

  @Test("A late command does nothing about an alarm that came after it", arguments: unnamed)
  func late(request: AlarmRequest) {
    var house = house()
    house.now = house.now.advanced(byMilliseconds: 40_000_000)
    house.perform(Self.help)
    let before = house.core.alarms.summaries()
    // Sent at noon, with a day to live; the broker kept it until now.
    let late = house.perform(.alarm(request), by: Self.anna, expiresIn: 40_000)
    #expect(late.reply?.refusalCode == .expired)
    #expect(house.core.alarms.summaries() == before)
    // So late that it is about to expire, it looks like a short one.
    let last = house.perform(.alarm(request), by: Self.anna, expiresIn: 60)
    #expect(last.reply?.refusalCode == .expired)
    #expect(house.core.alarms.summaries() == before)
  }

  // MARK: Whose name it is

  @Test("Who takes charge is who sent it, and never whom a message names")
  func names() throws {
    var house = house()
    house.perform(Self.help)
    for request in [take(by: "anna"), .alarm(.resolve(alarm: nil, by: "anna", reason: "x"))] {
      let refused = house.perform(request, by: Self.kiosk, freshFor: 30)
      #expect(refused.reply?.refusalCode == .forbidden)
      guard case .refused(let refusal) = refused.reply else { continue }
      #expect(refusal.message.description.contains("kiosk"), "\(refusal.message)")
    }
    let bob = house.perform(take(by: "anna"), by: Self.mqtt("bob@example.org"), freshFor: 30)
    #expect(bob.reply?.refusalCode == .forbidden)
    let taken = house.perform(take(), by: Self.mqtt("bob@example.org"), freshFor: 30)
    let event = try #require(taken.events.first { $0.type == .alarmAcknowledged })
    #expect(event.facts["by"] == "bob")
    #expect(event.facts["principal"] == "plugin:mqtt/bob@example.org")
  }

  @Test("The audit names the account and the address, where there are any, and events do not")
  func account() throws {
    var house = house()
    var command = Command(
      id: "c", principal: Principal(channel: .plugin, name: "console"),
      freshUntil: house.now.tick.advanced(byMilliseconds: 60_000), request: Self.help)
    command.account = "anna"
    command.address = "192.0.2.7"
    let raised = house.step(.command(command))
    let audit = raised.changes.compactMap {
      if case .addAudit(let entry) = $0 { entry.principal } else { nil }
    }
    #expect(audit == ["plugin:console, account anna, from 192.0.2.7"])
    #expect(raised.events.contains { $0.type == .alarmRaised })
    #expect(!raised.events.contains { $0.facts.serialized.contains("192.0.2.7") })
    // The same command from another address is the same command.
    command.address = "192.0.2.8"
    #expect(house.step(.command(command)).reply == raised.reply)
  }

  private static func mqtt(_ name: String) -> Principal {
    Principal(channel: .plugin, name: "mqtt/\(name)")
  }

  @Test("What somebody at the gateway says for Anna is written down as that")
  func forAnna() throws {
    var house = house()
    house.perform(Self.help)
    let taken = house.perform(
      take(by: "anna"), by: Principal(channel: .local, name: "ole"))
    let event = try #require(taken.events.first { $0.type == .alarmAcknowledged })
    #expect(event.facts["by"] == "anna" && event.facts["principal"] == "local:ole")
    #expect(event.facts["explanation"]?.stringContent?.contains("ole") == true)
    let audit = taken.changes.compactMap {
      if case .addAudit(let entry) = $0 { entry.principal } else { nil }
    }
    #expect(audit == ["local:ole for Anna"])
  }
}
