/// One entry of a catalogue: its first translation.
///
/// Comments are skipped; `msgstr[0]` stands for all numbers, as Chinese has one form. A line that is not understood is
/// skipped as well, and then the text is not found.
struct CatalogueEntry {
  private var msgstr: [UInt8] = []
  private var isFuzzy = false

  private enum Field {
    case msgstr
    case other
  }

  /// Goes by places in the bytes and copies only what counts.
  init(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
    var field = Field.other
    var start = range.lowerBound
    while start < range.upperBound {
      var end = start
      var quote: Int?
      while end < range.upperBound, bytes[end] != 0x0A {
        if quote == nil, bytes[end] == 0x22 { quote = end }
        end += 1
      }
      if end > start, bytes[start] == UInt8(ascii: "#") {
        isFuzzy = isFuzzy || Self.saysFuzzy(bytes[start..<end])
      } else if let quote {
        if quote > start { field = Self.field(bytes[start..<quote]) }
        append(bytes, quote + 1..<end, to: field)
      }
      start = end + 1
    }
  }

  /// The translation; nil when it is empty or not yet confirmed.
  var translation: String? {
    isFuzzy || msgstr.isEmpty ? nil : String(decoding: msgstr, as: UTF8.self)
  }

  private static func saysFuzzy(_ line: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
    line.starts(with: "#,".utf8) && String(decoding: line, as: UTF8.self).contains("fuzzy")
  }

  private static func field(_ word: Slice<UnsafeBufferPointer<UInt8>>) -> Field {
    if word.elementsEqual("msgstr ".utf8) || word.elementsEqual("msgstr[0] ".utf8) {
      return .msgstr
    }
    return .other
  }

  private mutating func append(
    _ bytes: UnsafeBufferPointer<UInt8>, _ literal: Range<Int>, to field: Field
  ) {
    switch field {
    case .msgstr: Self.unescape(bytes, literal, to: &msgstr)
    case .other: break
    }
  }

  /// Appends what stands up to the closing quotation mark, as C reads it.
  private static func unescape(
    _ bytes: UnsafeBufferPointer<UInt8>, _ literal: Range<Int>, to text: inout [UInt8]
  ) {
    var place = literal.lowerBound
    while place < literal.upperBound, bytes[place] != 0x22 {
      var byte = bytes[place]
      if byte == 0x5C, place + 1 < literal.upperBound {
        place += 1
        byte = bytes[place]
        if byte == UInt8(ascii: "n") { byte = 0x0A }
        if byte == UInt8(ascii: "t") { byte = 0x09 }
      }
      text.append(byte)
      place += 1
    }
  }
}
