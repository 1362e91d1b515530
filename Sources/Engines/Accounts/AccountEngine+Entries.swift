import Bytes
public import Care
public import JSON
public import Moments
import Texts

/// A browser that is let in by one in which somebody is logged in already: the code that this one shows, and who came with it.
///
/// The code has 128 bits, counts for five minutes and is used once. All browsers of the world together are let try a hundred
/// times a minute (`EntryLimit`), so five hundred times while a code is shown; of two hundred accounts that all show one, a
/// guess finds any with a chance of 3 × 10⁻³⁴. Whoever has the code, such as from a picture of the screen, is not in: whoever
/// shows it has to write the number that the other browser shows, two digits that stand nowhere else, and has one try.
/// A restart forgets all of it.
struct Entry: Hashable, Sendable {
  /// A browser that came with the code, and waits.
  struct Guest: Hashable, Sendable {
    /// What it calls itself.
    var label: String
    /// From where in the network it came; nil where nobody said.
    var address: String?
    /// SHA-256 of the token that it holds, which is worth nothing until it is let in.
    var token: String

    /// What it shows, and whoever lets it in writes: 10 through 99, told by the token, which nobody chooses.
    var number: String {
      let bits = token.utf8.reduce(UInt64(0)) { ($0 &* 31) &+ UInt64($1) }
      return String(bits % 90 + 10)
    }
  }

  /// How long a code counts, and how long who came with it waits, in milliseconds from when it was shown.
  static let milliseconds: Int64 = 300_000

  /// SHA-256 of the code, in hexadecimal; nil once somebody came with it.
  var digest: String?
  /// When it was made.
  var made: Tick
  /// Who came with it; nil while nobody did.
  var guest: Guest?

  func counts(at now: Tick) -> Bool { now.milliseconds(since: made) < Self.milliseconds }
}

/// How somebody who is logged in lets another browser of theirs in, which shows no password.
extension AccountEngine {
  /// Shows a code; one that was shown before counts no more, nor does who came with it.
  mutating func addBrowser(
    _ id: AccountID, _ command: Command, in world: World
  ) throws(CommandReply.Refusal) {
    let account = try known(id)
    guard account.password != nil else {
      throw CommandReply.Refusal(
        .conflict,
        Message(
          "Nobody logs in with this account: it speaks for a screen. Let another screen in instead."
        ))
    }
    guard let digest = command.credentials?.code else { throw Self.notNow }
    entries[id] = Entry(digest: digest, made: world.now.tick)
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
    guard let token = command.credentials?.token, let digest = command.credentials?.code else {
      throw Self.notNow
    }
    let found = entries.first { $0.value.digest == digest && $0.value.counts(at: world.now.tick) }
    guard let id = found?.key, let account = accounts[id] else {
      throw CommandReply.Refusal(
        .unknownTarget,
        Message(
          "This code opens nothing any more: it counts once, for five minutes. Have another one shown."
        ))
    }
    let guest = Entry.Guest(label: label, address: command.address, token: token)
    entries[id]?.digest = nil
    entries[id]?.guest = guest
    outcome.reply = ["name": .string(account.profile.name), "number": .string(guest.number)]
  }

  /// Lets in who waits, where the number is the one that their browser shows; at another number nobody is let in.
  mutating func admitBrowser(
    _ id: AccountID, _ number: String, _ command: Command, in world: World,
    _ outcome: inout Outcome
  ) throws(CommandReply.Refusal) {
    let account = try known(id)
    guard let entry = entries[id], entry.counts(at: world.now.tick), let guest = entry.guest else {
      throw CommandReply.Refusal(
        .unknownTarget, Message("Nobody waits to be let in any more. Show another code."))
    }
    guard number.filter({ !$0.isWhitespace }) == guest.number else {
      var refusal = CommandReply.Refusal(
        .forbidden,
        Message(
          "The other device shows another number, so nobody was let in. Where you hold it in your hand, begin again; where you do not, somebody else wanted in."
        ))
      refusal.signals.append(.wrongTry(.browser(id)))
      throw refusal
    }
    var identifiers = world.identifiers
    let session = identifiers.next(at: world.now.utc)
    outcome.identifiers = identifiers
    entries[id] = nil
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
    let account = try known(id)
    guard let entry = entries.removeValue(forKey: id) else { return }
    outcome.reply = ["account": .string(id.rawValue)]
    if let guest = entry.guest {
      outcome.events.append(
        AccountNews(in: world).changed(account, .keptOut, by: command, from: guest.address))
    }
  }

  /// Somebody wrote another number than the browser shows that waits.
  mutating func keepOut(_ id: AccountID, in world: World, _ outcome: inout Outcome) {
    guard let account = accounts[id], let guest = entries.removeValue(forKey: id)?.guest else {
      return
    }
    outcome.events.append(AccountNews(in: world).changed(account, .keptOut, from: guest.address))
  }

  /// What is shown of a code to whoever had it shown: `{state: shown or asked, until, label?, address?}`, never the number;
  /// nil where none counts.
  public func entry(of id: AccountID, at now: Moment) -> JSONValue? {
    guard let entry = entries[id], entry.counts(at: now.tick) else { return nil }
    let left = Entry.milliseconds - now.tick.milliseconds(since: entry.made)
    return .object([
      "state": entry.guest == nil ? "shown" : "asked",
      "until": .string(now.utc.advanced(byMilliseconds: left).iso8601),
      "label": entry.guest.map { .string($0.label) },
      "address": entry.guest?.address.map { .string($0) },
    ])
  }
}
