import Bytes
import Moments

/// Which part of a long message this is.
public struct MessagePart: Hashable, Sendable {
  /// What joins the parts, 8 or 16 bits.
  public var reference: UInt16
  /// How many parts there are.
  public var total: UInt8
  /// Which one this is, from 1.
  public var number: UInt8
  /// Whether the reference has 16 bits.
  public var isWide: Bool

  /// A part.
  public init(reference: UInt16, total: UInt8, number: UInt8, isWide: Bool = false) {
    self.reference = reference
    self.total = total
    self.number = number
    self.isWide = isWide
  }

  /// The user data header that says so.
  ///
  ///     octet  0   1    2    3    4      5
  ///     field  UDHL IEI len  ref  total  number     IEI 00
  ///     bytes  05  00   03   CC   02     01
  ///     field  UDHL IEI len  ref.ref  total  number IEI 08
  ///     bytes  06  08   04   01 CC    02     01
  ///
  /// - Source: 3GPP TS 23.040, sections 9.2.3.24.1 and 9.2.3.24.8. Bytes above: synthetic.
  var header: [UInt8] {
    isWide
      ? [6, 8, 4, UInt8(reference >> 8), UInt8(reference & 0xFF), total, number]
      : [5, 0, 3, UInt8(reference & 0xFF), total, number]
  }

  /// The part by the elements of a header without its length; nil when they name none, or nonsense.
  init?(elements: [UInt8]) {
    var index = 0
    while index + 1 < elements.count {
      let length = Int(elements[index + 1])
      guard index + 2 + length <= elements.count else { return nil }
      let content = Array(elements[(index + 2)..<(index + 2 + length)])
      if let part = MessagePart(element: elements[index], content: content) {
        guard part.total >= 1, (1...part.total).contains(part.number) else { return nil }
        self = part
        return
      }
      index += 2 + length
    }
    return nil
  }

  private init?(element: UInt8, content: [UInt8]) {
    switch (element, content.count) {
    case (0x00, 3):
      self.init(reference: UInt16(content[0]), total: content[1], number: content[2])
    case (0x08, 4):
      let reference = UInt16(content[0]) << 8 | UInt16(content[1])
      self.init(reference: reference, total: content[2], number: content[3], isWide: true)
    default: return nil
    }
  }
}

/// What people read of a message, and the part it is.
struct UserData: Hashable {
  var text: String
  var part: MessagePart?

  /// Reads length and user data, the rest of a frame.
  ///
  ///     field  UDL  [UDHL elements…]  [fill bits] text
  ///
  /// UDL counts septets in the default alphabet, header and fill bits included, and octets otherwise. Octets behind the
  /// text are left alone: some networks add them.
  ///
  /// - Source: 3GPP TS 23.040, section 9.2.3.24.
  init(
    _ reader: inout ByteReader, alphabet: MessageAlphabet, hasHeader: Bool
  ) throws(DecodeError) {
    let length = Int(try reader.byte("user data length"))
    let size = alphabet == .default7Bit ? (length * 7 + 7) / 8 : length
    let octets = Array(try reader.take(size, "user data"))
    var headerSize = 0
    if hasHeader {
      guard let size = octets.first, Int(size) < octets.count else {
        throw reader.error(.outOfRange, "header length", back: octets.count)
      }
      headerSize = Int(size) + 1
      part = MessagePart(elements: Array(octets[1..<headerSize]))
    }
    let body = Array(octets[headerSize...])
    switch alphabet {
    case .default7Bit:
      let skipped = (headerSize * 8 + 6) / 7
      let septets = Septets.unpacked(
        body, count: length - skipped, fillBits: skipped * 7 - headerSize * 8)
      text = DefaultAlphabet.text(of: septets)
    case .ucs2:
      let units = stride(from: 0, to: body.count - 1, by: 2).map {
        UInt16(body[$0]) << 8 | UInt16(body[$0 + 1])
      }
      text = String(decoding: units, as: UTF16.self)
    case .octets: text = ""
    }
  }
}
