public import Care
import CivilTime
import Door
import Households
import JSON
public import Moments
import Texts

/// All engines of the gateway, composed into one step.
///
/// A pure value: the same inputs at the same moments give the same events, changes and actions, bit for bit on the same
/// build. It never asks for the time and does nothing outside. What an input means is the engines' business: the core
/// offers it down their list, lets them hear each other's signals, and gives what follows an identity.
public struct GatewayCore: Sendable {
  /// Settings from the configuration.
  public internal(set) var configuration: CoreConfiguration
  /// The boot that all ticks of this run belong to.
  public let boot: BootID

  var engines: EngineList
  var ledger: CommandLedger
  /// What all engines may know; its clocks are those of the last step.
  var world: World
  private var quality: TimeQuality
  /// Which engine asked for a sound that sounds or waits: what becomes of it is that one's business.
  private var soundOwners: [SoundID: Int] = [:]

  /// A core over what the store holds.
  public init(
    stored: StoredState, configuration: CoreConfiguration, seed: UInt64, boot: BootID,
    at now: Moment
  ) {
    self.configuration = configuration
    self.boot = boot
    quality = now.quality
    ledger = CommandLedger(rows: stored.engineRows.filter { $0.engine == "core" })
    world = World(now: now, house: configuration.house, boot: boot)
    world.identifiers = IdentifierGenerator(seed: seed)
    engines = EngineList(stored: stored, seed: seed, in: &world)
    for place in engines.places(hearing: .arranged, in: world) {
      _ = try? engines.handle(.arranged, at: place, in: world)
    }
  }

  /// When the core wants the input ``CoreInput/wake`` next; nil for never.
  public var nextWake: Tick? { engines.nextWake }

  /// Takes one input at a moment and answers everything that follows from it.
  public mutating func step(_ input: CoreInput, at now: Moment) -> StepResult {
    var step = Step()
    world.now = now
    switch input {
    case .observation(let observation): take(observation, in: &step)
    case .command(let command): handle(command, in: &step)
    case .wake: break
    case .started(let version): start(version: version, in: &step)
    case .timeZone(let name, let file):
      // Kept for this run and the next ones; a file that cannot be read leaves local time unknown.
      configuration.timeZoneFiles[name] = file
      offer(.rules(of: name, try? CivilTimeZone(name: name, tzif: file)), in: &step)
    }
    for place in engines.indices {
      guard let due = engines.nextWake(of: place), due <= now.tick else { continue }
      offer(.time, to: place, in: &step)
    }
    if let cause = Self.cause(input) { offer(.settled(after: cause), in: &step) }
    spread(&step)
    return finish(step)
  }

  /// Everything that the core holds, as the store would hold it; a core made from it goes on in the same way.
  public var storedState: StoredState {
    var state = engines.stored
    state.engineRows += ledger.rows
    return state
  }

  // MARK: Offering

  /// Offers an input down the list.
  private mutating func offer(_ input: Input, in step: inout Step) {
    for place in engines.places(hearing: input, in: world) { offer(input, to: place, in: &step) }
  }

  /// Only what is asked can be refused.
  private mutating func offer(_ input: Input, to place: Int, in step: inout Step) {
    guard let outcome = try? engines.handle(input, at: place, in: world) else { return }
    take(outcome, of: place, in: &step)
  }

  /// Offers an input down the list until somebody takes it.
  private mutating func isTaken(
    _ input: Input, in step: inout Step
  ) throws(CommandReply.Refusal) -> Bool {
    for place in engines.places(hearing: input, in: world) {
      guard let outcome = try engines.handle(input, at: place, in: world) else { continue }
      take(outcome, of: place, in: &step)
      return true
    }
    return false
  }

  /// Gathers what follows from an input, and lets the others hear of it.
  private mutating func take(_ outcome: Outcome, of place: Int, in step: inout Step) {
    step.gather(outcome)
    for case .play(let sound) in outcome.actions { soundOwners[sound.id] = place }
    if let identifiers = outcome.identifiers { world.identifiers = identifiers }
    if !outcome.changed.isEmpty {
      world.house = engines[HouseholdsEngine.self].house
      for change in outcome.changed { offer(.changed(change), in: &step) }
    }
    for signal in outcome.signals { offer(.signalled(signal), in: &step) }
  }

  /// Lets the engines hear what the events of this step mean to them, in order.
  private mutating func spread(_ step: inout Step) {
    while step.spread < step.drafts.count {
      let place = step.spread
      step.spread += 1
      switch step.drafts[place].signal {
      case nil: continue
      case .heartbeat:
        let members = engines.heartbeatMembers(in: world)
        step.drafts[place].facts = members.reduce(step.drafts[place].facts) {
          $0.setting($1.key, to: $1.value)
        }
      case .news(let news, let resident): tell(.news(news, of: resident), of: place, in: &step)
      case let signal?: offer(.signalled(signal), in: &step)
      }
    }
  }

  /// Offers a signal that whoever takes it may refer to by its event, which then has its identity early.
  private mutating func tell(_ signal: Signal, of draft: Int, in step: inout Step) {
    var identifiers = world.identifiers
    let event = step.drafts[draft].id ?? EventID(identifiers.next(at: world.now.utc))
    world.event = event
    defer { world.event = nil }
    let input = Input.signalled(signal)
    for place in engines.places(hearing: input, in: world) {
      guard let outcome = try? engines.handle(input, at: place, in: world) else { continue }
      if outcome.event != nil, step.drafts[draft].id == nil {
        step.drafts[draft].id = event
        world.identifiers = identifiers
      }
      take(outcome, of: place, in: &step)
    }
  }

