import Bytes
import Care
import JSON
import Moments
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

/// The browsers that are let in by others just now, one of each account at most.
struct Entries: Hashable, Sendable {
  private var entries: [AccountID: Entry] = [:]

  /// Shows a code, by its digest; one that was shown before counts no more, nor does who came with it.
  mutating func show(_ digest: String, of id: AccountID, at now: Tick) {
    entries[id] = Entry(digest: digest, made: now)
  }

  /// Which account shows a code that counts, and with which nobody came yet.
  func account(showing digest: String, at now: Tick) throws(CommandReply.Refusal) -> AccountID {
    let found = entries.first { $0.value.digest == digest && $0.value.counts(at: now) }
    guard let id = found?.key else {
      throw CommandReply.Refusal(
        .unknownTarget,
        Message(
          "This code opens nothing any more: it counts once, for five minutes. Have another one shown."
        ))
    }
    return id
  }

  /// Somebody came with the code that an account shows; it is used up.
  mutating func take(_ guest: Entry.Guest, for id: AccountID) {
    entries[id]?.digest = nil
    entries[id]?.guest = guest
  }

  /// Who waits, where a number is the one that their browser shows.
  func guest(
    of id: AccountID, showing number: String, at now: Tick
  ) throws(CommandReply.Refusal) -> Entry.Guest {
    guard let entry = entries[id], entry.counts(at: now), let guest = entry.guest else {
      throw CommandReply.Refusal(
        .unknownTarget, Message("Nobody waits to be let in any more. Show another code."))
    }
    guard number.filter({ !$0.isWhitespace }) == guest.number else {
      throw CommandReply.Refusal(
        .forbidden,
        Message(
          "The other device shows another number, so nobody was let in. Where you hold it in your hand, begin again; where you do not, somebody else wanted in."
        )
      ).counting(.browser(id))
    }
    return guest
  }

  /// Nobody is let in any more by the code that an account shows.
  ///
  /// - Returns: what it was; nil where none was shown.
  @discardableResult mutating func forget(_ id: AccountID) -> Entry? {
    entries.removeValue(forKey: id)
  }

  /// What is shown of a code to whoever had it shown: `{state: shown or asked, until, label?, address?}`, never the number;
  /// nil where none counts.
  func json(of id: AccountID, at now: Moment) -> JSONValue? {
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
