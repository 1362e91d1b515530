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
@LoopActor
struct AccountQuestions {
  let view: CoreView
  let clock: any GatewayClock
  let outward: OutwardCalls
  let openID: OpenIDLogins

  var handlings: [Handling] {
    [
      Handling(.accountsList) { _, answer in
        answer(.success(.array(view.core.accounts.summaries(at: clock.now()))))
      },
      Handling(listing: .accountsLinked) { view.core.accounts.linkedAccounts(of: $0) },
      Handling(.accountShow) { asked, answer in
        guard case .account(let id)? = try asked.subject(),
          let page = view.core.accounts.page(
            of: id, spokenForBy: asked.asking.session, at: clock.now())
        else {
          return answer(
            .failure(CommandReply.Refusal(.unknownTarget, Message("There is no such account."))))
        }
        answer(.success(page))
      },
      Handling(.accountsPushes) { asked, answer in
        answer(
          .success(
            .array(
              view.core.accounts.pushes(
                for: try asked.resident(), session: try asked.reader.optionalString("session"),
                at: clock.now()))))
      },
      Handling(.pushKey) { _, answer in
        outward.ask("push.key", .object([]), milliseconds: Self.pushMilliseconds) { told in
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
      Handling(.openIDProvider) { _, answer in openID.nameProvider(answer) },
    ]
  }

  private static let pushMilliseconds: Int64 = 5000
}
