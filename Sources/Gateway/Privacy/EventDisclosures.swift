public import Care

/// What the facts of each type of event tell, from what is declared of them: the list of what may leave.
///
/// What is not declared leaves towards no plugin but one that may see everything.
public struct EventDisclosures: Hashable, Sendable {
  private let types: [EventType: [String: Disclosure]]
  private let whole: Set<EventType>

  /// What is declared.
  public init(_ events: [EventDeclaration]) {
    types = Dictionary(
      events.map { ($0.type, $0.members) }, uniquingKeysWith: { first, _ in first })
    whole = Set(types.filter { Self.mayLeaveWhole($0.value) }.keys)
  }

  /// What the facts of a type tell; nil for a type that nobody declared.
  func members(of type: EventType) -> [String: Disclosure]? { types[type] }

  /// Whether whoever may see all kinds of data sees the events of a type as they are stored.
  func mayLeaveWhole(_ type: EventType) -> Bool { whole.contains(type) }

  private static func mayLeaveWhole(_ members: [String: Disclosure]) -> Bool {
    members.values.allSatisfy { disclosure in
      switch disclosure {
      case .never, .record: false
      case .members(let inner): mayLeaveWhole(inner)
      case .plain, .kinds, .coordinate, .measure, .alarmSentence, .faultSentence, .settingValue:
        true
      }
    }
  }
}
