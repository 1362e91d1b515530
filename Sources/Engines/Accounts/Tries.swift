import Care
import Moments
import Texts

/// Wrong passwords for one account, one after the other.
///
/// What is known of them is lost at a restart, which nobody can bring about from afar.
struct Tries: Hashable, Sendable {
  /// So many wrong passwords alert whoever is linked, and so many more do again.
  static let alarming = 5
  /// The first pause, in milliseconds; each wrong password after it doubles the next.
  private static let pauseMilliseconds: Int64 = 60_000
  /// No pause is longer, so that nobody is kept out by somebody else's guesses for good.
  private static let longestMilliseconds: Int64 = 900_000
  /// After so long without a wrong one they count no more, in milliseconds.
  private static let forgottenMilliseconds: Int64 = 3_600_000

  private(set) var wrong = 0
  private var last: Tick

  init(at now: Tick) { last = now }

  /// How long no password is looked at, in milliseconds; 0 for not at all.
  func pauseMilliseconds(at now: Tick) -> Int64 {
    guard wrong >= Self.alarming else { return 0 }
    let doublings = min(wrong - Self.alarming, 10)
    let pause = min(Self.pauseMilliseconds << Int64(doublings), Self.longestMilliseconds)
    return max(0, pause - now.milliseconds(since: last))
  }

  /// One more; whether it is one of those that others are alerted at.
  mutating func count(at now: Tick) -> Bool {
    if now.milliseconds(since: last) >= Self.forgottenMilliseconds { wrong = 0 }
    wrong += 1
    last = now
    return wrong.isMultiple(of: Self.alarming)
  }
}

/// The wrong tries for each account. Passwords and codes are counted apart.
struct WrongTries: Hashable, Sendable {
  private var tries: [AccountID: Tries] = [:]

  /// How long nothing is looked at for an account, in milliseconds; 0 for not at all.
  func pauseMilliseconds(of id: AccountID, at now: Tick) -> Int64 {
    tries[id]?.pauseMilliseconds(at: now) ?? 0
  }

  /// - Throws: how many minutes to wait, while nothing is looked at for an account.
  func requireNoPause(of id: AccountID, at now: Tick) throws(CommandReply.Refusal) {
    let milliseconds = pauseMilliseconds(of: id, at: now)
    guard milliseconds > 0 else { return }
    throw CommandReply.Refusal(
      .notNow,
      Message(
        "Too many wrong tries. Please wait for a minute and try again.",
        plural: "Too many wrong tries. Please wait for {n} minutes and try again.",
        Int((milliseconds + 59_999) / 60_000)))
  }

  /// The account's own password is needed.
  ///
  /// - Parameter isRight: whether what was given is right; nil where nothing was given.
  func requirePassword(
    of id: AccountID, isRight: Bool?, at now: Tick
  ) throws(CommandReply.Refusal) {
    try requireNoPause(of: id, at: now)
    guard let isRight else { throw .notLookedAt }
    guard isRight else {
      throw CommandReply.Refusal(.forbidden, Message("That password is not right."))
        .counting(.password(id))
    }
  }

  /// One more for an account.
  ///
  /// - Returns: how many there are, where others are alerted at this one; nil otherwise.
  mutating func count(_ id: AccountID, at now: Tick) -> Int? {
    var own = tries[id] ?? Tries(at: now)
    let isAlarming = own.count(at: now)
    tries[id] = own
    return isAlarming ? own.wrong : nil
  }

  /// Nothing was wrong, or the account is gone.
  mutating func forget(_ id: AccountID) { tries[id] = nil }
}
