/// A key of 128 bits: what turns a changing address into a known one, or opens what a sensor sends.
///
/// Its bytes stand in the order in which AES takes them, the highest first. It shows itself to nobody by accident: only
/// ``hexadecimal`` tells it.
public struct AES128Key: Hashable, Sendable {
  /// The 16 bytes.
  public let bytes: [UInt8]

  /// A key from its bytes; nil unless there are 16.
  public init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 16 else { return nil }
    self.bytes = Array(bytes)
  }

  /// A key as written, 32 hexadecimal digits in either case; nil when it is none.
  public init?(_ text: some StringProtocol) {
    guard let bytes = Hexadecimal.bytes(text) else { return nil }
    self.init(bytes: bytes)
  }

  /// The key in 32 digits of lower case: for the place where it is kept, never for a log.
  public var hexadecimal: String { Hexadecimal.text(bytes) }

  /// The same bytes in the other order: some programs show identity resolving keys as they are sent, the lowest first.
  public var reversed: AES128Key { Self(reversing: self) }

  private init(reversing other: AES128Key) { bytes = other.bytes.reversed() }
}

extension AES128Key: CustomStringConvertible, CustomDebugStringConvertible {
  /// That it is a key, and nothing of it.
  public var description: String { "AES128Key(hidden)" }
  /// That it is a key, and nothing of it.
  public var debugDescription: String { description }
}
