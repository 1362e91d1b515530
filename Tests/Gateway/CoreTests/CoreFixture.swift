import Care
import Core
import JSON
import Moments
import Privacy
import Testing

/// A core with its own clock, driven step by step.
struct CoreFixture {
  var core: GatewayCore
  var now: Moment
  private(set) var results: [StepResult] = []
  private var commandNumber = 0
  static let start = Moment(
    tick: .seconds(1_000), utc: Timestamp(milliseconds: 1_795_000_000_000), quality: .synchronised)

  init(
    stored: StoredState = StoredState(),
    configuration: CoreConfiguration = CoreConfiguration(gateway: "test"), seed: UInt64 = 1,
    at now: Moment = start
  ) {
    self.now = now
    core = GatewayCore(
      stored: stored, configuration: configuration, seed: seed, boot: "b", at: now)
  }

  @discardableResult
  mutating func step(_ input: CoreInput, afterSeconds seconds: Double = 0) -> StepResult {
    now = now.advanced(byMilliseconds: Int64(seconds * 1000))
    let result = core.step(input, at: now)
    results.append(result)
    for event in result.events { expectNothingLeaks(from: event) }
    return result
  }

  /// An event is as its type is declared, and what goes to a plugin without grants tells no place and no distance.
  private func expectNothingLeaks(from event: Event) {
    let filter = PrivacyFilter(
      zones: core.household.zones(of: nil), gatewaySeed: 7, events: .all)
    #expect(DeclaredEvents.faults(in: event) == [], "say it where the type is declared")
    let stored = event.cloudEvent(gateway: "test", boot: "b")
    guard let seen = filter.filtered(stored.body, of: event.type),
      let facts = try? JSONValue(parsing: seen)["data"]
    else {
      Issue.record("\(event.type.rawValue) cannot be filtered")
      return
    }
    // Whoever may come to an SOS sees where.
    let isSOS = facts["kind"] == "sos" && ["dispatched", "acknowledged"].contains(facts["stage"])
    for leak in Leaks(filter).found(in: facts) where !(isSOS && leak == Leaks.position) {
      Issue.record("\(event.type.rawValue) leaks \(leak)")
    }
  }

  @discardableResult
  mutating func perform(
    _ request: Command.Request, id: CommandID? = nil,
    by principal: Principal = Principal(channel: .local, name: "anna"), expiresIn: Int64? = nil,
    freshFor: Int64? = nil, account: String? = nil
  ) -> StepResult {
    commandNumber += 1
    var command = Command(
      id: id ?? CommandID("c-\(commandNumber)"), principal: principal,
      expiresAt: expiresIn.map { now.utc.advanced(byMilliseconds: $0 * 1000) },
      freshUntil: freshFor.map { now.tick.advanced(byMilliseconds: $0 * 1000) },
      request: request)
    command.account = account
    return step(.command(command))
  }

  static let mary = Resident(
    id: "mary", name: "Mary", timeZone: "Australia/Darwin", gpsSource: "gps")

  static func zone(
    _ id: ZoneID = "home", name: String = "Home", radius: Double = 25, latitude: Double = -24,
    isHome: Bool = true
  ) -> SafeZone {
    let center = Coordinate(latitudeDegrees: latitude, longitudeDegrees: 133)
    return SafeZone(
      id: id, resident: "mary", name: name, center: center ?? Self.origin, radiusMeters: radius,
      isHome: isHome)
  }

  private static let origin: Coordinate = {
    guard let origin = Coordinate(latitudeDegrees: 0, longitudeDegrees: 0) else {
      preconditionFailure("0, 0 lies on Earth")
    }
    return origin
  }()

  /// A good fix so many metres north of the home zone's centre.
  func fix(metersNorth: Double) -> CoreInput {
    let position = Self.zone().center.moved(meters: metersNorth, bearingDegrees: 0)
    return .observation(
      .fix(
        FixReport(
          source: "gps", mode: .threeDimensional, latitudeDegrees: position.latitudeDegrees,
          longitudeDegrees: position.longitudeDegrees, accuracyMeters: 4,
          speedMetersPerSecond: 1.2, receiverTime: now.utc)))
  }
}

extension CommandReply {
  var refusalCode: Refusal.Code? {
    guard case .refused(let refusal) = self else { return nil }
    return refusal.code
  }
}

extension StepResult {
  /// Kinds of the events about faults; the alarms that come of them have tests of their own.
  var faults: [EventType] {
    events.map(\.type).filter { $0 == .faultRaised || $0 == .faultCleared }
  }
}

/// Looks for what would reveal a home: exact positions within a disc, lengths in members or sentences, free text of people.
private struct Leaks {
  static let position = "a position at home"

  private let filter: PrivacyFilter

  init(_ filter: PrivacyFilter) { self.filter = filter }

  func found(in facts: JSONValue, named name: String = "") -> [String] {
    switch facts {
    case .null, .bool: return []
    case .integer, .number:
      let isLength = name.hasSuffix("Meters") && name != "accuracyMeters"
      return isLength ? ["\(name) \(facts.serialized)"] : []
    case .string(let text): return text.contains(/\d ?(m|km|metres|米)\b/) ? [text] : []
    case .array(let elements): return elements.flatMap { found(in: $0, named: name) }
    case .object(let members):
      let inner = members.flatMap { found(in: $0.value, named: $0.key) }
      guard let latitude = facts["latitude"]?.doubleContent,
        let longitude = facts["longitude"]?.doubleContent,
        let position = Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
      else { return inner }
      let isExact = filter.discs.contains { $0.contains(position) && $0.center != position }
      return inner + (isExact ? [Self.position] : [])
    }
  }
}
