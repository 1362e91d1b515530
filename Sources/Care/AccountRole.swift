/// What the account of somebody is for, chosen once.
public enum AccountRole: String, Hashable, Sendable, CaseIterable {
  /// Of one who is looked after.
  case resident
  /// Of one who cares for others.
  case caregiver
}

extension CommandRule {
  static let accountRules = [
    CommandRule("account.sign-up", .logIn), CommandRule("account.log-in", .logIn),
    CommandRule("account.forgot", .logIn), CommandRule("account.send-code", .logIn),
    CommandRule("account.recover", .logIn), CommandRule("account.enter-screen", .logIn),
    CommandRule("account.add-screen", .changeDevices),
    CommandRule("account.add-program", .changeAccount),
    CommandRule("account.choose-role", .changeAccount),
    CommandRule("account.join", .administer),
    CommandRule("account.put-profile", .changeAccount),
    CommandRule("account.set-email", .changeAccount),
    CommandRule("account.set-password", .changeAccount),
    CommandRule("account.set-questions", .changeAccount),
    CommandRule("account.end-session", .changeAccount),
    CommandRule("account.end-sessions", .changeAccount),
    CommandRule("account.remove", .changeAccount),
    CommandRule("account.show-code", .changeAccount),
    CommandRule("account.enter-code", .changeAccount),
    CommandRule("account.request-link", .changeAccount),
    CommandRule("account.answer-link", .changeAccount),
    CommandRule("account.withdraw-link", .changeAccount),
    CommandRule("account.unlink", .changeAccount), CommandRule("account.dismiss", .changeAccount),
    CommandRule("account.link", .administer), CommandRule("account.seen", .administer),
    CommandRule("account.looked", .administer),
  ]
}
