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
}
