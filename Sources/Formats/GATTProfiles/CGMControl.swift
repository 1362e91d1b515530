public import Bytes

/// One message of the CGM Specific Ops Control Point (0x2AAC): written by a collector, indicated by a monitor.
///
///     0f 01 00                                     the level of hypoglycaemia is 1 mg/dL
///     06 01 20 0a00 32 1400 0100 04 bfb2           a record of calibration, with checksum
///     1c 02 01                                     answer 1 (done) to request 2
///
/// - Source: Bluetooth Continuous Glucose Monitoring Service 1.0.2, section 3.7.
public enum CGMControl: Hashable, Sendable {
  /// A level that the monitor warns at.
  public enum AlertLevel: UInt8, Hashable, Sendable, CaseIterable {
    /// Above it the patient's high alert comes; mg/dL.
    case patientHigh = 7
    /// Below it the patient's low alert comes; mg/dL.
    case patientLow = 10
    /// Below it hypoglycaemia begins; mg/dL.
    case hypo = 13
    /// Above it hyperglycaemia begins; mg/dL.
    case hyper = 16
    /// Falling faster than this warns; mg/dL each minute.
    case rateOfDecrease = 19
    /// Rising faster than this warns; mg/dL each minute.
    case rateOfIncrease = 22

    /// The name, for programs.
    public var name: String {
      switch self {
      case .patientHigh: "patient high alert level"
      case .patientLow: "patient low alert level"
      case .hypo: "hypo alert level"
      case .hyper: "hyper alert level"
      case .rateOfDecrease: "rate of decrease alert level"
      case .rateOfIncrease: "rate of increase alert level"
      }
    }
  }

  /// What a monitor was, or is to be, calibrated with.
  public struct Calibration: Hashable, Sendable {
    /// mg/dL.
    public var concentration: SFLOAT
    /// Minutes since the session's start.
    public var timeOffsetMinutes: UInt16
    /// What was measured, and where.
    public var origin: GlucoseSampleOrigin
    /// Minutes since the session's start at which the next one is due.
    public var nextOffsetMinutes: UInt16
    /// Counts the records; ignored when written.
    public var record: UInt16
    /// Bits: rejected, out of range, process pending; ignored when written.
    public var status: UInt8

    /// A calibration from its parts.
    public init(
      concentration: SFLOAT, timeOffsetMinutes: UInt16, origin: GlucoseSampleOrigin,
      nextOffsetMinutes: UInt16, record: UInt16 = 0, status: UInt8 = 0
    ) {
      self.concentration = concentration
      self.timeOffsetMinutes = timeOffsetMinutes
      self.origin = origin
      self.nextOffsetMinutes = nextOffsetMinutes
      self.record = record
      self.status = status
    }
  }

  /// Answers that have a name.
  public enum Answer: UInt8, Hashable, Sendable, CaseIterable {
    /// Done.
    case success = 1
    /// The opcode is not supported.
    case opcodeNotSupported = 2
    /// The operand does not go with the opcode.
    case invalidOperand = 3
    /// The procedure was not completed.
    case notCompleted = 4
    /// The operand is out of range.
    case outOfRange = 5

    /// The name, for programs.
    public var name: String {
      switch self {
      case .success: "success"
      case .opcodeNotSupported: "op code not supported"
      case .invalidOperand: "invalid operand"
      case .notCompleted: "procedure not completed"
      case .outOfRange: "parameter out of range"
      }
    }
  }

  /// Measure and notify every so many minutes: 0 never, 255 as often as the device can.
  case setInterval(minutes: UInt8)
  /// Asks for the interval.
  case getInterval
  /// The interval.
  case interval(minutes: UInt8)
  /// Calibrates.
  case setCalibration(Calibration)
  /// Asks for a record of calibration; FFFF for the last.
  case getCalibration(record: UInt16)
  /// A record of calibration.
  case calibration(Calibration)
  /// Sets a level.
  case setLevel(AlertLevel, SFLOAT)
  /// Asks for a level.
  case getLevel(AlertLevel)
  /// A level.
  case level(AlertLevel, SFLOAT)
  /// Silences the device's own alert.
  case resetDeviceAlert
  /// Starts a session.
  case startSession
  /// Ends the session.
  case stopSession
  /// The answer to a request: its opcode, and ``Answer``'s code.
  case response(request: UInt8, code: UInt8)

