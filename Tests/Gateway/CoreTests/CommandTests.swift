import Care
import Core
import JSON
import Moments
import Testing

@Suite struct CommandTests {
  @Test func aResidentIsStoredAuditedAndTold() {
    var fixture = CoreFixture()
    let result = fixture.perform(.putResident(CoreFixture.mary))
    #expect(result.reply == .done(["id": "mary"]))
    #expect(result.changes.contains(.putResident(CoreFixture.mary)))
    #expect(result.events.contains { $0.type == .recordChanged && $0.resident == "mary" })
    #expect(
      result.changes.contains {
        guard case .addAudit(let entry) = $0 else { return false }
        return entry.principal == "local:anna" && entry.outcome == "done"
      })
  }

  @Test(arguments: [0, -1, .nan, .infinity, 100_001] as [Double])
  func aZoneOfAnAbsurdRadiusIsRefused(radius: Double) {
    var fixture = CoreFixture()
    fixture.perform(.putResident(CoreFixture.mary))
    let result = fixture.perform(.putZone(CoreFixture.zone(radius: radius)))
    #expect(result.reply?.refusalCode == .invalid)
    #expect(fixture.core.household.zones(of: nil).isEmpty)
    #expect(!result.changes.contains { $0.row(SafeZone.self, in: .zone) != nil })
  }

  @Test(arguments: ["李奶奶的家 \"花园\" 🙂", "Zuhause", String(repeating: "家", count: 200)])
  func namesOfAnyScriptAreKept(name: String) {
    var fixture = CoreFixture()
    fixture.perform(.putResident(CoreFixture.mary))
    fixture.perform(.putZone(CoreFixture.zone(name: name)))
    #expect(fixture.core.household.zones(of: "mary").map(\.name) == [name])
  }

  @Test(arguments: ["", "   ", "a\nb", "a\u{0}b", String(repeating: "a", count: 201)])
  func namesThatNobodyCanReadAreRefused(name: String) {
    var fixture = CoreFixture()
    fixture.perform(.putResident(CoreFixture.mary))
    #expect(fixture.perform(.putZone(CoreFixture.zone(name: name))).reply?.refusalCode == .invalid)
  }

  @Test func targetsThatDoNotExistAreNamed() {
    var fixture = CoreFixture()
    fixture.step(.started(version: "0"))
    let requests: [Command.Request] = [
      .eraseResident("nobody"), .removeZone("nowhere"), .removeBookmark("nowhere"),
      .locate(resident: "nobody"), .setTracking(resident: "nobody", isOn: true),
      .putZone(CoreFixture.zone()), .putSetting(resident: "nobody", name: "exitFixCount", value: 2),
    ]
    for request in requests {
      let result = fixture.perform(request)
      #expect(result.reply?.refusalCode == .unknownTarget, "\(request.action)")
      #expect(result.events.isEmpty)
    }
  }

  @Test func oneGPSSourceBelongsToOneResident() {
    var fixture = CoreFixture()
    fixture.perform(.putResident(CoreFixture.mary))
    let other = Resident(id: "john", name: "John", timeZone: "UTC", gpsSource: "gps")
    #expect(fixture.perform(.putResident(other)).reply?.refusalCode == .conflict)
  }

  @Test func aCommandThatComesTwiceIsAnsweredAndDoneOnce() {
    var fixture = CoreFixture()
    fixture.perform(.putResident(CoreFixture.mary), id: "same")
    let again = fixture.perform(.putResident(CoreFixture.mary), id: "same")
    #expect(again.reply == .done(["id": "mary"]))
    #expect(again.events.isEmpty && again.changes.isEmpty)
    #expect(fixture.core.household.residents == [CoreFixture.mary])
  }

  @Test func aCommandThatComesTwiceIsDoneOnceAlsoAcrossARestart() {
    var fixture = CoreFixture()
    let first = fixture.perform(.putResident(CoreFixture.mary), id: "same")
    var stored = StoredState(residents: [CoreFixture.mary])
    for case .putEngineRow(let row) in first.changes { stored.engineRows.append(row) }
    var restarted = CoreFixture(stored: stored, seed: 2)
    let again = restarted.perform(.putResident(CoreFixture.mary), id: "same")
    #expect(again.reply == first.reply && again.changes.isEmpty)
    #expect(restarted.core.household.residents == [CoreFixture.mary])
  }

  @Test func aPluginsCommandWaitsForATrustedClock() {
    var fixture = CoreFixture(
      at: Moment(tick: .seconds(5), utc: Timestamp(milliseconds: 0), quality: .untrusted))
    fixture.perform(.putResident(CoreFixture.mary))
    let plugin = Principal(channel: .plugin, name: "mqtt/anna")
    let result = fixture.perform(.locate(resident: "mary"), by: plugin, expiresIn: 60)
    #expect(result.reply?.refusalCode == .notNow)
  }

  private static let in1970 = Moment(
    tick: .seconds(5), utc: Timestamp(milliseconds: 5_000), quality: .untrusted)
  private static let anna = Guardian(
    id: "anna", resident: "mary", name: "Anna", phone: "+47 912 34 567")
  private static let help = Command.Request.alarm(
    .raise(resident: "mary", kind: .sos, trigger: .keyword, text: ""))

  /// A house in 1970 with a call for help that is dispatched.
  private func callForHelp(in fixture: inout CoreFixture) -> JSONValue? {
    fixture.perform(.putResident(CoreFixture.mary))
    fixture.perform(.putGuardian(Self.anna))
    let raised = fixture.perform(
      Self.help, by: Principal(channel: .plugin, name: "keyword/keyword"), freshFor: 60)
    fixture.step(.wake, afterSeconds: 20)
    guard case .done(let result) = raised.reply else { return nil }
    return result
  }

  @Test(
    "In 1970 a call for help is raised by what was said just now, and taken charge of by an answer")
  func sosIn1970() throws {
    var fixture = CoreFixture(at: Self.in1970)
    let raised = try #require(callForHelp(in: &fixture))
    let tag = try #require(raised["tag"]?.stringContent)
    let anna = Principal(channel: .plugin, name: "sms-modem/anna")
    func answer(_ alarm: String?) -> Command.Request {
      .alarm(.acknowledge(alarm: alarm, by: "+4791234567"))
    }
    // Of unknown age and of no named alarm: it may be yesterday's.
    let unnamed = fixture.perform(answer(nil), by: anna, expiresIn: 600)
    #expect(unnamed.reply?.refusalCode == .notNow)
    // Of another alarm.
    let other = fixture.perform(answer("ZZZZ"), by: anna, expiresIn: 600)
    #expect(other.reply?.refusalCode == .unknownTarget)
    let taken = fixture.perform(answer(tag), by: anna, expiresIn: 600)
    #expect(taken.events.contains { $0.type == .alarmAcknowledged })
    // The same words a day later, when another alarm is open, still mean this one alone.
    fixture.perform(
      .alarm(.resolve(alarm: tag, by: nil, reason: "She is fine")),
      by: Principal(channel: .gateway, name: "test"))
    let late = fixture.perform(answer(tag), by: anna, expiresIn: 600)
    #expect(late.reply?.refusalCode != nil)
    #expect(!late.events.contains { $0.type == .alarmAcknowledged })
  }

  @Test("A bare answer of just now counts in 1970, and one that lay about does not")
  func bareAnswerIn1970() throws {
    var fixture = CoreFixture(at: Self.in1970)
    _ = try #require(callForHelp(in: &fixture))
    let anna = Principal(channel: .plugin, name: "sms-modem/anna")
    let answer = Command.Request.alarm(.acknowledge(alarm: nil, by: "anna"))
    for seconds in [Int64(0), -30] {
      let late = fixture.perform(answer, by: anna, freshFor: seconds)
      #expect(late.reply?.refusalCode == .expired)
    }
    #expect(
      fixture.perform(answer, by: anna, freshFor: 601).reply?.refusalCode == .invalid)
    let taken = fixture.perform(answer, by: anna, freshFor: 600)
    #expect(taken.events.contains { $0.type == .alarmAcknowledged })
  }

  @Test("What is fresh needs no expiry by a clock that satellites alone vouch for")
  func freshWithTrustedClock() {
    var fixture = CoreFixture()
    fixture.perform(.putResident(CoreFixture.mary))
    let plugin = Principal(channel: .plugin, name: "keyword/keyword")
    #expect(fixture.perform(Self.help, by: plugin, freshFor: 60).reply?.refusalCode == nil)
    // A sender's own expiry counts as soon as there is a clock to judge it by.
    let old = fixture.perform(Self.help, by: plugin, expiresIn: -5, freshFor: 60)
    #expect(old.reply?.refusalCode == .expired)
  }

  @Test(arguments: [(10.0, "shrunk"), (200.0, "enlarged")])
  func changingWhereAResidentIsSafeTellsTheOthers(radius: Double, change: String) {
    var fixture = CoreFixture()
    fixture.perform(.putResident(CoreFixture.mary))
    fixture.perform(.putZone(CoreFixture.zone(radius: 100)))
    let plugin = Principal(channel: .plugin, name: "mqtt/anna")
    let result = fixture.perform(
      .putZone(CoreFixture.zone(radius: radius)), by: plugin, expiresIn: 60)
    let told = result.events.first { $0.type == .zoneChanged }
    #expect(told?.lane == .alarm)
    #expect(told?.facts["change"]?.stringContent == change)
    #expect(told?.facts["isRemote"] == true)
    #expect(told?.facts["explanation"]?.stringContent?.hasPrefix("anna (mqtt) changed ") == true)
  }

  @Test(
    "Who changed where somebody is safe, or took away an alarm, is told by the name of their account"
  )
  func accountsAreToldByName() {
    var fixture = CoreFixture()
    fixture.perform(.putResident(CoreFixture.mary))
    fixture.perform(.putZone(CoreFixture.zone()))
    let page = Principal(channel: .plugin, name: "console/anna@example.org")
    let changes: [Command.Request] = [
      .removeZone("home"), .setTracking(resident: "mary", isOn: false),
    ]
    for request in changes {
      let events = fixture.perform(request, by: page, freshFor: 60, account: "Anna").events
      let told = events.compactMap { $0.facts["explanation"]?.stringContent }
      #expect(told.contains { $0.hasPrefix("Anna ") }, "\(told)")
      #expect(!told.contains { $0.contains("@") || $0.contains("console") }, "\(told)")
    }
  }

  @Test func removingAZoneTellsTheOthersAndRenamingDoesNot() {
    var fixture = CoreFixture()
    fixture.perform(.putResident(CoreFixture.mary))
    fixture.perform(.putZone(CoreFixture.zone()))
    let renamed = fixture.perform(.putZone(CoreFixture.zone(name: "House")))
    #expect(!renamed.events.contains { $0.type == .zoneChanged })
    let removed = fixture.perform(.removeZone("home"))
    #expect(removed.events.contains { $0.type == .zoneChanged && $0.facts["change"] == "removed" })
  }

  @Test func aResidentHasOneHomeTheOneNamedLast() {
    var fixture = CoreFixture()
    fixture.perform(.putResident(CoreFixture.mary))
    fixture.perform(.putZone(CoreFixture.zone("old", name: "Old")))
    fixture.perform(.putZone(CoreFixture.zone("new", name: "New", latitude: -25)))
    #expect(fixture.core.household.zones(of: "mary").filter(\.isHome).map(\.id) == ["new"])
  }

  @Test func settingsAreCheckedAndNullRestoresTheDefault() {
    var fixture = CoreFixture()
    fixture.perform(.putResident(CoreFixture.mary))
    let before = fixture.core.settings.inForce(for: "mary")
    #expect(
      fixture.perform(.putSetting(resident: "mary", name: "exitFixCount", value: 3)).reply?
        .refusalCode
        == nil)
    #expect(fixture.core.settings.inForce(for: "mary")["exitFixCount"] == 3)
    #expect(
      fixture.perform(.putSetting(resident: "mary", name: "exitFixCount", value: "x")).reply?
        .refusalCode
        == .invalid)
    #expect(
      fixture.perform(.putSetting(resident: "mary", name: "wrong", value: 3)).reply?.refusalCode
        == .unknownTarget)
    fixture.perform(.putSetting(resident: "mary", name: "exitFixCount", value: .null))
    #expect(fixture.core.settings.inForce(for: "mary") == before)
  }

  @Test func erasingAResidentTakesEverythingAndTellsNothingPersonal() throws {
    var fixture = CoreFixture()
    fixture.perform(.putResident(CoreFixture.mary))
    fixture.perform(.putZone(CoreFixture.zone()))
    let result = fixture.perform(.eraseResident("mary"))
    #expect(result.changes.contains(.eraseResident("mary")))
    #expect(fixture.core.household.zones(of: nil).isEmpty)
    let told = result.events.first { $0.type == .residentErased }
    #expect(told?.facts.serialized.lowercased().contains("mary") == false)
    let event = try #require(told)
    #expect(event.resident == nil)
    #expect(event.facts["erased"] == .string(ResidentID("mary").digest(in: event.id)))
    #expect(fixture.step(fixture.fix(metersNorth: 0)).events.isEmpty)
  }
}
