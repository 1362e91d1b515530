public import Bytes
public import Care
public import JSON
public import Moments
import Texts

/// What people ask of their accounts.
///
/// Passwords, answers and tokens never stand in it once it reaches an engine: the runtime takes them out and says in
/// ``Care/Command/credentials`` what they are worth.
public enum AccountRequest: Hashable, Sendable {
  /// What speaks for an account from now on.
  public struct Device: Hashable, Sendable {
    /// What it is.
    public var kind: Session.Kind
    /// What it calls itself; at most 200 characters.
    public var label: String

    /// A device from its parts.
    public init(kind: Session.Kind = .browser, label: String = "") {
      self.kind = kind
      self.label = label
    }
  }

  /// Make an account and log in; of each of `questions` the answer is among the credentials, and the code of an invitation
  /// where there is one.
  case signUp(email: String, UserAccount.Profile, questions: [String], Device)
  /// Invite somebody to make an account; a code for it is in the answer.
  case invite
  /// Log in.
  case logIn(email: String, Device)
  /// Have what one is asked where one forgot the password.
  case forgot(email: String)
  /// Have a code sent, by which one may set another password.
  case sendCode(email: String)
  /// Set another password by the secret answers or a code, and log in; every other session ends.
  case recover(email: String, Device)
  /// Let a program speak for an account, for what it needs and until a day; its token is in the answer.
  case addProgram(AccountID, label: String, scope: Set<Permission>, until: Timestamp)
  /// Let a screen or a telephone speak for a resident; a code for it is in the answer.
  case addScreen(for: ResidentID)
  /// Let somebody who treats a resident see how they are; a code for it is in the answer.
  case showViewCode(of: ResidentID)
  /// Let an account of somebody who treats a resident no longer see how they are.
  case endView(of: ResidentID, AccountID)
  /// Speak for a resident from now on, by a code.
  case enterScreen(label: String)
  /// Let another browser in; a code for it is in the answer.
  case addBrowser(AccountID)
  /// Wait to be let in by another browser, whose code says by which.
  case enterBrowser(label: String)
  /// Let in who waits, by the number that their browser shows.
  case admitBrowser(AccountID, number: String)
  /// Let nobody in by the code that was shown.
  case cancelBrowser(AccountID)
  /// Be led to the identity provider, to log in by it.
  case beginOpenID
  /// Be led to the identity provider, to connect an account with whoever one is there.
  case connectOpenID(AccountID)
  /// Come back from the identity provider, which says who one is: log in, or have the account connected.
  case finishOpenID(Device)
  /// Have an account connected with nobody at the identity provider any more.
  case disconnectOpenID(AccountID)
  /// Choose what one is to Homeward; a resident says who of those looked after they are.
  case chooseRole(AccountID, AccountRole, resident: ResidentID?)
  /// Have whoever signed up looked after here, as somebody whom the gateway does not know yet; a keeper says so.
  case join(AccountID, timeZone: String)
  /// Change what one tells of oneself.
  case putProfile(AccountID, UserAccount.Profile)
  /// Have another address to log in with.
  case setEmail(AccountID, String)
  /// Have another password; every other session ends.
  case setPassword(AccountID, keeping: String?)
  /// Have other secret questions; of each the answer is among the credentials.
  case setQuestions(AccountID, [String])
  /// End one session, or all of an account's but one.
  case endSession(AccountID, session: String)
  /// End all sessions of an account but one.
  case endSessions(AccountID, besides: String?)
  /// Note that somebody looked at what is known of a resident.
  case looked(AccountID, at: ResidentID, Set<Permission>, address: String?)
  /// Note that a session is used.
  case seen(AccountID, session: String)
  /// Note that alerts until a time were looked at.
  case seeAlerts(AccountID, until: Timestamp)
  /// Have a browser told while no page is open.
  case putPush(AccountID, session: String, PushSubscription)
  /// Have a browser told no longer.
  case endPush(AccountID, session: String)
  /// Note that a browser cannot be told any more, as its push service says.
  case pushGone(endpoint: String)
  /// Have no account any more.
  case remove(AccountID)
  /// Be linked, or no longer.
  case linking(AccountID, Linking)

