import Care
import JSON
import Moments
import Texts

/// How somebody comes in who forgot their password: by the answers that they alone know, or by a code that is sent to them.
extension AccountEngine {
  mutating func sendCode(
    _ email: String, _ step: inout AccountStep
  ) throws(CommandReply.Refusal) {
    let account = try accounts.entering(by: email)
    let now = step.now.tick
    try passwordTries.requireNoPause(of: account.id, at: now)
    try recoveries.send(try step.command.codeDigest(), to: account.id, at: now)
    step.tell(account, .codeSent)
    let language = account.profile.language ?? step.world.language.rawValue
    step.reply([
      "account": .string(account.id.rawValue), "name": .string(account.profile.name),
      "language": .string(language), "ways": .array(account.ways(in: step.world.house).map(\.json)),
    ])
  }

  mutating func recover(
    _ email: String, _ device: AccountRequest.Device, _ step: inout AccountStep
  ) throws(CommandReply.Refusal) {
    let account = try accounts.entering(by: email)
    let now = step.now.tick
    try passwordTries.requireNoPause(of: account.id, at: now)
    try recoveries.require(step.command.credentials, of: account.id, at: now)
    let password = try step.command.passwordHash()
    accounts.change(account.id) { account in
      account.password = password
      // Whoever came in otherwise is out, and can be connected again.
      account.openID = nil
    }
    recoveries.use(of: account.id)
    endSessions(of: account.id, besides: nil)
    try enter(account, device, .password, &step)
  }
}
