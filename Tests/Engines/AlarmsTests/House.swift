import Care
import CivilTime
import JSON
import Moments
import Testing

@testable import Alarms

/// A resident with guardians, an engine, a store that keeps what it is told to, and the time.
struct House {
  static let mary = Resident(
    id: "mary", name: "Mary Smith", timeZone: "Europe/London", gpsSource: "gps")
  static let anna = Guardian(
    id: "anna", resident: "mary", name: "Anna", phone: "+4791234567", email: "anna@example.org")
  static let bob = Guardian(
    id: "bob", resident: "mary", name: "Bob", phone: "+447700900123", tier: 2, isCaregiver: true)
  static let start = Moment(
    tick: .seconds(1000), utc: .seconds(1_800_000_000), quality: .synchronised)

  var engine: AlarmEngine
  var residents: [Resident]
  var guardians: [Guardian]
  var settings: [ResidentID: [String: JSONValue]]
  var now: Moment
  var boot: BootID = "boot-1"
  /// The zone that everybody lives by; nil while nobody knows.
  var zone: CivilTimeZone? = .utc
  var events: [(second: Double, draft: EventDraft)] = []
  var actions: [(second: Double, action: Action)] = []
  var store: [String: EngineRow] = [:]
  var origin: Tick

  init(
    residents: [Resident] = [House.mary], guardians: [Guardian] = [House.anna, House.bob],
    settings: [String: JSONValue] = [:], at start: Moment = House.start
  ) {
    self.residents = residents
    self.guardians = guardians
    // Patience with faults has a test of its own; everywhere else they are told at once.
    let all = ["faultPatienceSeconds": 0].merging(settings) { $1 }
    self.settings = Dictionary(uniqueKeysWithValues: residents.map { ($0.id, all) })
    now = start
    origin = start.tick
    engine = AlarmEngine(
      residents: residents, guardians: guardians, settings: self.settings, rows: [], seed: 7,
      boot: "boot-1", in: World(now: start))
  }

  var second: Double { Double(now.tick.milliseconds(since: origin)) / 1000 }

  var world: World {
    let people = residents.map { ($0.id, World.Person(name: $0.name, zone: zone)) }
    return World(now: now, people: Dictionary(uniqueKeysWithValues: people))
  }

  // MARK: Doing

  mutating func handle(_ input: AlarmInput) { take(engine.handle(input, in: world)) }

  @discardableResult
  mutating func ask(
    _ request: AlarmRequest, as principal: Principal = .local, _ proof: Command.PINProof? = nil
  ) throws -> JSONValue {
    let outcome = try engine.perform(request, by: principal, proof: proof, in: world)
    take(outcome)
    return outcome.reply
  }

  /// The refusal of a request that must not succeed; nil when it did.
  mutating func refusal(
    _ request: AlarmRequest, as principal: Principal = .local, _ proof: Command.PINProof? = nil
  ) -> CommandReply.Refusal? {
    do {
      take(try engine.perform(request, by: principal, proof: proof, in: world))
      return nil
    } catch { return error }
  }

  private mutating func take(_ outcome: Outcome) {
    events += outcome.events.map { (second, $0) }
    actions += outcome.actions.map { (second, $0) }
    for change in outcome.changes {
      switch change {
      case .putEngineRow(let row): store["\(row.subject) \(row.name)"] = row
      case .removeEngineRow(_, let subject, let name): store["\(subject) \(name)"] = nil
      default: continue
      }
    }
  }

  /// Lives through time up to a second, waking the engine whenever it wants.
  mutating func wait(until second: Double) {
    let end = origin.advanced(byMilliseconds: Int64((second * 1000).rounded()))
    while let wake = engine.nextWake, wake <= end {
      move(to: max(wake, now.tick))
      handle(.time)
      guard engine.nextWake.map({ $0 > now.tick }) ?? true else {
        Issue.record("at \(second) s something stays due")
        return
      }
    }
    move(to: end)
  }

  mutating func move(to tick: Tick) {
    let passed = max(0, tick.nanoseconds - now.tick.nanoseconds + 999_999) / 1_000_000
    now = now.advanced(byMilliseconds: passed)
  }

