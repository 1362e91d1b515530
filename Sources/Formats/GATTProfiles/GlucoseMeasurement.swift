public import Bytes
public import Moments

/// What a meter found out about itself while it measured: Sensor Status Annunciation.
///
/// - Source: Bluetooth Glucose Service 1.0.1, section 3.1. The order of bits 5 and 6 (high, low) is that of the
///   specification, which not every published decoder keeps.
public struct GlucoseSensorStatus: OptionSet, Hashable, Sendable {
  /// The bits as sent.
  public let rawValue: UInt16
  /// A status of bits.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// The battery was low.
  public static let batteryLow = Self(rawValue: 1 << 0)
  /// The sensor was faulty.
  public static let malfunction = Self(rawValue: 1 << 1)
  /// There was not enough blood or control solution.
  public static let sampleInsufficient = Self(rawValue: 1 << 2)
  /// The strip was not put in rightly.
  public static let stripInsertion = Self(rawValue: 1 << 3)
  /// The strip was of another type.
  public static let stripType = Self(rawValue: 1 << 4)
  /// The result is higher than the meter can process.
  public static let resultTooHigh = Self(rawValue: 1 << 5)
  /// The result is lower than the meter can process.
  public static let resultTooLow = Self(rawValue: 1 << 6)
  /// It was too warm for a valid result.
  public static let temperatureTooHigh = Self(rawValue: 1 << 7)
  /// It was too cold for a valid result.
  public static let temperatureTooLow = Self(rawValue: 1 << 8)
  /// The strip was pulled out too soon.
  public static let readInterrupted = Self(rawValue: 1 << 9)
  /// A general fault.
  public static let generalFault = Self(rawValue: 1 << 10)
  /// The clock was faulty: the time may be wrong.
  public static let timeFault = Self(rawValue: 1 << 11)

  /// Bits that the specification has not given a meaning.
  public var reserved: UInt16 { rawValue & 0xF000 }

  /// Faults that leave no result to believe in.
  static let faults: Self = [
    .malfunction, .sampleInsufficient, .stripInsertion, .stripType, .temperatureTooHigh,
    .temperatureTooLow, .readInterrupted, .generalFault,
  ]

  /// Names of the bits from 0 upwards, for programs.
  public static let names = [
    "battery low", "sensor malfunction", "sample insufficient", "strip insertion error",
    "strip type incorrect", "result too high", "result too low", "temperature too high",
    "temperature too low", "read interrupted", "general fault", "time fault",
  ]
}

/// What was measured: Type.
public enum GlucoseSampleType: UInt8, Hashable, Sendable, CaseIterable {
  /// Capillary whole blood.
  case capillaryWholeBlood = 1
  /// Capillary plasma.
  case capillaryPlasma = 2
  /// Venous whole blood.
  case venousWholeBlood = 3
  /// Venous plasma.
  case venousPlasma = 4
  /// Arterial whole blood.
  case arterialWholeBlood = 5
  /// Arterial plasma.
  case arterialPlasma = 6
  /// Whole blood of no named vessel.
  case undeterminedWholeBlood = 7
  /// Plasma of no named vessel.
  case undeterminedPlasma = 8
  /// Interstitial fluid.
  case interstitialFluid = 9
  /// Control solution: nobody's glucose.
  case controlSolution = 10

  /// The name, for programs.
  public var name: String {
    switch self {
    case .capillaryWholeBlood: "capillary whole blood"
    case .capillaryPlasma: "capillary plasma"
    case .venousWholeBlood: "venous whole blood"
    case .venousPlasma: "venous plasma"
    case .arterialWholeBlood: "arterial whole blood"
    case .arterialPlasma: "arterial plasma"
    case .undeterminedWholeBlood: "undetermined whole blood"
    case .undeterminedPlasma: "undetermined plasma"
    case .interstitialFluid: "interstitial fluid"
    case .controlSolution: "control solution"
    }
  }
}

/// Where it was measured: Sample Location.
public enum GlucoseSampleLocation: UInt8, Hashable, Sendable, CaseIterable {
  /// A finger.
  case finger = 1
  /// Another site.
  case alternateSite = 2
  /// An earlobe.
  case earlobe = 3
  /// Control solution: nobody.
  case controlSolution = 4
  /// Under the skin, where continuous monitors sit.
  case subcutaneousTissue = 5
  /// Not said.
  case notAvailable = 15

  /// The name, for programs.
  public var name: String {
    switch self {
    case .finger: "finger"
    case .alternateSite: "alternate site test"
    case .earlobe: "earlobe"
    case .controlSolution: "control solution"
    case .subcutaneousTissue: "subcutaneous tissue"
    case .notAvailable: "not available"
    }
  }
}

/// Type and location in one octet, the type in its lower half.
public struct GlucoseSampleOrigin: Hashable, Sendable {
  /// The octet as sent.
  public var octet: UInt8
  /// The origin of an octet.
  public init(octet: UInt8) { self.octet = octet }
  /// An origin from its parts.
  public init(_ type: GlucoseSampleType, _ location: GlucoseSampleLocation) {
    octet = type.rawValue | location.rawValue << 4
  }

