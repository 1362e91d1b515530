/// Cuts a stream of bytes into lines of bounded length.
///
/// Bytes come in as they arrive, whole, split or one by one; lines come out without their newline. A carriage return
/// before the newline belongs to the line (JSON counts it as white space).
public struct LineFramer: Sendable {
  /// What becomes of a line that is longer than the limit.
  public enum Excess: Hashable, Sendable {
    /// The stream cannot be followed any further: ``next()`` throws from then on.
    case fails
    /// The beginning comes out, as long as the limit, once the line has ended.
    case isCut
    /// Nothing of the line comes out.
    case isPassedOver
  }

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
  /// Lines that were longer so far, each counted as soon as it is.
  public private(set) var overlongLines = 0
  private let excess: Excess
  private var buffer: [UInt8] = []
  private var start = 0
  private var searched = 0
  /// Whether the line that is under way is longer than the limit.
  private var isTooLong = false

  /// A framer that is empty.
  public init(maximumBytes: Int, excess: Excess = .fails) {
    self.maximumBytes = maximumBytes
    self.excess = excess
  }

  /// Bytes taken in that have not come out as a line and were not dropped.
  public var pendingBytes: Int { buffer.count - start }

  private var isBroken: Bool { isTooLong && excess == .fails }

  /// Takes bytes in; after a line too long for a framer that fails they are dropped.
  public mutating func append(_ bytes: some Collection<UInt8>) {
    if isBroken { return }
    if start > 0, start == buffer.count || start >= 1 << 16 { discardTaken() }
    buffer.append(contentsOf: bytes)
  }

  /// The next whole line, or nil until more bytes arrive.
  ///
  /// - Throws: ``LineTooLong``, from then on at every call; only where ``Excess/fails`` was chosen.
  public mutating func next() throws(LineTooLong) -> [UInt8]? {
    while !isBroken {
      let newline = indexOfNewline()
      if !isTooLong, (newline ?? buffer.count) - start > maximumBytes {
        isTooLong = true
        overlongLines += 1
        if isBroken { break }
      }
      guard let newline else {
        if isTooLong { dropExcess() }
        searched = buffer.count
        return nil
      }
      let line = buffer[start..<newline].prefix(maximumBytes)
      let isLeftOut = isTooLong && excess == .isPassedOver
      start = newline + 1
      searched = start
      isTooLong = false
      if !isLeftOut { return Array(line) }
    }
    (buffer, start, searched) = ([], 0, 0)
    throw LineTooLong(maximumBytes: maximumBytes)
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

  /// Keeps of the line that is under way only what can come out.
  private mutating func dropExcess() {
    let kept = excess == .isCut ? maximumBytes : 0
    buffer.removeLast(max(0, pendingBytes - kept))
  }

  private mutating func discardTaken() {
    buffer.removeSubrange(0..<start)
    searched -= start
    start = 0
  }
}
