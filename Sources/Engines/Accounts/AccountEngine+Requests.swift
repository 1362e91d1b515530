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
      let account = try entering(by: email)
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
      try unlink(try clinician(other), resident, command, in: world, &outcome)
      outcome.reply = ["account": .string(other.rawValue), "resident": .string(resident.rawValue)]
    case .enterScreen(let label): try enterScreen(label, command, in: world, &outcome)
    case .addBrowser(let id): try addBrowser(id, command, in: world)
    case .enterBrowser(let label): try enterBrowser(label, command, in: world, &outcome)
    case .admitBrowser(let id, let number):
      try admitBrowser(id, number, command, in: world, &outcome)
    case .cancelBrowser(let id): try cancelBrowser(id, command, in: world, &outcome)
    // The runtime leads on to the provider, once it is said here that it may.
    case .beginOpenID: break
    case .connectOpenID(let id): try requirePassword(of: try known(id), command, in: world)
    case .finishOpenID(let device): try finishOpenID(device, command, in: world, &outcome)
    case .disconnectOpenID(let id): try disconnectOpenID(id)
    case .chooseRole(let id, let role, let resident):
      try choose(role, resident, id, command, in: world)
    case .join(let id, let timeZone):
      try join(try known(id), timeZone, command, in: world, &outcome)
    case .putProfile(let id, let profile):
      let new = try AccountRules.checked(profile, country: country(of: try known(id), in: world))
      try requireFree(name: new.name, besides: id)
      accounts[id]?.profile = new
    case .setEmail(let id, let text):
      try requirePassword(of: try known(id), command, in: world)
      let email = try Validation.email(text)
      try requireFree(email, besides: id)
      accounts[id]?.email = email
    case .setPassword(let id, let session):
      try requirePassword(of: try known(id), command, in: world)
      let new = try command.passwordHash()
      accounts[id]?.password = new
      passwordTries.forget(id)
      endSessions(of: id, besides: session)
    case .setQuestions(let id, let texts):
      try requirePassword(of: try known(id), command, in: world)
      let new = try AccountRules.questions(texts, command.credentials)
      accounts[id]?.questions = new
    case .endSession(let id, let session):
      try requireSession(session, of: id)
      sessions[session] = nil
    case .endSessions(let id, let session):
      _ = try known(id)
      endSessions(of: id, besides: session)
    case .looked(let id, let resident, let kinds, let address):
      try world.house.requireResident(resident)
      outcome.events.append(
        AccountNews(in: world).looked(try known(id), at: resident, kinds, from: address))
    case .seen(let id, let session):
      try requireSession(session, of: id)
      if sessions[session]?.isWorthNoting(at: world.now) == true {
        sessions[session]?.seen = world.now.utc
      }
    case .seeAlerts(let id, let until):
      // Never what has not happened yet, nor less than before.
      let seen = max(try known(id).alertsSeen ?? until, until)
      accounts[id]?.alertsSeen = world.now.quality.isTrusted ? min(seen, world.now.utc) : seen
    case .putPush(let id, let session, let push):
      try putPush(push, session, of: id)
      outcome.events.append(
        AccountNews(in: world).changed(try known(id), .push, by: command, session: session))
      outcome.reply = ["account": .string(id.rawValue), "session": .string(session)]
    case .endPush(let id, let session):
      try requireSession(session, of: id)
      sessions[session]?.push = nil
    case .pushGone(let endpoint): endPush(at: endpoint)
    case .remove(let id):
      let account = try known(id)
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
    try requireFree(email, besides: nil)
    guard accounts.count < AccountRules.accountsAtMost else { throw Self.noPlace }
    let checked = try AccountRules.checked(profile, country: country(of: nil, in: world))
    try requireFree(name: checked.name, besides: nil)
    try invitations.use(command.credentials?.code, at: world.now)
    var identifiers = world.identifiers
    let account = UserAccount(
      id: AccountID(identifiers.next(at: world.now.utc)), email: email, profile: checked,
      password: try command.passwordHash(),
      questions: try AccountRules.questions(questions, command.credentials),
      created: world.now.utc)
    accounts[account.id] = account
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
    let account = try entering(by: email)
    try requirePassword(of: account, command, in: world)
    try enter(account, device, .loggedIn, command, in: world, &outcome)
  }

  /// The account that somebody wants to come into by an address.
  func entering(by email: String) throws(CommandReply.Refusal) -> UserAccount {
    guard let account = account(with: email), account.password != nil else {
      throw CommandReply.Refusal(
        .unknownTarget,
        Message("Nobody has an account with this e-mail address. You can sign up with it."))
    }
    return account
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
    let own = sessions(of: session.account)
    if own.count >= AccountRules.sessionsAtMost {
      let browsers = own.filter { $0.kind == .browser }
      guard let oldest = browsers.min(by: { ($0.seen, $0.id) < ($1.seen, $1.id) }) else {
        throw CommandReply.Refusal(
          .conflict, Message("Too many programs and screens speak for this account. End one first.")
        )
      }
      sessions[oldest.id] = nil
    }
    sessions[session.id] = session
    if accounts[session.account]?.role == .clinician, session.kind == .browser {
      sessions[session.id]?.until = session.began.advanced(
        byMilliseconds: Session.clinicianMilliseconds)
    }
    outcome.reply = [
      "account": .string(session.account.rawValue), "session": .string(session.id),
    ]
  }

  /// A role is chosen once. Who of those looked after somebody is says a keeper of the gateway.
  private mutating func choose(
    _ role: AccountRole, _ resident: ResidentID?, _ id: AccountID, _ command: Command,
    in world: World
  ) throws(CommandReply.Refusal) {
    let account = try known(id)
    guard account.role == nil || account.role == role && account.residents.isEmpty else {
      throw CommandReply.Refusal(
        .conflict, Message("What this account is for was chosen before, and stays."))
    }
    accounts[id]?.role = role
    if role == .clinician { endSoon(sessionsOf: id, in: world) }
    guard let resident else { return }
    guard role == .resident, Self.isKeeper(command) else {
      throw CommandReply.Refusal(
        .forbidden,
        Message("Only a keeper of this gateway says whose account it is. Ask for it there."))
    }
    try world.house.requireResident(resident)
    if let other = all.first(where: { $0.role == .resident && $0.residents.contains(resident) }) {
      throw CommandReply.Refusal(
        .conflict,
        Message(
          "{name} has an account already: {account}.",
          [
            "name": world.people[resident]?.name ?? resident.rawValue,
            "account": other.profile.name,
          ]))
    }
    accounts[id]?.residents = [resident]
  }

  /// Whoever signed up themselves, and is nobody's account yet, is looked after from now on under a new id. A keeper says
  /// so: a resident may be silent in the house, and nobody is let in by their own word.
  private mutating func join(
    _ account: UserAccount, _ timeZone: String, _ command: Command, in world: World,
    _ outcome: inout Outcome
  ) throws(CommandReply.Refusal) {
    guard account.role != .caregiver, account.residents.isEmpty else {
      throw CommandReply.Refusal(
        .conflict, Message("What this account is for was chosen before, and stays."))
    }
    try Validation.timeZone(timeZone)
    try world.house.requirePlaceForResident()
    let id = ResidentID(
      Slug.make(
        from: account.profile.name, besides: world.house.residents.keys.map(\.rawValue),
        otherwise: "resident"))
    accounts[account.id]?.role = .resident
    accounts[account.id]?.residents = [id]
    var event = AccountNews(in: world).changed(account, .role, by: command)
    event.signal = .joins(Resident(id: id, name: account.profile.name, timeZone: timeZone))
    outcome.events.append(event)
    outcome.reply = ["account": .string(account.id.rawValue), "resident": .string(id.rawValue)]
  }

  // MARK: What is asked for

  func known(_ id: AccountID) throws(CommandReply.Refusal) -> UserAccount {
    guard let account = accounts[id] else {
      throw CommandReply.Refusal(.unknownTarget, Message("There is no such account."))
    }
    return account
  }

  /// Whether a keeper of this machine asks, and for nobody else.
  public static func isKeeper(_ command: Command) -> Bool {
    command.account == nil && command.principal.channel != .plugin
  }

  static var noPlace: CommandReply.Refusal {
    CommandReply.Refusal(
      .conflict,
      Message(
        "This gateway has {most} accounts, and no place for more. Whoever keeps it can remove one that nobody uses: homeward accounts remove.",
        ["most": AccountRules.accountsAtMost]))
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

  private func requireFree(
    _ email: EmailAddress, besides id: AccountID?
  ) throws(CommandReply.Refusal) {
    guard account(with: email.text).map({ $0.id == id }) ?? true else {
      throw CommandReply.Refusal(
        .conflict,
        Message(
          "There is an account with this e-mail address already. Log in with it, or have a new password sent."
        ))
    }
  }

  func isTaken(name: String, besides id: AccountID?) -> Bool {
    let folded = name.lowercased()
    return accounts.values.contains { $0.profile.name.lowercased() == folded && $0.id != id }
  }

  private func requireFree(
    name: String, besides id: AccountID?
  ) throws(CommandReply.Refusal) {
    guard !isTaken(name: name, besides: id) else {
      throw CommandReply.Refusal(
        .conflict,
        Message("Another account has the name {name}. Please add something to it.", ["name": name]))
    }
  }

  func requireSession(
    _ session: String, of id: AccountID
  ) throws(CommandReply.Refusal) {
    guard sessions[session]?.account == id else {
      throw CommandReply.Refusal(
        .unknownTarget, Message("That browser or screen is logged out already."))
    }
  }

  mutating func endSessions(of id: AccountID, besides kept: String?) {
    sessions = sessions.filter { $0.value.account != id || $0.key == kept }
    entries.forget(id)
  }

  /// Where national phone numbers are understood: where those live whom somebody is linked to, or anybody here.
  private func country(of account: UserAccount?, in world: World) -> String {
    let linked = account?.residents.sorted() ?? []
    return (linked + world.people.keys.sorted()).lazy
      .compactMap { world.people[$0]?.alarms.country }.first { !$0.isEmpty } ?? ""
  }
}
