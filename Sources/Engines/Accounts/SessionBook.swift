import Care
import Moments
import Texts

/// The browsers, screens and programs that speak for accounts, and how each is found by its token.
struct SessionBook: Hashable, Sendable {
  private var sessions: [String: Session] = [:]
  private var tokens: [String: String] = [:]

  var rows: [EngineRow] { sessions.values.map(\.row) }

  /// Takes back one from its row.
  mutating func restore(_ session: Session) { sessions[session.id] = session }

  // MARK: Who speaks

  /// The sessions of an account, the newest first.
  func sessions(of id: AccountID) -> [Session] {
    sessions.values.filter { $0.account == id }
      .sorted { ($0.began, $0.id) > ($1.began, $1.id) }
  }

  /// Which session has a token, by its hash; nil where none does, or not any more.
  func session(token: String, at now: Moment) -> Session? {
    guard let session = tokens[token].flatMap({ sessions[$0] }), !session.isOver(at: now) else {
      return nil
    }
    return session
  }

  /// - Throws: why a session is none of an account's.
  func require(_ session: String, of id: AccountID) throws(CommandReply.Refusal) {
    guard sessions[session]?.account == id else {
      throw CommandReply.Refusal(
        .unknownTarget, Message("That browser or screen is logged out already."))
    }
  }

  // MARK: Beginning and ending

  /// Begins a session; of too many browsers the one that was used least goes.
  ///
  /// - Parameter isClinician: whether its account is that of somebody who treats others, who logs in often.
  mutating func begin(
    _ session: Session, isClinician: Bool
  ) throws(CommandReply.Refusal) {
    let own = sessions(of: session.account)
    if own.count >= AccountRules.sessionsAtMost {
      let browsers = own.filter { $0.kind == .browser }
      guard let oldest = browsers.min(by: { ($0.seen, $0.id) < ($1.seen, $1.id) }) else {
        throw CommandReply.Refusal(
          .conflict, Message("Too many programs and screens speak for this account. End one first.")
        )
      }
      sessions[oldest.id] = nil
    }
    sessions[session.id] = session
    if isClinician, session.kind == .browser {
      sessions[session.id]?.until = session.began.advanced(
        byMilliseconds: Session.clinicianMilliseconds)
    }
  }

  /// Notes that a session is used, where that is worth it.
  mutating func use(_ session: String, at now: Moment) {
    if sessions[session]?.isWorthNoting(at: now) == true {
      sessions[session]?.seen = now.utc
    }
  }

  /// Whoever turns out to be a clinician logs in again as often as every one of them.
  mutating func endSoon(of id: AccountID, at now: Moment) {
    let until = now.utc.advanced(byMilliseconds: Session.clinicianMilliseconds)
    for session in sessions.values where session.account == id && session.kind == .browser {
      sessions[session.id]?.until = until
    }
  }

  mutating func end(_ session: String) { sessions[session] = nil }

  /// Ends every session of an account, but one where one is kept.
  mutating func endAll(of id: AccountID, besides kept: String?) {
    sessions = sessions.filter { $0.value.account != id || $0.key == kept }
  }

  // MARK: Telling while no page is open

  /// Has a browser told at an address.
  mutating func putPush(_ push: PushSubscription, _ session: String) throws(CommandReply.Refusal) {
    guard sessions[session]?.kind == .browser else {
      throw CommandReply.Refusal(
        .invalid, Message("Only a browser is told of alarms while no page is open."))
    }
    // A browser in which somebody else is logged in now is theirs.
    endPush(at: push.endpoint)
    sessions[session]?.push = push
  }

  /// A session is told nothing any more while no page is open.
  mutating func endPush(of session: String) { sessions[session]?.push = nil }

  /// Forgets an address.
  mutating func endPush(at endpoint: String) {
    for (id, session) in sessions where session.push?.endpoint == endpoint {
      sessions[id]?.push = nil
    }
  }

  /// The sessions that are told while no page is open, by id; `session` alone where it is asked for.
  func told(_ session: String?, at now: Moment) -> [(session: Session, push: PushSubscription)] {
    sessions.values.filter { session == nil || $0.id == session }.sorted { $0.id < $1.id }
      .compactMap { session in
        guard let push = session.push, !session.isOver(at: now) else { return nil }
        return (session, push)
      }
  }

  // MARK: The end of a step

  /// The rows that are another than before; they are found by their tokens from now on.
  mutating func finish(since before: Self) -> [StateChange] {
    if sessions != before.sessions { findByTokens() }
    return sessions.changes(since: before.sessions, \.row)
  }

  /// Has every session found by its token.
  mutating func findByTokens() {
    tokens = Dictionary(sessions.values.map { ($0.token, $0.id) }) { first, _ in first }
  }
}
