import Care
import Glibc
import Guidance
import JSON
import Moments
import TestSupport
import Texts
import WalkingRoutes

/// Somebody who carries a receiver, the engine that guides them, and whoever finds ways.
final class Traveller {
  static let mary: ResidentID = "mary"
  static let start = place(48.4100, 15.6000)
  static let noon = Timestamp(milliseconds: 1_795_521_600_000)  // 2026-11-24 12:00 UTC

  static func place(_ latitude: Double, _ longitude: Double) -> Coordinate {
    guard let place = Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude) else {
      preconditionFailure("not on Earth")
    }
    return place
  }

  /// One street of a way.
  struct Leg {
    var bearing: Double
    var meters: Double
    var street: String?
  }

  var engine: GuidanceEngine
  var world: World
  /// Where she is in truth.
  var position = Traveller.start
  /// Who answers searches; by default nobody is there.
  var router: (MapQuery) -> MapReport.Outcome = { _ in .missing(.noService) }
  /// The error of the receiver, in metres, by the second.
  var error: (Int) -> (bearing: Double, meters: Double) = { _ in (0, 0) }
  var accuracyMeters = 5.0
  /// Whether what is said can be spoken.
  var hasVoice = true
  /// What her compass says, in degrees; nil where she has none.
  var compass: Double?
  private(set) var heard: [String] = []
  private(set) var events: [EventDraft] = []
  private(set) var signals: [Signal] = []
  private(set) var rows: [String: EngineRow] = [:]
  private(set) var queries: [MapQuery] = []
  /// What was given to the loudspeaker and is not told of yet, and whether there was a voice.
  private var sounded: [(SoundRequest, Bool)] = []
  private var second = 0

  init(home: Coordinate?, stored: [EngineRow] = [], at now: Timestamp = Traveller.noon) {
    let resident = Resident(
      id: Self.mary, name: "Mary", timeZone: "Europe/Vienna", gpsSource: "gps")
    let zones = home.map {
      [
        SafeZone(
          id: "home", resident: Self.mary, name: "Home", center: $0, radiusMeters: 30, isHome: true)
      ]
    }
    world = World(
      now: Moment(tick: .seconds(1_000), utc: now, quality: .synchronised),
      house: House(residents: [resident], zones: zones ?? []))
    world.tracked = [Self.mary]
    var state = StoredState()
    state.engineRows = stored
    for row in stored { rows[row.subject] = row }
    engine = GuidanceEngine(stored: state, seed: 1, in: world)
  }

  /// What is known of the journey.
  var journey: JSONValue { engine.summary(of: Self.mary, at: world.now.tick) }

  /// Where home is from where she is.
  var wayHome: JSONValue { engine.wayHome(of: Self.mary, in: world) }

  var stage: String? { journey["stage"]?.stringContent }

  // MARK: Inputs

  /// Asks for something; the code of the refusal, nil where it is done.
  @discardableResult
  func ask(_ request: GuidanceRequest) -> CommandReply.Refusal? {
    let command = Command(
      id: "1", principal: Principal(channel: .local, name: "anna"), request: .guidance(request))
    let asked = Asked(offering: .asked(command, sent: world.now.tick), to: &engine, in: world)
    take(asked?.outcome)
    return asked?.refusal
  }

  /// Presses a button; whether guidance took it.
  func press(_ meaning: Press.Meaning) -> Bool {
    let report = ButtonReport(button: "big", gesture: .press, edge: world.now.tick)
    let press = Press(
      report: report, binding: ButtonBinding(button: "big"), resident: Self.mary,
      owner: Self.mary, meaning: meaning)
    let asked = Asked(offering: .pressed(press), to: &engine, in: world)
    take(asked?.outcome)
    return asked != nil
  }

  func offer(_ input: Input) {
    take(Asked(offering: input, to: &engine, in: world)?.outcome)
  }

  private func take(_ outcome: Outcome?) {
    guard let outcome else { return }
    events += outcome.events
    signals += outcome.signals
    for change in outcome.changes {
      switch change {
      case .putEngineRow(let row) where row.name == "journey": rows[row.subject] = row
      case .removeEngineRow(_, let subject, "journey"): rows[subject] = nil
      default: break
      }
    }
    var found: [MapQuery] = []
    for action in outcome.actions {
      switch action {
      case .play(let sound):
        if hasVoice { heard.append(Self.words(of: sound)) }
        sounded.append((sound, hasVoice))
      case .askMap(let query): found.append(query)
      default: break
      }
    }
    queries += found
    for query in found { report(router(query), on: query) }
  }

  func report(_ outcome: MapReport.Outcome, on query: MapQuery) {
    offer(
      .observed(
        .map(
          FeatureValue(MapReport(query: query.id, resident: query.resident, outcome: outcome)))))
  }

  private static func words(of sound: SoundRequest) -> String {
    sound.parts.compactMap { if case .speech(let sentence) = $0 { sentence.text } else { nil } }
      .joined(separator: " ")
  }

  // MARK: Time and places

  /// A second passes, with a position where `isSeen`.
  func tick(isSeen: Bool = true) {
    second += 1
    world.now = Moment(
      tick: world.now.tick.advanced(byMilliseconds: 1000),
      utc: world.now.utc.advanced(byMilliseconds: 1000), quality: world.now.quality)
    report()
    if isSeen { show() }
    if let compass {
      offer(.observed(.heading(HeadingReport(receiver: "gps", degrees: compass))))
    }
    if let wake = engine.nextWake, wake <= world.now.tick { offer(.time) }
  }

  /// The loudspeaker says what became of the words.
  private func report() {
    for (sound, isSpoken) in sounded {
      let hasTone = sound.parts.contains { if case .pattern = $0 { true } else { false } }
      let lack: [SoundReport.Outcome] = isSpoken ? [] : [hasTone ? .wordless : .failed]
      for outcome in lack + (isSpoken || hasTone ? [.started, .finished] : []) {
        offer(.observed(.sound(SoundReport(sound: sound.id, outcome: outcome))))
      }
    }
    sounded = []
  }

  /// The receiver says where she is.
  func show() {
    let error = error(second)
    let seen = position.moved(meters: error.meters, bearingDegrees: error.bearing)
    offer(
      .signalled(
        .located(
          Signal.Location(coordinate: seen, accuracyMeters: accuracyMeters), of: Self.mary)))
  }

  func wait(_ seconds: Int, isSeen: Bool = true) {
    for _ in 0..<seconds { tick(isSeen: isSeen) }
  }

  /// Walks so many metres in a direction, at a metre a second unless another speed is given.
  func walk(_ meters: Double, _ bearing: Double, speed: Double = 1) {
    let end = position.moved(meters: meters, bearingDegrees: bearing)
    for _ in 0..<max(1, Int((meters / speed).rounded())) where stage != nil || meters > 0 {
      position = position.moved(
        meters: min(speed, position.distanceMeters(to: end)), bearingDegrees: bearing)
      tick()
    }
  }

  func walk(_ legs: [Leg]) {
    for leg in legs { walk(leg.meters, leg.bearing) }
  }

  /// A gateway that was switched off and on: another engine over the same rows.
  func restart(afterSeconds pause: Int64 = 20) {
    world.now = Moment(
      tick: .seconds(30), utc: world.now.utc.advanced(byMilliseconds: pause * 1000),
      quality: world.now.quality)
    var state = StoredState()
    state.engineRows = rows.values.sorted { $0.subject < $1.subject }
    engine = GuidanceEngine(stored: state, seed: 1, in: world)
    offer(.started(version: "1"))
  }

  func forget() { heard = [] }

  // MARK: Ways

  /// A way of streets, from a place.
  static func way(_ legs: [Leg], from start: Coordinate = Traveller.start) -> WalkingRoute {
    var line = [start]
    var maneuvers = [Maneuver(.start, at: 0, street: legs[0].street)]
    for (index, leg) in legs.enumerated() {
      if index > 0 {
        let turn = Angle.turn(from: legs[index - 1].bearing, to: leg.bearing)
        maneuvers.append(
          Maneuver(Maneuver.Turn(angleDegrees: turn), at: line.count - 1, street: leg.street))
      }
      line.append(line[line.count - 1].moved(meters: leg.meters, bearingDegrees: leg.bearing))
    }
    maneuvers.append(Maneuver(.arriveLeft, at: line.count - 1))
    guard let route = WalkingRoute(line: line, maneuvers: maneuvers, seconds: 600) else {
      preconditionFailure("no way")
    }
    return route
  }

  /// 120 m north along Mill Lane, 150 m east along Market Street, 100 m north along Church Road.
  static let legs = [
    Leg(bearing: 0, meters: 120, street: "Mill Lane"),
    Leg(bearing: 90, meters: 150, street: "Market Street"),
    Leg(bearing: 0, meters: 100, street: "Church Road"),
  ]

  static let home = way(legs).line[3]

  /// Mary, with a router that knows the way from the start, and straight ways from anywhere else.
  static func onTheWay() -> Traveller {
    let mary = Traveller(home: home)
    mary.router = { query in
      guard case .way(let from, let to) = query.subject else { return .missing(.noService) }
      if from.distanceMeters(to: start) < 15 { return .found(way(legs)) }
      let leg = Leg(
        bearing: Angle.bearing(from: from, to: to), meters: from.distanceMeters(to: to),
        street: "Green Path")
      return .found(way([leg], from: from))
    }
    mary.show()
    return mary
  }

  func told(_ type: EventType) -> [EventDraft] { events.filter { $0.type == type } }

  var findings: [Signal.Finding] {
    (events.compactMap(\.signal) + signals).compactMap {
      if case .found(let finding) = $0 { finding } else { nil }
    }
  }

  var settlements: [Signal.Settlement] {
    (events.compactMap(\.signal) + signals).compactMap {
      if case .settled(let settlement) = $0 { settlement } else { nil }
    }
  }
}
