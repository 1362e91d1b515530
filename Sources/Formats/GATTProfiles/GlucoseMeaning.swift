public import GlucoseValues
public import Texts

/// A glucose concentration exactly as it came.
public struct GlucoseAmount: Hashable, Sendable {
  /// The number.
  public let number: DecimalNumber
  /// What it is counted in.
  public let unit: GlucoseUnit

  /// A number with its unit.
  public init(_ number: DecimalNumber, _ unit: GlucoseUnit) {
    self.number = number
    self.unit = unit
  }

  /// The number in a unit; converted with ``GlucoseUnit``'s one constant where it came in the other.
  public func double(in unit: GlucoseUnit) -> Double { self.unit.convert(number.double, to: unit) }
}

extension GlucoseMeasurement.Sample {
  /// The concentration moved to the unit that people know, digits unchanged; nil when it is no number.
  public var amount: GlucoseAmount? {
    guard let decimal = concentration.decimal else { return nil }
    return switch unit {
    case .kilogramsPerLitre:
      GlucoseAmount(decimal.scaled(byPowerOfTen: 5), .milligramsPerDecilitre)
    case .molesPerLitre: GlucoseAmount(decimal.scaled(byPowerOfTen: 3), .millimolesPerLitre)
    }
  }

  /// mmol/L of ketones when the context says that these were measured: a tenth of what looks like mg/dL of glucose.
  ///
  /// - Source: xDrip's quirks of CareSens Dual.
  public var ketoneMillimolesPerLitre: DecimalNumber? {
    guard let amount, amount.unit == .milligramsPerDecilitre else { return nil }
    return amount.number.scaled(byPowerOfTen: -1)
  }
}

/// What a record of a device means for a person: a reading, or why it is none.
///
/// Whatever is not surely somebody's glucose is none.
public enum GlucoseMeaning: Hashable, Sendable {
  /// Why a record is no reading.
  public enum Reason: String, Hashable, Sendable, CaseIterable {
    /// It has no concentration.
    case noConcentration = "no-concentration"
    /// Control solution was measured.
    case controlSolution = "control-solution"
    /// Ketones were measured.
    case ketone = "ketone"
    /// HI: more than the device can measure.
    case aboveRange = "above-range"
    /// LO: less than the device can measure.
    case belowRange = "below-range"
    /// The sensor, the strip, the sample or the temperature was not right.
    case sensorFault = "sensor-fault"
    /// The device says that it has no number.
    case notANumber = "not-a-number"
    /// The device says that it has no number at this resolution.
    case notAtThisResolution = "not-at-this-resolution"
    /// The device says that it is beyond all numbers.
    case infinite = "infinite"
    /// A word, type or status is used that has no meaning yet.
    case reserved = "reserved"
    /// No living person has such a concentration.
    case absurd = "absurd"
    /// The number would be one in another unit than the device says.
    case unitUnclear = "unit-unclear"
    /// The device announced what it measured, and never said it.
    case contextMissing = "context-missing"
    /// The sensor must be calibrated first.
    case calibrationRequired = "calibration-required"
    /// Meters of this kind make such records up.
    case madeUp = "made-up"
  }

  /// Somebody's glucose.
  case reading(GlucoseAmount)
  /// No reading.
  case none(Reason)

  /// The concentrations in mg/dL that a person can have and devices can measure.
  public static let possibleMilligramsPerDecilitre = 10.0...1000.0

  /// The reading; nil when there is none.
  public var amount: GlucoseAmount? {
    guard case .reading(let amount) = self else { return nil }
    return amount
  }

  /// Why there is none; nil when there is one.
  public var reason: Reason? {
    guard case .none(let reason) = self else { return nil }
    return reason
  }

  /// What a meter's record means.
  ///
  /// - Parameters:
  ///   - measurement: the record.
  ///   - context: its context; nil when there is none.
  ///   - isContextMissing: whether one was announced and did not come.
  ///   - quirk: the meter's ways.
  public init(
    _ measurement: GlucoseMeasurement, context: GlucoseContext? = nil,
    isContextMissing: Bool = false, quirk: MeterQuirk = .none
  ) {
    if let reason = Self.objection(measurement, context: context, quirk: quirk) {
      self = .none(reason)
    } else if let sample = measurement.sample {
      let found = Self.judged(
        sample.concentration, amount: sample.amount, isLitreUnit: true)
      let isUndecided = isContextMissing && quirk.context == .decides
      self = isUndecided && found.amount != nil ? .none(.contextMissing) : found
    } else {
      self = .none(.noConcentration)
    }
  }

