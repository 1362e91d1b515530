/// One entry of a catalogue: its keys and its first translation.
///
/// Comments are skipped; `msgstr[0]` stands for all numbers, as Chinese has one form. A line that is not understood is
/// skipped as well, and then the text is not found.
struct CatalogueEntry {
  private(set) var msgid: [UInt8] = []
  private(set) var msgctxt: [UInt8] = []
  private var msgstr: [UInt8] = []
  private var isFuzzy = false

  private enum Field {
    case msgid
    case msgctxt
    case msgstr
    case other
  }

  init(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
    var field = Field.other
    for line in bytes[range].split(separator: 0x0A) {
      switch line.first {
      case UInt8(ascii: "#"): isFuzzy = isFuzzy || Self.saysFuzzy(line)
      case UInt8(ascii: "\""): append(line, to: field)
      default:
        guard let quote = line.firstIndex(of: 0x22) else { continue }
        field = Self.field(line[..<quote])
        append(line[quote...], to: field)
      }
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
    if word.elementsEqual("msgid ".utf8) { return .msgid }
    if word.elementsEqual("msgctxt ".utf8) { return .msgctxt }
    if word.elementsEqual("msgstr ".utf8) || word.elementsEqual("msgstr[0] ".utf8) {
      return .msgstr
    }
    return .other
  }

  private mutating func append(_ literal: Slice<UnsafeBufferPointer<UInt8>>, to field: Field) {
    switch field {
    case .msgid: msgid += Self.unescaped(literal)
    case .msgctxt: msgctxt += Self.unescaped(literal)
    case .msgstr: msgstr += Self.unescaped(literal)
    case .other: break
    }
  }

  /// What stands between the quotation marks, as C reads it.
  private static func unescaped(_ literal: Slice<UnsafeBufferPointer<UInt8>>) -> [UInt8] {
    var text: [UInt8] = []
    var isEscaped = false
    for byte in literal.dropFirst() {
      if isEscaped {
        switch byte {
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "t"): text.append(0x09)
        default: text.append(byte)
        }
        isEscaped = false
      } else if byte == 0x5C {
        isEscaped = true
      } else if byte == 0x22 {
        break
      } else {
        text.append(byte)
      }
    }
    return text
  }
}
