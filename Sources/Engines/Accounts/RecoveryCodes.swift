import Care
import JSON
import Moments
import Texts

/// A code that was sent to somebody who forgot their password. A restart forgets it, and another is sent.
///
/// Eight digits. Wrong ones count as wrong passwords do: one account is let try at most eight times while a code counts,
/// and four times an hour from then on, so that a year of guessing finds one with a chance of less than one in two thousand.
struct RecoveryCode: Hashable, Sendable {
  /// How long a code counts, in milliseconds.
  static let milliseconds: Int64 = 600_000
  /// So many are sent in an hour at most.
  static let anHourAtMost = 3
  private static let hour: Int64 = 3_600_000

  /// SHA-256 of the code, in hexadecimal; nil once it was used.
  var digest: String?
  /// When the last ones were made, this one the last.
  var made: [Tick]

  /// Whether a code is this one, and still counts.
  func counts(_ digest: String?, at now: Tick) -> Bool {
    guard let digest, digest == self.digest, let last = made.last else { return false }
    return now.milliseconds(since: last) < Self.milliseconds
  }

  /// Those that were made within the last hour.
  func recent(at now: Tick) -> [Tick] { made.filter { now.milliseconds(since: $0) < Self.hour } }
}

/// The codes that were sent to those who forgot their passwords, the last one of each.
struct RecoveryCodes: Hashable, Sendable {
  private var codes: [AccountID: RecoveryCode] = [:]

  /// A code is sent; the one before counts no more. In an hour there are few.
  mutating func send(
    _ digest: String, to id: AccountID, at now: Tick
  ) throws(CommandReply.Refusal) {
    let recent = codes[id]?.recent(at: now) ?? []
    guard recent.count < RecoveryCode.anHourAtMost else {
      throw CommandReply.Refusal(
        .notNow,
        Message("Three codes were sent within the hour. Please look for them, or try again later."))
    }
    codes[id] = RecoveryCode(digest: digest, made: recent + [now])
  }

  /// Lets in who typed the code that was sent, or answered what they alone know.
  func require(
    _ credentials: Credentials?, of id: AccountID, at now: Tick
  ) throws(CommandReply.Refusal) {
    let isSent = codes[id]?.counts(credentials?.code, at: now) ?? false
    guard credentials?.code != nil || credentials?.isRight != nil else {
      throw CommandReply.Refusal(
        .invalid, Message("Answer the secret questions, or type the code that was sent."))
    }
    guard isSent || credentials?.isRight == true else {
      throw CommandReply.Refusal(
        .forbidden,
        credentials?.code == nil
          ? Message("Not every answer is right.")
          : Message("That code is not right, or older than ten minutes.")
      ).counting(.password(id))
    }
  }

  /// The code of an account was used, and counts no more; that it was sent does.
  mutating func use(of id: AccountID) { codes[id]?.digest = nil }

  mutating func forget(_ id: AccountID) { codes[id] = nil }
}

extension UserAccount {
  /// A way to send a code.
  struct Way: Hashable {
    var channel: Guardian.Channel
    var address: String

    var json: JSONValue {
      ["channel": .string(channel.rawValue), "address": .string(address)]
    }
  }

  /// Their own address and number; of a resident also the numbers of those who guard them, who then help.
  func ways(in house: House) -> [Way] {
    var ways: [Way] = []
    if let email {
      ways.append(Way(channel: .email, address: email.text))
    }
    if let phone = profile.phone {
      ways.append(Way(channel: .sms, address: phone))
    }
    if role == .resident, let resident = residents.first {
      ways += house.guardians(of: resident).compactMap { guardian in
        guardian.phone.map { Way(channel: .sms, address: $0) }
      }
    }
    var seen: Set<String> = []
    return ways.filter { seen.insert($0.address).inserted }
  }
}
