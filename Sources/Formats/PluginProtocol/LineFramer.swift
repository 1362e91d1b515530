/// Cuts a stream of bytes into lines of bounded length.
///
/// Bytes come in as they arrive, whole, split or one by one; lines come out without their newline. A carriage return
/// before the newline belongs to the line (JSON counts it as white space).
public struct LineFramer: Sendable {
  /// A line that is longer than the limit; the stream cannot be followed any further.
  public struct LineTooLong: Error, Hashable, Sendable, CustomStringConvertible {
    /// The limit in bytes.
    public var maximumBytes: Int

    /// A line too long for a limit.
    public init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

    /// What happened, in words.
    public var description: String { "a line is longer than \(maximumBytes) bytes" }
  }

  /// The longest line in bytes, its newline not counted.
  public let maximumBytes: Int
  private var buffer: [UInt8] = []
  private var start = 0
  private var searched = 0
  private var isBroken = false

  /// A framer that is empty.
  public init(maximumBytes: Int) { self.maximumBytes = maximumBytes }

  /// Bytes taken in that have not come out as a line.
  public var pendingBytes: Int { buffer.count - start }

  /// Takes bytes in; after a line too long they are dropped.
  public mutating func append(_ bytes: some Collection<UInt8>) {
    if isBroken { return }
    if start > 0, start == buffer.count || start >= 1 << 16 { discardTaken() }
    buffer.append(contentsOf: bytes)
  }

  /// The next whole line, or nil until more bytes arrive.
  ///
  /// - Throws: ``LineTooLong``, from then on at every call.
  public mutating func next() throws(LineTooLong) -> [UInt8]? {
    if isBroken { throw LineTooLong(maximumBytes: maximumBytes) }
    let newline = indexOfNewline()
    guard (newline ?? buffer.count) - start <= maximumBytes else {
      isBroken = true
      buffer = []
      throw LineTooLong(maximumBytes: maximumBytes)
    }
    guard let newline else {
      searched = buffer.count
      return nil
    }
    let line = Array(buffer[start..<newline])
    start = newline + 1
    searched = start
    return line
  }

  private func indexOfNewline() -> Int? {
    buffer.withUnsafeBufferPointer { bytes in
      var index = searched
      while index < bytes.count {
        if bytes[index] == 0x0A { return index }
        index += 1
      }
      return nil
    }
  }

  private mutating func discardTaken() {
    buffer.removeSubrange(0..<start)
    searched -= start
    start = 0
  }
}
