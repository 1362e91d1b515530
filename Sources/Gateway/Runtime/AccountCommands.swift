import Accounts
import Care
import Door
import JSON
import Loop
import Ports
import Texts

/// Carries commands about accounts out, by way of an identity provider where one says who somebody is.
@LoopActor
struct AccountCommands {
  /// Nil where nothing keeps passwords.
  let gate: AccountGate?
  let openID: OpenIDLogins

  /// Carries a command about accounts out, its secrets replaced by what they are worth.
  func perform(
    _ command: Command, _ secrets: AccountSecrets, for asking: Asking,
    reply: @escaping @LoopActor (CommandReply) -> Void
  ) {
    guard let gate else {
      return reply(
        .refused(CommandReply.Refusal(.conflict, Message("This gateway cannot keep passwords."))))
    }
    let request = try? AccountRequest(command.request)
    switch request {
    case .beginOpenID, .connectOpenID:
      gate.pass(command, secrets) { answer in
        openID.begin(
          secrets.openID, connecting: request?.account, for: asking, answer, gate.keeper,
          answer: reply)
      }
    case .finishOpenID:
      openID.finish(secrets.openID, for: asking, answer: reply) { identity, flow in
        var secrets = secrets
        (secrets.identity, secrets.code) = (identity, nil)
        gate.pass(command, secrets) { answer in
          guard case .done(let result) = answer, let next = flow.next else { return reply(answer) }
          reply(.done(result.setting("next", to: .string(next))))
        }
      }
    default: gate.pass(command, secrets, reply: reply)
    }
  }
}
