public import JSON

/// What an event's facts hold under one name: how it looks, what it tells of whom, and what it means.
///
/// A number's unit stands at the end of its name, as in `distanceMeters`.
public struct EventFact: Hashable, Sendable {
  /// Its name.
  public let name: String
  /// How it looks.
  public let shape: JSONShape
  /// What it means, in English.
  public let words: String
  /// What it tells, and so which plugins may see it.
  public private(set) var disclosure: Disclosure
  /// Whether it may be absent.
  public private(set) var isOptional = false

  /// A fact that tells nothing of people and has to be there; see ``optional``, and the lists below for what tells more.
  public init(
    _ name: String, _ shape: JSONShape, _ words: String, disclosure: Disclosure = .plain
  ) {
    self.name = name
    self.shape = shape
    self.words = words
    self.disclosure = disclosure
  }

  /// The same, which may be absent, or null.
  public var optional: EventFact {
    var fact = self
    fact.isOptional = true
    return fact
  }

  /// The same, of which nothing inside tells of people.
  public var plain: EventFact { telling(.plain) }

  fileprivate func telling(_ disclosure: Disclosure) -> EventFact {
    var fact = self
    fact.disclosure = disclosure
    return fact
  }
}

// MARK: Kinds of facts

extension EventFact {
  /// A text.
  public static func text(_ name: String, _ words: String) -> EventFact {
    EventFact(name, .text, words)
  }

  /// One of a few words.
  public static func word(_ name: String, _ choices: [String], _ words: String) -> EventFact {
    EventFact(name, .words(choices), words)
  }

  /// One of the words of an enumeration.
  public static func word<Word: RawRepresentable & CaseIterable>(
    _ name: String, of type: Word.Type, _ words: String
  ) -> EventFact where Word.RawValue == String {
    EventFact(name, .words(of: type), words)
  }

  /// True or false.
  public static func flag(_ name: String, _ words: String) -> EventFact {
    EventFact(name, .flag, words)
  }

  /// A whole number, 0 or more.
  public static func whole(_ name: String, _ words: String) -> EventFact {
    EventFact(name, .whole(0...Int64(1) << 53), words)
  }

  /// A number.
  public static func number(_ name: String, _ words: String) -> EventFact {
    EventFact(name, .number, words)
  }

  /// A time: ISO 8601 in UTC.
  public static func time(_ name: String, _ words: String) -> EventFact {
    EventFact(name, .time, words)
  }

  /// Texts.
  public static func texts(_ name: String, _ words: String) -> EventFact {
    EventFact(name, .texts, words)
  }

  /// An object, whose members are told apart.
  public static func object(_ name: String, _ facts: [EventFact], _ words: String) -> EventFact {
    EventFact(name, facts.shape, words, disclosure: .members(facts.disclosures))
  }

  /// Objects, whose members are told apart.
  public static func objects(_ name: String, _ facts: [EventFact], _ words: String) -> EventFact {
    EventFact(name, .list(facts.shape), words, disclosure: .members(facts.disclosures))
  }

  /// What a command changed: a record of the kind that the action names.
  public static func record(_ name: String, _ words: String) -> EventFact {
    EventFact(name, .anything, words, disclosure: .record)
  }

  /// What happened, as a person would say it.
  public static let explanation = EventFact(
    "explanation", .text,
    "What happened, in one sentence; in the resident's language, or the gateway's where it is about none."
  )

  /// Who asked for it, as `channel:name`.
  public static let by = EventFact("by", .text, "Who did it.", disclosure: .kinds([.contacts]))
}

// MARK: What facts tell

extension [EventFact] {
  /// Facts that tell of all of these kinds.
  public static func kinds(_ kinds: Set<DataKind>, _ facts: [EventFact]) -> Self {
    facts.map { $0.telling(.kinds(kinds)) }
  }

  /// Facts that tell who guards somebody, or who asked for something.
  public static func contacts(_ facts: [EventFact]) -> Self { kinds([.contacts], facts) }

  /// Facts that tell of glucose, medicine or the routine.
  public static func health(_ facts: [EventFact]) -> Self { kinds([.health], facts) }

  /// Facts that hold what people say to each other.
  public static func messages(_ facts: [EventFact]) -> Self { kinds([.messages], facts) }

  /// Facts that name zones, rooms or things.
  public static func places(_ facts: [EventFact]) -> Self { kinds([.places], facts) }

  /// Facts that tell exactly where somebody is or lives.
  public static func exact(_ facts: [EventFact]) -> Self { kinds([.position], facts) }

  /// A sentence about an alarm.
  public static func alarmSentence(namesGuardians: Bool, _ facts: [EventFact]) -> Self {
    facts.map { $0.telling(.alarmSentence(namesGuardians: namesGuardians)) }
  }

  /// Sentences about a part that fails.
  public static func faultSentence(_ facts: [EventFact]) -> Self {
    facts.map { $0.telling(.faultSentence) }
  }

  /// A position.
  public static let position: Self = [
    EventFact("latitude", .number(-90...90), "Degrees north (WGS 84).", disclosure: .coordinate),
    EventFact("longitude", .number(-180...180), "Degrees east (WGS 84).", disclosure: .coordinate),
    EventFact(
      "accuracyMeters", .number, "The error that the receiver estimates.",
      disclosure: .measure
    ).optional,
  ]

  /// What each tells, by name.
  public var disclosures: [String: Disclosure] {
    Dictionary(map { ($0.name, $0.disclosure) }, uniquingKeysWith: { _, later in later })
  }

  /// The object that they are the members of.
  public var shape: JSONShape {
    .object(
      map {
        let member = JSONShape.Member($0.name, $0.shape)
        return $0.isOptional ? member.optional : member
      })
  }

  /// The same, each of which may be absent.
  public var optional: Self { map(\.optional) }
}

/// A type of event as the engine declares it that makes it: what it means, and what stands in it. What is not declared
/// leaves towards no plugin.
public struct EventDeclaration: Hashable, Sendable {
  /// Whom an event is about.
  public enum Subject: Hashable, Sendable {
    /// A resident.
    case resident
    /// The gateway.
    case gateway
    /// A resident, or the gateway where it is about all of them or nobody who is known.
    case either
  }

  /// The type.
  public let type: EventType
  /// How it is kept and forwarded; several where it depends on what happened.
  public let lanes: [Lane]
  /// Whom it is about.
  public let subject: Subject
  /// What it means, in one English sentence.
  public let words: String
  /// What its `data` holds.
  public let facts: [EventFact]

  /// A declaration from its parts.
  public init(
    _ type: EventType, _ lanes: [Lane], about subject: Subject = .resident, _ words: String,
    _ facts: [EventFact]...
  ) {
    self.type = type
    self.lanes = lanes
    self.subject = subject
    self.words = words
    self.facts = facts.flatMap { $0 }
  }

  /// What each of its facts tells.
  public var members: [String: Disclosure] { facts.disclosures }
}
