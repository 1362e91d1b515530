import Care
import JSON
import Moments
import Texts

/// How somebody comes in who forgot their password: by the answers that they alone know, or by a code that is sent to them.
extension AccountEngine {
  mutating func sendCode(
    _ email: String, _ command: Command, in world: World, _ outcome: inout Outcome
  ) throws(CommandReply.Refusal) {
    let account = try accounts.entering(by: email)
    let now = world.now.tick
    try passwordTries.requireNoPause(of: account.id, at: now)
    try recoveries.send(try command.codeDigest(), to: account.id, at: now)
    outcome.events.append(AccountNews(in: world).changed(account, .codeSent, by: command))
    let ways = account.ways(in: world.house).map { way in
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

  mutating func recover(
    _ email: String, _ device: AccountRequest.Device, _ command: Command, in world: World,
    _ outcome: inout Outcome
  ) throws(CommandReply.Refusal) {
    let account = try accounts.entering(by: email)
    let now = world.now.tick
    try passwordTries.requireNoPause(of: account.id, at: now)
    let credentials = command.credentials
    let isSent = recoveries.counts(credentials?.code, of: account.id, at: now)
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
      ).counting(.password(account.id))
    }
    let password = try command.passwordHash()
    accounts.change(account.id) { account in
      account.password = password
      // Whoever came in otherwise is out, and can be connected again.
      account.openID = nil
    }
    recoveries.use(of: account.id)
    endSessions(of: account.id, besides: nil)
    try enter(account, device, .password, command, in: world, &outcome)
  }
}
