import Care
import JSON
import Moments
import Texts

/// What speaks for an account without a password: programs, and the screens and telephones of those who are looked after.
extension AccountEngine {
  mutating func addProgram(
    _ id: AccountID, _ label: String, _ scope: Set<Permission>, _ until: Timestamp,
    _ step: inout AccountStep
  ) throws(CommandReply.Refusal) {
    let account = try accounts.known(id)
    try requirePassword(of: account, step)
    try AccountRules.checkProgram(label, scope, until: until, at: step.now)
    let session = step.draw()
    try begin(
      try step.session(session, of: id, .program, label, until: until, scope: scope), &step)
    step.tell(account, .program)
  }

  /// A code is as hard to guess as that of a link: 9.7 × 10¹³ of them for ten minutes. A million guesses in that time, more
  /// than the gateway answers, find one with a chance of about 10⁻⁸.
  mutating func enterScreen(
    _ label: String, _ step: inout AccountStep
  ) throws(CommandReply.Refusal) {
    try AccountRules.check(AccountRequest.Device(kind: .screen, label: label))
    let digest = try step.command.codeDigest()
    guard let resident = screenCodes.resident(showing: digest, at: step.now.tick),
      let person = step.world.house.residents[resident]
    else { throw .noCode }
    let account = try screenAccount(of: person, &step)
    let session = step.draw()
    try begin(try step.session(session, of: account.id, .screen, label), &step)
    screenCodes.forget(resident)
    step.tell(account, .screen)
  }

  /// The resident's own account, or one with which nobody can log in.
  private mutating func screenAccount(
    of person: Resident, _ step: inout AccountStep
  ) throws(CommandReply.Refusal) -> UserAccount {
    if let own = accounts.own(of: person.id) { return own }
    return try accounts.addScreen(
      of: person, step.world.language(of: person.id), as: AccountID(step.draw()), at: step.now.utc)
  }
}
