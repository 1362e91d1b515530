import Accounts
import Care
import Core
import Door
import JSON
import Loop
import Moments
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
      guard case .account(let id)? = try asked.subject(),
        let page = runtime.core.accountPage(
          of: id, spokenForBy: asked.asking.session, at: runtime.parts.clock.now())
      else {
        return answer(
          .failure(CommandReply.Refusal(.unknownTarget, Message("There is no such account."))))
      }
      answer(.success(page))
    },
    Handling(.accountsPushes) { runtime, asked, answer in
      answer(
        .success(
          .array(
            runtime.core.pushes(
              for: try asked.resident(), session: try asked.reader.optionalString("session"),
              at: runtime.parts.clock.now()))))
    },
    Handling(.pushKey) { runtime, _, answer in
      runtime.outward.ask("push.key", .object([]), milliseconds: pushMilliseconds) { told in
        answer(
          told.map { RouteAnswer($0) }.mapError { failure in
            CommandReply.Refusal(
              .conflict,
              failure.isMissing
                ? Message(
                  "This gateway does not tell browsers while no page is open: its configuration has no plugin webpush."
                ) : failure.message)
          })
      }
    },
    Handling(.openIDProvider) { runtime, _, answer in runtime.openID.nameProvider(answer) },
  ]

  static let linkHandlings = [
    Handling(.alarmLinked) { $0.linkedAlarms.get($1, $2) }
  ]

  private static let pushMilliseconds: Int64 = 5000

}