  /// What a continuous monitor's record means.
  ///
  /// - Parameters:
  ///   - measurement: the record.
  ///   - feature: what the monitor measures; nil when that could not be read.
  public init(_ measurement: CGMMeasurement, feature: CGMFeature?) {
    if feature?.origin.isControlSolution == true {
      self = .none(.controlSolution)
    } else if !measurement.annunciation.isDisjoint(with: CGMAnnunciation.faults) {
      self = .none(.sensorFault)
    } else if measurement.annunciation.contains(.calibrationRequired) {
      self = .none(.calibrationRequired)
    } else if measurement.annunciation.contains(.resultTooHigh) {
      self = .none(measurement.annunciation.contains(.resultTooLow) ? .sensorFault : .aboveRange)
    } else if measurement.annunciation.contains(.resultTooLow) {
      self = .none(.belowRange)
    } else {
      self = Self.judged(
        measurement.concentration,
        amount: measurement.concentration.decimal.map {
          GlucoseAmount($0, .milligramsPerDecilitre)
        }, isLitreUnit: false)
    }
  }

  /// What speaks against a record before its number is looked at.
  private static func objection(
    _ measurement: GlucoseMeasurement, context: GlucoseContext?, quirk: MeterQuirk
  ) -> Reason? {
    if let origin = measurement.sample?.origin, origin.isControlSolution {
      return .controlSolution
    }
    if let year = quirk.firstMadeUpYear, measurement.baseTime.year >= year { return .madeUp }
    if let context, context.sequence == measurement.sequence, context.saysKetone { return .ketone }
    let status = measurement.status ?? []
    if !status.isDisjoint(with: GlucoseSensorStatus.faults) { return .sensorFault }
    if status.isSuperset(of: [.resultTooHigh, .resultTooLow]) { return .sensorFault }
    if status.contains(.resultTooHigh) { return .aboveRange }
    if status.contains(.resultTooLow) { return .belowRange }
    if status.reserved != 0 { return .reserved }
    guard let origin = measurement.sample?.origin else { return nil }
    if quirk.skippedTypeCodes.contains(origin.typeCode) { return .reserved }
    return origin.type == nil ? .reserved : nil
  }

  private static func judged(
    _ float: SFLOAT, amount: GlucoseAmount?, isLitreUnit: Bool
  ) -> GlucoseMeaning {
    switch float.special {
    case .notANumber: return .none(.notANumber)
    case .notAtThisResolution: return .none(.notAtThisResolution)
    case .positiveInfinity, .negativeInfinity: return .none(.infinite)
    case .reserved: return .none(.reserved)
    case nil: break
    }
    guard let amount, !float.hasSpecialMantissa else { return .none(.reserved) }
    let milligrams = amount.double(in: .milligramsPerDecilitre)
    if possibleMilligramsPerDecilitre.contains(milligrams) { return .reading(amount) }
    return .none(isOtherUnit(float, isLitreUnit: isLitreUnit) ? .unitUnclear : .absurd)
  }

  /// Whether the bare number is a possible concentration in a unit that was not named.
  private static func isOtherUnit(_ float: SFLOAT, isLitreUnit: Bool) -> Bool {
    guard let bare = float.decimal?.double else { return false }
    let units: [GlucoseUnit] =
      isLitreUnit ? GlucoseUnit.allCases : [.millimolesPerLitre]
    return units.contains {
      possibleMilligramsPerDecilitre.contains($0.convert(bare, to: .milligramsPerDecilitre))
    }
  }
}

extension GlucoseMeaning.Reason {
  /// Why it is no reading, for people.
  public var sentence: Message {
    switch self {
    case .noConcentration:
      Message("The record has no glucose value. If one was expected, please measure again.")
    case .controlSolution:
      Message("Control solution was measured, to check the meter. This is nobody's glucose.")
    case .ketone: Message("Ketones were measured, not glucose. The meter shows the value.")
    case .aboveRange:
      Message(
        "The meter says HI: more glucose than it can measure. Go to the person now; the care plan says what to do."
      )
    case .belowRange:
      Message(
        "The meter says LO: less glucose than it can measure. Go to the person now; the care plan says what to do."
      )
    case .sensorFault:
      Message("The strip or sensor reported a fault. Please measure again, with a new strip.")
    case .notANumber, .notAtThisResolution, .infinite:
      Message("The device sent no number. Please measure again.")
    case .reserved:
      Message("The device sent something that Homeward does not know. Please look at the device.")
    case .absurd:
      Message("No person has such a value. Please measure again, and look at the device.")
    case .unitUnclear:
      Message("The number does not fit the unit that came with it. Please look at the device.")
    case .contextMissing:
      Message(
        "The device did not say what it measured. Bring it near and let it send the record again.")
    case .calibrationRequired:
      Message("The sensor must be calibrated before its values count. See the sensor's manual.")
    case .madeUp:
      Message(
        "The meter's memory is full and it sent a record that nobody measured. See its manual.")
    }
  }
}
