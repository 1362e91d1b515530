public import Care
import JSON
import Moments
import Texts

/// What people ask of their accounts, and why not.
extension AccountEngine {
  mutating func perform(
    _ request: AccountRequest, _ command: Command, in world: World, _ outcome: inout Outcome
  ) throws(CommandReply.Refusal) {
    switch request {
    case .signUp(let email, let profile, let questions, let device):
      try signUp(email, profile, questions, device, command, in: world, &outcome)
    case .invite:
      let invitation = try invite(command, in: world)
      outcome.reply = ["until": .string(invitation.until.iso8601)]
    case .logIn(let email, let device):
      try logIn(email, device, command, in: world, &outcome)
    case .forgot(let email):
      let account = try accounts.entering(by: email)
      outcome.reply = [
        "questions": .array(account.questions.map { .string($0.text) })
      ]
    case .sendCode(let email): try sendCode(email, command, in: world, &outcome)
    case .recover(let email, let device):
      try recover(email, device, command, in: world, &outcome)
    case .addProgram(let id, let label, let scope, let until):
      try addProgram(id, label, scope, until, command, in: world, &outcome)
    case .addScreen(let resident):
      try world.house.requireResident(resident)
      screenCodes.show(try command.codeDigest(), of: resident, at: world.now.tick)
      outcome.reply = ["resident": .string(resident.rawValue)]
    case .showViewCode(let resident): try showViewCode(of: resident, command, in: world, &outcome)
    case .endView(let resident, let other):
      try world.house.requireResident(resident)
      try unlink(try accounts.clinician(other), resident, command, in: world, &outcome)
      outcome.reply = ["account": .string(other.rawValue), "resident": .string(resident.rawValue)]
    case .enterScreen(let label): try enterScreen(label, command, in: world, &outcome)
    case .addBrowser(let id): try addBrowser(id, command, in: world)
    case .enterBrowser(let label): try enterBrowser(label, command, in: world, &outcome)
    case .admitBrowser(let id, let number):
      try admitBrowser(id, number, command, in: world, &outcome)
    case .cancelBrowser(let id): try cancelBrowser(id, command, in: world, &outcome)
    // The runtime leads on to the provider, once it is said here that it may.
    case .beginOpenID: break
    case .connectOpenID(let id): try requirePassword(of: try accounts.known(id), command, in: world)
    case .finishOpenID(let device): try finishOpenID(device, command, in: world, &outcome)
    case .disconnectOpenID(let id): try accounts.disconnect(id)
    case .chooseRole(let id, let role, let resident):
      try choose(role, resident, id, command, in: world)
    case .join(let id, let timeZone):
      try join(try accounts.known(id), timeZone, command, in: world, &outcome)
    case .putProfile(let id, let profile):
      let new = try AccountRules.checked(
        profile, country: country(of: try accounts.known(id), in: world))
      try accounts.requireFree(name: new.name, besides: id)
      accounts.change(id) { $0.profile = new }
    case .setEmail(let id, let text):
      try requirePassword(of: try accounts.known(id), command, in: world)
      let email = try Validation.email(text)
      try accounts.requireFree(email, besides: id)
      accounts.change(id) { $0.email = email }
    case .setPassword(let id, let session):
      try requirePassword(of: try accounts.known(id), command, in: world)
      let new = try command.passwordHash()
      accounts.change(id) { $0.password = new }
      passwordTries.forget(id)
      endSessions(of: id, besides: session)
    case .setQuestions(let id, let texts):
      try requirePassword(of: try accounts.known(id), command, in: world)
      let new = try AccountRules.questions(texts, command.credentials)
      accounts.change(id) { $0.questions = new }
    case .endSession(let id, let session):
      try sessions.require(session, of: id)
      sessions.end(session)
    case .endSessions(let id, let session):
      _ = try accounts.known(id)
      endSessions(of: id, besides: session)
    case .looked(let id, let resident, let kinds, let address):
      try world.house.requireResident(resident)
      outcome.events.append(
        AccountNews(in: world).looked(try accounts.known(id), at: resident, kinds, from: address))
    case .seen(let id, let session):
      try sessions.require(session, of: id)
      sessions.use(session, at: world.now)
    case .seeAlerts(let id, let until):
      // Never what has not happened yet, nor less than before.
      let seen = max(try accounts.known(id).alertsSeen ?? until, until)
      accounts.change(id) {
        $0.alertsSeen = world.now.quality.isTrusted ? min(seen, world.now.utc) : seen
      }
    case .putPush(let id, let session, let push):
      try sessions.require(session, of: id)
      try sessions.putPush(push, session)
      outcome.events.append(
        AccountNews(in: world).changed(try accounts.known(id), .push, by: command, session: session)
      )
      outcome.reply = ["account": .string(id.rawValue), "session": .string(session)]
    case .endPush(let id, let session):
      try sessions.require(session, of: id)
      sessions.endPush(of: session)
    case .pushGone(let endpoint): sessions.endPush(at: endpoint)
    case .remove(let id):
      let account = try accounts.known(id)
      try requirePassword(of: account, command, in: world)
      forget(id)
      outcome.events.append(AccountNews(in: world).changed(account, .removed, by: command))
    case .linking(let id, let linking):
      try perform(linking, of: id, command, in: world, &outcome)
    }
    if case .object(let members) = outcome.reply, members.isEmpty, let id = request.account {
      outcome.reply = ["account": .string(id.rawValue)]
      if let word = AccountNews.Change(request), let account = accounts[id] {
        outcome.events.append(AccountNews(in: world).changed(account, word, by: command))
      }
    }
  }

