public import Care
import JSON
import Moments
import Texts

/// What people ask of their accounts, and why not.
extension AccountEngine {
  mutating func perform(
    _ request: AccountRequest, _ step: inout AccountStep
  ) throws(CommandReply.Refusal) {
    switch request {
    case .signUp(let email, let profile, let questions, let device):
      try signUp(email, profile, questions, device, &step)
    case .invite:
      let invitation = try invite(step)
      step.reply(["until": .string(invitation.until.iso8601)])
    case .logIn(let email, let device): try logIn(email, device, &step)
    case .forgot(let email):
      let account = try accounts.entering(by: email)
      step.reply(["questions": .array(account.questions.map { .string($0.text) })])
    case .sendCode(let email): try sendCode(email, &step)
    case .recover(let email, let device): try recover(email, device, &step)
    case .addProgram(let id, let label, let scope, let until):
      try addProgram(id, label, scope, until, &step)
    case .addScreen(let resident):
      try step.world.house.requireResident(resident)
      screenCodes.show(try step.command.codeDigest(), of: resident, at: step.now.tick)
      step.reply(["resident": .string(resident.rawValue)])
    case .showViewCode(let resident):
      try step.world.house.requireResident(resident)
      try links.showView(of: resident, step)
      step.reply(["resident": .string(resident.rawValue)])
    case .endView(let resident, let other):
      try step.world.house.requireResident(resident)
      let clinician = try accounts.clinician(other)
      try carryOut(
        LinkChange(account: clinician, resident: resident, isLinked: false), &step)
      step.reply(["account": .string(other.rawValue), "resident": .string(resident.rawValue)])
    case .enterScreen(let label): try enterScreen(label, &step)
    case .addBrowser(let id): try addBrowser(id, step)
    case .enterBrowser(let label): try enterBrowser(label, &step)
    case .admitBrowser(let id, let number): try admitBrowser(id, number, &step)
    case .cancelBrowser(let id): try cancelBrowser(id, &step)
    // The runtime leads on to the provider, once it is said here that it may.
    case .beginOpenID: break
    case .connectOpenID(let id): try requirePassword(of: try accounts.known(id), step)
    case .finishOpenID(let device): try finishOpenID(device, &step)
    case .disconnectOpenID(let id): try accounts.disconnect(id)
    case .chooseRole(let id, let role, let resident): try choose(role, resident, id, &step)
    case .join(let id, let timeZone): try join(try accounts.known(id), timeZone, &step)
    case .putProfile(let id, let profile):
      let new = try AccountRules.checked(
        profile, country: AccountRules.country(of: try accounts.known(id), in: step.world))
      try accounts.requireFree(name: new.name, besides: id)
      accounts.change(id) { $0.profile = new }
    case .setEmail(let id, let text):
      try requirePassword(of: try accounts.known(id), step)
      let email = try Validation.email(text)
      try accounts.requireFree(email, besides: id)
      accounts.change(id) { $0.email = email }
    case .setPassword(let id, let session):
      try requirePassword(of: try accounts.known(id), step)
      let new = try step.command.passwordHash()
      accounts.change(id) { $0.password = new }
      passwordTries.forget(id)
      endSessions(of: id, besides: session)
    case .setQuestions(let id, let texts):
      try requirePassword(of: try accounts.known(id), step)
      let new = try AccountRules.questions(texts, step.command.credentials)
      accounts.change(id) { $0.questions = new }
    case .endSession(let id, let session):
      try sessions.require(session, of: id)
      sessions.end(session)
    case .endSessions(let id, let session):
      _ = try accounts.known(id)
      endSessions(of: id, besides: session)
    case .looked(let id, let resident, let kinds, let address):
      try step.world.house.requireResident(resident)
      step.tell(step.news.looked(try accounts.known(id), at: resident, kinds, from: address))
    case .seen(let id, let session):
      try sessions.require(session, of: id)
      sessions.use(session, at: step.now)
    case .seeAlerts(let id, let until):
      try accounts.seeAlerts(id, until: until, at: step.now)
    case .putPush(let id, let session, let push):
      try sessions.require(session, of: id)
      try sessions.putPush(push, session)
      step.tell(try accounts.known(id), .push, session: session)
      step.reply(["account": .string(id.rawValue), "session": .string(session)])
    case .endPush(let id, let session):
      try sessions.require(session, of: id)
      sessions.endPush(of: session)
    case .pushGone(let endpoint): sessions.endPush(at: endpoint)
    case .remove(let id):
      let account = try accounts.known(id)
      try requirePassword(of: account, step)
      forget(id)
      step.tell(account, .removed)
    case .linking(let id, let linking):
      if let change = try links.perform(linking, of: id, among: accounts, &step) {
        try carryOut(change, &step)
      }
    }
    if step.isUnanswered, let id = request.account {
      step.reply(["account": .string(id.rawValue)])
      if let word = AccountNews.Change(request), let account = accounts[id] {
        step.tell(account, word)
      }
    }
  }

  // MARK: Coming in

