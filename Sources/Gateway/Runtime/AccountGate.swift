import Accounts
import Bytes
import Care
import Core
import JSON
import Loop
import Moments
import Ports
import Texts

/// Says of a request about accounts what its secrets are worth, and makes the tokens and codes that it asks for.
@LoopActor
struct AccountGate {
  typealias Reply = @LoopActor (CommandReply) -> Void

  let keeper: any CredentialKeeper
  /// The gateway as it is just now.
  let core: @LoopActor () -> GatewayCore?
  let now: @LoopActor () -> Moment?
  /// Where browsers find the pages; nil where nobody said.
  let pages: String?
  /// Who may make an account by the pages.
  let signUp: SignUp
  /// Has a plugin bring a message to somebody.
  let notify: @LoopActor (AlarmMessage, @escaping @LoopActor (_ isTaken: Bool) -> Void) -> Void
  /// Passes a command on that has its credentials.
  let onward: @LoopActor (Command, @escaping Reply) -> Void

  /// Passes a command on with what its secrets are worth. A new token or code, which nobody else ever sees, is added to the
  /// answer.
  func pass(
    _ command: Command, _ given: AccountSecrets, reply: @escaping Reply
  ) {
    let request: AccountRequest
    do throws(DecodeError) {
      guard let asked = try AccountRequest(command.request) else { return onward(command, reply) }
      request = asked
    } catch {
      return refuse(
        .invalid, Message("The request does not fit: {error}.", ["error": error]), reply)
    }
    var secrets = given
    if case .signUp = request {
      (secrets.password, secrets.newPassword) = (nil, given.password)
      if let refusal = refusal(ofSignUp: command, secrets) { return reply(.refused(refusal)) }
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
      credentials.identity = secrets.identity
      let made = made(for: request, secrets, by: command)
      credentials.token = made?.kind == .token ? made.map { Self.digest($0.text) } : nil
      credentials.code =
        (made?.kind == .code ? made?.text : secrets.code).map { typed in
          Self.digest(typed.filter { !$0.isWhitespace })
        }
      var command = command
      command.credentials = credentials
      onward(command) { answer in
        guard case .done(let result) = answer, let made else { return reply(answer) }
        if case .sendCode = request { return send(made.text, result, reply) }
        let told = result.setting(made.kind.rawValue, to: .string(made.text))
        // A code is also shown as the address of these pages with it, for a camera.
        let place = made.kind == .code ? pages : nil
        reply(.done(place.map { told.setting("pages", to: .string($0)) } ?? told))
      }
    }
  }

  /// What is made for whoever asks, who alone sees it; a kind is the member of the answer.
  private struct Made {
    enum Kind: String { case token, code }

    var kind: Kind
    var text: String
  }

  private func made(
    for request: AccountRequest, _ secrets: AccountSecrets, by command: Command
  ) -> Made? {
    switch request {
    // Whoever has an account connected is logged in already.
    case .finishOpenID where secrets.identity?.connects != nil: nil
    // A keeper makes accounts for others, and logs in nowhere.
    case .signUp where AccountEngine.isKeeper(command): nil
    case .signUp, .logIn, .recover, .addProgram, .enterScreen, .enterBrowser, .finishOpenID:
      Made(kind: .token, text: Hexadecimal.text(keeper.randomBytes(32)))
    case .linking(_, .showCode), .addScreen, .showViewCode, .invite:
      Made(kind: .code, text: newCode(of: Self.letters))
    case .addBrowser: Made(kind: .code, text: Hexadecimal.text(keeper.randomBytes(16)))
    case .sendCode: Made(kind: .code, text: newCode(of: Array("0123456789")))
    default: nil
    }
  }

  /// SHA-256 of a token or code, as the engine keeps it.
  static func digest(_ text: String) -> String {
    Hexadecimal.text(SHA256.hash(Array(text.utf8)))
  }

  // MARK: Who may sign up

  /// Why somebody may not make an account here; nil where they may, and for a keeper.
  private func refusal(
    ofSignUp command: Command, _ secrets: AccountSecrets
  ) -> CommandReply.Refusal? {
    guard !AccountEngine.isKeeper(command) else { return nil }
    switch signUp {
    case .anybody: return nil
    case .invited where secrets.code != nil: return nil
    case .invited:
      return CommandReply.Refusal(
        .forbidden,
        Message(
          "Accounts are made here with an invitation. Ask whoever keeps this gateway for one: homeward accounts invite."
        ))
    case .nobody:
      return CommandReply.Refusal(
        .forbidden,
        Message(
          "Nobody makes an account here by themselves. Whoever keeps this gateway makes one for you: homeward accounts add."
        ))
    }
  }

