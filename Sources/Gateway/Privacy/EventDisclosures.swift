public import Care

/// What the facts of each type of event tell, from what is declared of them: the list of what may leave.
///
/// What is not declared leaves towards no plugin.
public struct EventDisclosures: Hashable, Sendable {
  private let types: [EventType: [String: Disclosure]]

  /// What is declared.
  public init(_ events: [EventDeclaration]) {
    types = Dictionary(
      events.map { ($0.type, $0.members) }, uniquingKeysWith: { first, _ in first })
  }

  /// What the facts of a type tell; nil for a type that nobody declared.
  func members(of type: EventType) -> [String: Disclosure]? { types[type] }
}
