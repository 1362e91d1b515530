public import Bytes

/// One message of the Record Access Control Point (0x2A52): written by a collector, indicated by a meter.
///
///     01 01            report all records         05 00 n n    so many records
///     01 03 01 lo hi   report from a number on    06 00 q c    answer c to request q
///     03 00            stop reporting
///
/// The first octet is the opcode, the second the operator, then come what is compared with (1 sequence number, or
/// minutes since the session's start of a continuous monitor; 2 user-facing time) and the operand or two of them.
///
/// - Source: Bluetooth GATT Specification Supplement, Record Access Control Point; Glucose Service 1.0.1, section 3.4.
public enum RecordAccess: Hashable, Sendable {
  /// What is asked for.
  public enum Procedure: UInt8, Hashable, Sendable, CaseIterable {
    /// Report stored records.
    case report = 1
    /// Delete stored records. Homeward can read and write it, and never sends it.
    case delete = 2
    /// Report how many records there are.
    case count = 4
  }

  /// What a record is chosen by.
  public enum Key: Hashable, Sendable {
    /// Its sequence number; minutes since the session's start for a continuous monitor.
    case number(UInt16)
    /// Its user-facing time.
    case time(DateTime)
  }

  /// Which records.
  public enum Filter: Hashable, Sendable {
    /// All.
    case all
    /// This one and those before.
    case atMost(Key)
    /// This one and those after.
    case atLeast(Key)
    /// From one to another, both included; both keys are of one kind.
    case within(Key, Key)
    /// The oldest.
    case first
    /// The newest.
    case last
  }

  /// Answers that have a name.
  public enum Answer: UInt8, Hashable, Sendable, CaseIterable {
    /// Done.
    case success = 1
    /// The opcode is not supported.
    case opcodeNotSupported = 2
    /// The operator does not go with the opcode.
    case invalidOperator = 3
    /// The operator is not supported.
    case operatorNotSupported = 4
    /// The operand does not go with the operator.
    case invalidOperand = 5
    /// There are no such records: no fault.
    case noRecords = 6
    /// The procedure could not be aborted.
    case abortUnsuccessful = 7
    /// The procedure was not completed.
    case notCompleted = 8
    /// What was compared with is not supported.
    case operandNotSupported = 9

    /// The name, for programs.
    public var name: String {
      switch self {
      case .success: "success"
      case .opcodeNotSupported: "op code not supported"
      case .invalidOperator: "invalid operator"
      case .operatorNotSupported: "operator not supported"
      case .invalidOperand: "invalid operand"
      case .noRecords: "no records found"
      case .abortUnsuccessful: "abort unsuccessful"
      case .notCompleted: "procedure not completed"
      case .operandNotSupported: "operand not supported"
      }
    }
  }

  /// A request about some of the records.
  case request(Procedure, Filter)
  /// The request to stop.
  case abort
  /// The answer to ``Procedure/count``.
  case recordCount(UInt16)
  /// The answer to everything else: the opcode of the request, and ``Answer``'s code.
  case response(request: UInt8, code: UInt8)

  /// The opcode.
  public var opcode: UInt8 {
    switch self {
    case .request(let procedure, _): procedure.rawValue
    case .abort: 3
    case .recordCount: 5
    case .response: 6
    }
  }

  /// The operator.
  public var operatorCode: UInt8 {
    guard case .request(_, let filter) = self else { return 0 }
    return switch filter {
    case .all: 1
    case .atMost: 2
    case .atLeast: 3
    case .within: 4
    case .first: 5
    case .last: 6
    }
  }

  /// Reads a message.
  ///
  /// - Throws: ``DecodeError`` for unknown opcodes and operators, those that do not go together, and octets that lack
  ///   or are too many.
  public init(_ octets: some Collection<UInt8>) throws(DecodeError) {
    var reader = ByteReader(octets)
    let opcode = try reader.byte("opcode")
    let message: RecordAccess
    switch opcode {
    case 3:
      try reader.nullOperator()
      message = .abort
    case 5:
      try reader.nullOperator()
      message = .recordCount(try reader.word("numberOfRecords"))
    case 6:
      try reader.nullOperator()
      message = .response(
        request: try reader.byte("requestOpcode"), code: try reader.byte("responseCode"))
    default:
      guard let procedure = Procedure(rawValue: opcode) else {
        throw reader.error(.unknownWord, "opcode", back: 1)
      }
      message = .request(procedure, try reader.filter())
    }
    try reader.expectEnd("operand")
    self = message
  }

  /// The message as it is sent.
  public var octets: [UInt8] {
    var octets = [opcode, operatorCode]
    switch self {
    case .request(_, let filter): octets += filter.operand
    case .abort: break
    case .recordCount(let count): octets.append(word: count)
    case .response(let request, let code): octets += [request, code]
    }
    return octets
  }
}

extension RecordAccess.Filter {
  fileprivate var operand: [UInt8] {
    switch self {
    case .all, .first, .last: []
    case .atMost(let key), .atLeast(let key): [key.filterType] + key.octets
    case .within(let from, let to): [from.filterType] + from.octets + to.octets
    }
  }
}

extension RecordAccess.Key {
  /// 1 for numbers, 2 for times.
  public var filterType: UInt8 {
    switch self {
    case .number: 1
    case .time: 2
    }
  }

  fileprivate var octets: [UInt8] {
    switch self {
    case .number(let number):
      [UInt8(truncatingIfNeeded: number), UInt8(truncatingIfNeeded: number >> 8)]
    case .time(let time): time.octets
    }
  }
}

extension ByteReader {
  fileprivate mutating func nullOperator() throws(DecodeError) {
    guard try byte("operator") == 0 else { throw error(.unexpectedByte, "operator", back: 1) }
  }

  fileprivate mutating func filter() throws(DecodeError) -> RecordAccess.Filter {
    switch try byte("operator") {
    case 1: return .all
    case 2: return .atMost(try key(of: try byte("filterType")))
    case 3: return .atLeast(try key(of: try byte("filterType")))
    case 4:
      let type = try byte("filterType")
      return .within(try key(of: type), try key(of: type))
    case 5: return .first
    case 6: return .last
    default: throw error(.unknownWord, "operator", back: 1)
    }
  }

  private mutating func key(of type: UInt8) throws(DecodeError) -> RecordAccess.Key {
    switch type {
    case 1: .number(try word("operand"))
    case 2: .time(try dateTime("operand"))
    default: throw error(.unknownWord, "filterType", back: 1)
    }
  }
}