  /// The code of the type, 0...15.
  public var typeCode: UInt8 { octet & 0x0F }
  /// The code of the location, 0...15.
  public var locationCode: UInt8 { octet >> 4 }
  /// What was measured; nil for reserved codes.
  public var type: GlucoseSampleType? { GlucoseSampleType(rawValue: typeCode) }
  /// Where; nil for reserved codes.
  public var location: GlucoseSampleLocation? { GlucoseSampleLocation(rawValue: locationCode) }
  /// Whether it says that control solution was measured.
  public var isControlSolution: Bool { type == .controlSolution || location == .controlSolution }
}

/// One value of the Glucose Measurement characteristic (0x2A18), notified.
///
///     offset  0  1..2  3........9      10.11  12.13  14    15.16
///     field   F  seq   base time       dt     conc   type  status
///     bytes   1b 0f00  e807011e053a1b  5301   6fb0   f8    0000
///
/// `F`: bit 0 `dt` is there, bit 1 `conc` and `type` are there, bit 2 `conc` is in mol/L and not kg/L, bit 3 `status`
/// is there, bit 4 a context follows. `dt` is signed minutes, `conc` an SFLOAT, `type` holds the location in its
/// upper half. Octets behind the last field are ignored. Bytes above: an Accu-Chek Guide's 111 mg/dL.
///
/// - Source: Bluetooth Glucose Service 1.0.1, section 3.1.
public struct GlucoseMeasurement: Hashable, Sendable {
  /// What concentrations are sent in.
  public enum ConcentrationUnit: String, Hashable, Sendable, CaseIterable {
    /// Kilograms in a litre: 100,000 mg/dL.
    case kilogramsPerLitre = "kg/L"
    /// Moles in a litre: 1000 mmol/L.
    case molesPerLitre = "mol/L"
  }

  /// A concentration and where it was measured; both are there or neither.
  public struct Sample: Hashable, Sendable {
    /// The concentration as sent.
    public var concentration: SFLOAT
    /// What it is counted in.
    public var unit: ConcentrationUnit
    /// What was measured, and where.
    public var origin: GlucoseSampleOrigin

    /// A sample from its parts.
    public init(concentration: SFLOAT, unit: ConcentrationUnit, origin: GlucoseSampleOrigin) {
      self.concentration = concentration
      self.unit = unit
      self.origin = origin
    }
  }

  /// Counts the meter's records; begins anew behind 65,535.
  public var sequence: UInt16
  /// When, by a clock that nobody sets.
  public var baseTime: DateTime
  /// Minutes from the base time to what the meter showed its user; nil when not sent.
  public var timeOffsetMinutes: Int16?
  /// The concentration; nil when not sent.
  public var sample: Sample?
  /// What the meter found out about itself; nil when not sent.
  public var status: GlucoseSensorStatus?
  /// Whether a context with the same sequence number follows.
  public var contextFollows: Bool
  /// Bits 5...7 of the flags, which have no meaning yet.
  public var reservedFlags: UInt8

  /// A measurement from its parts.
  public init(
    sequence: UInt16, baseTime: DateTime, timeOffsetMinutes: Int16? = nil, sample: Sample? = nil,
    status: GlucoseSensorStatus? = nil, contextFollows: Bool = false
  ) {
    self.sequence = sequence
    self.baseTime = baseTime
    self.timeOffsetMinutes = timeOffsetMinutes
    self.sample = sample
    self.status = status
    self.contextFollows = contextFollows
    reservedFlags = 0
  }

  /// Reads the octets of a notification.
  ///
  /// - Throws: ``DecodeError`` where they end before what the flags promise.
  public init(_ octets: some Collection<UInt8>) throws(DecodeError) {
    var reader = ByteReader(octets)
    let flags = try reader.byte("flags")
    sequence = try reader.word("sequence")
    baseTime = try reader.dateTime("baseTime")
    timeOffsetMinutes = flags & 1 != 0 ? try reader.signedWord("timeOffset") : nil
    if flags & 2 != 0 {
      sample = Sample(
        concentration: try reader.float("concentration"),
        unit: flags & 4 != 0 ? .molesPerLitre : .kilogramsPerLitre,
        origin: GlucoseSampleOrigin(octet: try reader.byte("typeAndLocation")))
    }
    status =
      flags & 8 != 0 ? GlucoseSensorStatus(rawValue: try reader.word("sensorStatus")) : nil
    contextFollows = flags & 16 != 0
    reservedFlags = flags & 0xE0
  }

  /// The octets as a meter sends them.
  public var octets: [UInt8] {
    var flags = reservedFlags & 0xE0
    if timeOffsetMinutes != nil { flags |= 1 }
    if let sample { flags |= sample.unit == .molesPerLitre ? 6 : 2 }
    if status != nil { flags |= 8 }
    if contextFollows { flags |= 16 }
    var octets = [flags]
    octets.append(word: sequence)
    octets.append(baseTime)
    if let timeOffsetMinutes { octets.append(word: UInt16(bitPattern: timeOffsetMinutes)) }
    if let sample {
      octets.append(sample.concentration)
      octets.append(sample.origin.octet)
    }
    if let status { octets.append(word: status.rawValue) }
    return octets
  }

  /// What the meter showed its user: base time and offset together; nil when the base time is unknown.
  public var userFacingTime: CivilDateTime? {
    baseTime.civil?.adding(minutes: Int(timeOffsetMinutes ?? 0))
  }
}
