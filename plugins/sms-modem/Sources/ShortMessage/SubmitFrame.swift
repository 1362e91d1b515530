/// One SMS-SUBMIT as `AT+CMGS` takes it: a message, or a part of one, on its way out.
///
///     octets  1       1      1    1+1+m   1    1    1         1    rest
///     field   centre  flags  ref  number  PID  DCS  validity  UDL  UD
///     bytes   00      31     00   0B91…   00   00   A7        05   E8329BFD06
///
/// `centre` 00: the modem's own. `flags`: 01 submit, 10 validity follows, 20 a report is wanted, 40 a header leads the
/// text. `ref` 00: the modem numbers it. `validity` A7: 24 hours.
///
/// - Source: 3GPP TS 23.040, section 9.2.2.2. Bytes above: synthetic, "hello".
public struct SubmitFrame: Hashable, Sendable {
  /// The whole frame, message centre first.
  public let octets: [UInt8]

  /// The `<length>` of `AT+CMGS`: octets without the message centre.
  public var length: Int { octets.count - 1 }

  /// The most parts that a text is sent in.
  public static let maximumParts = 8

  private static let septetsInAll = 160
  private static let septetsInPart = 153
  private static let unitsInAll = 70
  private static let unitsInPart = 67

  /// The frames of a text; a text for more than ``maximumParts`` is cut short, and an empty one is one empty frame.
  ///
  /// The default alphabet where that has every character, else UCS-2; no character is cut apart. `reference` joins the
  /// parts: the next message to the same number needs another one.
  public static func frames(
    of text: String, to number: PhoneAddress, reference: UInt8, wantsReport: Bool
  ) -> [SubmitFrame] {
    if let characters = DefaultAlphabet.characters(of: text) {
      let pieces = pieces(characters, inAll: septetsInAll, inPart: septetsInPart)
      return frames(pieces.count, number, reference, wantsReport, codingScheme: 0x00) {
        index, header in
        let skipped = (header.count * 8 + 6) / 7
        let body = Septets.packed(pieces[index], fillBits: skipped * 7 - header.count * 8)
        return [UInt8(skipped + pieces[index].count)] + header + body
      }
    }
    let pieces = pieces(
      text.unicodeScalars.map { Array(String($0).utf16) }, inAll: unitsInAll, inPart: unitsInPart)
    return frames(pieces.count, number, reference, wantsReport, codingScheme: 0x08) {
      index, header in
      let body = pieces[index].flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
      return [UInt8(header.count + body.count)] + header + body
    }
  }

  private static func frames(
    _ count: Int, _ number: PhoneAddress, _ reference: UInt8, _ wantsReport: Bool,
    codingScheme: UInt8, userData: (Int, [UInt8]) -> [UInt8]
  ) -> [SubmitFrame] {
    (0..<count).map { index in
      let part = MessagePart(
        reference: UInt16(reference), total: UInt8(count), number: UInt8(index + 1))
      let header = count > 1 ? part.header : []
      let flags: UInt8 = 0x11 | (wantsReport ? 0x20 : 0) | (header.isEmpty ? 0 : 0x40)
      return SubmitFrame(
        octets: [0x00, flags, 0x00] + number.octets + [0x00, codingScheme, 0xA7]
          + userData(index, header))
    }
  }

  /// Pieces of whole characters, at most `inPart` units each where they do not fit into one of `inAll`.
  private static func pieces<Unit>(
    _ characters: [[Unit]], inAll: Int, inPart: Int
  ) -> [[Unit]] {
    let whole = Array(characters.joined())
    if whole.count <= inAll { return [whole] }
    var pieces: [[Unit]] = [[]]
    for character in characters {
      if pieces[pieces.count - 1].count + character.count > inPart {
        if pieces.count == maximumParts { break }
        pieces.append([])
      }
      pieces[pieces.count - 1].append(contentsOf: character)
    }
    return pieces
  }
}
