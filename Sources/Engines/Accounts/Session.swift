import Bytes
public import Care
public import JSON
public import Moments

/// One browser, screen or program that speaks for an account until it logs out.
///
/// Whoever holds the token is the session: 256 random bits, of which the gateway keeps SHA-256 alone.
public struct Session: Hashable, Sendable {
  /// What speaks.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// A browser; it is forgotten when nobody used it for thirty days.
    case browser
    /// A screen in a home, which never logs out by itself.
    case screen
    /// A program, until the day that was said when its token was made.
    case program
  }

  /// Days after which a browser that nobody used has to log in again.
  static let browserDays: Int64 = 30
  /// After so long somebody who treats others logs in again: they sit at machines that others use, too.
  static let clinicianMilliseconds: Int64 = 12 * 3_600_000
  private static let dayMilliseconds: Int64 = 86_400_000

  /// Its name among the sessions: says nothing about the token.
  public var id: String
  /// Whose it is.
  public var account: AccountID
  /// What speaks.
  public var kind: Kind
  /// What it calls itself, such as a browser's name, for its owner to know it by; at most 200 characters.
  public var label: String
  /// SHA-256 of the token, in hexadecimal.
  public var token: String
  /// When it began.
  public var began: Timestamp
  /// The day on which it was used last, as the moment at which that was noted.
  public var seen: Timestamp
  /// When it ends whatever happens; nil for never.
  public var until: Timestamp?
  /// What it may, of what its account may; nil for all of it.
  public var scope: Set<Permission>?
  /// Where it is told while no page is open; nil for nowhere.
  public var push: PushSubscription?

  /// Whether it is over. Of one whose time nobody can judge it is not: who was logged in stays so while the clock is lost.
  func isOver(at now: Moment) -> Bool {
    guard now.quality.isTrusted else { return false }
    if let until, now.utc >= until { return true }
    return kind == .browser
      && now.utc.milliseconds(since: seen) >= Self.browserDays * Self.dayMilliseconds
  }

  /// Whether it is to be noted that it is used: once a day is enough for what is counted in days.
  public func isWorthNoting(at now: Moment) -> Bool {
    now.quality.isTrusted && abs(now.utc.milliseconds(since: seen)) >= Self.dayMilliseconds
  }
}

extension Session {
  static let rowPrefix = "session:"

  /// A session from its row.
  init(row: EngineRow) throws(DecodeError) {
    let reader = try JSONReader(row.content)
    id = try reader.string("id")
    guard row.name == Self.rowPrefix + id else { throw reader.error(.outOfRange, "id") }
    account = AccountID(try reader.string("account"))
    kind = try reader.word("kind", as: Kind.self)
    label = try reader.string("label")
    token = try reader.string("token")
    began = try reader.timestamp("began")
    seen = try reader.timestamp("seen")
    until = try reader.optionalTimestamp("until")
    scope = try Self.scope(reader)
    push = try reader.optional("push").map { json throws(DecodeError) in
      try PushSubscription(json: json)
    }
  }

  static func scope(_ reader: JSONReader) throws(DecodeError) -> Set<Permission>? {
    guard reader.optional("scope") != nil else { return nil }
    var scope: Set<Permission> = []
    for word in try reader.strings("scope") {
      guard let permission = Permission(rawValue: word) else {
        throw reader.error(.unknownWord, "scope")
      }
      scope.insert(permission)
    }
    return scope
  }

  /// The session as a row.
  var row: EngineRow {
    EngineRow(
      engine: UserAccount.engine, subject: "gateway", name: Self.rowPrefix + id,
      content: json.setting("account", to: .string(account.rawValue))
        .setting("token", to: .string(token)).setting("push", to: push?.json ?? .null))
  }

  /// The session as whoever it belongs to sees it: `{id, kind, label, began, seen, until?, scope?, push?:
  /// {wantsPlaces}}`.
  public var json: JSONValue {
    .object([
      "id": .string(id), "kind": .string(kind.rawValue), "label": .string(label),
      "began": .string(began.iso8601), "seen": .string(seen.iso8601),
      "until": until.map { .string($0.iso8601) },
      "scope": scope.map { .array($0.map(\.rawValue).sorted().map { .string($0) }) },
      "push": push?.told,
    ])
  }
}