  /// The opcode.
  public var opcode: UInt8 {
    switch self {
    case .setInterval: 1
    case .getInterval: 2
    case .interval: 3
    case .setCalibration: 4
    case .getCalibration: 5
    case .calibration: 6
    case .setLevel(let level, _): level.rawValue
    case .getLevel(let level): level.rawValue + 1
    case .level(let level, _): level.rawValue + 2
    case .resetDeviceAlert: 25
    case .startSession: 26
    case .stopSession: 27
    case .response: 28
    }
  }

  /// Reads a message and says whether it had a checksum.
  ///
  /// - Throws: ``DecodeError`` for unknown opcodes, octets that lack or are too many, and a checksum that does not
  ///   match.
  public static func read(
    _ octets: some Collection<UInt8>, crc: E2ECRCRule = .unknown
  ) throws(DecodeError) -> (message: CGMControl, hasCRC: Bool) {
    guard let opcode = octets.first else {
      throw DecodeError(.truncated, at: 0, field: "opcode")
    }
    guard let length = operandLength(opcode) else {
      throw DecodeError(.unknownWord, at: 0, field: "opcode")
    }
    let (fields, hasCRC) = try crc.strip(Array(octets), to: 1 + length)
    var reader = ByteReader(fields.dropFirst(), at: 1)
    return (try message(opcode, &reader), hasCRC)
  }

  /// The message as it is sent, without a checksum; ``E2ECRC/appended(to:)`` adds one.
  public var octets: [UInt8] {
    var octets = [opcode]
    switch self {
    case .setInterval(let minutes), .interval(let minutes): octets.append(minutes)
    case .setCalibration(let calibration), .calibration(let calibration):
      octets += calibration.octets
    case .getCalibration(let record): octets.append(word: record)
    case .setLevel(_, let level), .level(_, let level): octets.append(level)
    case .response(let request, let code): octets += [request, code]
    case .getInterval, .getLevel, .resetDeviceAlert, .startSession, .stopSession: break
    }
    return octets
  }

  private static func operandLength(_ opcode: UInt8) -> Int? {
    switch opcode {
    case 1, 3: 1
    case 2, 25, 26, 27: 0
    case 4, 6: 10
    case 5, 28: 2
    case 7...24: (opcode - 7) % 3 == 1 ? 0 : 2
    default: nil
    }
  }

  private static func message(
    _ opcode: UInt8, _ reader: inout ByteReader
  ) throws(DecodeError) -> CGMControl {
    switch opcode {
    case 1: return .setInterval(minutes: try reader.byte("interval"))
    case 2: return .getInterval
    case 3: return .interval(minutes: try reader.byte("interval"))
    case 4: return .setCalibration(try Calibration(&reader))
    case 5: return .getCalibration(record: try reader.word("record"))
    case 6: return .calibration(try Calibration(&reader))
    case 25: return .resetDeviceAlert
    case 26: return .startSession
    case 27: return .stopSession
    case 28:
      return .response(
        request: try reader.byte("requestOpcode"), code: try reader.byte("responseCode"))
    default: return try level(opcode, &reader)
    }
  }

  private static func level(
    _ opcode: UInt8, _ reader: inout ByteReader
  ) throws(DecodeError) -> CGMControl {
    for level in AlertLevel.allCases {
      switch opcode {
      case level.rawValue: return .setLevel(level, try reader.float("level"))
      case level.rawValue + 1: return .getLevel(level)
      case level.rawValue + 2: return .level(level, try reader.float("level"))
      default: continue
      }
    }
    throw DecodeError(.unknownWord, at: 0, field: "opcode")
  }
}

extension CGMControl.Calibration {
  fileprivate init(_ reader: inout ByteReader) throws(DecodeError) {
    concentration = try reader.float("concentration")
    timeOffsetMinutes = try reader.word("timeOffset")
    origin = GlucoseSampleOrigin(octet: try reader.byte("typeAndLocation"))
    nextOffsetMinutes = try reader.word("nextOffset")
    record = try reader.word("record")
    status = try reader.byte("status")
  }

  fileprivate var octets: [UInt8] {
    var octets: [UInt8] = []
    octets.append(concentration)
    octets.append(word: timeOffsetMinutes)
    octets.append(origin.octet)
    octets.append(word: nextOffsetMinutes)
    octets.append(word: record)
    octets.append(status)
    return octets
  }
}