  // MARK: What is wrong with something new

  private func refusal(
    ofNew secrets: AccountSecrets, in request: AccountRequest
  ) -> CommandReply.Refusal? {
    let (new, email, name): (String?, String, String)
    switch request {
    case .signUp(let address, let profile, _, _):
      (new, email, name) = (secrets.newPassword ?? "", address, profile.name)
    case .recover(let address, _):
      let account = core()?.accounts.account(with: address)
      (new, email, name) = (secrets.newPassword ?? "", address, account?.profile.name ?? "")
    case .setPassword(let id, _):
      let account = core()?.accounts.account(id)
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

  func refuse(
    _ code: CommandReply.Refusal.Code, _ message: Message, _ reply: Reply
  ) { reply(.refused(CommandReply.Refusal(code, message))) }

  // MARK: What is known

  private func account(of request: AccountRequest) -> UserAccount? {
    switch request {
    case .logIn(let email, _), .recover(let email, _): return core()?.accounts.account(with: email)
    default: break
    }
    return request.account.flatMap { core()?.accounts.account($0) }
  }

  private func isAtPause(_ id: AccountID) -> Bool {
    guard let core = core(), let now = now() else { return true }
    return core.accounts.pauseMilliseconds(of: id, at: now) > 0
  }

  /// What a guess is about.
  private enum Subject { case password, newPassword, answer }

  /// What somebody says, beside what is kept of the same.
  private func guesses(
    _ secrets: AccountSecrets, of account: UserAccount?
  ) -> [(subject: Subject, guess: CredentialGuess)] {
    guard let account else { return [] }
    var guesses: [(Subject, CredentialGuess)] = []
    if let hash = account.password {
      if let password = secrets.password {
        guesses.append((.password, CredentialGuess(password, hash: hash)))
      }
      if let new = secrets.newPassword {
        guesses.append((.newPassword, CredentialGuess(new, hash: hash)))
      }
    }
    guard secrets.answers.count == account.questions.count else { return guesses }
    return guesses
      + zip(secrets.answers, account.questions).map {
        (.answer, CredentialGuess(Self.plain($0), hash: $1.answer))
      }
  }

  /// Compares what is known, then hashes what is new. What is the same as before keeps its hash, so that a command that
  /// comes twice is known as the same, and whoever has the new password need not know the old one any more.
  private func judge(
    _ secrets: AccountSecrets, of account: UserAccount?, _ request: AccountRequest,
    completion: @escaping @LoopActor (Credentials?) -> Void
  ) {
    var isRecovery = false
    if case .recover = request { isRecovery = true }
    let guesses = guesses(secrets, of: account)
    check(guesses.map(\.guess)) { right in
      guard let right else { return completion(nil) }
      let verdicts = Dictionary(grouping: zip(guesses, right), by: { $0.0.subject })
        .mapValues { $0.allSatisfy(\.1) }
      var credentials = Credentials(isRight: verdicts[.password])
      if isRecovery, !secrets.answers.isEmpty {
        credentials.isRight = verdicts[.answer] ?? false
      }
      if verdicts[.newPassword] == true {
        credentials.password = account?.password
        if credentials.isRight != nil, !isRecovery { credentials.isRight = true }
      }
      if verdicts[.answer] == true, !isRecovery {
        credentials.answers = account?.questions.map(\.answer) ?? []
      }
      let new = credentials.password == nil ? secrets.newPassword : nil
      let answers = credentials.answers.isEmpty && !isRecovery ? secrets.answers : []
      hash([new].compactMap { $0 } + answers.map(Self.plain)) { hashes in
        guard let hashes else { return completion(nil) }
        if new != nil { credentials.password = hashes.first }
        if !answers.isEmpty { credentials.answers = Array(hashes.dropFirst(new == nil ? 0 : 1)) }
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

  /// Without those that look alike: 0, O and o, 1, I and l.
  private static let letters = Array("23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz")

  /// Eight of some letters, each as likely as the other.
  private func newCode(of letters: [Character]) -> String {
    var code = ""
    while code.count < 8 {
      // Bytes beyond the last whole round would make the first letters likelier.
      let fair = keeper.randomBytes(16).filter { Int($0) < 256 / letters.count * letters.count }
      code += String(fair.prefix(8 - code.count).map { letters[Int($0) % letters.count] })
    }
    return code
  }
}
