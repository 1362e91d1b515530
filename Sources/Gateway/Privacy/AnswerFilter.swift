public import Care
public import JSON

/// Takes out of answers what a plugin was not granted to know, as ``PrivacyFilter`` does with events.
public enum AnswerFilter {
  /// Whether plugins can be answered a question at all.
  ///
  /// - Parameter declared: what the question says of its answer itself.
  public static func knows(_ route: String, _ declared: [String: Disclosure]?) -> Bool {
    members(of: route, declared) != nil
  }

  private static func members(
    of route: String, _ declared: [String: Disclosure]?
  ) -> AnswerMembers.Kind? {
    AnswerMembers.of(route) ?? declared.map { .members($0) }
  }

  /// What of an answer may leave.
  ///
  /// - Parameters:
  ///   - route: the question's name, such as `zones.list`.
  ///   - declared: what the question says of its answer itself.
  ///   - filter: the homes near which positions are displaced.
  public static func filtered(
    _ answer: JSONValue, to route: String, _ declared: [String: Disclosure]?,
    _ clearance: Clearance, _ filter: PrivacyFilter
  ) -> JSONValue {
    switch members(of: route, declared) {
    case nil: .null
    case .events: answer
    case .members(let known): scrubbed(answer, known, clearance, filter)
    case .each(let disclosure):
      scrubbed(
        answer,
        Dictionary(
          (answer.objectContent ?? []).map { ($0.key, disclosure) }, uniquingKeysWith: { $1 }),
        clearance, filter)
    }
  }

  /// Of a list each element by itself: what its sentences tell depends on what it is about.
  private static func scrubbed(
    _ answer: JSONValue, _ known: [String: Disclosure], _ clearance: Clearance,
    _ filter: PrivacyFilter
  ) -> JSONValue {
    if case .array(let elements) = answer {
      return .array(elements.map { scrubbed($0, known, clearance, filter) })
    }
    var scrubber = EventScrubber(discs: filter.discs, clearance: clearance, facts: answer)
    return scrubber.scrubbed(answer, known) ?? .null
  }

  /// Members of an answer that are not known, at any depth; empty for all that the gateway makes.
  public static func unknownMembers(
    of answer: JSONValue, to route: String, _ declared: [String: Disclosure]?
  ) -> [String] {
    guard case .members(let known) = members(of: route, declared) else { return [] }
    return EventScrubber(discs: [], clearance: Clearance(), facts: answer)
      .unknown(in: answer, known).map { "\(route): \($0)" }
  }
}
