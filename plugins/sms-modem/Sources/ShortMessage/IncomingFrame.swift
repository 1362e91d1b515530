public import Bytes
public import Moments

/// A message from somebody.
public struct DeliverFrame: Hashable, Sendable {
  /// Who seems to have sent it.
  public var sender: PhoneAddress
  /// When the message centre took it; nil when it says nonsense.
  public var sentAt: Timestamp?
  /// What it says; empty when it is not text.
  public var text: String
  /// Which part of a long message it is; nil for a whole one.
  public var part: MessagePart?

  /// A message from its parts.
  public init(sender: PhoneAddress, sentAt: Timestamp?, text: String, part: MessagePart?) {
    self.sender = sender
    self.sentAt = sentAt
    self.text = text
    self.part = part
  }
}

/// What became of a message that was sent.
public struct StatusReportFrame: Hashable, Sendable {
  /// How far it came.
  public enum Outcome: Hashable, Sendable {
    /// The phone has it.
    case delivered
    /// The message centre is still trying, or cannot say.
    case pending
    /// It will not arrive.
    case failed
  }

  /// The number that the modem gave to the message.
  public var reference: UInt8
  /// Whom the message was for.
  public var recipient: PhoneAddress
  /// When the message centre took the message; nil when it says nonsense.
  public var takenAt: Timestamp?
  /// The status octet.
  public var status: UInt8

  /// What the status octet means.
  ///
  /// - Source: 3GPP TS 23.040, section 9.2.3.15. Only 0 is a receipt: 1 is "forwarded, not confirmed", 2 "replaced".
  public var outcome: Outcome { Self.outcome(of: status) }

  /// What a status octet means; see ``outcome-swift.property``.
  public static func outcome(of status: UInt8) -> Outcome {
    switch status {
    case 0x00: .delivered
    case 0x40...0x7F: .failed
    default: .pending
    }
  }
}

/// A frame from the network, as `+CMGL`, `+CMGR`, `+CMT` and `+CDS` give it.
public enum IncomingFrame: Hashable, Sendable {
  /// A message from somebody.
  case deliver(DeliverFrame)
  /// What became of a message that was sent.
  case statusReport(StatusReportFrame)

  /// Reads a frame with the message centre's address in front.
  ///
  ///     octets  1+n     1      1+1+m   1    1    7     1    rest
  ///     field   centre  flags  sender  PID  DCS  time  UDL  UD       flags & 3 = 0: SMS-DELIVER
  ///     octets  1+n     1      1    1+1+m      7     7     1
  ///     field   centre  flags  ref  recipient  sent  done  status    flags & 3 = 2: SMS-STATUS-REPORT
  ///
  /// - Throws: a fault with the offset in octets; `unexpectedByte` for a frame of another type.
  /// - Source: 3GPP TS 23.040, sections 9.2.2.1 and 9.2.2.3.
  public init(octets: [UInt8]) throws(DecodeError) {
    var reader = ByteReader(octets)
    let centre = Int(try reader.byte("message centre"))
    guard centre <= 12 else { throw DecodeError(.outOfRange, at: 0, field: "message centre") }
    _ = try reader.take(centre, "message centre")
    let flags = try reader.byte("first octet")
    switch flags & 0x03 {
    case 0x00: self = .deliver(try Self.deliver(&reader, flags: flags))
    case 0x02: self = .statusReport(try Self.statusReport(&reader))
    default: throw reader.error(.unexpectedByte, "first octet", back: 1)
    }
  }

  private static func deliver(
    _ reader: inout ByteReader, flags: UInt8
  ) throws(DecodeError) -> DeliverFrame {
    let sender = try PhoneAddress(&reader)
    _ = try reader.byte("protocol identifier")
    let alphabet = MessageAlphabet(codingScheme: try reader.byte("coding scheme"))
    let time = Array(try reader.take(7, "time"))
    let content = try UserData(&reader, alphabet: alphabet, hasHeader: flags & 0x40 != 0)
    return DeliverFrame(
      sender: sender, sentAt: ServiceCentreTime.moment(time), text: content.text,
      part: content.part)
  }

  private static func statusReport(
    _ reader: inout ByteReader
  ) throws(DecodeError) -> StatusReportFrame {
    let reference = try reader.byte("reference")
    let recipient = try PhoneAddress(&reader)
    let times = try reader.take(14, "times")
    return StatusReportFrame(
      reference: reference, recipient: recipient,
      takenAt: ServiceCentreTime.moment(Array(times.prefix(7))), status: try reader.byte("status"))
  }
}
