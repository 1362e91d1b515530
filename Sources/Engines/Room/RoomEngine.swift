public import Care
public import Moments

/// What is heard in the room beside alarms and reminders, and what its buttons are for when nothing asks: a call that only
/// seems to come in, sounds by hand, what people have said, the spoken help, and the time of day.
///
/// It knows whether anything can be heard at all, and of which buttons nobody knows whose they are.
public struct RoomEngine: Engine {
  /// What sounds, what can sound, and what people ask or press.
  public static var hears: InputKinds {
    [.time, .health, .sound, .ways, .signals, .changed, .asked, .pressed, .settled]
  }

  /// The part that the buttons' owners are, among the gateway's own.
  public static let ownersComponent: ComponentID = "buttons"

  var call: FakeCall
  private(set) var sound = RoomSound()
  private var owners = ButtonOwners()

  /// An engine over the rows of `fake-call`.
  public init(stored: StoredState, seed: UInt64, in world: World) {
    call = FakeCall(
      rows: stored.engineRows.filter { $0.engine == FakeCallPlan.engine }, boot: world.boot,
      at: world.now)
  }

  /// When the call rings next, falls silent or gives up.
  public var nextWake: Tick? { call.nextWake }

  /// Takes one input; nil where it is none of the room's business.
  ///
  /// - Throws: why what somebody asks cannot be; nothing changed then.
  public mutating func handle(
    _ input: Input, in world: World
  ) throws(CommandReply.Refusal) -> Outcome? {
    switch input {
    case .asked(let command, _):
      guard case .room(let request) = command.request else { return nil }
      return try perform(request, in: world)
    case .pressed(let press): return answer(press, in: world)
    case .observed(let observation): return observe(observation)
    case .signalled(let signal): return hear(signal, in: world)
    case .time: return passTime(at: world.now)
    case .changed(.erased(let id)): return forget(id)
    case .settled(after: .start), .settled(after: .command):
      return owners.judge(in: world.house).map(Self.outcome)
    default: return nil
    }
  }

  // MARK: What happens

  private mutating func observe(_ observation: Observation) -> Outcome? {
    switch observation {
    case .sound(let report):
      guard call.owns(report.sound) else { return nil }
      var outcome = Outcome()
      call.takeReport(report, &outcome)
      return outcome
    case .health(let report): return sound.takeReport(report) ? Outcome() : nil
    case .ways(let report):
      sound.ways = report
      return Outcome()
    default: return nil
    }
  }

  private mutating func hear(_ signal: Signal, in world: World) -> Outcome? {
    switch signal {
    case .alarmBegan:
      guard call.stage != .idle else { return nil }
      var outcome = Outcome()
      call.giveWay(&outcome)
      return outcome
    case .calledForNobody(let button):
      return Self.outcome(owners.noteUnowned(button, in: world.house))
    default: return nil
    }
  }

  private mutating func passTime(at now: Moment) -> Outcome? {
    guard let due = call.nextWake, due <= now.tick else { return nil }
    var outcome = Outcome()
    call.pass(now, &outcome)
    return outcome
  }

  /// Ends the call of a resident who is erased.
  private mutating func forget(_ id: ResidentID) -> Outcome? {
    guard call.resident == id else { return nil }
    var outcome = Outcome()
    try? call.end(&outcome)
    // What is told of the resident would outlive them; the sound ends all the same.
    outcome.events = []
    return outcome
  }

  private static func outcome(_ signal: Signal) -> Outcome {
    var outcome = Outcome()
    outcome.signals = [signal]
    return outcome
  }

  // MARK: What others see

  /// A call asks who needs help, and whoever wants words spoken is told what does not work.
  public func sees(for input: Input) -> World.Views {
    switch input {
    case .asked(let command, _):
      switch command.request {
      case .room(.startFakeCall): [.need]
      case .room(.say), .room(.speakHelp): [.faults]
      default: []
      }
    case .pressed(let press): press.meaning == .command(.fakeCall) ? [.need] : []
    default: []
    }
  }

  /// Shows whether a call is on and what can be heard; for the latter the faults in the world count, as far as they are there.
  public func show(_ view: World.View, in world: inout World) {
    switch view {
    case .call: world.isCallOn = call.isOn
    case .sound:
      world.silence = sound.silence
      world.speechlessness = sound.speechlessness(faults: world.faults)
    default: break
    }
  }

  /// What the call of a resident is doing, as `fake-call.changed` tells it; nil while there is none.
  public func callStage(of id: ResidentID) -> String? {
    call.resident == id && call.stage != .idle ? call.stage.rawValue : nil
  }

  /// Whom a fake call is asked for.
  public func resident(concernedBy request: Command.Request) -> ResidentID? {
    if case .room(.startFakeCall(let id, _)) = request { id } else { nil }
  }

  /// Adds the call, unless it was answered.
  public func store(in state: inout StoredState) { state.engineRows += call.rows }

  /// Whether it is known whose the buttons are.
  public var health: [HealthReport] { owners.report.map { [$0] } ?? [] }
}
