public import CivilTime
public import GlucoseValues
public import JSON
public import Moments
public import Texts

/// Which report, of whom, from when to when, and how it is written.
public struct ReportRequest: Hashable, Sendable {
  /// What a report is for.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// For those who treat somebody.
    case doctor
    /// For those who care: what happened.
    case week
    /// For the police, when somebody is missing.
    case missing
  }

  /// Which one.
  public var kind: Kind
  /// Whose.
  public var resident: String
  /// From when on.
  public var since: Timestamp
  /// Until when.
  public var until: Timestamp
  /// Where the resident lives.
  public var zone: CivilTimeZone
  /// In which unit levels of glucose are written; nil for the one of the newest.
  public var unit: GlucoseUnit?
  /// In which language.
  public var language: Language
  /// When it is made.
  public var now: Timestamp

  /// A request from its parts.
  public init(
    _ kind: Kind, of resident: String, since: Timestamp, until: Timestamp, zone: CivilTimeZone,
    unit: GlucoseUnit? = nil, language: Language, now: Timestamp
  ) {
    self.kind = kind
    self.resident = resident
    self.since = since
    self.until = until
    self.zone = zone
    self.unit = unit
    self.language = language
    self.now = now
  }

  /// A question to the gateway.
  public struct Question: Hashable, Sendable {
    /// Its name, also that of its answer.
    public var route: String
    /// What it takes.
    public var params: JSONValue
    /// Whether it is answered in parts, all of which are wanted.
    public var isList: Bool
  }

  /// What has to be asked before it can be made.
  public var questions: [Question] {
    let one: JSONValue = ["resident": .string(resident)]
    let period = one.setting("since", to: .string(since.iso8601))
      .setting("until", to: .string(until.iso8601)).setting("limit", to: 1000)
    func whole(_ route: String) -> Question { Question(route: route, params: one, isList: false) }
    func list(_ route: String, _ params: JSONValue) -> Question {
      Question(route: route, params: params, isList: true)
    }
    switch kind {
    case .doctor:
      return [
        whole("residents.list"), whole("profile.get"), list("glucose.query", period),
        whole("routine.list"), list("occurrences.query", period),
        list("notes.query", period.setting("kind", to: "diary")),
      ]
    case .week:
      return [
        whole("residents.list"), list("glucose.query", period), whole("routine.list"),
        list("occurrences.query", period),
        list("events.query", period.setting("types", to: ["alarm", "zone"])),
      ]
    case .missing:
      return [
        whole("residents.list"), whole("profile.get"), whole("bookmarks.list"),
        whole("guidance.places"), whole("routine.list"), whole("guardians.list"),
        list("notes.query", one.setting("kind", to: "portrait").setting("limit", to: 1)),
      ]
    }
  }
}

/// What the gateway answered: whole lists, and reasons where it did not answer.
public struct ReportAnswers: Hashable, Sendable {
  private var answers: [String: JSONValue] = [:]
  private var refusals: [String: String] = [:]

  /// Nothing yet.
  public init() {}

  /// Takes an answer, or one more part of it.
  public mutating func add(_ answer: JSONValue, to route: String) {
    guard let known = answers[route]?.arrayContent, let more = answer.arrayContent else {
      answers[route] = answer
      return
    }
    answers[route] = .array(known + more)
  }

  /// Takes an answer in the place of the one that there is.
  public mutating func replace(_ route: String, by answer: JSONValue) { answers[route] = answer }

  /// Takes that there is none, and why.
  public mutating func refuse(_ route: String, because words: String) { refusals[route] = words }

  /// An answer; null where there is none.
  public subscript(_ route: String) -> JSONValue { answers[route] ?? .null }

  /// The elements of an answer that is a list.
  public func list(_ route: String) -> [JSONValue] { self[route].arrayContent ?? [] }

  /// Why there is none; nil where there is one, or it was not asked for.
  public func refusal(_ route: String) -> String? { refusals[route] }
}
