import Bytes
public import Care
public import JSON
public import Moments
import Texts

/// Decides what becomes of every alarm until somebody has taken charge and it is resolved.
///
/// Pure: the same inputs give the same outcomes. All that matters is in rows, written as differences in the outcome that
/// made them; an engine over the rows of another one goes on where that one was, in another boot as well.
public struct AlarmEngine: Sendable {
  var residents: [ResidentID: Resident] = [:]
  /// By id, so that nothing depends on the order in which they were added.
  var guardians: [Guardian] = []
  /// The ways that lead to each guardian, with their addresses.
  var routes: [GuardianID: [Guardian.Channel: String]] = [:]
  /// What plugins offer to carry messages; nil as long as nobody has said.
  var offers: [Guardian.Channel: WaysReport.Offer]?
  /// The plugin that reaches the emergency services; nil for none.
  var emergencyPlugin: String?
  /// News of which something may still be heard, oldest first.
  var news: [AskedNews] = []
  var settings: [ResidentID: AlarmSettings] = [:]
  let boot: BootID
  var state = AlarmState()
  /// What is on disk.
  var written = AlarmState()
  var unreadable: [StoredRow] = []
  var identifiers: IdentifierGenerator
  var random: SplitMix64
  var isClockTrusted = false
  var lamp = LampSignal.off
  /// When a button went down that has not led to anything yet.
  var pressed: Tick?
  /// When local time next changes what is to be done.
  var localWake: Tick?
  /// Alarms of low priority that wait for the end of their quiet hours.
  var held: Set<AlarmID> = []
  private var wake: Tick?

  /// An engine over what is stored.
  ///
  /// - Parameters:
  ///   - rows: the stored rows of engine `alarms`.
  ///   - seed: for identifiers; recorded with the run.
  public init(
    residents: [Resident], guardians: [Guardian], settings: [ResidentID: [String: JSONValue]],
    rows: [EngineRow], seed: UInt64, boot: BootID, in world: World
  ) {
    self.boot = boot
    // Other engines may draw identifiers from the same seed: theirs must never meet with these.
    identifiers = IdentifierGenerator(seed: SplitMix64.mixed(seed ^ 0x616C_6172_6D73))
    random = SplitMix64(seed: SplitMix64.mixed(seed ^ 0x7461_6773))
    self.residents = Dictionary(residents.map { ($0.id, $0) }) { $1 }
    know(guardians)
    self.settings = settings.mapValues { AlarmSettings($0) }
    restore(rows, at: world.now)
    lamp = wantedLamp
    noteLocalWake(world)
    wake = unreadable.isEmpty ? deadline : world.now.tick
  }

  /// When ``AlarmInput/time`` is due; nil when nothing is waited for.
  public var nextWake: Tick? { wake }

  /// Takes one input and says what follows.
  ///
  /// What was due before happens first; something that arrives exactly at a deadline still counts.
  public mutating func handle(_ input: AlarmInput, in world: World) -> Outcome {
    var step = Step(world)
    begin(&step)
    switch input {
    // What was under way is handed over again as it was, before anything counts as unanswered.
    case .started: resume(&step)
    case .time: break
    default: catchUp(&step)
    }
    apply(input, &step)
    return finish(&step)
  }

  /// Does what somebody asks.
  ///
  /// - Parameter sent: when it was asked; a request that names no alarm means none that came later. Nil for now.
  /// - Throws: why not; nothing changed then but the count of wrong PINs and codes, for whose row ``nextWake`` is due at
  ///   once.
  public mutating func perform(
    _ request: AlarmRequest, by principal: Principal, proof: Command.PINProof?,
    sent: Tick? = nil, in world: World
  ) throws(CommandReply.Refusal) -> Outcome {
    let sent = sent ?? world.now.tick
    do { try countWrongTry(request, proof, sent: sent, in: world) } catch {
      wake = world.now.tick
      throw error
    }
    var copy = self
    var step = Step(world)
    copy.begin(&step)
    copy.catchUp(&step)
    try copy.carryOut(request, by: Asker(principal: principal, sent: sent), proof: proof, &step)
    let outcome = copy.finish(&step)
    self = copy
    return outcome
  }

