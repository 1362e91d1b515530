/// Reads bytes from front to back, never beyond their end.
///
/// What lacks is nil, and nothing is passed then, so that each format says in its own words what it expected there;
/// ``byte(_:)`` and ``take(_:_:)`` say it as ``DecodeError``.
public struct ByteReader: Sendable {
  private let bytes: ArraySlice<UInt8>
  private var index: Int
  /// What is added to a place so that it counts from the start of the whole input.
  private let base: Int

  /// A reader at the front of `bytes`, the first of which stands at `offset` of the whole input.
  public init(_ bytes: ArraySlice<UInt8>, at offset: Int = 0) {
    self.bytes = bytes
    index = bytes.startIndex
    base = offset - bytes.startIndex
  }

  /// A reader at the front of an array.
  public init(_ bytes: [UInt8], at offset: Int = 0) { self.init(bytes[...], at: offset) }

  /// A reader at the front of bytes that lie elsewhere, which are copied.
  public init(_ bytes: some Collection<UInt8>, at offset: Int = 0) {
    self.init(Array(bytes), at: offset)
  }

  /// Where the next byte stands in the whole input.
  public var offset: Int { base + index }
  /// Where the byte behind the last one would stand.
  public var end: Int { base + bytes.endIndex }
  /// How many bytes are left.
  public var count: Int { bytes.endIndex - index }
  /// Whether none is left.
  public var isAtEnd: Bool { index == bytes.endIndex }
  /// The bytes that are left.
  public var rest: ArraySlice<UInt8> { bytes[index...] }
  /// The next byte, which stays the next.
  public var peek: UInt8? { index < bytes.endIndex ? bytes[index] : nil }

  /// The next byte; nil at the end.
  public mutating func next() -> UInt8? {
    guard index < bytes.endIndex else { return nil }
    defer { index += 1 }
    return bytes[index]
  }

  /// The next bytes; nil when fewer are left.
  public mutating func next(_ count: Int) -> ArraySlice<UInt8>? {
    guard count >= 0, count <= self.count else { return nil }
    defer { index += count }
    return bytes[index..<index + count]
  }

  /// The number that up to eight bytes are, the lowest first; nil when fewer are left.
  public mutating func littleEndian(_ count: Int) -> UInt64? {
    next(count)?.reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
  }

  /// The number that up to eight bytes are, the highest first; nil when fewer are left.
  public mutating func bigEndian(_ count: Int) -> UInt64? {
    next(count)?.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
  }

  /// A fault at the next byte, or so many before it.
  public func error(
    _ code: DecodeError.Code, _ field: String? = nil, back: Int = 0
  ) -> DecodeError {
    DecodeError(code, at: offset - back, field: field)
  }

  /// The next byte.
  ///
  /// - Throws: ``DecodeError`` with code `truncated` at the end.
  public mutating func byte(_ field: String) throws(DecodeError) -> UInt8 {
    guard let byte = next() else { throw error(.truncated, field) }
    return byte
  }

  /// The next bytes.
  ///
  /// - Throws: ``DecodeError`` with code `truncated`, at the end, when fewer are left.
  public mutating func take(
    _ count: Int, _ field: String
  ) throws(DecodeError) -> ArraySlice<UInt8> {
    guard let taken = next(count) else { throw DecodeError(.truncated, at: end, field: field) }
    return taken
  }
}
