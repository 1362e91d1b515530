public import Care

extension DataKind {
  /// What of people a plugin's grant shows in events and answers.
  public static func shown(by grant: String) -> Set<DataKind> {
    switch grant {
    case "contacts": [.contacts]
    case "health": [.health]
    case "messages": [.messages]
    case "notes": [.notes]
    case "places": [.places]
    case "position.precise": [.position, .places]
    case "content.personal": [.contacts, .health, .messages, .notes]
    default: []
    }
  }

  /// What of people a grant to ask shows beside, in the answers alone. Where somebody is, is exact at home with
  /// `position.precise` only.
  public static func shownInAnswers(by grant: String) -> Set<DataKind> {
    switch grant {
    case "read:position": [.places]
    case "read:health", "read:routine": [.health]
    case "read:messages": [.messages]
    case "read:notes": [.notes]
    case "read:contacts": [.contacts]
    default: shown(by: grant)
    }
  }
}

extension Clearance {
  /// What a plugin may see of events.
  public init(grants: Set<String>) {
    self.init(grants.reduce(into: []) { $0.formUnion(DataKind.shown(by: $1)) })
  }

  /// What a plugin may see of answers to what it asks.
  public init(asking grants: Set<String>) {
    self.init(grants.reduce(into: []) { $0.formUnion(DataKind.shownInAnswers(by: $1)) })
  }

  /// Everything.
  public static let everything = Clearance(Set(DataKind.allCases))
}
