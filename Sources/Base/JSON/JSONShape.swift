/// What a JSON value looks like: declared once beside what reads or writes it, for documents that tell others.
///
/// An object may have members that its shape does not name; what is absent may also be `null`.
public indirect enum JSONShape: Hashable, Sendable {
  /// A text that is written in some way.
  case text(Writing)
  /// One of these words.
  case words([String])
  /// A whole number, within these bounds where there are any.
  case whole(ClosedRange<Int64>?)
  /// A number, within these bounds where there are any.
  case number(ClosedRange<Double>?)
  /// True or false.
  case flag
  /// Any number of one shape.
  case list(JSONShape)
  /// An object; with a name where several places have the same.
  case object(name: String?, [Member])
  /// One of several shapes.
  case either([JSONShape])
  /// `null`.
  case null
  /// Whatever is sensible there.
  case anything

  /// How a text is written.
  public struct Writing: Hashable, Sendable {
    /// What JSON Schema calls it, such as `date-time`; nil where it knows no word for it.
    public let format: String?
    /// A regular expression that it fits; nil for any text.
    public let pattern: String?
    /// One that is right.
    public let example: String

    /// A way of writing.
    public init(format: String? = nil, pattern: String? = nil, example: String) {
      self.format = format
      self.pattern = pattern
      self.example = example
    }
  }

  /// A member of an object, or a parameter.
  public struct Member: Hashable, Sendable {
    /// Its name.
    public let name: String
    /// What it holds.
    public let shape: JSONShape
    /// Whether it may be absent.
    public private(set) var isOptional = false
    /// Whether it is judged as it comes, and neither kept, told again nor written where others read it.
    public private(set) var isSecret = false

    /// A member that has to be there.
    public init(_ name: String, _ shape: JSONShape) {
      self.name = name
      self.shape = shape
    }

    /// The same, which may be absent.
    public var optional: Member {
      var member = self
      member.isOptional = true
      return member
    }

    /// The same, which is a secret.
    public var secret: Member {
      var member = self
      member.isSecret = true
      return member
    }

    /// Its shape in JSON Schema; a secret is given, and never told.
    ///
    /// - Source: JSON Schema 2020-12, Validation, section 9.4 (`writeOnly`).
    public var schema: JSONValue {
      isSecret ? shape.schema.setting("writeOnly", to: true) : shape.schema
    }
  }
}

extension JSONShape {
  /// Any text.
  public static let text = JSONShape.text(plain)
  /// A time: ISO 8601 in UTC.
  ///
  /// - Source: RFC 3339.
  public static let time = JSONShape.text(
    Writing(format: "date-time", example: "2026-11-20T14:30:00Z"))
  /// A day of the calendar.
  public static let date = JSONShape.text(Writing(format: "date", example: "2026-11-20"))
  /// A time of no zone, as clocks show it.
  public static let localTime = JSONShape.text(
    Writing(
      pattern: "^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}(:[0-9]{2})?$",
      example: "2026-11-20T08:00"))
  /// A time of each day.
  public static let timeOfDay = JSONShape.text(
    Writing(pattern: "^[0-9]{2}:[0-9]{2}$", example: "08:00"))
  /// A time zone of the IANA.
  public static let timeZone = JSONShape.text(Writing(example: "Europe/Oslo"))
  /// A whole number.
  public static let whole = JSONShape.whole(nil)
  /// A number.
  public static let number = JSONShape.number(nil)
  /// Texts.
  public static let texts = JSONShape.list(.text)

  /// An object that stands in one place only.
  public static func object(_ members: [Member]) -> JSONShape { .object(name: nil, members) }

  /// An object with more members, under a name of its own.
  public func with(_ more: [Member], as name: String) -> JSONShape {
    guard case .object(_, let members) = self else { return self }
    return .object(name: name, members + more)
  }

  /// The words of an enumeration.
  public static func words<Word: RawRepresentable & CaseIterable>(of type: Word.Type) -> JSONShape
  where Word.RawValue == String { .words(Word.allCases.map(\.rawValue)) }
}

// MARK: JSON Schema

extension JSONShape {
  /// The shape in JSON Schema; objects that have a name stand in ``definitions``.
  ///
  /// - Source: JSON Schema 2020-12, which OpenAPI 3.1 uses.
  public var schema: JSONValue {
    switch self {
    case .text(let writing):
      .object([
        "type": "string", "format": writing.format.map { .string($0) },
        "pattern": writing.pattern.map { .string($0) },
        "examples": writing == Self.plain ? nil : [.string(writing.example)],
      ])
    case .words(let words): ["type": "string", "enum": .array(words.map { .string($0) })]
    case .whole(let range):
      .object([
        "type": "integer", "minimum": range.map { .integer($0.lowerBound) },
        "maximum": range.map { .integer($0.upperBound) },
      ])
    case .number(let range):
      .object([
        "type": "number", "minimum": range.map { .number($0.lowerBound) },
        "maximum": range.map { .number($0.upperBound) },
      ])
    case .flag: ["type": "boolean"]
    case .null: ["type": "null"]
    case .list(let element): ["type": "array", "items": element.schema]
    case .object(let name?, _): ["$ref": .string("#/components/schemas/\(name)")]
    case .object(nil, let members): Self.schema(of: members)
    case .either(let shapes): ["anyOf": .array(shapes.map(\.schema))]
    case .anything: .object([])
    }
  }

  private static let plain = Writing(example: "anna")

  private static func schema(of members: [Member]) -> JSONValue {
    let required = members.filter { !$0.isOptional }.map { JSONValue.string($0.name) }
    return .object([
      "type": "object",
      "properties": .object(members.map { JSONMember(key: $0.name, value: $0.schema) }),
      "required": required.isEmpty ? nil : .array(required),
    ])
  }

  /// The schemas of all objects in the shape that have a name, by these.
  public var definitions: [String: JSONValue] {
    switch self {
    case .text, .words, .whole, .number, .flag, .null, .anything: [:]
    case .list(let element): element.definitions
    case .either(let shapes): Self.definitions(of: shapes)
    case .object(let name, let members):
      Self.definitions(of: members.map(\.shape)).merging(
        name.map { [$0: Self.schema(of: members)] } ?? [:]
      ) { first, _ in first }
    }
  }

  /// The schemas of all objects in some shapes that have a name.
  public static func definitions(of shapes: [JSONShape]) -> [String: JSONValue] {
    shapes.reduce(into: [:]) { all, shape in
      all.merge(shape.definitions) { first, _ in first }
    }
  }
}
