/// Cuts what a modem says into lines.
///
/// Lines end with a carriage return or a newline, whichever comes, and empty ones are left out. A prompt for the text of a
/// message ends with neither. What is longer than any answer is dropped up to its end: a modem that pours out garbage
/// takes no memory.
struct ATLineReader: Hashable, Sendable {
  /// The longest line kept; a frame has at most 352 digits.
  static let maximumBytes = 2048

  /// What was said.
  enum Token: Hashable, Sendable {
    /// A line without its end and without control characters.
    case line(String)
    /// `> `: the modem waits for the text of a message.
    case prompt
  }

  /// How many lines were dropped because they were too long.
  private(set) var overlongLines = 0
  private var pending: [UInt8] = []
  private var isDropping = false

  /// Takes bytes and gives what they completed.
  mutating func take(_ bytes: some Sequence<UInt8>) -> [Token] {
    var tokens: [Token] = []
    for byte in bytes {
      switch byte {
      case 0x0A, 0x0D: endLine(&tokens)
      case UInt8(ascii: ">") where pending.isEmpty && !isDropping: tokens.append(.prompt)
      case UInt8(ascii: " ") where pending.isEmpty: break
      case 0x00..<0x20, 0x7F: break
      default: add(byte)
      }
    }
    return tokens
  }

  private mutating func add(_ byte: UInt8) {
    guard !isDropping else { return }
    pending.append(byte)
    guard pending.count > Self.maximumBytes else { return }
    overlongLines += 1
    pending = []
    isDropping = true
  }

  private mutating func endLine(_ tokens: inout [Token]) {
    if !pending.isEmpty { tokens.append(.line(String(decoding: pending, as: UTF8.self))) }
    pending.removeAll(keepingCapacity: true)
    isDropping = false
  }

  /// Forgets a line that was begun, for a port that was opened anew.
  mutating func reset() {
    pending = []
    isDropping = false
  }
}
