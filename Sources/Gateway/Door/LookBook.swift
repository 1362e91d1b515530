public import Care
public import Moments

/// Which looks of accounts at residents are worth a note: the first of each kind within an hour, so that a page that is open
/// all day says so once an hour and not with every second.
public struct LookBook: Sendable {
  /// What somebody is told of who looked at it: where a resident is and was, how they are, and what they wrote.
  static let kinds: Set<Permission> = [
    .position, .health, .routine, .messages, .notes, .journal,
  ]
  private static let hourMilliseconds: Int64 = 3_600_000
  /// More are forgotten, the oldest hour first.
  private static let mostKept = 10_000

  private struct Look: Hashable {
    var account: AccountID
    var resident: ResidentID
    var kind: Permission
  }

  private var looks: [Look: Tick] = [:]

  /// A book without a look.
  public init() {}

  /// What of a look is to be noted: the kinds that the account has not looked at within the hour; empty for nothing.
  ///
  /// Whoever looks at themselves is not noted.
  public mutating func note(
    _ account: Account, at resident: ResidentID, _ needs: Set<Permission>, now: Tick
  ) -> Set<Permission> {
    guard account.role != .resident else { return [] }
    if looks.count >= Self.mostKept {
      looks = looks.filter { now.milliseconds(since: $0.value) < Self.hourMilliseconds }
      if looks.count >= Self.mostKept { looks = [:] }
    }
    var new: Set<Permission> = []
    for kind in needs.intersection(Self.kinds) {
      let look = Look(account: account.id, resident: resident, kind: kind)
      if let last = looks[look], now.milliseconds(since: last) < Self.hourMilliseconds { continue }
      looks[look] = now
      new.insert(kind)
    }
    return new
  }
}
