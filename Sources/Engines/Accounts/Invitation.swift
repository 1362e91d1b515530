import Bytes
import Care
import JSON
public import Moments
import Texts

/// A code by which one person may make an account, once.
///
/// Eight of 56 letters and digits are 9.7 × 10¹³ codes. A hundred tries a minute, the most that are looked at from all
/// addresses together, are a million in its week: they find one of twenty with a chance of about 2 × 10⁻⁷.
public struct Invitation: Hashable, Sendable {
  /// So many wait to be used at most; of more the oldest goes.
  static let atMost = 20
  /// How long it counts.
  static let days: Int64 = 7
  static let rowPrefix = "invitation:"

  /// SHA-256 of the code, in hexadecimal.
  var digest: String
  /// When it was made.
  var made: Timestamp

  /// Until when it counts.
  public var until: Timestamp { made.advanced(byMilliseconds: Self.days * 86_400_000) }

  /// While the clock is not trusted it counts: nobody is kept out by a wrong clock.
  func isOver(at now: Moment) -> Bool { now.quality.isTrusted && now.utc >= until }

  /// An invitation from its row.
  init(row: EngineRow) throws(DecodeError) {
    let reader = try JSONReader(row.content)
    digest = try reader.string("digest")
    guard row.name == Self.rowPrefix + digest else { throw reader.error(.outOfRange, "digest") }
    made = try reader.timestamp("made")
  }

  init(digest: String, made: Timestamp) {
    self.digest = digest
    self.made = made
  }

  /// The invitation as a row.
  var row: EngineRow {
    EngineRow(
      engine: UserAccount.engine, subject: "gateway", name: Self.rowPrefix + digest,
      content: ["digest": .string(digest), "made": .string(made.iso8601)])
  }
}

/// The invitations that wait to be used, by the digests of their codes.
struct Invitations: Hashable, Sendable {
  private var waiting: [String: Invitation] = [:]

  var rows: [EngineRow] { waiting.values.map(\.row) }

  /// Takes back one from its row.
  mutating func restore(_ invitation: Invitation) { waiting[invitation.digest] = invitation }

  /// Has a new invitation count; of too many, and of those that are over, the oldest go.
  mutating func invite(_ digest: String, at now: Moment) -> Invitation {
    waiting = waiting.filter { !$0.value.isOver(at: now) }
    let kept = waiting.values.sorted { ($0.made, $0.digest) < ($1.made, $1.digest) }
    for one in kept.prefix(max(0, kept.count + 1 - Invitation.atMost)) {
      waiting[one.digest] = nil
    }
    let invitation = Invitation(digest: digest, made: now.utc)
    waiting[digest] = invitation
    return invitation
  }

  /// Uses up the invitation that whoever signs up has; nothing where they have none.
  mutating func use(_ digest: String?, at now: Moment) throws(CommandReply.Refusal) {
    guard let digest else { return }
    guard let invitation = waiting[digest], !invitation.isOver(at: now) else {
      throw CommandReply.Refusal(
        .unknownTarget,
        Message(
          "This invitation does not count, or not any more: it is good for a week, and once. Ask for another where you got it."
        ))
    }
    waiting[digest] = nil
  }

  /// The rows that are another than before.
  func changes(since before: Self) -> [StateChange] {
    waiting.changes(since: before.waiting, \.row)
  }
}
