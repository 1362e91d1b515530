import JSON

/// A small coder over `Codable`, from and to JSON values, as it would be if values were not coded by hand: measured, not used.
enum ValueCoder {
  static func encode(_ value: some Encodable) throws -> JSONValue {
    let encoder = ValueEncoder(codingPath: [])
    try value.encode(to: encoder)
    return encoder.box.value
  }

  static func decode<Value: Decodable>(_: Value.Type, from json: JSONValue) throws -> Value {
    try Value(from: ValueDecoder(json: json, codingPath: []))
  }
}

/// What a container writes into.
private final class Box {
  private var single: JSONValue = .null
  private var members: [(key: String, box: Box)]?
  private var elements: [Box]?

  var value: JSONValue {
    if let members {
      return .object(members.map { JSONMember(key: $0.key, value: $0.box.value) })
    }
    if let elements { return .array(elements.map(\.value)) }
    return single
  }

  func set(_ value: JSONValue) { single = value }
  func becomeObject() { members = members ?? [] }
  func becomeArray() { elements = elements ?? [] }
  var count: Int { elements?.count ?? 0 }

  func member(_ key: String) -> Box {
    let box = Box()
    members?.append((key, box))
    return box
  }

  func element() -> Box {
    let box = Box()
    elements?.append(box)
    return box
  }
}

private struct ValueEncoder: Encoder {
  let box: Box
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  init(box: Box = Box(), codingPath: [any CodingKey]) {
    self.box = box
    self.codingPath = codingPath
  }

  func container<Key: CodingKey>(keyedBy: Key.Type) -> KeyedEncodingContainer<Key> {
    box.becomeObject()
    return KeyedEncodingContainer(Members(box: box, codingPath: codingPath))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    box.becomeArray()
    return Elements(box: box, codingPath: codingPath)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer {
    Single(box: box, codingPath: codingPath)
  }

  /// Writes a value; those that JSON knows need no container.
  static func write(_ value: some Encodable, to box: Box, at path: [any CodingKey]) throws {
    switch value {
    case let text as String: box.set(.string(text))
    case let number as Int: box.set(.integer(Int64(number)))
    case let number as Int64: box.set(.integer(number))
    case let number as Double: box.set(.number(number))
    case let flag as Bool: box.set(.bool(flag))
    default: try value.encode(to: ValueEncoder(box: box, codingPath: path))
    }
  }

  private struct Members<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let box: Box
    let codingPath: [any CodingKey]

    mutating func encodeNil(forKey key: Key) { box.member(key.stringValue).set(.null) }
    mutating func encode(_ value: some Encodable, forKey key: Key) throws {
      try write(value, to: box.member(key.stringValue), at: codingPath + [key])
    }
    mutating func nestedContainer<Nested: CodingKey>(
      keyedBy: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> { inner(key).container(keyedBy: Nested.self) }
    mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
      inner(key).unkeyedContainer()
    }
    mutating func superEncoder() -> any Encoder { ValueEncoder(box: box, codingPath: codingPath) }
    mutating func superEncoder(forKey key: Key) -> any Encoder { inner(key) }
    private func inner(_ key: Key) -> ValueEncoder {
      ValueEncoder(box: box.member(key.stringValue), codingPath: codingPath + [key])
    }
  }

  private struct Elements: UnkeyedEncodingContainer {
    let box: Box
    let codingPath: [any CodingKey]
    var count: Int { box.count }

    mutating func encodeNil() { box.element().set(.null) }
    mutating func encode(_ value: some Encodable) throws {
      try write(value, to: box.element(), at: codingPath)
    }
    mutating func nestedContainer<Nested: CodingKey>(
      keyedBy: Nested.Type
    ) -> KeyedEncodingContainer<Nested> { inner.container(keyedBy: Nested.self) }
    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
      inner.unkeyedContainer()
    }
    mutating func superEncoder() -> any Encoder { inner }
    private var inner: ValueEncoder { ValueEncoder(box: box.element(), codingPath: codingPath) }
  }

  private struct Single: SingleValueEncodingContainer {
    let box: Box
    let codingPath: [any CodingKey]

    mutating func encodeNil() { box.set(.null) }
    mutating func encode(_ value: some Encodable) throws {
      try write(value, to: box, at: codingPath)
    }
  }
}

