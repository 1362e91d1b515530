import Accounts
import Care
import Core
public import Door
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
    Handling(.openIDProvider) { runtime, _, answer in runtime.nameProvider(answer) },
  ]

  private static let pushMilliseconds: Int64 = 5000

  /// Who speaks by a session's token; nil where nobody does, or not any more. That it is used is noted, once a day.
  public func speaker(by token: String) -> SessionHolder? {
    let now = parts.clock.now()
    guard isRunning,
      let (account, session) = core.speaker(token: AccountGate.digest(token), at: now)
    else { return isRunning ? guardian(by: token) : nil }
    if session.isWorthNoting(at: now) {
      let seen = Command(
        id: CommandID("seen-\(session.id)-\(now.utc.iso8601)"),
        principal: Principal(channel: .gateway, name: "accounts"),
        request: .account(.seen(account.id, session: session.id)))
      perform(seen) { _ in }
    }
    return SessionHolder(
      account: Account(
        id: account.id, name: account.profile.name, role: account.role,
        residents: core.residentsSeen(by: account), scope: session.scope),
      person: account.email?.text ?? account.id.rawValue, session: session.id,
      language: account.profile.language.flatMap { Language(tag: $0) })
  }

  /// Notes that an account looked at somebody, so that they can read who did: of each kind once an hour.
  func noteLook(of asking: Asking, at named: Subject?, _ needs: Set<Permission>) {
    guard let account = asking.account else { return }
    let residents: Set<ResidentID>
    if case .resident(let id)? = named { residents = [id] } else { residents = account.residents }
    for resident in residents.sorted() {
      let kinds = looks.note(account, at: resident, needs, now: parts.clock.now().tick)
      guard !kinds.isEmpty else { continue }
      perform(
        Command(
          id: localIDs.next("look"),
          principal: Principal(channel: .gateway, name: "accounts"),
          request: .account(
            .looked(account.id, at: resident, kinds, address: asking.address)))
      ) { _ in }
    }
  }

  /// Why nobody may try to come in just now; nil where somebody may, and where a keeper asks.
  func tooManyEntries(_ command: Command, _ asking: Asking) -> CommandReply.Refusal? {
    guard !asking.isOwner, CommandRule.of(command.request.action)?.needs == .logIn,
      !entries.takes(from: asking.address, at: parts.clock.now().tick)
    else { return nil }
    return CommandReply.Refusal(
      .notNow, Message("Too many tries from here. Please wait for a minute and try again."))
  }

  /// Why what asks may not let a browser in; nil where it may. A screen stands in a room where anybody comes by: whoever
  /// does would take the account along.
  func refusal(ofLettingIn command: Command, for asking: Asking) -> CommandReply.Refusal? {
    switch try? AccountRequest(command.request) {
    case .addBrowser(let id), .admitBrowser(let id, _):
      guard let session = asking.session, core.kind(ofSession: session, of: id) != .browser else {
        return nil
      }
      return CommandReply.Refusal(
        .forbidden,
        Message("Only a browser in which somebody logged in lets another one in."))
    default: return nil
    }
  }

  /// Carries a command about accounts out, its secrets replaced by what they are worth.
  func perform(
    _ command: Command, _ secrets: AccountSecrets, for asking: Asking,
    reply: @escaping @LoopActor (CommandReply) -> Void
  ) {
    guard let keeper = parts.room.credentials else {
      return reply(
        .refused(CommandReply.Refusal(.conflict, Message("This gateway cannot keep passwords."))))
    }
    let gate = AccountGate(
      keeper: keeper, core: { [weak self] in self?.core },
      now: { [weak self] in self?.parts.clock.now() }, pages: parts.guardianLinks?.pages,
      signUp: parts.signUp,
      notify: { [weak self] in self?.outward.bring($0, completion: $1) },
      onward: { [weak self] command, reply in self?.takeIfRunning(command, reply: reply) })
    let request = try? AccountRequest(command.request)
    switch request {
    case .beginOpenID, .connectOpenID:
      gate.pass(command, secrets) { [weak self] answer in
        self?.begin(
          secrets.openID, connecting: request?.account, for: asking, answer, keeper, answer: reply)
      }
    case .finishOpenID:
      finish(secrets.openID, for: asking, answer: reply) { identity, flow in
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
