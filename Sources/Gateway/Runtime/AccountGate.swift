import Accounts
import Bytes
import Care
import Core
import JSON
import Loop
import Moments
import Ports
import Texts

/// What somebody knows or is shown, taken out of a request about accounts before anything is decided or recorded.
struct AccountSecrets {
  /// The password that shows who asks.
  var password: String?
  /// The password from now on.
  var newPassword: String?
  /// The answers to new secret questions, in their order.
  var answers: [String] = []
  /// The code that a resident's page shows.
  var code: String?

  /// More would only make hashes slow.
  private static let longest = 1000

  /// Takes what is secret out of a command; nil for one that is not about accounts.
  ///
  /// - Throws: ``DecodeError`` naming the member that does not fit.
  static func taken(
    from command: Command
  ) throws(DecodeError) -> (command: Command, secrets: AccountSecrets)? {
    guard case .feature(let request) = command.request, AccountRequest.isAction(request.action),
      let members = request.json.objectContent
    else { return nil }
    let reader = try JSONReader(request.json)
    var secrets = AccountSecrets()
    secrets.password = try text("password", reader)
    secrets.newPassword = try text("newPassword", reader)
    secrets.answers = try reader.strings("answers")
    guard secrets.answers.count <= AccountRules.questionsAtMost,
      secrets.answers.allSatisfy({ $0.utf8.count <= Self.longest })
    else { throw reader.error(.outOfRange, "answers") }
    secrets.code = try text("code", reader)
    let names: Set = ["password", "newPassword", "answers", "code"]
    var command = command
    let rest = FeatureValue(json: .object(members.filter { !names.contains($0.key) }))
    command.request = .feature(request.with(rest))
    return (command, secrets)
  }

  private static func text(_ name: String, _ reader: JSONReader) throws(DecodeError) -> String? {
    let text = try reader.optionalString(name)
    guard (text?.utf8.count ?? 0) <= longest else { throw reader.error(.outOfRange, name) }
    return text
  }
}

/// Says of a request about accounts what its secrets are worth, and makes the tokens and codes that it asks for.
@LoopActor
struct AccountGate {
  typealias Reply = @LoopActor (CommandReply) -> Void

  let keeper: any CredentialKeeper
  /// The gateway as it is just now.
  let core: @LoopActor () -> GatewayCore?
  let now: @LoopActor () -> Moment?
  /// Passes a command on that has its credentials.
  let onward: @LoopActor (Command, @escaping Reply) -> Void

  /// Passes a command on with what its secrets are worth. A new token or code, which nobody else ever sees, is added to the
  /// answer.
  func pass(
    _ command: Command, _ secrets: AccountSecrets, reply: @escaping Reply
  ) {
    let request: AccountRequest
    do throws(DecodeError) {
      guard let asked = try AccountRequest(command.request) else { return onward(command, reply) }
      request = asked
    } catch {
      return refuse(
        .invalid, Message("The request does not fit: {error}.", ["error": error]), reply)
    }
    if let refusal = refusal(ofNew: secrets, in: request) { return reply(.refused(refusal)) }
    let account = account(of: request)
    // While no password is looked at, none is computed either: the engine says why.
    let isPaused = account.map { isAtPause($0.id) } ?? false
    judge(secrets, of: isPaused ? nil : account, request) { credentials in
      guard var credentials else {
        return refuse(
          .notNow, Message("Too many log in just now. Please try again in a moment."), reply)
      }
      var shown: (name: String, text: String)?
      switch request {
      case .signUp where AccountEngine.isKeeper(command): break
      case .signUp, .logIn: shown = ("token", Hexadecimal.text(keeper.randomBytes(32)))
      case .linking(_, .showCode): shown = ("code", newCode())
      case .linking(_, .enterCode): credentials.token = secrets.code.map(Self.digest)
      default: break
      }
      if let shown { credentials.token = Self.digest(shown.text) }
      var command = command
      command.credentials = credentials
      onward(command) { answer in
        guard case .done(let result) = answer, let shown else { return reply(answer) }
        reply(.done(result.setting(shown.name, to: .string(shown.text))))
      }
    }
  }

  /// SHA-256 of a token or code, as the engine keeps it.
  static func digest(_ text: String) -> String {
    Hexadecimal.text(SHA256.hash(Array(text.utf8)))
  }

  // MARK: What is wrong with something new

