import Bytes

/// Cuts what a modem says into lines.
///
/// Lines end with a carriage return or a newline, whichever comes, and empty ones are left out. A prompt for the text of a
/// message ends with neither. What is longer than any answer is dropped up to its end: a modem that pours out garbage
/// takes no memory.
struct ATLineReader: Sendable {
  /// The longest line kept; a frame has at most 352 digits.
  static let maximumBytes = 2048

  /// What was said.
  enum Token: Hashable, Sendable {
    /// A line without its end and without control characters.
    case line(String)
    /// `> `: the modem waits for the text of a message.
    case prompt
  }

  private var framer = LineFramer(maximumBytes: Self.maximumBytes, excess: .isPassedOver)
  /// Whether nothing of the next line has come.
  private var isAtStart = true

  /// How many lines were dropped because they were too long.
  var overlongLines: Int { framer.overlongLines }

  /// Takes bytes and gives what they completed.
  mutating func take(_ bytes: some Sequence<UInt8>) -> [Token] {
    var tokens: [Token] = []
    var kept: [UInt8] = []
    for byte in bytes {
      switch byte {
      case 0x0A, 0x0D:
        kept.append(0x0A)
        isAtStart = true
      case UInt8(ascii: ">") where isAtStart:
        cut(kept, into: &tokens)
        kept = []
        tokens.append(.prompt)
      case UInt8(ascii: " ") where isAtStart: break
      case 0x00..<0x20, 0x7F: break
      default:
        kept.append(byte)
        isAtStart = false
      }
    }
    cut(kept, into: &tokens)
    return tokens
  }

  private mutating func cut(_ kept: [UInt8], into tokens: inout [Token]) {
    framer.append(kept)
    while let line = try? framer.next() {
      if !line.isEmpty { tokens.append(.line(String(decoding: line, as: UTF8.self))) }
    }
  }
}
