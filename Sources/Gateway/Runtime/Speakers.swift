import Accounts
import Care
import Core
import Door
import Loop
import Moments
import Ports
import Texts

/// Who speaks by a token: an account by one of a session, a guardian by one of a link.
@LoopActor
struct Speakers {
  let view: CoreView
  let clock: any GatewayClock
  let linkedAlarms: LinkedAlarms
  let perform: CommandPerformer

  /// Who speaks by a session's token; nil where nobody does, or not any more. That it is used is noted, once a day.
  func holder(by token: String) -> SessionHolder? {
    let now = clock.now()
    guard
      let (account, session) = view.core.accounts.speaker(token: AccountGate.digest(token), at: now)
    else { return linkedAlarms.holder(by: token) }
    if session.isWorthNoting(at: now) {
      let seen = Command(
        id: CommandID("seen-\(session.id)-\(now.utc.iso8601)"),
        principal: Principal(channel: .gateway, name: "accounts"),
        request: .account(.seen(account.id, session: session.id)))
      perform(seen, nil) { _ in }
    }
    return SessionHolder(
      account: Account(
        id: account.id, name: account.profile.name, role: account.role,
        residents: view.core.accounts.residentsSeen(by: account), scope: session.scope),
      person: account.email?.text ?? account.id.rawValue, session: session.id,
      language: account.profile.language.flatMap { Language(tag: $0) })
  }
}
