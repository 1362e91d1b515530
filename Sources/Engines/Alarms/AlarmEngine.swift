import Bytes
public import Care
import JSON
public import Moments
import Texts

/// Decides what becomes of every alarm until somebody has taken charge and it is resolved.
///
/// Pure: the same inputs give the same outcomes. All that matters is in rows, written as differences in the outcome that
/// made them; an engine over the rows of another one goes on where that one was, in another boot as well.
public struct AlarmEngine: Engine {
  /// What is known of the house, as of the newest input.
  var house: House
  var carriers = Carriers()
  var toldNews = ToldNews()
  var state = AlarmState()
  private var stored: AlarmRows
  var identifiers: IdentifierGenerator
  var codes: CodeWords
  var isClockTrusted = false
  var lamp: AlarmLamp
  var localWake = LocalWake()
  /// Whether guardians can be told, as a part of the gateway; nil until it is known what plugins offer.
  var reachReport: HealthReport?
  private var wake: Tick?

  /// An engine over what is stored in the rows of engine `alarms`.
  ///
  /// - Parameter seed: for identifiers; recorded with the run.
  public init(stored: StoredState, seed: UInt64, in world: World) {
    house = world.house
    // Other engines may draw identifiers from the same seed: theirs must never meet with these.
    let own = ~seed
    identifiers = IdentifierGenerator(seed: SplitMix64.mixed(own ^ 0x616C_6172_6D73))
    codes = CodeWords(seed: SplitMix64.mixed(own ^ 0x7461_6773))
    self.stored = AlarmRows(
      stored.engineRows, into: &state, boot: world.boot, at: world.now)
    lamp = AlarmLamp(showing: state.alarms)
    localWake = LocalWake(state.alarms, in: house, world)
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
      state.mapStamps { $0.refine(at: step.now) }
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

  private mutating func finish(_ step: inout Step) -> Outcome {
    advance(until: step.now.tick, &step)
    for index in state.alarms.indices {
      step.act(state.alarms[index].settleRoom(in: house, step.world))
    }
    step.act(lamp.show(state.alarms))
    state.withholdPhotographs(&step)
    writeRows(&step)
    localWake = LocalWake(state.alarms, in: house, step.world)
    wake = deadline
    return step.outcome
  }

  /// Has what changed written.
  mutating func writeRows(_ step: inout Step) {
    step.outcome.changes += stored.changes(to: state, at: step.now)
  }
}
