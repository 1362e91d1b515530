import Care
import Loop
import Moments
import Ports

/// What the runtime asks of the core by itself or in somebody's name: no two ids that one process gives are the same.
@LoopActor
final class LocalCommands {
  private let view: CoreView
  private let clock: any GatewayClock
  private var count = 0

  private static let freshMilliseconds: Int64 = 60_000

  init(_ view: CoreView, clock: any GatewayClock) {
    self.view = view
    self.clock = clock
  }

  /// The next id.
  ///
  /// - Parameter kind: what it begins with, for whoever reads it.
  func nextID(_ kind: String) -> CommandID {
    count += 1
    return CommandID("\(kind)-\(view.runName)-\(count)")
  }

  /// A command in somebody's name.
  func command(_ request: Command.Request, by principal: Principal) -> Command {
    // What is done in the name of somebody behind a plugin needs an end, as what they ask themselves.
    let end = clock.now().tick.advanced(byMilliseconds: Self.freshMilliseconds)
    return Command(id: nextID("local"), principal: principal, freshUntil: end, request: request)
  }
}
