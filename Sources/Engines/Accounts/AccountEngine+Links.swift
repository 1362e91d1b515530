public import Care
import JSON
import Moments
import Texts

/// Who sees whom: by a code that the resident shows, by asking each other, or by a keeper of the gateway.
extension AccountEngine {
  mutating func perform(
    _ linking: Linking, of id: AccountID, _ command: Command, in world: World,
    _ outcome: inout Outcome
  ) throws(CommandReply.Refusal) {
    switch linking {
    case .showCode:
      let resident = try accounts.known(id).requireResident()
      codes.show(try command.codeDigest(), of: resident, at: world.now.tick)
    case .enterCode: try enterCode(id, command, in: world, &outcome)
    case .request(let email): try ask(try accounts.known(id), email, in: world, &outcome)
    case .answer(let request, let isAccepted):
      try answer(id, request, isAccepted, command, in: world, &outcome)
    case .withdraw(let request):
      try requests.withdraw(request, by: id)
    case .link(let resident):
      try world.house.requireResident(resident)
      try link(try accounts.whoSees(id), resident, command, in: world, &outcome)
    case .unlink(let resident):
      try unlink(try accounts.whoSees(id), resident, command, in: world, &outcome)
    case .dismiss(let other):
      let resident = try accounts.known(id).requireResident()
      try unlink(try accounts.whoSees(other), resident, command, in: world, &outcome)
    }
  }

  // MARK: By a code

  private mutating func enterCode(
    _ id: AccountID, _ command: Command, in world: World, _ outcome: inout Outcome
  ) throws(CommandReply.Refusal) {
    let account = try accounts.whoSees(id)
    let now = world.now.tick
    try codeTries.requireNoPause(of: id, at: now)
    let digest = try command.codeDigest()
    var shown = codes.resident(showing: digest, at: now)
    if shown == nil, account.role == .clinician {
      shown = viewCodes.resident(showing: digest, at: now)
    }
    guard let resident = shown, world.house.residents[resident] != nil else {
      throw CommandReply.Refusal(
        .unknownTarget,
        Message(
          "No page shows this code now. Codes change after ten minutes, and capital letters count.")
      ).counting(.linkCode(id))
    }
    try link(account, resident, command, in: world, &outcome)
    codes.use(digest, of: resident)
    viewCodes.use(digest, of: resident)
    codeTries.forget(id)
  }

  // MARK: By asking

  private mutating func ask(
    _ account: UserAccount, _ email: String, in world: World, _ outcome: inout Outcome
  ) throws(CommandReply.Refusal) {
    guard account.role != nil else { throw Self.noRole(account) }
    guard let other = accounts.account(with: email) else {
      throw CommandReply.Refusal(
        .unknownTarget,
        Message(
          "Nobody here has an account with the address {email}. They sign up first.",
          ["email": String(email.prefix(254).filter { !$0.isNewline })]))
    }
    guard let role = other.role else { throw Self.noRole(other) }
    guard (role == .resident) != (account.role == .resident) else {
      throw CommandReply.Refusal(
        .conflict,
        role == .resident
          ? Message("You are both residents. A link is between a caregiver and a resident.")
          : Message(
            "Neither of you is looked after here. A link is between somebody who is, and somebody who cares for or treats them."
          ))
    }
    let (cares, isCaredFor) = role == .resident ? (account, other) : (other, account)
    let resident = try isCaredFor.requireResident()
    guard !cares.residents.contains(resident) else { throw AccountBook.linkedAlready }
    try requests.requirePlace(from: account, to: other)
    var identifiers = world.identifiers
    let id = identifiers.next(at: world.now.utc)
    outcome.identifiers = identifiers
    requests.ask(
      LinkRequest(id: id, from: account.id, to: other.id, asked: world.now.utc))
    outcome.events.append(AccountNews(in: world).asked(account, other, .asked, resident))
    outcome.reply = ["account": .string(account.id.rawValue), "request": .string(id)]
  }

  private mutating func answer(
    _ id: AccountID, _ request: String, _ isAccepted: Bool, _ command: Command, in world: World,
    _ outcome: inout Outcome
  ) throws(CommandReply.Refusal) {
    let open = try requests.answer(
      request, by: id, isAccepted: isAccepted, at: world.now.utc)
    let (asker, answerer) = (try accounts.known(open.from), try accounts.known(id))
    let (cares, isCaredFor) = asker.role == .resident ? (answerer, asker) : (asker, answerer)
    let resident = try isCaredFor.requireResident()
    outcome.events.append(
      AccountNews(in: world).asked(answerer, asker, isAccepted ? .accepted : .declined, resident))
    if isAccepted { try link(cares, resident, command, in: world, &outcome) }
  }

  private mutating func link(
    _ account: UserAccount, _ resident: ResidentID, _ command: Command, in world: World,
    _ outcome: inout Outcome
  ) throws(CommandReply.Refusal) {
    try accounts.link(account, to: resident)
    outcome.events.append(
      AccountNews(in: world).linked(account, resident, isLinked: true, by: command))
  }

  mutating func unlink(
    _ account: UserAccount, _ resident: ResidentID, _ command: Command, in world: World,
    _ outcome: inout Outcome
  ) throws(CommandReply.Refusal) {
    try accounts.unlink(account, from: resident)
    outcome.events.append(
      AccountNews(in: world).linked(account, resident, isLinked: false, by: command))
  }

  private static func noRole(_ account: UserAccount) -> CommandReply.Refusal {
    CommandReply.Refusal(
      .conflict,
      Message(
        "{name} has not chosen yet whether the account is a resident's or a caregiver's.",
        ["name": account.profile.name]))
  }

  /// The requests that an account made, until it puts away their answers, or may answer, the oldest first.
  public func linkRequests(of id: AccountID) -> [LinkRequest] {
    requests.requests(of: id)
  }

  /// The accounts of those who are linked to a resident, and the resident's own, by name.
  public func accounts(linkedTo resident: ResidentID) -> [UserAccount] {
    accounts.accounts(linkedTo: resident)
  }
}
