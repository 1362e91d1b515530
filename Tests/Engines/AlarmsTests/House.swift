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
  /// What the world knows of it.
  var known: Care.House
  /// What the world shows as not working.
  var faults: [HealthReport] = []
  var now: Moment
  var boot: BootID = "boot-1"
  /// The zone that everybody lives by; nil while nobody knows.
  var zone: CivilTimeZone? = .utc { didSet { settleZones() } }
  var events: [(second: Double, draft: EventDraft)] = []
  var actions: [(second: Double, action: Action)] = []
  var signals: [Signal] = []
  var store: [String: EngineRow] = [:]
  var origin: Tick

  init(
    residents: [Resident] = [House.mary], guardians: [Guardian] = [House.anna, House.bob],
    settings: [String: JSONValue] = [:], at start: Moment = House.start
  ) {
    // Patience with faults has a test of its own; everywhere else they are told at once.
    let all = ["faultPatienceSeconds": 0].merging(settings) { $1 }
    known = Care.House(
      residents: residents, guardians: guardians,
      settings: Dictionary(uniqueKeysWithValues: residents.map { ($0.id, all) }))
    now = start
    origin = start.tick
    engine = AlarmEngine(
      stored: StoredState(), seed: 7, in: World(now: start, house: known, boot: "boot-1"))
    settleZones()
  }

  var second: Double { Double(now.tick.milliseconds(since: origin)) / 1000 }

  var guardians: [Guardian] {
    get { known.guardians }
    set {
      known.removeGuardians { _ in true }
      for guardian in newValue { known.put(guardian) }
    }
  }

  private mutating func settleZones() {
    let names = known.residents.values.map(\.timeZone)
    known.timeZones =
      zone.map { zone in
        Dictionary(names.map { ($0, zone) }) { first, _ in first }
      } ?? [:]
  }

  var world: World {
    var world = World(now: now, house: known, boot: boot)
    world.faults = faults
    return world
  }

  // MARK: Doing

  /// Takes one input of the core; false where it is none of the engine's business.
  @discardableResult
  mutating func handle(core input: Input) -> Bool {
    do {
      let outcome = try engine.handle(input, in: world)
      if let outcome { take(outcome) }
      return outcome != nil
    } catch {
      Issue.record("\(input) was refused: \(error)")
      return false
    }
  }

  mutating func handle(_ input: AlarmInput) {
    for input in inputs(input) { handle(core: input) }
  }

  /// What the core says, once the house is as it is told.
  private mutating func inputs(_ told: AlarmInput) -> [Input] {
    switch told {
    case .signalled(let signal): return [.signalled(signal)]
    case .delivery(let report): return [.observed(.delivery(report))]
    case .ways(let report): return [.observed(.ways(report))]
    case .photo(let report): return [.observed(.photo(report))]
    case .sound(let report): return [.observed(.sound(report))]
    case .button(let report, let resident):
      return Press.meanings(of: report, in: known).map { press in
        var press = press
        press.resident = resident
        return .pressed(press)
      }
    case .residentsChanged(let list):
      let gone = Set(known.residents.keys).subtracting(list.map(\.id)).sorted()
      known.residents = Dictionary(uniqueKeysWithValues: list.map { ($0.id, $0) })
      return gone.map { .changed(.erased($0)) } + list.map { .changed(.resident($0.id)) }
    case .guardiansChanged(let list):
      guardians = list
      return [.changed(.guardians)]
    case .started: return [.started(version: "0")]
    case .time: return [.time]
    }
  }

  @discardableResult
  mutating func ask(
    _ request: AlarmRequest, as principal: Principal = .local, _ proof: Command.PINProof? = nil
  ) throws -> JSONValue {
    let command = Command(
      id: "c", principal: principal, request: .alarm(request), pinProof: proof)
    do {
      let outcome = try #require(
        try engine.handle(.asked(command, sent: now.tick), in: world), "nobody took it")
      take(outcome)
      return outcome.reply
    } catch let refusal as CommandReply.Refusal {
      // What counts although it was refused is told at once.
      for signal in refusal.signals { handle(core: .signalled(signal)) }
      throw refusal
    }
  }

  /// The refusal of a request that must not succeed; nil when it did.
  mutating func refusal(
    _ request: AlarmRequest, as principal: Principal = .local, _ proof: Command.PINProof? = nil
  ) -> CommandReply.Refusal? {
    do { try ask(request, as: principal, proof) } catch let refusal as CommandReply.Refusal {
      return refusal
    } catch { Issue.record("\(error)") }
    return nil
  }

  private mutating func take(_ outcome: Outcome) {
    events += outcome.events.map { (second, $0) }
    actions += outcome.actions.map { (second, $0) }
    signals += outcome.signals
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
    engine = AlarmEngine(stored: StoredState(engineRows: rows), seed: 8, in: world)
  }

  var storedRows: [EngineRow] { store.sorted { $0.key < $1.key }.map(\.value) }

  mutating func change(_ name: String, to content: JSONValue) {
    known.settings["mary", default: [:]][name] = content
    handle(core: .changed(.setting("mary", name: name)))
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
    let asked = Guardian.Channel(rawValue: channel).flatMap { engine.carriers[$0]?.plugin }
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

  /// What happened to alarms, without live positions and what plugins report.
  var types: [String] {
    events.map(\.draft.type.rawValue).filter {
      $0 != "alarm.location" && $0 != "delivery.reported"
    }
  }

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

/// What the stories tell the engine beside what people ask of it.
enum AlarmInput {
  /// Another engine found something in this step.
  case signalled(Signal)
  /// What became of a message.
  case delivery(DeliveryReport)
  /// Plugins began or ceased to offer ways to people.
  case ways(WaysReport)
  /// A photograph came, or could not be taken.
  case photo(PhotoReport)
  /// A sound began, ended or failed.
  case sound(SoundReport)
  /// A button went down, got stuck or came loose.
  case button(ButtonReport, ResidentID?)
  /// Residents came, went or changed.
  case residentsChanged([Resident])
  /// Guardians came, went or changed.
  case guardiansChanged([Guardian])
  /// The gateway started; what was open goes on.
  case started
  /// The tick that the engine asked for has come.
  case time
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