  /// The rows of engine `alarms` as they are stored.
  public var rows: [EngineRow] { storedRows(of: state).map { row($0.key, $0.content) } }

  // MARK: One step

  mutating func begin(_ step: inout Step) {
    if step.now.quality.isTrusted, !isClockTrusted {
      state.mapStamps { $0.refine(at: step.now) }
    }
    isClockTrusted = step.now.quality.isTrusted
    tellUnreadable(&step)
  }

  mutating func catchUp(_ step: inout Step) {
    let before = Tick(nanoseconds: step.now.tick.nanoseconds &- 1)
    guard let wake, wake <= before else { return }
    advance(until: before, &step)
  }

  mutating func finish(_ step: inout Step) -> Outcome {
    advance(until: step.now.tick, &step)
    settleRoom(&step)
    showLamp(&step)
    writeRows(&step)
    noteLocalWake(step.world)
    wake = deadline
    return step.outcome
  }

  private mutating func apply(_ input: AlarmInput, _ step: inout Step) {
    switch input {
    case .signalled(let signal): take(signal, &step)
    case .delivery(let report): note(report, &step)
    case .ways(let report): take(report, &step)
    case .photo(let report): note(report, &step)
    case .sound(let report): note(report)
    case .button(let report, let resident): note(report, resident, &step)
    case .residentsChanged(let list): change(residents: list, &step)
    case .guardiansChanged(let list):
      know(list)
      settleWays(at: step.now)
    case .settingsChanged(let id, let contents): settings[id] = AlarmSettings(contents)
    case .locationRefused(let id): state.care[id]?.position = nil
    case .started, .time: break
    }
  }

  private mutating func carryOut(
    _ request: AlarmRequest, by asker: Asker, proof: Command.PINProof?,
    _ step: inout Step
  ) throws(CommandReply.Refusal) {
    switch request {
    case .raise(let id, let kind, let trigger, let text):
      try raise(id, kind, trigger, text, &step)
    case .cancel(let id, _, let message):
      try cancel(id, message, proof, by: asker, &step)
    case .acknowledge(let alarm, let by): try acknowledge(alarm, by, asker, &step)
    case .resolve(let alarm, let by, let reason): try resolve(alarm, by, reason, asker, &step)
    case .silence: silence(asker, &step)
    case .photograph(let id): try photograph(id, &step)
    case .test(let id): try test(id, &step)
    case .setPIN(let id, let kind, _): try setPIN(id, kind, proof, &step)
    case .prepareEmergency(let id, let profile, let registered, let text):
      try prepareEmergency(
        id, EmergencySetup.Terms(profile: profile, registered: registered, text: text), &step)
    case .confirmEmergency(let id, let code): try confirmEmergency(id, code, &step)
    case .disableEmergency(let id): try disableEmergency(id, &step)
    case .contactEmergency(let id, let mode): try contactEmergency(id, mode, &step)
    }
  }

  private mutating func know(_ list: [Guardian]) {
    guardians = list.sorted { $0.id < $1.id }
    routes = [:]
    for guardian in guardians {
      for (channel, address) in guardian.addresses {
        routes[guardian.id, default: [:]][channel] = address
      }
    }
  }

  // MARK: Shared by the parts

  /// The settings that hold for an alarm; those of the first resident for the gateway's own.
  func settings(of resident: ResidentID?) -> AlarmSettings {
    guard let id = resident ?? residents.keys.min() else { return AlarmSettings() }
    return settings[id] ?? AlarmSettings()
  }

  /// The language of what is said about an alarm, in the room and to guardians.
  func language(of resident: ResidentID?) -> Language { Language(settings(of: resident).language) }

