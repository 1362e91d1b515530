/// A JSON value (RFC 8259) that keeps the order of members and whole numbers exact.
///
/// Written here because events are stored, forwarded and replayed as exact bytes: the order of members must not change
/// from run to run, and errors from outside carry an offset.
public enum JSONValue: Hashable, Sendable {
  /// `null`.
  case null
  /// `true` or `false`.
  case bool(Bool)
  /// A number written without fraction or exponent that fits 64 bits.
  case integer(Int64)
  /// Any other finite number.
  case number(Double)
  /// A text.
  case string(String)
  /// An array.
  case array([JSONValue])
  /// An object; members in the order written.
  case object([JSONMember])

  /// An object from members; later ones with a nil value are left out.
  public static func object(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
    // Every event and row is made here: a plain loop, without the detours of two closures a member.
    var kept: [JSONMember] = []
    kept.reserveCapacity(members.count)
    for (key, content) in members {
      if let content { kept.append(JSONMember(key: key, value: content)) }
    }
    return .object(kept)
  }

  /// The member of that name, when this is an object that has it.
  public subscript(key: String) -> JSONValue? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// This object with one member set, at its old place or at the end; other kinds become an object.
  public func setting(_ key: String, to content: JSONValue) -> JSONValue {
    guard case .object(var members) = self else {
      return .object([JSONMember(key: key, value: content)])
    }
    if let index = members.firstIndex(where: { $0.key == key }) {
      members[index].value = content
    } else {
      members.append(JSONMember(key: key, value: content))
    }
    return .object(members)
  }

  /// The text, when this is a string.
  public var stringContent: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// The number, when this is a number of either kind.
  public var doubleContent: Double? {
    switch self {
    case .integer(let number): Double(number)
    case .number(let number): number
    case .null, .bool, .string, .array, .object: nil
    }
  }

  /// The whole number, when this is one (also one written as `3.0`).
  public var integerContent: Int64? {
    switch self {
    case .integer(let number): number
    case .number(let number): Int64(exactly: number)
    case .null, .bool, .string, .array, .object: nil
    }
  }

  /// The truth value, when this is one.
  public var boolContent: Bool? {
    guard case .bool(let truth) = self else { return nil }
    return truth
  }

  /// The elements, when this is an array.
  public var arrayContent: [JSONValue]? {
    guard case .array(let elements) = self else { return nil }
    return elements
  }

  /// The members in order, when this is an object.
  public var objectContent: [JSONMember]? {
    guard case .object(let members) = self else { return nil }
    return members
  }
}

/// One member of a JSON object.
public struct JSONMember: Hashable, Sendable {
  /// The name.
  public var key: String
  /// The content.
  public var value: JSONValue

  /// A member from name and content.
  public init(key: String, value: JSONValue) {
    self.key = key
    self.value = value
  }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral,
  ExpressibleByFloatLiteral, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral,
  ExpressibleByDictionaryLiteral
{
  /// A string from a literal.
  public init(stringLiteral text: String) { self = .string(text) }
  /// A whole number from a literal.
  public init(integerLiteral number: Int64) { self = .integer(number) }
  /// A number from a literal.
  public init(floatLiteral number: Double) { self = .number(number) }
  /// A truth value from a literal.
  public init(booleanLiteral truth: Bool) { self = .bool(truth) }
  /// An array from a literal.
  public init(arrayLiteral elements: JSONValue...) { self = .array(elements) }
  /// An object from a literal, in the order written.
  public init(dictionaryLiteral members: (String, JSONValue)...) {
    self = .object(members.map { JSONMember(key: $0.0, value: $0.1) })
  }
}

extension JSONValue {
  /// The value as compact JSON text: no white space, members in order, shortest exact numbers.
  public var serialized: String { String(decoding: serializedBytes, as: UTF8.self) }

  /// The value as compact JSON in UTF-8. A number that is not finite is written as `null`.
  public var serializedBytes: [UInt8] {
    var text = JSONText()
    text.write(self)
    return text.bytes
  }
}