  private mutating func finish(_ step: Step) -> StepResult {
    var result = StepResult()
    result.events = step.drafts.map { draft in
      Event(
        id: draft.id ?? EventID(world.identifiers.next(at: world.now.utc)), type: draft.type,
        lane: draft.lane, resident: draft.resident, moment: world.now, facts: draft.facts,
        isForGuardians: draft.isForGuardians)
    }
    // Whatever was written about somebody in the same step, nothing of it outlives them.
    let erasures = step.changes.filter { if case .eraseResident = $0 { true } else { false } }
    result.changes =
      erasures.isEmpty ? step.changes : step.changes.filter { !erasures.contains($0) } + erasures
    result.actions = step.actions
    result.reply = step.reply
    return result
  }

  // MARK: Inputs

  private mutating func start(version: String, in step: inout Step) {
    step.drafts.append(
      EventDraft(
        type: .gatewayStarted, lane: .record, resident: nil,
        facts: [
          "version": .string(version),
          "residents": .integer(Int64(world.house.residents.count)),
          "explanation": say(Message("Homeward {version} started.", ["version": version])),
        ]))
    if world.now.quality.isTrusted { step.drafts.append(clockDraft) }
    offer(.started(version: version), in: &step)
  }

  private var clockDraft: EventDraft {
    let now = world.now
    return EventDraft(
      type: .clockTrusted, lane: .record, resident: nil,
      facts: [
        "boot": .string(boot.rawValue), "tick": .string(String(now.tick.nanoseconds)),
        "utc": .string(now.utc.iso8601), "quality": .string(now.quality.rawValue),
        "explanation": say(
          Message(
            "The clock is trusted now ({quality}); earlier times of this boot follow from it.",
            ["quality": now.quality.rawValue])),
      ], signal: .clockSet)
  }

  /// A sentence about the gateway as a fact, in its language.
  private func say(_ sentence: Message) -> JSONValue {
    .string(sentence.text(in: configuration.language))
  }

  private mutating func take(_ observation: Observation, in step: inout Step) {
    switch observation {
    case .button(let report):
      for press in Press.meanings(of: report, in: world.house) {
        if (try? isTaken(.pressed(press), in: &step)) == true { return }
      }
    case .clock(let report):
      let wasTrusted = quality.isTrusted
      quality = report.quality
      if quality.isTrusted && (!wasTrusted || report.stepMilliseconds != 0) {
        step.drafts.append(clockDraft)
      }
      offer(.observed(observation), in: &step)
    case .sound(let report):
      // One of an earlier run is known to whoever asked for it by its name.
      if let owner = soundOwners[report.sound] {
        offer(.observed(observation), to: owner, in: &step)
        if report.outcome.isEnd { soundOwners[report.sound] = nil }
      } else {
        offer(.observed(observation), in: &step)
      }
    default: offer(.observed(observation), in: &step)
    }
  }

  /// What a step came from, where that can change what all of it comes to.
  private static func cause(_ input: CoreInput) -> Input.Cause? {
    switch input {
    case .started: .start
    case .command(let command): .command(command)
    case .wake: .wake
    case .observation(let observation):
      switch observation {
      case .delivery, .ways, .health, .clock: .observation(observation)
      case .fix, .heading, .button, .photo, .sound, .sighting, .listening, .meter, .map: nil
      }
    case .timeZone: nil
    }
  }

  // MARK: Commands

  /// Does what a command asks, or throws and leaves a copy behind that is thrown away.
  ///
  /// - Parameter sent: when it was asked, for what means whatever alarm is open.
  mutating func perform(
    _ command: Command, sent: Tick, in step: inout Step
  ) throws(CommandReply.Refusal) -> JSONValue {
    if case .putSetting(let resident, let name, let content) = command.request {
      try settings.check(name, content, of: resident)
    }
    guard try isTaken(.asked(command, sent: sent), in: &step) else {
      // Never said to be done because nobody knew of it.
      throw CommandReply.Refusal(
        .unknownTarget,
        Message(
          "This gateway does not know the request \"{method}\". Are both programs of the same version?",
          ["method": command.request.action]))
    }
    if case .putSetting(let resident, let name, _) = command.request {
      return ["name": .string(name), "value": settings.valueInForce(name, of: resident)]
    }
    return step.answer
  }

  /// Lets the engines hear what outlives a refusal.
  mutating func tell(_ refusal: CommandReply.Refusal, in step: inout Step) {
    step.drafts += refusal.events
    for signal in refusal.signals { offer(.signalled(signal), in: &step) }
  }
}

/// What a step has gathered so far.
struct Step {
  var drafts: [EventDraft] = []
  var changes: [StateChange] = []
  var actions: [Action] = []
  var reply: CommandReply?
  /// What the engines answer to what was asked.
  var answer: JSONValue = .object([])
  /// How many of the drafts the other engines have been told of.
  var spread = 0

  /// Gathers what follows from an input; further answers are added to the first.
  mutating func gather(_ outcome: Outcome) {
    drafts += outcome.events
    changes += outcome.changes
    actions += outcome.actions
    for member in outcome.reply.objectContent ?? [] {
      answer = answer.setting(member.key, to: member.value)
    }
  }
}