  // MARK: Coming in

  private mutating func signUp(
    _ text: String, _ profile: UserAccount.Profile, _ questions: [String],
    _ device: AccountRequest.Device, _ command: Command, in world: World,
    _ outcome: inout Outcome
  ) throws(CommandReply.Refusal) {
    let email = try Validation.email(text)
    try accounts.requireFree(email, besides: nil)
    try accounts.requirePlace()
    let checked = try AccountRules.checked(profile, country: country(of: nil, in: world))
    try accounts.requireFree(name: checked.name, besides: nil)
    try invitations.use(command.credentials?.code, at: world.now)
    var identifiers = world.identifiers
    let account = UserAccount(
      id: AccountID(identifiers.next(at: world.now.utc)), email: email, profile: checked,
      password: try command.passwordHash(),
      questions: try AccountRules.questions(questions, command.credentials),
      created: world.now.utc)
    accounts.add(account)
    let session = identifiers.next(at: world.now.utc)
    outcome.identifiers = identifiers
    outcome.events.append(AccountNews(in: world).changed(account, .signedUp, by: command))
    // A keeper makes accounts for others, and logs in nowhere.
    if command.credentials?.token == nil, Self.isKeeper(command) {
      outcome.reply = ["account": .string(account.id.rawValue)]
    } else {
      try begin(session, account, device, command, in: world, &outcome)
    }
  }

  /// Has a new invitation count, whose code is among the credentials.
  private mutating func invite(
    _ command: Command, in world: World
  ) throws(CommandReply.Refusal) -> Invitation {
    guard Self.isKeeper(command) else {
      throw CommandReply.Refusal(
        .forbidden, Message("Only a keeper of this gateway invites somebody. Ask for it there."))
    }
    return invitations.invite(try command.codeDigest(), at: world.now)
  }

  private mutating func logIn(
    _ email: String, _ device: AccountRequest.Device, _ command: Command, in world: World,
    _ outcome: inout Outcome
  ) throws(CommandReply.Refusal) {
    let account = try accounts.entering(by: email)
    try requirePassword(of: account, command, in: world)
    try enter(account, device, .loggedIn, command, in: world, &outcome)
  }

  /// Lets somebody in who has shown who they are.
  mutating func enter(
    _ account: UserAccount, _ device: AccountRequest.Device, _ change: AccountNews.Change,
    _ command: Command,
    in world: World, _ outcome: inout Outcome
  ) throws(CommandReply.Refusal) {
    passwordTries.forget(account.id)
    var identifiers = world.identifiers
    let session = identifiers.next(at: world.now.utc)
    outcome.identifiers = identifiers
    outcome.events.append(AccountNews(in: world).changed(account, change, by: command))
    try begin(session, account, device, command, in: world, &outcome)
  }

  /// Begins a session; of too many browsers the one that was used least goes.
  private mutating func begin(
    _ id: String, _ account: UserAccount, _ device: AccountRequest.Device, _ command: Command,
    in world: World, _ outcome: inout Outcome
  ) throws(CommandReply.Refusal) {
    try AccountRules.check(device)
    guard device.kind == .browser else {
      throw CommandReply.Refusal(
        .invalid,
        Message(
          "Only a browser logs in with a password; a screen or a program is let in by a code or token of its own."
        ))
    }
    try begin(
      Session(
        id: id, account: account.id, kind: device.kind, label: device.label, token: "",
        began: world.now.utc, seen: world.now.utc), command, &outcome)
  }

