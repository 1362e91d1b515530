/// Something that a plugin may do.
public struct Grant: Hashable, Sendable, Comparable, RawRepresentable, CustomStringConvertible {
  /// The grant as manifests and configuration spell it.
  public let rawValue: String

  /// A grant by its word, or nil when it is none of the kinds in `plugins/protocol.md`.
  public init?(rawValue: String) {
    let isWhole = [
      "network", "bus.system", "position.precise", "content.personal", "contacts", "health",
      "messages", "notes", "places", "accounts",
    ].contains(rawValue)
    let isToRead =
      rawValue.hasPrefix("read:") && Self.readable.contains(String(rawValue.dropFirst(5)))
    let isNamed = ["observe:", "command:", "service:"].contains { prefix in
      rawValue.hasPrefix(prefix) && rawValue.utf8.count > prefix.utf8.count
    }
    let isWord = rawValue.utf8.allSatisfy(Self.isAllowed) || rawValue == Self.everyCommand.rawValue
    guard isWhole || isToRead || isNamed, isWord else { return nil }
    self.rawValue = rawValue
  }

  private init(known rawValue: String) { self.rawValue = rawValue }

  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
    case UInt8(ascii: ":"), UInt8(ascii: "."), UInt8(ascii: "-"): true
    default: false
    }
  }

  /// Open sockets.
  public static let network = Grant(known: "network")
  /// Speak on the system's D-Bus through the connection that the host makes.
  public static let systemBus = Grant(known: "bus.system")
  /// See exact positions also at home, and the names of places.
  public static let precisePosition = Grant(known: "position.precise")
  /// See the names of zones, bookmarks, rooms and things.
  public static let places = Grant(known: "places")
  /// See who guards somebody and how they are reached, but for push addresses, which nobody sees.
  public static let contacts = Grant(known: "contacts")
  /// See glucose, medicine and the routine.
  public static let health = Grant(known: "health")
  /// See messages, and other free words of people.
  public static let messages = Grant(known: "messages")
  /// See memos and the diary.
  public static let notes = Grant(known: "notes")
  /// Ask for whoever's session it hands in.
  public static let accounts = Grant(known: "accounts")
  /// See all that ``contacts``, ``health``, ``messages`` and ``notes`` show.
  public static let personalContent = Grant(known: "content.personal")
  /// What can be asked for by ``read(_:)``, in the order of the plugins' page.
  public static let readable = [
    "position", "health", "routine", "messages", "notes", "contacts", "alarms", "settings",
    "journal", "map", "gateway", "account", "push", "entry",
  ]
  /// Ask for what is known of a kind, one of ``readable``.
  public static func read(_ kind: String) -> Grant { Grant(known: "read:\(kind)") }
  /// Whether it lets a plugin ask; see ``read(_:)``.
  public var isToRead: Bool { rawValue.hasPrefix("read:") }
  /// Hand in observations of a kind.
  public static func observe(_ kind: String) -> Grant { Grant(known: "observe:\(kind)") }
  /// Hand in commands of an action.
  public static func command(_ action: String) -> Grant { Grant(known: "command:\(action)") }
  /// In a manifest that asks for ``accounts``: hand in every command that people may, those of later versions included.
  public static let everyCommand = Grant(known: "command:*")
  /// Call a service of another plugin.
  public static func service(_ name: String) -> Grant { Grant(known: "service:\(name)") }

  /// What a plugin may, of what its manifest asks for, by the words of the owner's configuration.
  ///
  /// A plugin with ``accounts`` has no right of its own, whatever it asks for: `command:*`, `read:*` and `service:*` stand
  /// for all of that kind there, and for nothing elsewhere.
  public static func granted(
    by words: some Sequence<String>, of asked: some Sequence<Grant>
  ) -> Set<Grant> {
    let words = Set(words)
    let isForPeople = words.contains(accounts.rawValue)
    return Set(
      asked.filter { grant in
        let kind = grant.rawValue.prefix { $0 != ":" }
        return words.contains(grant.rawValue)
          || (isForPeople && Self.kindsForPeople.contains(String(kind))
            && words.contains("\(kind):*"))
      })
  }

  /// Of these one word stands for all, where people speak by a plugin.
  private static let kindsForPeople: Set = ["command", "read", "service"]

  /// Order of the words.
  public static func < (left: Grant, right: Grant) -> Bool { left.rawValue < right.rawValue }

  /// The word.
  public var description: String { rawValue }
}
