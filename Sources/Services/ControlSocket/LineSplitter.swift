/// Cuts a stream of bytes into lines.
struct LineSplitter {
  private let maximumBytes: Int
  private var bytes: [UInt8] = []
  private var consumed = 0
  private var searched = 0

  init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

  /// Whether the line that is under way is longer than allowed.
  var isOverLong: Bool { searched - consumed > maximumBytes }

  mutating func append(_ added: some Collection<UInt8>) {
    if consumed > 0 {
      bytes.removeFirst(consumed)
      searched -= consumed
      consumed = 0
    }
    bytes.append(contentsOf: added)
  }

  /// The next whole line without its end, or nil until more bytes come.
  mutating func next() -> ArraySlice<UInt8>? {
    guard let end = bytes[searched...].firstIndex(of: 0x0A) else {
      searched = bytes.count
      return nil
    }
    let line = bytes[consumed..<end]
    consumed = end + 1
    searched = consumed
    return line
  }
}
