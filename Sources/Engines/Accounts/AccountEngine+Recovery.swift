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

/// How somebody comes in who forgot their password: by the answers that they alone know, or by a code that is sent to them.
extension AccountEngine {
  /// A way to send a code.
  struct Way: Hashable {
    var channel: Guardian.Channel
    var address: String
  }

  mutating func sendCode(
    _ email: String, _ command: Command, in world: World, _ outcome: inout Outcome
  ) throws(CommandReply.Refusal) {
    let account = try entering(by: email)
    let now = world.now.tick
    try Self.requireNoPause(pauseMilliseconds(of: account.id, at: now))
    guard let digest = command.credentials?.code else { throw Self.notNow }
    let recent = recoveries[account.id]?.recent(at: now) ?? []
    guard recent.count < RecoveryCode.anHourAtMost else {
      throw CommandReply.Refusal(
        .notNow,
        Message("Three codes were sent within the hour. Please look for them, or try again later."))
    }
    recoveries[account.id] = RecoveryCode(digest: digest, made: recent + [now])
    outcome.events.append(AccountNews(in: world).changed(account, .codeSent, by: command))
    let ways = ways(to: account, in: world).map { way in
      JSONValue.object([
        "channel": .string(way.channel.rawValue), "address": .string(way.address),
      ])
    }
    let language = account.profile.language ?? world.language.rawValue
    outcome.reply = [
      "account": .string(account.id.rawValue), "name": .string(account.profile.name),
      "language": .string(language), "ways": .array(ways),
    ]
  }

  /// Their own address and number; of a resident also the numbers of those who guard them, who then help.
  private func ways(to account: UserAccount, in world: World) -> [Way] {
    var ways: [Way] = []
    if let email = account.email {
      ways.append(Way(channel: .email, address: email.text))
    }
    if let phone = account.profile.phone {
      ways.append(Way(channel: .sms, address: phone))
    }
    if account.role == .resident, let resident = account.residents.first {
      ways += world.house.guardians(of: resident).compactMap { guardian in
        guardian.phone.map { Way(channel: .sms, address: $0) }
      }
    }
    var seen: Set<String> = []
    return ways.filter { seen.insert($0.address).inserted }
  }

  mutating func recover(
    _ email: String, _ device: AccountRequest.Device, _ command: Command, in world: World,
    _ outcome: inout Outcome
  ) throws(CommandReply.Refusal) {
    let account = try entering(by: email)
    let now = world.now.tick
    try Self.requireNoPause(pauseMilliseconds(of: account.id, at: now))
    let credentials = command.credentials
    let isSent = recoveries[account.id]?.counts(credentials?.code, at: now) ?? false
    guard credentials?.code != nil || credentials?.isRight != nil else {
      throw CommandReply.Refusal(
        .invalid, Message("Answer the secret questions, or type the code that was sent."))
    }
    guard isSent || credentials?.isRight == true else {
      var refusal = CommandReply.Refusal(
        .forbidden,
        credentials?.code == nil
          ? Message("Not every answer is right.")
          : Message("That code is not right, or older than ten minutes."))
      refusal.signals.append(.wrongTry(.password(account.id)))
      throw refusal
    }
    let password = try newPassword(command)
    accounts[account.id]?.password = password
    // Whoever came in otherwise is out, and can be connected again.
    accounts[account.id]?.openID = nil
    recoveries[account.id]?.digest = nil
    endSessions(of: account.id, besides: nil)
    try enter(account, device, .password, command, in: world, &outcome)
  }
}
