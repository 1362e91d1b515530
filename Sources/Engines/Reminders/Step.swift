import Care
import Moments

/// One step of the engine: when it is, and what follows.
struct Step {
  let now: Moment
  /// Whether anybody hears what is said in the room.
  let isHeard: Bool
  /// Pictures that are stored, where the step was asked for an item.
  let pictures: Set<PictureID>
  var outcome = Outcome()
  /// Items whose row has to be written.
  var touched: Set<RoutineItemID> = []

  init(_ world: World) {
    now = world.now
    isHeard = world.silence == nil
    pictures = world.pictures
  }
}
