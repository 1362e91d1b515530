/// Compact JSON in UTF-8 as it is written, value by value.
///
/// Every event, row and message is written here. Room is asked for once for each piece, where an array asks at each byte
/// whether somebody else has it and whether there is room.
struct JSONText: ~Copyable {
  private var start: UnsafeMutablePointer<UInt8>
  private var count = 0
  private var capacity = 1024

  /// Nothing yet.
  init() { start = .allocate(capacity: capacity) }

  deinit { start.deallocate() }

  /// What is written so far.
  var bytes: [UInt8] { Array(UnsafeBufferPointer(start: start, count: count)) }

  /// Writes a value; a number that is not finite as `null`.
  mutating func write(_ value: JSONValue) {
    switch value {
    case .null: put("null")
    case .bool(let truth): put(truth ? "true" : "false")
    case .integer(let number): put(number)
    case .number(let number): put(number.isFinite ? number.description : "null")
    case .string(let text): quote(text)
    case .array(let elements):
      put(UInt8(ascii: "["))
      var isFirst = true
      for element in elements {
        if !isFirst { put(UInt8(ascii: ",")) }
        isFirst = false
        write(element)
      }
      put(UInt8(ascii: "]"))
    case .object(let members):
      put(UInt8(ascii: "{"))
      var isFirst = true
      for member in members {
        if !isFirst { put(UInt8(ascii: ",")) }
        isFirst = false
        quote(member.key)
        put(UInt8(ascii: ":"))
        write(member.value)
      }
      put(UInt8(ascii: "}"))
    }
  }

  // MARK: Pieces

  @inline(__always)
  private mutating func put(_ byte: UInt8) {
    if count == capacity { makeRoom(for: 1) }
    start[count] = byte
    count += 1
  }

  private mutating func put(_ text: String) {
    var text = text
    text.withUTF8 { put($0) }
  }

  private mutating func put(_ utf8: UnsafeBufferPointer<UInt8>) {
    guard let first = utf8.baseAddress else { return }
    if capacity - count < utf8.count { makeRoom(for: utf8.count) }
    (start + count).initialize(from: first, count: utf8.count)
    count += utf8.count
  }

  private mutating func put(_ number: Int64) {
    var rest = number.magnitude
    if number < 0 { put(UInt8(ascii: "-")) }
    let first = count
    repeat {
      put(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    } while rest > 0
    var digits = UnsafeMutableBufferPointer(start: start + first, count: count - first)
    digits.reverse()
  }

  private mutating func quote(_ text: String) {
    put(UInt8(ascii: "\""))
    var text = text
    text.withUTF8 { utf8 in
      // Nearly every text needs no escape and goes over in one piece.
      if Self.isPlain(utf8) { return put(utf8) }
      for byte in utf8 { putEscaped(byte) }
    }
    put(UInt8(ascii: "\""))
  }

  private mutating func putEscaped(_ byte: UInt8) {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"):
      put(UInt8(ascii: "\\"))
      put(byte)
    case 0x0A: put("\\n")
    case 0x0D: put("\\r")
    case 0x09: put("\\t")
    case 0..<0x20:
      put("\\u00")
      for digit in [byte >> 4, byte & 0xF] {
        put(digit + (digit < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10))
      }
    default: put(byte)
    }
  }

  /// Whether no byte needs an escape: none is below a space, a quotation mark or a backslash.
  private static func isPlain(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    for byte in utf8 {
      if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return false }
    }
    return true
  }

  private mutating func makeRoom(for more: Int) {
    capacity = max(capacity * 2, count + more)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    larger.initialize(from: start, count: count)
    start.deallocate()
    start = larger
  }
}
