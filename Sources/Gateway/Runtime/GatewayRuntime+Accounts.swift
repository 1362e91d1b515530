import Accounts
import Care
import Core
import Door
import JSON
import Loop
import Ports
import Texts

/// Who has an account, and who speaks for one.
extension GatewayRuntime {
  static let accountHandlings = [
    Handling(.accountsList) { runtime, _, answer in
      answer(.success(.array(runtime.core.accountSummaries(at: runtime.parts.clock.now()))))
    },
    listing(.accountsLinked) { $0.core.linkedAccounts(of: $1) },
    Handling(.accountShow) { runtime, asked, answer in
      let id = AccountID(try asked.reader.string("account"))
      guard let page = runtime.core.accountPage(of: id, at: runtime.parts.clock.now()) else {
        return answer(
          .failure(CommandReply.Refusal(.unknownTarget, Message("There is no such account."))))
      }
      answer(.success(page))
    },
  ]

  /// Carries a command about accounts out, its secrets replaced by what they are worth.
  func perform(
    _ command: Command, _ secrets: AccountSecrets,
    reply: @escaping @LoopActor (CommandReply) -> Void
  ) {
    guard let keeper = parts.room.credentials else {
      return reply(
        .refused(CommandReply.Refusal(.conflict, Message("This gateway cannot keep passwords."))))
    }
    AccountGate(
      keeper: keeper, core: { [weak self] in self?.core },
      now: { [weak self] in self?.parts.clock.now() },
      notify: { [weak self] in self?.outward.bring($0, completion: $1) },
      onward: { [weak self] command, reply in self?.takeIfRunning(command, reply: reply) }
    ).pass(command, secrets, reply: reply)
  }
}
