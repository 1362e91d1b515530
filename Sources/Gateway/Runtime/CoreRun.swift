import Care
import Core
import JSON
import Loop
import Moments
import Ports

/// The core, and the run under which its inputs are recorded: nothing but this changes the core.
@LoopActor
final class CoreRun {
  /// What there was before a step, so that the step can be taken back.
  struct Before {
    fileprivate var core: GatewayCore
    fileprivate var inputNumber: Int64
  }

  /// The core as it is just now.
  private(set) var core: GatewayCore
  /// The run that inputs are recorded under.
  private(set) var name: String
  /// How many steps were taken in all runs, those that were taken back as well.
  private(set) var stepNumber: Int64 = 0
  private var inputNumber: Int64 = 0
  private var startedAt: Tick

  /// A day is the unit in which recorded inputs are kept and forgotten.
  private static let milliseconds: Int64 = 86_400_000

  init(_ run: GatewayRuntime.Run) {
    core = run.core
    name = run.record.run
    startedAt = run.record.moment.tick
  }

  /// What there is now.
  var before: Before { Before(core: core, inputNumber: inputNumber) }

  /// Takes one step.
  func step(_ input: CoreInput, at now: Moment) -> StepResult {
    let result = core.step(input, at: now)
    stepNumber += 1
    inputNumber += 1
    return result
  }

  /// The newest input as it is recorded, with what came of it.
  func record(
    of input: CoreInput, _ events: [EncodedEvent], _ result: StepResult, at now: Moment
  ) -> InputRecord {
    InputRecord(
      run: name, number: inputNumber, moment: now, resident: core.resident(concernedBy: input),
      body: input.json.serializedBytes,
      outcomeDigest: OutcomeDigest(
        events: events, changes: result.changes, actions: result.actions
      ).digest)
  }

  /// Forgets the newest step.
  func takeBack(to before: Before) {
    core = before.core
    inputNumber = before.inputNumber
  }

  /// Whether it is time for another run.
  func isOver(at now: Tick) -> Bool { now.milliseconds(since: startedAt) >= Self.milliseconds }

  /// Goes on with another run.
  func change(to next: GatewayRuntime.Run, at now: Tick) {
    core = next.core
    name = next.record.run
    startedAt = now
    inputNumber = 0
  }
}

/// The core as it is whenever it is looked at, for whoever does not change it.
@LoopActor
struct CoreView {
  private let run: CoreRun

  init(_ run: CoreRun) { self.run = run }

  /// The core as it is just now.
  var core: GatewayCore { run.core }

  /// The run that inputs are recorded under.
  var runName: String { run.name }
}