  /// Begins a session with the token of a command.
  mutating func begin(
    _ session: Session, _ command: Command, _ outcome: inout Outcome
  ) throws(CommandReply.Refusal) {
    var session = session
    session.token = try command.tokenDigest()
    try begin(session, &outcome)
  }

  /// Begins a session that has its token.
  mutating func begin(
    _ session: Session, _ outcome: inout Outcome
  ) throws(CommandReply.Refusal) {
    var session = session
    if accounts[session.account]?.role == .clinician, session.kind == .browser {
      session.until = session.began.advanced(byMilliseconds: Session.clinicianMilliseconds)
    }
    try sessions.begin(session)
    outcome.reply = [
      "account": .string(session.account.rawValue), "session": .string(session.id),
    ]
  }

  /// A role is chosen once. Who of those looked after somebody is says a keeper of the gateway.
  private mutating func choose(
    _ role: AccountRole, _ resident: ResidentID?, _ id: AccountID, _ command: Command,
    in world: World
  ) throws(CommandReply.Refusal) {
    try accounts.choose(role, for: id)
    if role == .clinician { sessions.endSoon(of: id, at: world.now) }
    guard let resident else { return }
    guard role == .resident, Self.isKeeper(command) else {
      throw CommandReply.Refusal(
        .forbidden,
        Message("Only a keeper of this gateway says whose account it is. Ask for it there."))
    }
    try world.house.requireResident(resident)
    if let other = accounts.own(of: resident) {
      throw CommandReply.Refusal(
        .conflict,
        Message(
          "{name} has an account already: {account}.",
          [
            "name": world.people[resident]?.name ?? resident.rawValue,
            "account": other.profile.name,
          ]))
    }
    accounts.assign(resident, to: id)
  }

  /// Whoever signed up themselves, and is nobody's account yet, is looked after from now on under a new id. A keeper says
  /// so: a resident may be silent in the house, and nobody is let in by their own word.
  private mutating func join(
    _ account: UserAccount, _ timeZone: String, _ command: Command, in world: World,
    _ outcome: inout Outcome
  ) throws(CommandReply.Refusal) {
    guard account.role != .caregiver, account.residents.isEmpty else {
      throw AccountBook.chosenBefore
    }
    try Validation.timeZone(timeZone)
    try world.house.requirePlaceForResident()
    let id = ResidentID(
      Slug.make(
        from: account.profile.name, besides: world.house.residents.keys.map(\.rawValue),
        otherwise: "resident"))
    accounts.assign(id, to: account.id)
    var event = AccountNews(in: world).changed(account, .role, by: command)
    event.signal = .joins(Resident(id: id, name: account.profile.name, timeZone: timeZone))
    outcome.events.append(event)
    outcome.reply = ["account": .string(account.id.rawValue), "resident": .string(id.rawValue)]
  }

  // MARK: What is asked for

  /// Whether a keeper of this machine asks, and for nobody else.
  public static func isKeeper(_ command: Command) -> Bool {
    command.account == nil && command.principal.channel != .plugin
  }

  /// The account's own password is needed of everybody but a keeper of this machine.
  func requirePassword(
    of account: UserAccount, _ command: Command, in world: World
  ) throws(CommandReply.Refusal) {
    let right = command.credentials?.isRight
    if right == nil, Self.isKeeper(command) { return }
    try passwordTries.requireNoPause(of: account.id, at: world.now.tick)
    guard let right else { throw .notLookedAt }
    guard right else {
      throw CommandReply.Refusal(.forbidden, Message("That password is not right."))
        .counting(.password(account.id))
    }
  }

  mutating func endSessions(of id: AccountID, besides kept: String?) {
    sessions.endAll(of: id, besides: kept)
    entries.forget(id)
  }

  /// Where national phone numbers are understood: where those live whom somebody is linked to, or anybody here.
  private func country(of account: UserAccount?, in world: World) -> String {
    let linked = account?.residents.sorted() ?? []
    return (linked + world.people.keys.sorted()).lazy
      .compactMap { world.people[$0]?.alarms.country }.first { !$0.isEmpty } ?? ""
  }
}
