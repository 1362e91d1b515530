import Care
import Moments

/// The engines and what they may know, as they were when somebody looked: what every view of the core reads.
struct EngineSnapshot: Sendable {
  private let engines: EngineList
  private let world: World

  init(_ engines: EngineList, in world: World) {
    self.engines = engines
    self.world = world
  }

  /// One of the engines.
  subscript<One: Engine>(_ type: One.Type) -> One { engines[type] }

  /// The house of the residents.
  var house: House { world.house }

  /// What the engines themselves find of the gateway's parts.
  var health: [HealthReport] { engines.health }

  /// A world at a moment in which the engines show what is wanted of them.
  func world(showing views: World.Views, at now: Moment) -> World {
    var world = engines.showing(views, in: world)
    world.now = now
    return world
  }
}
