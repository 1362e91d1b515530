public import Care
public import JSON
public import Moments
import Texts

/// How somebody who is logged in lets another browser of theirs in, which shows no password.
extension AccountEngine {
  /// Shows a code; one that was shown before counts no more, nor does who came with it.
  mutating func addBrowser(
    _ id: AccountID, _ command: Command, in world: World
  ) throws(CommandReply.Refusal) {
    let account = try accounts.known(id)
    guard account.password != nil else {
      throw CommandReply.Refusal(
        .conflict,
        Message(
          "Nobody logs in with this account: it speaks for a screen. Let another screen in instead."
        ))
    }
    entries.show(try command.codeDigest(), of: id, at: world.now.tick)
  }

  /// Waits to be let in, by a code; it is used up. Nobody is let in who is in already: a browser in which somebody is logged
  /// in would be another's from one moment to the next.
  mutating func enterBrowser(
    _ label: String, _ command: Command, in world: World, _ outcome: inout Outcome
  ) throws(CommandReply.Refusal) {
    try AccountRules.check(AccountRequest.Device(label: label))
    guard command.account == nil else {
      throw CommandReply.Refusal(
        .conflict, Message("Somebody is logged in in this browser already. Log out first."))
    }
    let (token, digest) = (try command.tokenDigest(), try command.codeDigest())
    guard let id = entries.account(showing: digest, at: world.now.tick), let account = accounts[id]
    else {
      throw CommandReply.Refusal(
        .unknownTarget,
        Message(
          "This code opens nothing any more: it counts once, for five minutes. Have another one shown."
        ))
    }
    let guest = Entry.Guest(label: label, address: command.address, token: token)
    entries.take(guest, for: id)
    outcome.reply = ["name": .string(account.profile.name), "number": .string(guest.number)]
  }

  /// Lets in who waits, where the number is the one that their browser shows; at another number nobody is let in.
  mutating func admitBrowser(
    _ id: AccountID, _ number: String, _ command: Command, in world: World,
    _ outcome: inout Outcome
  ) throws(CommandReply.Refusal) {
    let account = try accounts.known(id)
    let guest = try entries.guest(of: id, showing: number, at: world.now.tick)
    var identifiers = world.identifiers
    let session = identifiers.next(at: world.now.utc)
    outcome.identifiers = identifiers
    entries.forget(id)
    try begin(
      Session(
        id: session, account: id, kind: .browser, label: guest.label, token: guest.token,
        began: world.now.utc, seen: world.now.utc), &outcome)
    outcome.events.append(
      AccountNews(in: world).changed(
        account, .browser, by: command, session: session, from: guest.address))
  }

  /// Lets nobody in any more by the code that is shown.
  mutating func cancelBrowser(
    _ id: AccountID, _ command: Command, in world: World, _ outcome: inout Outcome
  ) throws(CommandReply.Refusal) {
    let account = try accounts.known(id)
    guard let entry = entries.forget(id) else { return }
    outcome.reply = ["account": .string(id.rawValue)]
    if let guest = entry.guest {
      outcome.events.append(
        AccountNews(in: world).changed(account, .keptOut, by: command, from: guest.address))
    }
  }

  /// Somebody wrote another number than the browser shows that waits.
  mutating func keepOut(_ id: AccountID, in world: World, _ outcome: inout Outcome) {
    guard let account = accounts[id], let guest = entries.forget(id)?.guest else {
      return
    }
    outcome.events.append(AccountNews(in: world).changed(account, .keptOut, from: guest.address))
  }

  /// What is shown of a code to whoever had it shown: `{state: shown or asked, until, label?, address?}`, never the number;
  /// nil where none counts.
  public func entry(of id: AccountID, at now: Moment) -> JSONValue? {
    entries.json(of: id, at: now)
  }
}
