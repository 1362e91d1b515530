import CareModel
import GatewayCore
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
    return result
  }

  @discardableResult
  mutating func perform(
    _ request: Command.Request, id: CommandID? = nil,
    by principal: Principal = Principal(channel: .local, name: "anna"), expiresIn: Int64? = nil
  ) -> StepResult {
    commandNumber += 1
    return step(
      .command(
        Command(
          id: id ?? CommandID("c-\(commandNumber)"), principal: principal,
          expiresAt: expiresIn.map { now.utc.advanced(byMilliseconds: $0 * 1000) },
          request: request)))
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