  private func refusal(
    ofNew secrets: AccountSecrets, in request: AccountRequest
  ) -> CommandReply.Refusal? {
    let (new, email, name): (String?, String, String)
    switch request {
    case .signUp(let address, let profile, _, _):
      (new, email, name) = (secrets.password ?? "", address, profile.name)
    case .setPassword(let id, _):
      let account = core()?.account(id)
      (new, email, name) = (
        secrets.newPassword ?? "", account?.email?.text ?? "", account?.profile.name ?? ""
      )
    default: (new, email, name) = (nil, "", "")
    }
    if let new, let refusal = AccountRules.refusal(ofPassword: new, for: email, name) {
      return refusal
    }
    guard secrets.answers.allSatisfy({ !Self.plain($0).isEmpty }) else {
      return CommandReply.Refusal(.invalid, Message("Each secret question needs its answer."))
    }
    return nil
  }

  private func refuse(
    _ code: CommandReply.Refusal.Code, _ message: Message, _ reply: Reply
  ) { reply(.refused(CommandReply.Refusal(code, message))) }

  // MARK: What is known

  private func account(of request: AccountRequest) -> UserAccount? {
    if case .logIn(let email, _) = request { return core()?.account(with: email) }
    return request.account.flatMap { core()?.account($0) }
  }

  private func isAtPause(_ id: AccountID) -> Bool {
    guard let core = core(), let now = now() else { return true }
    return core.pauseMilliseconds(of: id, at: now) > 0
  }

  /// Compares what is known, then hashes what is new. What is the same as before keeps its hash, so that a command that
  /// comes twice is known as the same, and whoever has the new password need not know the old one any more.
  private func judge(
    _ secrets: AccountSecrets, of account: UserAccount?, _ request: AccountRequest,
    completion: @escaping @LoopActor (Credentials?) -> Void
  ) {
    let answers = secrets.answers.map(Self.plain)
    var (password, new) = (secrets.password, secrets.newPassword)
    if case .signUp = request { (password, new) = (nil, secrets.password) }
    let kept = account?.questions.map(\.answer) ?? []
    var guesses: [CredentialGuess] = []
    if let password, let hash = account?.password {
      guesses.append(CredentialGuess(password, hash: hash))
    }
    let judged = guesses.count
    if let new, let hash = account?.password { guesses.append(CredentialGuess(new, hash: hash)) }
    let repeated = guesses.count
    if answers.count == kept.count {
      guesses += zip(answers, kept).map { CredentialGuess($0, hash: $1) }
    }
    check(guesses) { right in
      guard let right else { return completion(nil) }
      var credentials = Credentials(isRight: judged > 0 ? right[0] : nil)
      var missing: [String] = []
      if let new {
        if repeated > judged, right[judged] {
          credentials.password = account?.password
          if judged > 0 { credentials.isRight = true }
        } else {
          missing.append(new)
        }
      }
      let isRepeated =
        !answers.isEmpty && right.count > repeated && right[repeated...].allSatisfy { $0 }
      if isRepeated { credentials.answers = kept } else { missing += answers }
      hash(missing) { hashes in
        guard var hashes else { return completion(nil) }
        if new != nil, credentials.password == nil { credentials.password = hashes.removeFirst() }
        if !isRepeated { credentials.answers = hashes }
        completion(credentials)
      }
    }
  }

  private func check(
    _ guesses: [CredentialGuess], _ completion: @escaping @LoopActor ([Bool]?) -> Void
  ) {
    if guesses.isEmpty { completion([]) } else { keeper.check(guesses, completion: completion) }
  }

  private func hash(
    _ secrets: [String], _ completion: @escaping @LoopActor ([String]?) -> Void
  ) {
    if secrets.isEmpty { completion([]) } else { keeper.hash(secrets, completion: completion) }
  }

  // MARK: Texts

  /// An answer as it is compared: nobody remembers how they wrote the name of their first dog.
  static func plain(_ answer: String) -> String {
    answer.lowercased().split(whereSeparator: \.isWhitespace).joined(separator: " ")
  }

  private static let letters = Array(
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")

  /// Eight letters and digits, each as likely as the other.
  private func newCode() -> String {
    var code = ""
    while code.count < 8 {
      // Bytes beyond the last whole 62 would make the first letters likelier.
      let fair = keeper.randomBytes(16).filter { $0 < 248 }
      code += String(fair.prefix(8 - code.count).map { Self.letters[Int($0) % 62] })
    }
    return code
  }
}
