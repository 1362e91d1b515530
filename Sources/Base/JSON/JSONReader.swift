public import Bytes

/// Reads the members of a JSON object into typed values, naming the member that does not fit.
public struct JSONReader: Sendable {
  private let members: [JSONMember]
  private let path: String

  /// A reader over an object.
  ///
  /// - Throws: ``DecodeError`` with code `wrongType` when `value` is no object; `path` is the name used in errors.
  public init(_ value: JSONValue, path: String = "") throws(DecodeError) {
    guard case .object(let members) = value else {
      throw DecodeError(.wrongType, at: 0, field: path.isEmpty ? nil : path)
    }
    self.members = members
    self.path = path
  }

  /// The names of all members, in order.
  public var names: [String] { members.map(\.key) }

  /// The member, or nil when it is missing or `null`.
  public func optional(_ name: String) -> JSONValue? {
    let value = members.first { $0.key == name }?.value
    return value == .null ? nil : value
  }

  /// The member.
  ///
  /// - Throws: ``DecodeError`` with code `missingField`.
  public func required(_ name: String) throws(DecodeError) -> JSONValue {
    guard let value = optional(name) else { throw error(.missingField, name) }
    return value
  }

  /// The member as text, or nil when it is missing.
  public func optionalString(_ name: String) throws(DecodeError) -> String? {
    try converted(name) { $0.stringContent }
  }

  /// The member as text.
  public func string(_ name: String) throws(DecodeError) -> String {
    try present(name, optionalString(name))
  }

  /// The member as a finite number, or nil when it is missing.
  public func optionalDouble(_ name: String) throws(DecodeError) -> Double? {
    try converted(name) { $0.doubleContent }
  }

  /// The member as a finite number.
  public func double(_ name: String) throws(DecodeError) -> Double {
    try present(name, optionalDouble(name))
  }

  /// The member as a whole number, or nil when it is missing.
  public func optionalInteger(_ name: String) throws(DecodeError) -> Int64? {
    try converted(name) { $0.integerContent }
  }

  /// The member as a whole number.
  public func integer(_ name: String) throws(DecodeError) -> Int64 {
    try present(name, optionalInteger(name))
  }

  /// The member as a number of things that are counted on: 0 through 2,147,483,647, which is what a larger one becomes.
  ///
  /// What stands in a file that was damaged, or comes from a peer, must not be the number that has no successor.
  public func count(_ name: String) throws(DecodeError) -> Int64 { Self.counted(try integer(name)) }

  /// The member as such a number, or nil when it is missing.
  public func optionalCount(_ name: String) throws(DecodeError) -> Int64? {
    try optionalInteger(name).map { Self.counted($0) }
  }

  private static func counted(_ number: Int64) -> Int64 { min(max(0, number), Int64(Int32.max)) }

  /// The member as a truth value, or nil when it is missing.
  public func optionalBool(_ name: String) throws(DecodeError) -> Bool? {
    try converted(name) { $0.boolContent }
  }

  /// The member as a truth value.
  public func bool(_ name: String) throws(DecodeError) -> Bool {
    try present(name, optionalBool(name))
  }

  /// The member as an array; a missing one reads as empty.
  public func array(_ name: String) throws(DecodeError) -> [JSONValue] {
    try converted(name) { $0.arrayContent } ?? []
  }

  /// The member as an array, each element converted; a missing one reads as empty.
  public func list<Element>(
    _ name: String, _ convert: (JSONValue) throws(DecodeError) -> Element
  ) throws(DecodeError) -> [Element] {
    var elements: [Element] = []
    for value in try array(name) { elements.append(try convert(value)) }
    return elements
  }

  /// The member as texts; a missing one reads as none.
  public func strings(_ name: String) throws(DecodeError) -> [String] {
    try list(name) { value throws(DecodeError) in
      guard let text = value.stringContent else { throw error(.wrongType, name) }
      return text
    }
  }

  /// A reader over the member, or nil when it is missing.
  public func optionalObject(_ name: String) throws(DecodeError) -> JSONReader? {
    guard let value = optional(name) else { return nil }
    return try JSONReader(value, path: qualified(name))
  }

  /// A reader over the member.
  public func object(_ name: String) throws(DecodeError) -> JSONReader {
    try JSONReader(required(name), path: qualified(name))
  }

  /// The member as one of an enumeration's words, or nil when it is missing.
  public func optionalWord<Word: RawRepresentable>(
    _ name: String, as type: Word.Type
  ) throws(DecodeError) -> Word? where Word.RawValue == String {
    guard let text = try optionalString(name) else { return nil }
    guard let word = Word(rawValue: text) else { throw error(.unknownWord, name) }
    return word
  }

  /// The member as one of an enumeration's words.
  public func word<Word: RawRepresentable>(
    _ name: String, as type: Word.Type
  ) throws(DecodeError) -> Word where Word.RawValue == String {
    try present(name, optionalWord(name, as: type))
  }

  /// Refuses members that are not among `known`.
  public func refuseUnknown(besides known: [String]) throws(DecodeError) {
    for member in members where !known.contains(member.key) {
      throw error(.unknownWord, member.key)
    }
  }

  /// A fault about one member.
  public func error(_ code: DecodeError.Code, _ name: String) -> DecodeError {
    DecodeError(code, at: 0, field: qualified(name))
  }

  private func qualified(_ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }

  private func converted<Content>(
    _ name: String, _ convert: (JSONValue) -> Content?
  ) throws(DecodeError) -> Content? {
    guard let value = optional(name) else { return nil }
    guard let content = convert(value) else { throw error(.wrongType, name) }
    return content
  }

  private func present<Content>(
    _ name: String, _ content: Content?
  ) throws(DecodeError) -> Content {
    guard let content else { throw error(.missingField, name) }
    return content
  }
}
