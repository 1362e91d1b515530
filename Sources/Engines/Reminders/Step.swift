import Care
import Moments

/// One step of the engine: when it is, and what follows.
struct Step {
  let now: Moment
  /// Whether anybody hears what is said in the room.
  let isHeard: Bool
  var outcome = Outcome()
  /// Items whose row has to be written.
  var touched: Set<RoutineItemID> = []

  init(_ world: World) {
    now = world.now
    isHeard = world.silence == nil
  }
}