  private mutating func signUp(
    _ text: String, _ profile: UserAccount.Profile, _ questions: [String],
    _ device: AccountRequest.Device, _ step: inout AccountStep
  ) throws(CommandReply.Refusal) {
    let email = try Validation.email(text)
    try accounts.requireFree(email, besides: nil)
    try accounts.requirePlace()
    let checked = try AccountRules.checked(
      profile, country: AccountRules.country(of: nil, in: step.world))
    try accounts.requireFree(name: checked.name, besides: nil)
    try invitations.use(step.command.credentials?.code, at: step.now)
    let account = UserAccount(
      id: AccountID(step.draw()), email: email, profile: checked,
      password: try step.command.passwordHash(),
      questions: try AccountRules.questions(questions, step.command.credentials),
      created: step.now.utc)
    accounts.add(account)
    let session = step.draw()
    step.tell(account, .signedUp)
    // A keeper makes accounts for others, and logs in nowhere.
    if step.command.credentials?.token == nil, step.isByKeeper {
      step.reply(["account": .string(account.id.rawValue)])
    } else {
      try begin(session, account, device, &step)
    }
  }

  /// Has a new invitation count, whose code is among the credentials.
  private mutating func invite(
    _ step: AccountStep
  ) throws(CommandReply.Refusal) -> Invitation {
    try step.requireKeeper(
      Message("Only a keeper of this gateway invites somebody. Ask for it there."))
    return invitations.invite(try step.command.codeDigest(), at: step.now)
  }

  private mutating func logIn(
    _ email: String, _ device: AccountRequest.Device, _ step: inout AccountStep
  ) throws(CommandReply.Refusal) {
    let account = try accounts.entering(by: email)
    try requirePassword(of: account, step)
    try enter(account, device, .loggedIn, &step)
  }

  /// Lets somebody in who has shown who they are.
  mutating func enter(
    _ account: UserAccount, _ device: AccountRequest.Device, _ change: AccountNews.Change,
    _ step: inout AccountStep
  ) throws(CommandReply.Refusal) {
    passwordTries.forget(account.id)
    let session = step.draw()
    step.tell(account, change)
    try begin(session, account, device, &step)
  }

  /// Begins a session in a browser of somebody who has shown who they are.
  private mutating func begin(
    _ id: String, _ account: UserAccount, _ device: AccountRequest.Device,
    _ step: inout AccountStep
  ) throws(CommandReply.Refusal) {
    try AccountRules.checkBrowser(device)
    try begin(try step.session(id, of: account.id, device.kind, device.label), &step)
  }

  mutating func begin(
    _ session: Session, _ step: inout AccountStep
  ) throws(CommandReply.Refusal) {
    try sessions.begin(
      session, isClinician: accounts[session.account]?.role == .clinician)
    step.reply([
      "account": .string(session.account.rawValue), "session": .string(session.id),
    ])
  }

  /// A role is chosen once. Who of those looked after somebody is says a keeper of the gateway.
  private mutating func choose(
    _ role: AccountRole, _ resident: ResidentID?, _ id: AccountID, _ step: inout AccountStep
  ) throws(CommandReply.Refusal) {
    try accounts.choose(role, for: id)
    if role == .clinician { sessions.endSoon(of: id, at: step.now) }
    guard let resident else { return }
    guard role == .resident, step.isByKeeper else {
      throw CommandReply.Refusal(
        .forbidden,
        Message("Only a keeper of this gateway says whose account it is. Ask for it there."))
    }
    try step.world.house.requireResident(resident)
    try accounts.requireNone(
      of: resident, step.world.people[resident]?.name ?? resident.rawValue)
    accounts.assign(resident, to: id)
  }

  /// Whoever signed up themselves, and is nobody's account yet, is looked after from now on under a new id. A keeper says
  /// so: a resident may be silent in the house, and nobody is let in by their own word.
  private mutating func join(
    _ account: UserAccount, _ timeZone: String, _ step: inout AccountStep
  ) throws(CommandReply.Refusal) {
    guard account.role != .caregiver, account.residents.isEmpty else {
      throw AccountBook.chosenBefore
    }
    try Validation.timeZone(timeZone)
    try step.world.house.requirePlaceForResident()
    let id = ResidentID(
      Slug.make(
        from: account.profile.name, besides: step.world.house.residents.keys.map(\.rawValue),
        otherwise: "resident"))
    accounts.assign(id, to: account.id)
    var event = step.news.changed(account, .role, by: step.command)
    event.signal = .joins(Resident(id: id, name: account.profile.name, timeZone: timeZone))
    step.tell(event)
    step.reply(["account": .string(account.id.rawValue), "resident": .string(id.rawValue)])
  }

  // MARK: What is asked for

  /// Whether a keeper of this machine asks, and for nobody else.
  public static func isKeeper(_ command: Command) -> Bool {
    command.account == nil && command.principal.channel != .plugin
  }

  /// The account's own password is needed of everybody but a keeper of this machine.
  func requirePassword(
    of account: UserAccount, _ step: AccountStep
  ) throws(CommandReply.Refusal) {
    let isRight = step.command.credentials?.isRight
    if isRight == nil, step.isByKeeper { return }
    try passwordTries.requirePassword(of: account.id, isRight: isRight, at: step.now.tick)
  }

  mutating func endSessions(of id: AccountID, besides kept: String?) {
    sessions.endAll(of: id, besides: kept)
    entries.forget(id)
  }
}
