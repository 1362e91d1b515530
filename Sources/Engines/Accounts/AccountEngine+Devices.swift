import Care
import JSON
import Moments
import Texts

/// What speaks for an account without a password: programs, and the screens and telephones of those who are looked after.
extension AccountEngine {
  /// What no program is let do: it lets nobody else in, and takes nothing away that calls for help.
  static let keptFromPrograms: Set<Permission> = [.logIn, .changeAccount, .administer, .disarm]
  /// A program's token ends after a year at most, so that none is forgotten for good.
  private static let programDays: Int64 = 366
  private static let dayMilliseconds: Int64 = 86_400_000

  mutating func addProgram(
    _ id: AccountID, _ label: String, _ scope: Set<Permission>, _ until: Timestamp,
    _ command: Command, in world: World, _ outcome: inout Outcome
  ) throws(CommandReply.Refusal) {
    let account = try accounts.known(id)
    try requirePassword(of: account, command, in: world)
    try Validation.name(label)
    try AccountRules.check(AccountRequest.Device(kind: .program, label: label))
    guard !scope.isEmpty, scope.isDisjoint(with: Self.keptFromPrograms) else {
      throw CommandReply.Refusal(
        .invalid,
        Message(
          "Say what the program may. It cannot change accounts, keep the gateway, or take away what calls for help."
        ))
    }
    let (now, ahead) = (world.now, until.milliseconds(since: world.now.utc))
    guard now.quality.isTrusted else {
      throw CommandReply.Refusal(
        .notNow, Message("The clock is not set, so no day can be kept. Try again in a while."))
    }
    guard ahead > 0, ahead <= Self.programDays * Self.dayMilliseconds else {
      throw CommandReply.Refusal(
        .invalid, Message("A program's token ends on a day to come, within a year."))
    }
    var identifiers = world.identifiers
    let session = identifiers.next(at: now.utc)
    outcome.identifiers = identifiers
    try begin(
      Session(
        id: session, account: id, kind: .program, label: label, token: "", began: now.utc,
        seen: now.utc, until: until, scope: scope), command, &outcome)
    outcome.events.append(AccountNews(in: world).changed(account, .program, by: command))
  }

  /// A code is as hard to guess as that of a link: 9.7 × 10¹³ of them for ten minutes. A million guesses in that time, more
  /// than the gateway answers, find one with a chance of about 10⁻⁸.
  mutating func enterScreen(
    _ label: String, _ command: Command, in world: World, _ outcome: inout Outcome
  ) throws(CommandReply.Refusal) {
    try AccountRules.check(AccountRequest.Device(kind: .screen, label: label))
    let now = world.now
    guard let resident = screenCodes.resident(showing: try command.codeDigest(), at: now.tick),
      let person = world.house.residents[resident]
    else {
      throw CommandReply.Refusal(
        .unknownTarget,
        Message(
          "No page shows this code now. Codes change after ten minutes, and capital letters count.")
      )
    }
    var identifiers = world.identifiers
    let account = try screenAccount(of: person, &identifiers, in: world)
    let session = identifiers.next(at: now.utc)
    outcome.identifiers = identifiers
    try begin(
      Session(
        id: session, account: account.id, kind: .screen, label: label, token: "", began: now.utc,
        seen: now.utc), command, &outcome)
    screenCodes.forget(resident)
    outcome.events.append(AccountNews(in: world).changed(account, .screen, by: command))
  }

  /// The resident's own account, or one with which nobody can log in.
  private mutating func screenAccount(
    of person: Resident, _ identifiers: inout IdentifierGenerator, in world: World
  ) throws(CommandReply.Refusal) -> UserAccount {
    if let own = accounts.own(of: person.id) { return own }
    try accounts.requirePlace()
    let account = UserAccount(
      id: AccountID(identifiers.next(at: world.now.utc)), email: nil,
      profile: UserAccount.Profile(
        name: accounts.freeName(for: person.name),
        language: world.language(of: person.id).rawValue), role: .resident,
      residents: [person.id],
      password: nil, created: world.now.utc)
    accounts.add(account)
    return account
  }
}
