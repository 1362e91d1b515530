public import Care
public import JSON
import Loop
public import WalkingRoutes

/// Finds ways on foot with Valhalla, whose program runs for as long as it looks for one.
///
/// - Source: Valhalla, "Pedestrian costing options".
public struct WalkingRouter: Sendable {
  /// Why there is no way.
  public enum Failure: Error, Hashable, Sendable {
    /// Both places are known, and nothing leads from one to the other on foot.
    case noWay
    /// There are no streets near one of the places.
    case noStreets
    /// The router does not run, is too slow, or answers nonsense; its last words.
    case failed(String)
  }

  /// A way is looked for so long.
  public static let milliseconds = 20_000
  private static let mostBytes = 4 << 20

  private let folder: PlaceFolder
  private let program: String

  /// A router over an import; `tools` is the folder that has the `environment` of the import.
  public init(_ folder: PlaceFolder, tools: String) {
    self.folder = folder
    program = "\(tools)/environment/valhalla/valhalla/bin/valhalla_service"
  }

  /// The way from one place to another; blocks until it is found.
  public func route(
    from: Coordinate, to: Coordinate
  ) throws(Failure) -> WalkingRoute {
    let answer = try run(Self.question(from: from, to: to))
    guard let json = try? JSONValue(parsing: answer), let read = try? ValhallaAnswer(json: json)
    else { throw .failed(String(decoding: answer.suffix(300), as: UTF8.self)) }
    switch read {
    case .route(let route): return route
    case .noWay: throw .noWay
    case .noStreets: throw .noStreets
    }
  }

  /// What Valhalla is asked: stairs, ferries and steep paths only where nothing else leads there, and nobody is beside an
  /// expressway just because it is near.
  public static func question(from: Coordinate, to: Coordinate) -> JSONValue {
    func location(_ place: Coordinate) -> JSONValue {
      [
        "lat": .number(place.latitudeDegrees), "lon": .number(place.longitudeDegrees),
        "search_cutoff": 400, "search_filter": ["max_road_class": "primary"],
      ]
    }
    return [
      "locations": [location(from), location(to)], "costing": "pedestrian",
      "costing_options": [
        "pedestrian": [
          "walking_speed": 3.6, "step_penalty": 120, "elevator_penalty": 30, "use_ferry": 0,
          "use_hills": 0.1, "use_tracks": 0.2, "use_lit": 0.6, "max_hiking_difficulty": 1,
          "service_penalty": 5, "driveway_factor": 3, "alley_factor": 1.5, "sidewalk_factor": 0.9,
          "walkway_factor": 0.9,
        ]
      ],
      "directions_type": "maneuvers", "units": "kilometers",
    ]
  }

  private func run(_ question: JSONValue) throws(Failure) -> [UInt8] {
    guard
      let run = ProgramRun(
        program, ["valhalla.json", "route", question.serialized], directory: folder.path,
        milliseconds: Self.milliseconds, mostBytes: Self.mostBytes)
    else { throw .failed("\(program) cannot be started") }
    // A question that has no answer ends it with 1, and the answer says why.
    guard run.end != .stopped, !run.output.isEmpty else {
      throw .failed(String(decoding: run.complaint.suffix(300), as: UTF8.self))
    }
    return run.output
  }
}