private struct ValueDecoder: Decoder {
  let json: JSONValue
  let codingPath: [any CodingKey]
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard json.objectContent != nil else { throw Self.fault("an object", codingPath) }
    return KeyedDecodingContainer(Members(json: json, codingPath: codingPath))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard let elements = json.arrayContent else { throw Self.fault("a list", codingPath) }
    return Elements(elements: elements, codingPath: codingPath)
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer {
    Single(json: json, codingPath: codingPath)
  }

  static func fault(_ wanted: String, _ path: [any CodingKey]) -> DecodingError {
    .dataCorrupted(.init(codingPath: path, debugDescription: "it must be \(wanted)"))
  }

  static func read<Value: Decodable>(
    _: Value.Type, from json: JSONValue, at path: [any CodingKey]
  ) throws -> Value {
    func known<Known>(_ content: Known?, _ wanted: String) throws -> Value {
      guard let value = content as? Value else { throw fault(wanted, path) }
      return value
    }
    switch Value.self {
    case is String.Type: return try known(json.stringContent, "a text")
    case is Int.Type: return try known(json.integerContent.map { Int($0) }, "a whole number")
    case is Int64.Type: return try known(json.integerContent, "a whole number")
    case is Double.Type: return try known(json.doubleContent, "a number")
    case is Bool.Type: return try known(json.boolContent, "true or false")
    default: return try Value(from: ValueDecoder(json: json, codingPath: path))
    }
  }

  private struct Members<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let json: JSONValue
    let codingPath: [any CodingKey]
    var allKeys: [Key] { (json.objectContent ?? []).compactMap { Key(stringValue: $0.key) } }

    func contains(_ key: Key) -> Bool { json[key.stringValue] != nil }
    func decodeNil(forKey key: Key) -> Bool { (json[key.stringValue] ?? .null) == .null }
    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
      try read(type, from: try content(key), at: codingPath + [key])
    }
    func nestedContainer<Nested: CodingKey>(
      keyedBy: Nested.Type, forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> { try inner(key).container(keyedBy: Nested.self) }
    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
      try inner(key).unkeyedContainer()
    }
    func superDecoder() -> any Decoder { ValueDecoder(json: json, codingPath: codingPath) }
    func superDecoder(forKey key: Key) throws -> any Decoder { try inner(key) }

    private func content(_ key: Key) throws -> JSONValue {
      guard let content = json[key.stringValue] else {
        throw DecodingError.keyNotFound(
          key, .init(codingPath: codingPath, debugDescription: "it is missing"))
      }
      return content
    }
    private func inner(_ key: Key) throws -> ValueDecoder {
      ValueDecoder(json: try content(key), codingPath: codingPath + [key])
    }
  }

  private struct Elements: UnkeyedDecodingContainer {
    let elements: [JSONValue]
    let codingPath: [any CodingKey]
    var currentIndex = 0
    var count: Int? { elements.count }
    var isAtEnd: Bool { currentIndex >= elements.count }

    init(elements: [JSONValue], codingPath: [any CodingKey]) {
      self.elements = elements
      self.codingPath = codingPath
    }

    mutating func decodeNil() throws -> Bool {
      guard !isAtEnd, elements[currentIndex] == .null else { return false }
      currentIndex += 1
      return true
    }
    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
      try read(type, from: try next(), at: codingPath)
    }
    mutating func nestedContainer<Nested: CodingKey>(
      keyedBy: Nested.Type
    ) throws -> KeyedDecodingContainer<Nested> { try inner().container(keyedBy: Nested.self) }
    mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
      try inner().unkeyedContainer()
    }
    mutating func superDecoder() throws -> any Decoder { try inner() }

    private mutating func next() throws -> JSONValue {
      guard !isAtEnd else { throw fault("one element more", codingPath) }
      defer { currentIndex += 1 }
      return elements[currentIndex]
    }
    private mutating func inner() throws -> ValueDecoder {
      ValueDecoder(json: try next(), codingPath: codingPath)
    }
  }

  private struct Single: SingleValueDecodingContainer {
    let json: JSONValue
    let codingPath: [any CodingKey]

    func decodeNil() -> Bool { json == .null }
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
      try read(type, from: json, at: codingPath)
    }
  }
}
