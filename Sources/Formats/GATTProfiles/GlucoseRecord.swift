public import Care
public import Moments
public import Texts

/// What makes a record the same record: the meter, its number there, and when it was.
///
/// The number alone begins anew behind 65,535, and after a meter was reset.
public struct GlucoseRecordIdentity: Hashable, Sendable {
  /// The meter.
  public var meter: BluetoothAddress
  /// The record's number; nil where numbers change with every record.
  public var sequence: UInt16?
  /// The base time, as sent.
  public var baseTime: DateTime

  /// An identity from its parts.
  public init(meter: BluetoothAddress, sequence: UInt16?, baseTime: DateTime) {
    self.meter = meter
    self.sequence = sequence
    self.baseTime = baseTime
  }

  /// One text for one record, for programs and keys of databases: `C0:11:22:33:44:55/15/2024-01-30T05:58:27`.
  public var text: String {
    "\(meter.text)/\(sequence.map { String($0) } ?? "-")/\(baseTime)"
  }
}

/// What the clocks of a meter and of the hub showed at one moment of a session.
public struct MeterClockReading: Hashable, Sendable {
  /// What the meter showed; nil where it cannot be asked.
  public var meter: DateTime?
  /// What the hub's clock showed where the resident lives; nil while the clock is not trusted.
  public var hub: CivilDateTime?

  /// A reading of both clocks.
  public init(meter: DateTime?, hub: CivilDateTime?) {
    self.meter = meter
    self.hub = hub
  }

  /// Seconds that the meter's clock is ahead; nil when one of them is not known.
  public var differenceSeconds: Int64? {
    guard let meter = meter?.civil, let hub else { return nil }
    return meter.seconds(since: hub)
  }
}

/// Why the time of a record is in doubt.
public enum GlucoseTimeDoubt: String, Hashable, Sendable, CaseIterable {
  /// The record has no date, or one that does not exist.
  case unknown = "unknown"
  /// The meter says that its clock was faulty.
  case meterFault = "meter-fault"
  /// The meter's clock was far from the hub's in the session.
  case clockDiffers = "clock-differs"
  /// The record is later than the hub's clock, or from before there were such meters.
  case implausible = "implausible"
  /// A record with a lower number is later: the clock was set back, or the meter reset.
  case wentBack = "went-back"
  /// The hub's clock was not trusted, so that nothing could be compared.
  case hubUntrusted = "hub-untrusted"

  /// The doubt in words, for people.
  public var sentence: Message {
    switch self {
    case .unknown: Message("The meter did not say when. Please set its clock.")
    case .meterFault:
      Message("The meter says that its clock was faulty. Please set its clock.")
    case .clockDiffers:
      Message("The meter's clock is far from the right time. Please set its clock.")
    case .implausible: Message("The time cannot be right. Please set the meter's clock.")
    case .wentBack:
      Message("The meter's clock was set back. Please check the times of its last readings.")
    case .hubUntrusted:
      Message("The gateway did not know the time, so that the meter's could not be checked.")
    }
  }
}

/// One stored record of a meter, whole: with its context, or without one.
public struct GlucoseRecord: Hashable, Sendable {
  /// Clocks may differ so much without a doubt: people set meters by the minute.
  public static let toleratedClockSeconds: Int64 = 600
  /// No meter with Bluetooth Low Energy is older.
  public static let firstPlausibleYear = 2010

  /// What makes it this record.
  public var identity: GlucoseRecordIdentity
  /// As it came.
  public var measurement: GlucoseMeasurement
  /// Its context; nil when there is none.
  public var context: GlucoseContext?
  /// Whether a context was announced and has not come.
  public var isContextMissing: Bool
  /// Whether the record was handed out before, without this context.
  public var isUpdate: Bool
  /// What it means.
  public var meaning: GlucoseMeaning
  /// When the hub received it.
  public var received: Moment
  /// Seconds that the meter's clock was ahead of the hub's in the session; nil when not known.
  public var clockDifferenceSeconds: Int64?
  /// Why its time is in doubt; empty when it is not.
  public var doubts: [GlucoseTimeDoubt]

  /// What the meter showed its user, local to where it was set.
  public var userFacingTime: CivilDateTime? { measurement.userFacingTime }

  /// The user-facing time put right by the clocks' difference, as far as that held when the record was made.
  public var correctedTime: CivilDateTime? {
    guard let shown = userFacingTime, let clockDifferenceSeconds else { return nil }
    let milliseconds = clockDifferenceSeconds.multipliedClamped(by: -1000)
    return CivilDateTime(utc: shown.asUTC.advanced(byMilliseconds: milliseconds))
  }

  init(
    _ measurement: GlucoseMeasurement, context: GlucoseContext?, isContextMissing: Bool,
    isUpdate: Bool, identity: GlucoseRecordIdentity, quirk: MeterQuirk,
    clocks: MeterClockReading, wentBack: Bool, received: Moment
  ) {
    self.identity = identity
    self.measurement = measurement
    self.context = context
    self.isContextMissing = isContextMissing
    self.isUpdate = isUpdate
    self.received = received
    meaning = GlucoseMeaning(
      measurement, context: context, isContextMissing: isContextMissing, quirk: quirk)
    clockDifferenceSeconds = clocks.differenceSeconds
    doubts = Self.doubts(measurement, clocks, wentBack: wentBack)
  }

  private static func doubts(
    _ measurement: GlucoseMeasurement, _ clocks: MeterClockReading, wentBack: Bool
  ) -> [GlucoseTimeDoubt] {
    var doubts: [GlucoseTimeDoubt] = []
    let shown = measurement.userFacingTime
    if shown == nil { doubts.append(.unknown) }
    if measurement.status?.contains(.timeFault) == true { doubts.append(.meterFault) }
    if let difference = clocks.differenceSeconds, difference.magnitude > toleratedClockSeconds {
      doubts.append(.clockDiffers)
    }
    if let shown, isImplausible(shown, hub: clocks.hub) { doubts.append(.implausible) }
    if wentBack { doubts.append(.wentBack) }
    if clocks.hub == nil { doubts.append(.hubUntrusted) }
    return doubts
  }

  private static func isImplausible(_ shown: CivilDateTime, hub: CivilDateTime?) -> Bool {
    if shown.year < firstPlausibleYear { return true }
    guard let hub else { return false }
    return shown.seconds(since: hub) > toleratedClockSeconds
  }
}
