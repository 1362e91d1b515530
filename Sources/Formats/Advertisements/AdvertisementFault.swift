public import Bytes
public import Texts

/// Why bytes from the radio could not be read, where, and what should have stood there.
public struct AdvertisementFault: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of fault.
  public var code: DecodeError.Code
  /// Offset of the byte concerned from the start of what was read, 0-based; the length where the bytes end too early.
  public var offset: Int
  /// What was expected there, in a plain sentence.
  public var expected: Message

  /// A fault from its parts.
  public init(_ code: DecodeError.Code, at offset: Int, _ expected: Message) {
    self.code = code
    self.offset = offset
    self.expected = expected
  }

  /// The fault without its sentence, as other codecs tell theirs.
  public var decodeError: DecodeError { DecodeError(code, at: offset) }

  /// The fault in words.
  public var description: String { "\(code.rawValue) at byte \(offset): \(expected)" }
}
