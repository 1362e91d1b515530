public import Care
public import JSON
public import Moments
import Texts

/// How somebody who is logged in lets another browser of theirs in, which shows no password.
extension AccountEngine {
  /// Shows a code; one that was shown before counts no more, nor does who came with it.
  mutating func addBrowser(
    _ id: AccountID, _ step: AccountStep
  ) throws(CommandReply.Refusal) {
    let account = try accounts.known(id)
    try account.requireLogin()
    entries.show(try step.command.codeDigest(), of: id, at: step.now.tick)
  }

  /// Waits to be let in, by a code; it is used up. Nobody is let in who is in already: a browser in which somebody is logged
  /// in would be another's from one moment to the next.
  mutating func enterBrowser(
    _ label: String, _ step: inout AccountStep
  ) throws(CommandReply.Refusal) {
    try AccountRules.check(AccountRequest.Device(label: label))
    guard step.command.account == nil else {
      throw CommandReply.Refusal(
        .conflict, Message("Somebody is logged in in this browser already. Log out first."))
    }
    let (token, digest) = (try step.command.tokenDigest(), try step.command.codeDigest())
    let id = try entries.account(showing: digest, at: step.now.tick)
    let account = try accounts.known(id)
    let guest = Entry.Guest(label: label, address: step.command.address, token: token)
    entries.take(guest, for: id)
    step.reply(["name": .string(account.profile.name), "number": .string(guest.number)])
  }

  /// Lets in who waits, where the number is the one that their browser shows; at another number nobody is let in.
  mutating func admitBrowser(
    _ id: AccountID, _ number: String, _ step: inout AccountStep
  ) throws(CommandReply.Refusal) {
    let account = try accounts.known(id)
    let guest = try entries.guest(of: id, showing: number, at: step.now.tick)
    let session = step.draw()
    entries.forget(id)
    try begin(
      Session(
        id: session, account: id, kind: .browser, label: guest.label, token: guest.token,
        began: step.now.utc, seen: step.now.utc), &step)
    step.tell(account, .browser, session: session, from: guest.address)
  }

  /// Lets nobody in any more by the code that is shown.
  mutating func cancelBrowser(
    _ id: AccountID, _ step: inout AccountStep
  ) throws(CommandReply.Refusal) {
    let account = try accounts.known(id)
    guard let entry = entries.forget(id) else { return }
    step.reply(["account": .string(id.rawValue)])
    if let guest = entry.guest {
      step.tell(account, .keptOut, from: guest.address)
    }
  }

  /// What is shown of a code to whoever had it shown: `{state: shown or asked, until, label?, address?}`, never the number;
  /// nil where none counts.
  public func entry(of id: AccountID, at now: Moment) -> JSONValue? {
    entries.json(of: id, at: now)
  }
}
