/// A kind of what is known of people, as the grants of plugins name it.
public enum DataKind: String, Hashable, Sendable, CaseIterable {
  /// Who guards somebody and how they are reached: names, numbers, addresses, who asked for what.
  case contacts
  /// Glucose, medicine and the routine.
  case health
  /// What people say to each other, and the free words of settings and reasons.
  case messages
  /// Memos and the diary.
  case notes
  /// The names of zones, bookmarks, rooms and things.
  case places
  /// Where somebody is and lives, exactly; whoever may see it may see the names of places.
  case position
}

/// What a member of an event's facts, or of an answer, tells, and so which plugins may see it.
public enum Disclosure: Hashable, Sendable {
  /// Nothing of the kinds below: every plugin.
  case plain
  /// Plugins that may see all of these kinds.
  case kinds(Set<DataKind>)
  /// Half of a position, `latitude` or `longitude`: within a disc it becomes that of the disc's centre.
  case coordinate
  /// A measure of the position beside it: as long as that lies outside of every disc.
  case measure
  /// A sentence about an alarm: what it tells depends on the alarm's kind. Those that name guardians need `contacts`, too.
  case alarmSentence(namesGuardians: Bool)
  /// A sentence about a part that fails, which says by `namesPeople` whether it names people.
  case faultSentence
  /// The value of a setting: a number or a switch is plain, words are what people wrote.
  case settingValue
  /// An object, or a list of objects, whose members are told apart.
  indirect case members([String: Disclosure])
  /// What a command changed; its members are those of the kind of record that `action` names.
  case record
  /// Nobody outside of the gateway: an address that is a key at the same time.
  case never
}

extension [String: Disclosure] {
  /// Members that tell nothing of people.
  public static func plain(_ names: [String]) -> Self { all(names, .plain) }

  /// Members that tell of all of these kinds.
  public static func kinds(_ kinds: Set<DataKind>, _ names: [String]) -> Self {
    all(names, .kinds(kinds))
  }

  /// Members that tell who guards somebody, or who asked for something.
  public static func contacts(_ names: [String]) -> Self { kinds([.contacts], names) }

  /// Members that tell of glucose, medicine or the routine.
  public static func health(_ names: [String]) -> Self { kinds([.health], names) }

  /// Members that hold what people say to each other.
  public static func messages(_ names: [String]) -> Self { kinds([.messages], names) }

  /// Members that hold what people write down.
  public static func notes(_ names: [String]) -> Self { kinds([.notes], names) }

  /// Members that name zones, rooms or things.
  public static func places(_ names: [String]) -> Self { kinds([.places], names) }

  /// Members that tell exactly where somebody is or lives.
  public static func exact(_ names: [String]) -> Self { kinds([.position], names) }

  /// A position and what a receiver says of it.
  public static let position: Self = [
    "latitude": .coordinate, "longitude": .coordinate, "accuracyMeters": .measure,
    "speedMetersPerSecond": .measure,
  ]

  private static func all(_ names: [String], _ disclosure: Disclosure) -> Self {
    Dictionary(names.map { ($0, disclosure) }, uniquingKeysWith: { first, _ in first })
  }

  /// All members of both; what the later one says of a member counts.
  public static func + (left: Self, right: Self) -> Self {
    left.merging(right) { _, later in later }
  }
}
