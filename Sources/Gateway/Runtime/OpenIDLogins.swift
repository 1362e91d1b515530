import Accounts
import Bytes
import Care
import Door
import JSON
import Loop
import Moments
import Ports
import Texts

/// Who comes in by an identity provider, by way of a plugin that speaks with it.
///
/// The plugin says who somebody is there. Whether that is anybody here, and whether it is the browser that asked, is decided
/// on this side.
@LoopActor
final class OpenIDLogins {
  typealias CommandAnswer = @LoopActor (CommandReply) -> Void

  /// A page waits for it.
  private static let providerMilliseconds: Int64 = 1500
  private static let beginMilliseconds: Int64 = 12_000
  private static let finishMilliseconds: Int64 = 25_000

  private let outward: OutwardCalls
  private let clock: any GatewayClock
  /// Who was led to an identity provider and is to come back.
  private var flows = OpenIDFlows()

  init(_ outward: OutwardCalls, clock: any GatewayClock) {
    self.outward = outward
    self.clock = clock
  }

  /// Tells what people call the provider.
  func nameProvider(_ answer: @escaping Answer) {
    outward.ask("openid.provider", .object([]), milliseconds: Self.providerMilliseconds) {
      answer($0.map { RouteAnswer($0) }.mapError(Self.refusal))
    }
  }

  // MARK: To the provider

  /// Leads to the provider whoever the core lets begin: its address, and what binds this to the browser, are in the answer.
  func begin(
    _ passage: OpenIDPassage, connecting account: AccountID?, for asking: Asking,
    _ reply: CommandReply, _ keeper: any CredentialKeeper, answer: @escaping CommandAnswer
  ) {
    guard case .done = reply else { return answer(reply) }
    guard let redirect = passage.redirect, OpenIDPassage.leadsBack(redirect) else {
      return answer(
        Self.refused(.invalid, Message("The request does not say where it leads back.")))
    }
    var flow = OpenIDFlows.Flow(redirect: redirect, next: passage.next)
    if let account {
      guard let session = asking.session else {
        return answer(.refused(.loggedOut))
      }
      flow.connecting = OpenIDFlows.Flow.Connecting(account: account, session: session)
    }
    outward.ask(
      "openid.begin", ["redirect": .string(redirect)], milliseconds: Self.beginMilliseconds
    ) { [weak self] told in
      guard let self else { return }
      switch told {
      case .failure(let failure): answer(.refused(Self.refusal(by: failure)))
      case .success(let told): lead(flow, told, keeper, answer)
      }
    }
  }

  private func lead(
    _ flow: OpenIDFlows.Flow, _ told: JSONValue, _ keeper: any CredentialKeeper,
    _ answer: CommandAnswer
  ) {
    guard let url = told["url"]?.stringContent, OpenIDPassage.isWeb(url),
      let state = told["state"]?.stringContent, state.utf8.count >= OpenIDPassage.shortestState
    else { return answer(Self.refused(.notNow, Self.words(of: told))) }
    let binding = Hexadecimal.text(keeper.randomBytes(32))
    var flow = flow
    flow.secrets = told["secrets"] ?? .null
    flows.add(flow, state: state, binding: binding, at: clock.now().tick)
    answer(.done(["url": .string(url), "binding": .string(binding)]))
  }

  // MARK: And back

  /// Asks the provider who came back; `onward` gets who it is, and what to add to its answer.
  func finish(
    _ passage: OpenIDPassage, for asking: Asking, answer: @escaping CommandAnswer,
    onward: @escaping @LoopActor (ProvenIdentity, OpenIDFlows.Flow) -> Void
  ) {
    let flow = flows.take(
      state: passage.state ?? "", binding: passage.binding ?? "", session: asking.session,
      at: clock.now().tick)
    guard let flow, let code = passage.code else {
      return answer(
        Self.refused(
          .forbidden,
          Message(
            "This was begun in another browser, or more than ten minutes ago, or it is done already. Please begin again."
          )))
    }
    let params: JSONValue = [
      "redirect": .string(flow.redirect), "code": .string(code), "secrets": flow.secrets,
    ]
    outward.ask("openid.finish", params, milliseconds: Self.finishMilliseconds) { told in
      switch told {
      case .failure(let failure): answer(.refused(Self.refusal(by: failure)))
      case .success(let told):
        guard var identity = try? ProvenIdentity(json: told) else {
          return answer(Self.refused(.notNow, Self.words(of: told)))
        }
        identity.connects = flow.connecting?.account
        onward(identity, flow)
      }
    }
  }

  // MARK: Why not

  private static func refused(
    _ code: CommandReply.Refusal.Code, _ message: Message
  ) -> CommandReply { .refused(CommandReply.Refusal(code, message)) }

  /// Where no plugin does it that will not change by waiting.
  private static func refusal(by failure: ServiceFailure) -> CommandReply.Refusal {
    failure.isMissing
      ? CommandReply.Refusal(
        .conflict,
        Message(
          "This gateway lets nobody in by another service: its configuration has no plugin openid.")
      )
      : CommandReply.Refusal(.notNow, away)
  }

  private static let away = Message(
    "The service that says who you are does not answer just now. Please log in with your password, or try again in a while."
  )

  /// Why the plugin could not do it, by its word.
  private static func words(of told: JSONValue) -> Message {
    switch told["failure"]?.stringContent {
    case "unreachable": away
    case "used":
      Message("What the service answered was used already, or took too long. Please begin again.")
    case "clock":
      Message(
        "By the clock of this gateway the answer of the service is from another time. Whoever keeps the gateway should see whether its clock is right. Please log in with your password."
      )
    case "refused":
      Message(
        "The service does not answer this gateway. Whoever keeps it finds the reason in the log of the plugin openid. Please log in with your password."
      )
    default:
      Message(
        "What the service answered cannot be trusted, so nobody was logged in. Please log in with your password, and tell whoever keeps the gateway."
      )
    }
  }
}

/// What a browser that is led to an identity provider and back has with it, beside the request.
struct OpenIDPassage: Hashable {
  /// Where the provider sends it.
  var redirect: String?
  /// Where it goes on then.
  var next: String?
  /// What the provider repeats.
  var state: String?
  /// What the provider gave it, for the plugin to ask who it is.
  var code: String?
  /// What only this browser has.
  var binding: String?

  /// 128 bits in Base64.
  static let shortestState = 22
  private static let longestAddress = 4000

  /// Whether a browser can be sent to an address.
  static func isWeb(_ address: String) -> Bool {
    address.utf8.count <= longestAddress
      && address.utf8.allSatisfy { (0x21...0x7E).contains($0) }
      && (address.hasPrefix("https://") || address.hasPrefix("http://"))
  }

  /// Whether a provider may send a browser to an address: by TLS, or to this machine.
  static func leadsBack(_ address: String) -> Bool {
    let isHere = ["localhost", "127.0.0.1", "[::1]"].contains { host in
      ["/", ":"].contains { address.hasPrefix("http://\(host)\($0)") }
    }
    return isWeb(address) && (address.hasPrefix("https://") || isHere)
  }
}
