/// Why bytes from outside could not be read, and where.
public struct DecodeError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The kind of fault.
  public enum Code: String, Hashable, Sendable {
    /// The bytes end before the value does.
    case truncated
    /// A byte stands where it may not.
    case unexpectedByte = "unexpected byte"
    /// A number, date or length is outside its range.
    case outOfRange = "out of range"
    /// Text is not valid UTF-8 or has an invalid escape.
    case invalidText = "invalid text"
    /// Nesting or size is beyond the limit.
    case tooLarge = "too large"
    /// An object names a member twice.
    case duplicateKey = "duplicate key"
    /// A required field is missing.
    case missingField = "missing field"
    /// A field has another type than it must.
    case wrongType = "wrong type"
    /// A field holds a word that is not known.
    case unknownWord = "unknown word"
    /// A checksum does not match.
    case checksum
  }

  /// The kind of fault.
  public var code: Code
  /// Offset of the offending byte from the start of the input, 0-based.
  public var offset: Int
  /// The field concerned, where one is known.
  public var field: String?

  /// A fault at an offset.
  public init(_ code: Code, at offset: Int, field: String? = nil) {
    self.code = code
    self.offset = offset
    self.field = field
  }

  /// The fault in words, such as `missing field "latitude" at byte 12`.
  public var description: String {
    let name = field.map { " \"\($0)\"" } ?? ""
    return "\(code.rawValue)\(name) at byte \(offset)"
  }
}