  /// The power fails, and comes back after some seconds in another boot.
  mutating func cutPower(seconds: Int64 = 20, quality: TimeQuality = .synchronised) {
    boot = BootID(boot.rawValue + "+")
    let passed = now.tick.milliseconds(since: origin) + seconds * 1000
    now = Moment(
      tick: .seconds(30), utc: now.utc.advanced(byMilliseconds: seconds * 1000), quality: quality)
    origin = now.tick.advanced(byMilliseconds: -passed)
    restart(rows: storedRows)
    handle(.started)
  }

  /// The daemon starts again from given rows within the same boot.
  mutating func restart(rows: [EngineRow]) {
    engine = AlarmEngine(
      residents: residents, guardians: guardians, settings: settings, rows: rows, seed: 8,
      boot: boot, in: world)
  }

  var storedRows: [EngineRow] { store.sorted { $0.key < $1.key }.map(\.value) }

  mutating func change(_ name: String, to content: JSONValue) {
    settings["mary", default: [:]][name] = content
    handle(.settingsChanged("mary", settings["mary"] ?? [:]))
  }

  // MARK: Usual steps

  @discardableResult
  mutating func press() throws -> AlarmID {
    let reply = try ask(.raise(resident: "mary", kind: .sos, trigger: .button, text: ""))
    return AlarmID(reply["alarm"]?.stringContent ?? "")
  }

  mutating func fix(_ latitude: Double = 52.09012, _ longitude: Double = 5.1213) {
    notice(
      .fixAccepted,
      [
        "latitude": .number(latitude), "longitude": .number(longitude), "accuracyMeters": 8.0,
        "batteryPercent": 64,
      ])
  }

  mutating func notice(_ type: EventType, _ facts: JSONValue, of resident: ResidentID? = "mary") {
    if let signal = Signal(type, facts, of: resident) { handle(.signalled(signal)) }
  }

  mutating func report(
    _ alarm: AlarmID, _ guardian: String, _ channel: String, _ outcome: DeliveryReport.Outcome,
    notice: AlarmNotice? = .alarm, detail: String = "", by plugin: String? = nil,
    attempt: Int64? = nil
  ) {
    // Who was asked reports, unless a test says otherwise.
    let asked = Guardian.Channel(rawValue: channel).flatMap { engine.offers?[$0]?.plugin }
    handle(
      .delivery(
        DeliveryReport(
          plugin: plugin ?? asked ?? "p", event: EventID(alarm.rawValue), recipient: guardian,
          channel: channel, outcome: outcome, detail: detail, notice: notice, attempt: attempt)))
  }

  /// A plugin offers to carry messages by some channels, and no other does.
  mutating func offer(_ channels: [Guardian.Channel], by plugin: String) {
    handle(
      .ways(
        WaysReport(
          offers: channels.map {
            WaysReport.Offer(channel: $0, plugin: plugin, isRunning: true)
          })))
  }

  // MARK: Looking

  var types: [String] { events.map(\.draft.type.rawValue).filter { $0 != "alarm.location" } }

  func all(_ type: EventType) -> [(second: Double, draft: EventDraft)] {
    events.filter { $0.draft.type == type }
  }

  var messages: [(second: Double, message: AlarmMessage)] {
    actions.compactMap { entry in
      guard case .notify(let message) = entry.action else { return nil }
      return (entry.second, message)
    }
  }

  var sounds: [(second: Double, request: SoundRequest)] {
    actions.compactMap { entry in
      guard case .play(let request) = entry.action else { return nil }
      return (entry.second, request)
    }
  }

  var lights: [LampSignal] {
    actions.compactMap { entry in
      guard case .light(let signal) = entry.action else { return nil }
      return signal
    }
  }

  /// Messages as `second notice guardian/channel attempt`.
  var told: [String] {
    messages.map { second, message in
      let time = second == second.rounded() ? "\(Int64(second))" : "\(second)"
      return "\(time) \(message.notice.rawValue) \(message.guardian)/\(message.channel.rawValue) "
        + "\(message.attempt)"
    }
  }
}

extension Principal {
  static let local = Principal(channel: .local, name: "root")

  static func sms(_ number: String) -> Principal {
    Principal(channel: .plugin, name: "sms-modem/\(number)")
  }
}

extension SoundRequest {
  var patterns: [String] {
    parts.compactMap { part in
      guard case .pattern(let name) = part else { return nil }
      return name
    }
  }

  var speech: String {
    parts.compactMap { part in
      guard case .speech(let sentence) = part else { return nil }
      return sentence.text
    }.joined(separator: " ")
  }
}
