public import Care
public import Moments
import Texts

/// Decides what becomes of every alarm until somebody has taken charge and it is resolved.
///
/// Pure: the same inputs give the same outcomes. All that matters is in rows, written as differences in the outcome that
/// made them; an engine over the rows of another one goes on where that one was, in another boot as well.
public struct AlarmEngine: Engine {
  /// What is known of the house, as of the newest input.
  var house: House
  var register: AlarmRegister
  private var stored: AlarmRows
  private var isClockTrusted = false
  var lamp: AlarmLamp
  private var localWake = LocalWake()
  /// Whether guardians can be told, as a part of the gateway; nil until it is known what plugins offer.
  var reachReport: HealthReport?
  private var wake: Tick?

  /// An engine over what is stored in the rows of engine `alarms`.
  ///
  /// - Parameter seed: for identifiers; recorded with the run.
  public init(stored: StoredState, seed: UInt64, in world: World) {
    house = world.house
    register = AlarmRegister(seed: seed)
    self.stored = AlarmRows(
      stored.engineRows, into: &register.state, boot: world.boot, at: world.now)
    lamp = AlarmLamp(showing: register.state.alarms)
    localWake = LocalWake(register.state.alarms, in: house, world)
    wake = self.stored.isWhole ? deadline : world.now.tick
  }

  /// What is told of alarms, and of what became of what guardians were told.
  public static let events: [EventDeclaration] = AlarmEvents.all

  /// The settings of a resident's alarms.
  public static var settings: (any NamedSettings.Type)? { AlarmSettings.self }

  /// Whatever may call for somebody or tell them, but no device itself.
  public static var hears: InputKinds {
    [
      .started, .time, .delivery, .photo, .sound, .ways, .located, .zone, .signals, .changed,
      .asked, .pressed, .settled,
    ]
  }

  /// When ``Input/time`` is due; nil when nothing is waited for.
  public var nextWake: Tick? { wake }

  /// Adds the rows of engine `alarms` as they are stored.
  public func store(in state: inout StoredState) { state.engineRows += rows }

  var rows: [EngineRow] { stored.all(of: state) }

  var state: AlarmState { register.state }
  var carriers: Carriers { register.carriers }

  // MARK: One step

  /// Does something at a moment, and what is due by then.
  ///
  /// - Parameters:
  ///   - events: what is told before all that follows.
  ///   - catchingUp: whether what was due before it is done before, and not beside it.
  mutating func act<Failure: Error>(
    in world: World, telling events: [EventDraft] = [], catchingUp: Bool = true,
    _ body: (inout AlarmEngine, inout Step) throws(Failure) -> Void
  ) throws(Failure) -> Outcome {
    var step = Step(world, in: house)
    step.outcome.events = events
    begin(&step)
    if catchingUp { catchUp(&step) }
    try body(&self, &step)
    return finish(&step)
  }

  private mutating func begin(_ step: inout Step) {
    if step.now.quality.isTrusted, !isClockTrusted {
      register.state.mapStamps { $0.refine(at: step.now) }
    }
    isClockTrusted = step.now.quality.isTrusted
    stored.giveUpUnreadable(&step)
  }

  /// Does what was due earlier; something that arrives exactly at a deadline still counts.
  private mutating func catchUp(_ step: inout Step) {
    let before = Tick(nanoseconds: step.now.tick.nanoseconds &- 1)
    guard let wake, wake <= before else { return }
    advance(until: before, &step)
  }

  private mutating func advance(until limit: Tick, _ step: inout Step) {
    register.advance(until: limit, &step)
    if step.hasNewAlarm { lamp.release() }
    step.hasNewAlarm = false
    lamp.forgetPress(by: limit)
  }

  private mutating func finish(_ step: inout Step) -> Outcome {
    advance(until: step.now.tick, &step)
    register.state.settleRooms(&step)
    step.act(lamp.show(state.alarms))
    register.state.withholdPhotographs(&step)
    writeRows(&step)
    planWake(in: step.world)
    return step.outcome
  }

  /// Whether there is no alarm and nothing is due: most inputs by far are of somebody who is well.
  func isQuiet(in world: World) -> Bool {
    state.alarms.isEmpty && stored.isWhole && isClockTrusted == world.now.quality.isTrusted
      && wake.map { $0 > world.now.tick } ?? true
  }

  /// Remembers where somebody is, while it is quiet: nothing else follows from that.
  mutating func follow(_ location: Signal.Location, of id: ResidentID, in world: World) -> Outcome {
    register.state.note(location, of: id, at: world.now)
    var outcome = stayQuiet(in: world)
    if !stored.canWait(with: id, of: state) {
      outcome.changes = stored.changes(to: state, at: world.now)
    }
    return outcome
  }

  /// Goes on being quiet; only the time until the next test is another now.
  mutating func stayQuiet(in world: World) -> Outcome {
    planWake(in: world)
    return Outcome()
  }

  private mutating func planWake(in world: World) {
    localWake = LocalWake(state.alarms, in: house, world)
    wake = deadline
  }

  /// When something is due next.
  private var deadline: Tick? {
    var soonest = Tick.soonest(localWake.tick, lamp.deadline)
    for alarm in state.alarms {
      let next = AlarmDeadlines(alarm, in: house).next(isHeld: localWake.holds(alarm))
      soonest = .soonest(soonest, next)
    }
    return soonest
  }

  /// Has what changed written.
  mutating func writeRows(_ step: inout Step) {
    step.outcome.changes += stored.changes(to: state, at: step.now)
  }
}