  /// The request's word.
  public var action: String {
    switch self {
    case .signUp: "account.sign-up"
    case .invite: "account.invite"
    case .logIn: "account.log-in"
    case .forgot: "account.forgot"
    case .sendCode: "account.send-code"
    case .recover: "account.recover"
    case .addProgram: "account.add-program"
    case .addScreen: "account.add-screen"
    case .showViewCode: "account.show-view-code"
    case .endView: "account.end-view"
    case .enterScreen: "account.enter-screen"
    case .addBrowser: "account.add-browser"
    case .enterBrowser: "account.enter-browser"
    case .admitBrowser: "account.admit-browser"
    case .cancelBrowser: "account.cancel-browser"
    case .beginOpenID: "account.begin-openid"
    case .connectOpenID: "account.connect-openid"
    case .finishOpenID: "account.finish-openid"
    case .disconnectOpenID: "account.disconnect-openid"
    case .chooseRole: "account.choose-role"
    case .join: "account.join"
    case .putProfile: "account.put-profile"
    case .setEmail: "account.set-email"
    case .setPassword: "account.set-password"
    case .setQuestions: "account.set-questions"
    case .endSession: "account.end-session"
    case .endSessions: "account.end-sessions"
    case .looked: "account.looked"
    case .seen: "account.seen"
    case .seeAlerts: "account.see-alerts"
    case .putPush: "account.put-push"
    case .endPush: "account.end-push"
    case .pushGone: "account.push-gone"
    case .remove: "account.remove"
    case .linking(_, let linking): linking.action
    }
  }

  /// Whose account it is about; nil where the address says so.
  public var account: AccountID? {
    switch self {
    case .signUp, .invite, .logIn, .forgot, .sendCode, .recover, .addScreen, .showViewCode,
      .endView, .enterScreen, .enterBrowser,
      .beginOpenID, .finishOpenID, .pushGone:
      nil
    case .connectOpenID(let id), .disconnectOpenID(let id), .addProgram(let id, _, _, _),
      .chooseRole(let id, _, _), .join(let id, _),
      .putProfile(let id, _),
      .setEmail(let id, _),
      .setPassword(let id, _), .setQuestions(let id, _), .endSession(let id, _),
      .endSessions(let id, _), .looked(let id, _, _, _), .seen(let id, _), .remove(let id),
      .putPush(let id, _, _), .endPush(let id, _), .seeAlerts(let id, _),
      .addBrowser(let id), .admitBrowser(let id, _), .cancelBrowser(let id), .linking(let id, _):
      id
    }
  }
}

extension AccountRequest {
  /// What is asked of accounts; nil where it is something else.
  static func asked(
    _ request: Command.Request
  ) throws(CommandReply.Refusal) -> AccountRequest? {
    do throws(DecodeError) { return try AccountRequest(request) } catch {
      throw CommandReply.Refusal(
        .invalid, Message("The request does not fit: {error}.", ["error": error]))
    }
  }

  /// The resident that it names; nil where it names none.
  var resident: ResidentID? {
    switch self {
    case .chooseRole(_, _, let resident): resident
    case .looked(_, let resident, _, _), .linking(_, .link(let resident)),
      .linking(_, .unlink(let resident)), .addScreen(let resident), .showViewCode(let resident),
      .endView(let resident, _):
      resident
    default: nil
    }
  }
}

