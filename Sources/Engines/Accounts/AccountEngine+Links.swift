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
      let resident = try residentOf(try known(id))
      codes.show(try command.codeDigest(), of: resident, at: world.now.tick)
    case .enterCode: try enterCode(id, command, in: world, &outcome)
    case .request(let email): try ask(try known(id), email, in: world, &outcome)
    case .answer(let request, let isAccepted):
      try answer(id, request, isAccepted, command, in: world, &outcome)
    case .withdraw(let request):
      guard requests[request]?.from == id else { throw Self.noRequest }
      requests[request] = nil
    case .link(let resident):
      try world.house.requireResident(resident)
      try link(try whoSees(id), resident, command, in: world, &outcome)
    case .unlink(let resident):
      try unlink(try whoSees(id), resident, command, in: world, &outcome)
    case .dismiss(let other):
      let resident = try residentOf(try known(id))
      try unlink(try whoSees(other), resident, command, in: world, &outcome)
    }
  }

  // MARK: By a code

  private mutating func enterCode(
    _ id: AccountID, _ command: Command, in world: World, _ outcome: inout Outcome
  ) throws(CommandReply.Refusal) {
    let account = try whoSees(id)
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
    guard let other = self.account(with: email) else {
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
    let resident = try residentOf(isCaredFor)
    guard !cares.residents.contains(resident) else { throw Self.linkedAlready }
    let between = requests.values.filter {
      Set([$0.from, $0.to]) == Set([account.id, other.id])
    }
    guard between.allSatisfy({ $0.answer != nil }) else {
      throw CommandReply.Refusal(
        .conflict,
        Message("{name} was asked already, or has asked you.", ["name": other.profile.name]))
    }
    let open = requests.values.count { $0.from == account.id && $0.answer == nil }
    guard open < AccountRules.requestsAtMost else {
      throw CommandReply.Refusal(
        .conflict, Message("Too many of your requests wait for an answer. Withdraw one first."))
    }
    var identifiers = world.identifiers
    let id = identifiers.next(at: world.now.utc)
    outcome.identifiers = identifiers
    // A new question takes the place of what was answered before.
    for old in between { requests[old.id] = nil }
    requests[id] = LinkRequest(id: id, from: account.id, to: other.id, asked: world.now.utc)
    outcome.events.append(AccountNews(in: world).asked(account, other, .asked, resident))
    outcome.reply = ["account": .string(account.id.rawValue), "request": .string(id)]
  }

  private mutating func answer(
    _ id: AccountID, _ request: String, _ isAccepted: Bool, _ command: Command, in world: World,
    _ outcome: inout Outcome
  ) throws(CommandReply.Refusal) {
    guard let open = requests[request], open.to == id, open.answer == nil else {
      throw Self.noRequest
    }
    let (asker, answerer) = (try known(open.from), try known(id))
    let (cares, isCaredFor) = asker.role == .resident ? (answerer, asker) : (asker, answerer)
    let resident = try residentOf(isCaredFor)
    requests[request]?.answer = LinkRequest.Answer(isAccepted: isAccepted, time: world.now.utc)
    outcome.events.append(
      AccountNews(in: world).asked(answerer, asker, isAccepted ? .accepted : .declined, resident))
    if isAccepted { try link(cares, resident, command, in: world, &outcome) }
  }

  private mutating func link(
    _ account: UserAccount, _ resident: ResidentID, _ command: Command, in world: World,
    _ outcome: inout Outcome
  ) throws(CommandReply.Refusal) {
    guard !account.residents.contains(resident) else { throw Self.linkedAlready }
    guard account.residents.count < AccountRules.linksAtMost else {
      throw CommandReply.Refusal(
        .conflict,
        Message(
          "One account is linked to at most {most} residents.", ["most": AccountRules.linksAtMost]))
    }
    accounts[account.id]?.residents.insert(resident)
    outcome.events.append(
      AccountNews(in: world).linked(account, resident, isLinked: true, by: command))
  }

  mutating func unlink(
    _ account: UserAccount, _ resident: ResidentID, _ command: Command, in world: World,
    _ outcome: inout Outcome
  ) throws(CommandReply.Refusal) {
    guard accounts[account.id]?.residents.remove(resident) != nil else {
      throw CommandReply.Refusal(
        .unknownTarget, Message("{name} is not linked there.", ["name": account.profile.name]))
    }
    outcome.events.append(
      AccountNews(in: world).linked(account, resident, isLinked: false, by: command))
  }

  // MARK: What links need

  /// The account of somebody who cares for others, or treats them.
  private func whoSees(_ id: AccountID) throws(CommandReply.Refusal) -> UserAccount {
    let account = try known(id)
    guard account.role == .caregiver || account.role == .clinician else {
      throw CommandReply.Refusal(
        .conflict,
        Message(
          "This is for those who care for others or treat them; {name} does neither.",
          ["name": account.profile.name]))
    }
    return account
  }

  /// Who of those looked after an account is.
  private func residentOf(_ account: UserAccount) throws(CommandReply.Refusal) -> ResidentID {
    guard account.role == .resident, let resident = account.residents.first else {
      throw CommandReply.Refusal(
        .conflict,
        Message(
          "{name}'s account belongs to nobody who is looked after yet. A keeper of the gateway says whose it is.",
          ["name": account.profile.name]))
    }
    return resident
  }

  private static func noRole(_ account: UserAccount) -> CommandReply.Refusal {
    CommandReply.Refusal(
      .conflict,
      Message(
        "{name} has not chosen yet whether the account is a resident's or a caregiver's.",
        ["name": account.profile.name]))
  }

  private static let linkedAlready = CommandReply.Refusal(
    .conflict, Message("You are linked already."))

  private static let noRequest = CommandReply.Refusal(
    .unknownTarget, Message("That request was answered or withdrawn already."))

  /// The requests that an account made, until it puts away their answers, or may answer, the oldest first.
  public func linkRequests(of id: AccountID) -> [LinkRequest] {
    requests.values.filter { $0.from == id || $0.to == id && $0.answer == nil }
      .sorted { ($0.asked, $0.id) < ($1.asked, $1.id) }
  }

  /// The accounts of those who are linked to a resident, and the resident's own, by name.
  public func accounts(linkedTo resident: ResidentID) -> [UserAccount] {
    accounts.values.filter { $0.residents.contains(resident) }
      .sorted { ($0.profile.name, $0.id) < ($1.profile.name, $1.id) }
  }
}
