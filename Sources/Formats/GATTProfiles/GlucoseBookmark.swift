public import Bytes
public import JSON

/// How far a meter's records have been fetched: what a collector has to remember from one session to the next.
public struct GlucoseBookmark: Hashable, Sendable {
  /// A record's number with its base time. The number is 0 for meters that number from the newest.
  public struct Key: Hashable, Sendable {
    /// The record's number.
    public var sequence: UInt16
    /// The base time.
    public var baseTime: DateTime

    /// A key from its parts.
    public init(sequence: UInt16, baseTime: DateTime) {
      self.sequence = sequence
      self.baseTime = baseTime
    }
  }

  /// So many records are remembered by key; meters hold fewer.
  public static let knownLimit = 1000
  /// So many records may wait for a second try at their context.
  public static let incompleteLimit = 64

  /// The record up to which nothing is missing; nil before the first.
  public internal(set) var newest: Key?
  /// Records that were handed out, oldest first.
  public private(set) var known: [Key] = []
  /// Records handed out without the context that was announced; they are asked for once more.
  public private(set) var incomplete: [Key] = []
  /// How often the meter's numbers began anew.
  public internal(set) var restarts: Int64 = 0

  /// A bookmark of a meter that nothing was fetched from.
  public init() {}

  mutating func remember(_ key: Key) {
    known.append(key)
    if known.count > Self.knownLimit { known.removeFirst(known.count - Self.knownLimit) }
  }

  mutating func setIncomplete(_ key: Key, _ isIncomplete: Bool) {
    incomplete.removeAll { $0 == key }
    if isIncomplete, incomplete.count < Self.incompleteLimit { incomplete.append(key) }
  }
}

extension GlucoseBookmark: JSONCodable {
  /// Reads a bookmark as engine rows hold it.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    newest = try reader.optional("newest").map { value throws(DecodeError) in try Key(json: value) }
    known = Array(
      try reader.list("known") { value throws(DecodeError) in try Key(json: value) }
        .suffix(Self.knownLimit))
    incomplete = Array(
      try reader.list("incomplete") { value throws(DecodeError) in try Key(json: value) }
        .prefix(Self.incompleteLimit))
    restarts = try reader.optionalInteger("restarts") ?? 0
    guard (0...Int64(Int32.max)).contains(restarts) else {
      throw reader.error(.outOfRange, "restarts")
    }
  }

  /// The bookmark as engine rows hold it.
  public var json: JSONValue {
    .object([
      "newest": newest?.json, "known": .array(known.map(\.json)),
      "incomplete": incomplete.isEmpty ? nil : .array(incomplete.map(\.json)),
      "restarts": restarts == 0 ? nil : .integer(restarts),
    ])
  }
}

extension GlucoseBookmark.Key: JSONCodable {
  /// Reads `[number, base time as one number]`.
  public init(json: JSONValue) throws(DecodeError) {
    guard let parts = json.arrayContent, parts.count == 2,
      let sequence = parts[0].integerContent.flatMap(UInt16.init(exactly:)),
      let packed = parts[1].integerContent.flatMap(UInt64.init(exactly:)), packed < 1 << 56
    else { throw DecodeError(.wrongType, at: 0, field: "key") }
    self.init(sequence: sequence, baseTime: DateTime(packed: packed))
  }

  /// `[number, base time as one number]`.
  public var json: JSONValue {
    .array([
      .integer(Int64(sequence)), .integer(Int64(truncatingIfNeeded: baseTime.packed)),
    ])
  }
}
