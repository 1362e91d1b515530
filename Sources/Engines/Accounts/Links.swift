import Care
import JSON
import Moments
import Texts

/// An account sees a resident from now on, or no longer.
struct LinkChange {
  let account: UserAccount
  let resident: ResidentID
  let isLinked: Bool
}

/// Who asks to see whom: by a code that the resident shows, or by asking each other. Who sees whom stands in the accounts.
struct Links: Hashable, Sendable {
  private var requests = LinkRequests()
  private var codes = LinkingCodes()

  var rows: [EngineRow] { requests.rows }

  /// Takes back a request from its row.
  mutating func restore(_ request: LinkRequest) { requests.restore(request) }

  /// The requests that an account made or may answer, the oldest first.
  func requests(of id: AccountID) -> [LinkRequest] { requests.requests(of: id) }

  /// Takes what an account asks.
  ///
  /// - Returns: who sees whom because of it, or no longer; nil where nothing changes, or not yet.
  mutating func perform(
    _ linking: Linking, of id: AccountID, among accounts: AccountBook, _ step: inout AccountStep
  ) throws(CommandReply.Refusal) -> LinkChange? {
    switch linking {
    case .showCode:
      let resident = try accounts.known(id).requireResident()
      codes.show(try step.command.codeDigest(), of: resident, at: step.now.tick)
      return nil
    case .enterCode: return try enterCode(try accounts.whoSees(id), step)
    case .request(let email):
      try ask(try accounts.known(id), email, among: accounts, &step)
      return nil
    case .answer(let request, let isAccepted):
      return try answer(id, request, isAccepted, among: accounts, &step)
    case .withdraw(let request):
      try requests.withdraw(request, by: id)
      return nil
    case .link(let resident):
      try step.world.house.requireResident(resident)
      return LinkChange(
        account: try accounts.whoSees(id), resident: resident, isLinked: true)
    case .unlink(let resident):
      return LinkChange(
        account: try accounts.whoSees(id), resident: resident, isLinked: false)
    case .dismiss(let other):
      let resident = try accounts.known(id).requireResident()
      return LinkChange(
        account: try accounts.whoSees(other), resident: resident, isLinked: false)
    }
  }

  /// Shows a code by which one clinician is linked, and nobody else; without the resident's yes there is none.
  mutating func showView(
    of resident: ResidentID, _ step: AccountStep
  ) throws(CommandReply.Refusal) {
    guard step.world.house.consent(.reports, of: resident)?.isGranted == true else {
      throw CommandReply.Refusal(
        .forbidden,
        Message(
          "{name} has not agreed to reports about their health. Ask {name}, and write the answer down under Settings first.",
          ["name": step.world.people[resident]?.name ?? resident.rawValue]))
    }
    codes.showView(try step.command.codeDigest(), of: resident, at: step.now.tick)
  }

  private mutating func enterCode(
    _ account: UserAccount, _ step: AccountStep
  ) throws(CommandReply.Refusal) -> LinkChange {
    let now = step.now.tick
    try codes.requireNoPause(of: account.id, at: now)
    let digest = try step.command.codeDigest()
    let resident = try codes.resident(
      showing: digest, to: account, in: step.world.house, at: now)
    codes.use(digest, of: resident, by: account.id)
    return LinkChange(account: account, resident: resident, isLinked: true)
  }

  private mutating func ask(
    _ account: UserAccount, _ email: String, among accounts: AccountBook,
    _ step: inout AccountStep
  ) throws(CommandReply.Refusal) {
    guard account.role != nil else { throw account.noRole }
    guard let other = accounts.account(with: email) else {
      throw CommandReply.Refusal(
        .unknownTarget,
        Message(
          "Nobody here has an account with the address {email}. They sign up first.",
          ["email": String(email.prefix(254).filter { !$0.isNewline })]))
    }
    let (_, resident) = try account.pair(with: other)
    try requests.requirePlace(from: account, to: other)
    let id = step.draw()
    requests.ask(
      LinkRequest(id: id, from: account.id, to: other.id, asked: step.now.utc))
    step.tell(step.news.asked(account, other, .asked, resident))
    step.reply(["account": .string(account.id.rawValue), "request": .string(id)])
  }

  private mutating func answer(
    _ id: AccountID, _ request: String, _ isAccepted: Bool, among accounts: AccountBook,
    _ step: inout AccountStep
  ) throws(CommandReply.Refusal) -> LinkChange? {
    let open = try requests.answer(
      request, by: id, isAccepted: isAccepted, at: step.now.utc)
    let (asker, answerer) = (try accounts.known(open.from), try accounts.known(id))
    let (cares, isCaredFor) = asker.role == .resident ? (answerer, asker) : (asker, answerer)
    let resident = try isCaredFor.requireResident()
    step.tell(step.news.asked(answerer, asker, isAccepted ? .accepted : .declined, resident))
    return isAccepted ? LinkChange(account: cares, resident: resident, isLinked: true) : nil
  }

  /// An account typed a wrong code.
  mutating func countWrongCode(_ id: AccountID, at now: Tick) { codes.countWrong(id, at: now) }

  /// An account is gone.
  mutating func forget(_ id: AccountID) {
    requests.forget(id)
    codes.forget(id)
  }

  /// A resident is gone.
  mutating func forget(_ resident: ResidentID) { codes.forget(resident) }

  /// The rows that are another than before.
  func changes(since before: Self) -> [StateChange] { requests.changes(since: before.requests) }
}