  /// The language of events: the resident's, or the gateway's own for what is about no resident.
  func tongue(of resident: ResidentID?, _ world: World) -> Language {
    resident.map { language(of: $0) } ?? world.language
  }

  /// The rule of an alarm's kind.
  func rule(of alarm: LiveAlarm) -> KindRule { settings(of: alarm.resident).rule(alarm.kind) }

  /// The name that people know a resident by.
  func name(of resident: ResidentID?) -> String {
    guard let resident else { return "Homeward" }
    return residents[resident]?.name ?? resident.rawValue
  }

  /// The name of whom an alarm is about: of a call for help that might be anybody's, `Somebody`.
  func name(of alarm: LiveAlarm, in language: Language? = nil) -> String {
    guard alarm.isForSomebody else { return name(of: alarm.resident) }
    return gettext("Somebody", in: language ?? self.language(of: nil))
  }

  /// The name of a guardian, with the id behind it where two of a resident's have the same one.
  func shownName(_ id: GuardianID) -> String {
    guard let guardian = guardians.first(where: { $0.id == id }) else { return id.rawValue }
    let isShared = guardians.contains {
      $0.id != id && $0.name == guardian.name && $0.resident == guardian.resident
    }
    return isShared ? "\(guardian.name) (\(id))" : guardian.name
  }

  /// The guardians who are told of a resident's alarms; all of them for the gateway's own.
  func guardians(of resident: ResidentID?) -> [Guardian] {
    guard let resident else { return guardians }
    return guardians.filter { $0.resident == resident }
  }

  func requireResident(_ id: ResidentID) throws(CommandReply.Refusal) {
    guard residents[id] == nil else { return }
    throw CommandReply.Refusal(
      .unknownTarget,
      Message(
        "There is no resident \"{id}\". Known residents: {residents}.",
        ["id": id, "residents": known(residents.keys.map(\.rawValue))]))
  }

  func known(_ names: [String]) -> Message {
    names.isEmpty
      ? Message("none") : Message(verbatim: names.sorted().joined(separator: ", "))
  }

  /// Adds an event about an alarm.
  func tell(
    _ type: EventType, _ alarm: LiveAlarm, _ explanation: Message,
    _ facts: KeyValuePairs<String, JSONValue?> = [:], _ step: inout Step
  ) {
    var members = [
      JSONMember(key: "alarm", value: .string(alarm.id.rawValue)),
      JSONMember(key: "tag", value: .string(alarm.tag)),
      JSONMember(key: "kind", value: .string(alarm.kind.rawValue)),
      JSONMember(key: "priority", value: .string(rule(of: alarm).priority.rawValue)),
      JSONMember(key: "stage", value: .string(alarm.stage.rawValue)),
      JSONMember(key: "sound", value: .string(wantedSound(alarm, step.world).rawValue)),
    ]
    if alarm.kind.isAboutAPerson {
      members.append(JSONMember(key: "residentName", value: .string(name(of: alarm))))
    }
    for (key, content) in facts {
      if let content { members.append(JSONMember(key: key, value: content)) }
    }
    members.append(
      JSONMember(
        key: "explanation",
        value: .string(explanation.text(in: tongue(of: alarm.resident, step.world)))))
    step.outcome.events.append(
      EventDraft(
        type: type, lane: .alarm, resident: alarm.resident, facts: .object(members),
        id: type == .alarmRaised ? EventID(alarm.id.rawValue) : nil,
        isForGuardians: alarm.isConcealed,
        signal: type == .alarmRaised && alarm.kind.isAboutAPerson ? .alarmBegan : nil))
  }
}

/// Who asks for something, and when they did.
struct Asker: Sendable {
  let principal: Principal
  let sent: Tick
}

/// One step of the engine: when it is, and what follows.
struct Step {
  let world: World
  var outcome = Outcome()

  init(_ world: World) { self.world = world }

  var now: Moment { world.now }

  mutating func act(_ action: Action) { outcome.actions.append(action) }
}
