import Bytes
import Care
import Gazetteer
import Glibc
import Guidance
import JSON
import Moments
import WalkingRoutes

/// The engine that shows the way, for walkers who are simulated elsewhere: a line in, a line out.
///
///     {"home": {"latitude": …, "longitude": …}}            somebody new sets out for there
///     {"seconds": 1, "at": {…}, "accuracyMeters": 6}       time passes, and the receiver says something, or nothing
///     {"query": "…", "answer": {…}}                        what Valhalla answered
///     {"press": true}                                      the button is pressed once
///
/// Each is answered by `{"heard": […], "events": […], "seek": {"query", "question"}?}`, as Valhalla is asked.
struct WalkerProbe {
  private static let walker: ResidentID = "walker"
  private var engine: GuidanceEngine
  private var world: World

  init(home: Coordinate) {
    let resident = Resident(id: Self.walker, name: "Ada", timeZone: "UTC", gpsSource: "gps")
    let zone = SafeZone(
      id: "home", resident: Self.walker, name: "Home", center: home, radiusMeters: 30,
      isHome: true)
    world = World(
      now: Moment(
        tick: .seconds(1), utc: Timestamp(milliseconds: 1_795_521_600_000), quality: .synchronised),
      house: House(residents: [resident], zones: [zone]))
    world.tracked = [Self.walker]
    engine = GuidanceEngine(stored: StoredState(), seed: 1, in: world)
  }

  static func run() {
    var probe: WalkerProbe?
    while let line = readLine() {
      do {
        let json = try JSONValue(parsing: line)
        if let home = json["home"] { probe = WalkerProbe(home: try Coordinate(json: home)) }
        let outcomes = try probe?.take(json) ?? []
        say(answer(outcomes).serialized)
      } catch {
        say(#"{"error":"\#(error)"}"#)
      }
    }
  }

  /// A line at once: whoever reads waits for it.
  private static func say(_ line: String) {
    var bytes = Array((line + "\n").utf8)[...]
    while !bytes.isEmpty {
      let written = bytes.withUnsafeBytes { write(1, $0.baseAddress, $0.count) }
      guard written > 0 else { exit(1) }
      bytes = bytes.dropFirst(written)
    }
  }

  private mutating func take(_ json: JSONValue) throws -> [Outcome] {
    if json["home"] != nil { return [] }
    if json["start"] != nil { return [try ask(.start(Self.walker, to: .home, asks: false))] }
    if json["press"] != nil { return try offer(press) }
    if let answer = json["answer"] {
      let report = MapReport(
        query: json["query"]?.stringContent ?? "", resident: Self.walker,
        outcome: Self.outcome(answer))
      return try offer(.observed(.map(FeatureValue(report))))
    }
    world.now.tick = world.now.tick.advanced(
      byMilliseconds: 1000 * (json["seconds"]?.integerContent ?? 0))
    world.now.utc = world.now.utc.advanced(
      byMilliseconds: 1000 * (json["seconds"]?.integerContent ?? 0))
    var outcomes: [Outcome] = []
    if let place = json["at"] {
      let location = Signal.Location(
        coordinate: try Coordinate(json: place),
        accuracyMeters: json["accuracyMeters"]?.doubleContent)
      outcomes += try offer(.signalled(.located(location, of: Self.walker)))
    }
    if let wake = engine.nextWake, wake <= world.now.tick { outcomes += try offer(.time) }
    return outcomes
  }

  private static func outcome(_ json: JSONValue) -> MapReport.Outcome {
    switch try? ValhallaAnswer(json: json) {
    case .route(let route): .found(route)
    case .noWay: .missing(.noWay)
    case .noStreets: .missing(.noStreets)
    case nil: .missing(.failed)
    }
  }

  private var press: Input {
    .pressed(
      Press(
        report: ButtonReport(button: "b", gesture: .press, edge: world.now.tick),
        binding: ButtonBinding(button: "b"), resident: Self.walker, owner: Self.walker,
        meaning: .command(.assist)))
  }

  private mutating func ask(_ request: GuidanceRequest) throws -> Outcome {
    let command = Command(
      id: "1", principal: Principal(channel: .local, name: "probe"), request: .guidance(request))
    return try engine.handle(.asked(command, sent: world.now.tick), in: world) ?? Outcome()
  }

  private mutating func offer(_ input: Input) throws -> [Outcome] {
    try engine.handle(input, in: world).map { [$0] } ?? []
  }

  private static func answer(_ outcomes: [Outcome]) -> JSONValue {
    var heard: [JSONValue] = []
    var seek: JSONValue?
    for action in outcomes.flatMap(\.actions) {
      switch action {
      case .play(let sound):
        heard += sound.parts.compactMap { part in
          if case .speech(let sentence) = part { .string(sentence.text) } else { nil }
        }
      case .askMap(let query):
        guard case .way(let from, let to) = query.subject else { break }
        seek = [
          "query": .string(query.id), "question": WalkingRouter.question(from: from, to: to),
        ]
      default: break
      }
    }
    let events = outcomes.flatMap(\.events).map { event in
      event.facts.setting("type", to: .string(event.type.rawValue))
    }
    return .object(["heard": .array(heard), "events": .array(events), "seek": seek])
  }
}

@main
struct Main {
  static func main() { WalkerProbe.run() }
}