extension AccountRequest: JSONCodable {
  /// Reads a request whose `action` is one of ``action`` and whose `target` is an account.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    let action = try reader.string("action")
    switch action {
    case "account.sign-up":
      self = .signUp(
        email: try reader.string("email"),
        try UserAccount.Profile(json: reader.required("profile")),
        questions: try reader.strings("questions"), try Device(reader))
      return
    case "account.invite":
      self = .invite
      return
    case "account.log-in":
      self = .logIn(email: try reader.string("email"), try Device(reader))
      return
    case "account.forgot":
      self = .forgot(email: try reader.string("email"))
      return
    case "account.send-code":
      self = .sendCode(email: try reader.string("email"))
      return
    case "account.add-screen":
      self = .addScreen(for: ResidentID(try reader.string("resident")))
      return
    case "account.show-view-code":
      self = .showViewCode(of: ResidentID(try reader.string("resident")))
      return
    case "account.end-view":
      self = .endView(
        of: ResidentID(try reader.string("resident")), AccountID(try reader.string("other")))
      return
    case "account.enter-screen":
      self = .enterScreen(label: try reader.optionalString("label") ?? "")
      return
    case "account.enter-browser":
      self = .enterBrowser(label: try reader.optionalString("label") ?? "")
      return
    case "account.begin-openid":
      self = .beginOpenID
      return
    case "account.finish-openid":
      self = .finishOpenID(try Device(reader))
      return
    case "account.push-gone":
      self = .pushGone(endpoint: try reader.string("endpoint"))
      return
    case "account.recover":
      self = .recover(email: try reader.string("email"), try Device(reader))
      return
    default: break
    }
    let id = AccountID(try reader.string("target"))
    switch action {
    case "account.add-program":
      guard let scope = try Session.scope(reader) else {
        throw reader.error(.missingField, "scope")
      }
      self = .addProgram(
        id, label: try reader.string("label"), scope: scope, until: try reader.timestamp("until"))
    case "account.choose-role":
      self = .chooseRole(
        id, try reader.word("role", as: AccountRole.self),
        resident: try reader.optionalString("resident").map { ResidentID($0) })
    case "account.connect-openid": self = .connectOpenID(id)
    case "account.disconnect-openid": self = .disconnectOpenID(id)
    case "account.join": self = .join(id, timeZone: try reader.string("timeZone"))
    case "account.put-profile":
      self = .putProfile(id, try UserAccount.Profile(json: reader.required("profile")))
    case "account.set-email": self = .setEmail(id, try reader.string("email"))
    case "account.set-password":
      self = .setPassword(id, keeping: try reader.optionalString("session"))
    case "account.set-questions": self = .setQuestions(id, try reader.strings("questions"))
    case "account.end-session": self = .endSession(id, session: try reader.string("session"))
    case "account.end-sessions":
      self = .endSessions(id, besides: try reader.optionalString("session"))
    case "account.looked":
      self = .looked(
        id, at: ResidentID(try reader.string("resident")), try Session.scope(reader) ?? [],
        address: try reader.optionalString("address"))
    case "account.seen": self = .seen(id, session: try reader.string("session"))
    case "account.see-alerts": self = .seeAlerts(id, until: try reader.timestamp("until"))
    case "account.put-push":
      self = .putPush(
        id, session: try reader.string("session"),
        try PushSubscription(json: reader.required("push")))
    case "account.end-push": self = .endPush(id, session: try reader.string("session"))
    case "account.add-browser": self = .addBrowser(id)
    case "account.admit-browser": self = .admitBrowser(id, number: try reader.string("number"))
    case "account.cancel-browser": self = .cancelBrowser(id)
    case "account.remove": self = .remove(id)
    default:
      guard let linking = try Linking(action, reader) else {
        throw reader.error(.unknownWord, "action")
      }
      self = .linking(id, linking)
    }
  }

  /// The request, where somebody asks for something about accounts; nil where it is about anything else.
  ///
  /// - Throws: ``DecodeError`` for one that came as JSON and does not fit.
  public init?(_ request: Command.Request) throws(DecodeError) {
    guard case .feature(let asked) = request, Self.isAction(asked.action) else { return nil }
    self = try asked.content.value()
  }

  /// Whether a request of this action is one about accounts.
  public static func isAction(_ action: String) -> Bool { action.hasPrefix("account.") }

  /// The request as an object with `action`.
  public var json: JSONValue {
    let asked = JSONValue.object([
      "action": .string(action), "target": account.map { .string($0.rawValue) },
    ])
    switch self {
    case .signUp(let email, let profile, let questions, let device):
      return device.added(
        to: asked.setting("email", to: .string(email)).setting("profile", to: profile.json)
          .setting("questions", to: Self.list(questions)))
    case .logIn(let email, let device), .recover(let email, let device):
      return device.added(to: asked.setting("email", to: .string(email)))
    case .forgot(let email), .sendCode(let email):
      return asked.setting("email", to: .string(email))
    case .addProgram(_, let label, let scope, let until):
      return asked.setting("label", to: .string(label))
        .setting("scope", to: Self.list(scope.map(\.rawValue).sorted()))
        .setting("until", to: .string(until.iso8601))
    case .looked(_, let resident, let kinds, let address):
      let looked = asked.setting("resident", to: .string(resident.rawValue))
        .setting("scope", to: Self.list(kinds.map(\.rawValue).sorted()))
      return address.map { looked.setting("address", to: .string($0)) } ?? looked
    case .addScreen(let resident), .showViewCode(let resident):
      return asked.setting("resident", to: .string(resident.rawValue))
    case .endView(let resident, let other):
      return asked.setting("resident", to: .string(resident.rawValue))
        .setting("other", to: .string(other.rawValue))
    case .admitBrowser(_, let number): return asked.setting("number", to: .string(number))
    case .enterScreen(let label), .enterBrowser(let label):
      return asked.setting("label", to: .string(label))
    case .finishOpenID(let device): return device.added(to: asked)
    case .chooseRole(_, let role, let resident):
      let chosen = asked.setting("role", to: .string(role.rawValue))
      return resident.map { chosen.setting("resident", to: .string($0.rawValue)) } ?? chosen
    case .join(_, let timeZone): return asked.setting("timeZone", to: .string(timeZone))
    case .putProfile(_, let profile): return asked.setting("profile", to: profile.json)
    case .setEmail(_, let email): return asked.setting("email", to: .string(email))
    case .setQuestions(_, let questions):
      return asked.setting("questions", to: Self.list(questions))
    case .setPassword(_, let session), .endSessions(_, let session):
      return session.map { asked.setting("session", to: .string($0)) } ?? asked
    case .putPush(_, let session, let push):
      return asked.setting("session", to: .string(session)).setting("push", to: push.json)
    case .seeAlerts(_, let until):
      return asked.setting("until", to: .string(until.iso8601))
    case .pushGone(let endpoint): return asked.setting("endpoint", to: .string(endpoint))
    case .endSession(_, let session), .seen(_, let session), .endPush(_, let session):
      return asked.setting("session", to: .string(session))
    case .linking(_, let linking): return linking.added(to: asked)
    case .remove, .invite, .addBrowser, .cancelBrowser, .beginOpenID, .connectOpenID,
      .disconnectOpenID:
      return asked
    }
  }

  private static func list(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
}

extension AccountRequest.Device {
  fileprivate init(_ reader: JSONReader) throws(DecodeError) {
    self.init(
      kind: try reader.optionalWord("device", as: Session.Kind.self) ?? .browser,
      label: try reader.optionalString("label") ?? "")
  }

  fileprivate func added(to json: JSONValue) -> JSONValue {
    json.setting("device", to: .string(kind.rawValue)).setting("label", to: .string(label))
  }
}

extension Command.Request {
  /// Something about accounts.
  public static func account(_ request: AccountRequest) -> Command.Request {
    var timeZone: String?
    if case .join(_, let name) = request { timeZone = name }
    return .feature(
      FeatureRequest(
        request.action, of: request.account?.rawValue ?? "", request, timeZone: timeZone))
  }
}
