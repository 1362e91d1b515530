public import JSON

/// What the account of somebody is for, chosen once.
public enum AccountRole: String, Hashable, Sendable, CaseIterable {
  /// Of one who is looked after.
  case resident
  /// Of one who cares for others.
  case caregiver
  /// Of one who treats others, such as a doctor or a dietitian: sees how they are, and changes nothing.
  case clinician
}

/// Who may make an account by the pages. Whoever keeps the gateway may always, for others.
public enum SignUp: String, Hashable, Sendable, CaseIterable {
  /// Whoever reaches the pages; nobody sees anybody before they are linked.
  case anybody
  /// Whoever has an invitation of a keeper's.
  case invited
  /// Nobody.
  case nobody
}

extension CommandRule {
  static let accountRules: [CommandRule] =
    [
      CommandRule(
        "account.sign-up", .logIn,
        [
          .email, Member("profile", profile), .password,
          Member("questions", .texts).optional, Member("answers", .texts).secret.optional,
          Member("code", .text).secret.optional,
        ] + device),
      CommandRule("account.invite", .administer, []),
      CommandRule("account.log-in", .logIn, [.email, .password] + device),
      CommandRule("account.forgot", .logIn, [.email]),
      CommandRule("account.send-code", .logIn, [.email]),
      CommandRule(
        "account.recover", .logIn,
        [
          .email, Member("answers", .texts).secret.optional, Member("code", .text).secret.optional,
          Member("newPassword", .text).secret,
        ] + device),
      CommandRule(
        "account.enter-screen", .logIn,
        [Member("code", .text).secret, Member("label", .text).optional]),
      CommandRule(
        "account.enter-browser", .logIn,
        [Member("code", .text).secret, Member("label", .text).optional]),
      CommandRule("account.add-screen", .changeDevices, [Member("resident", .text)]),
      CommandRule("account.show-view-code", .changePeople, [Member("resident", .text)]),
      CommandRule(
        "account.end-view", .changePeople, [Member("resident", .text), Member("other", .text)]),
    ] + openIDRules + ownAccountRules + linkRules

  /// To come in by an identity provider. Where it sends a browser back to, and where that goes on then, whoever serves the
  /// pages says.
  private static let openIDRules = [
    CommandRule(
      "account.begin-openid", .logIn,
      [Member("redirect", .text).secret, Member("next", .text).secret.optional]),
    CommandRule(
      "account.finish-openid", .logIn,
      [
        Member("state", .text).secret, Member("code", .text).secret,
        Member("binding", .text).secret,
      ] + device),
    CommandRule(
      "account.connect-openid", .changeAccount,
      [.target, .password, Member("redirect", .text).secret, Member("next", .text).secret.optional]),
    CommandRule("account.disconnect-openid", .changeAccount, [.target]),
  ]

  private static let ownAccountRules = [
    CommandRule(
      "account.add-program", .changeAccount,
      [
        .target, Member("label", .text), Member("scope", .list(.words(of: Permission.self))),
        Member("until", .time), .password,
      ]),
    CommandRule(
      "account.choose-role", .changeAccount,
      [
        .target, Member("role", .words(of: AccountRole.self)), Member("resident", .text).optional,
      ]),
    CommandRule("account.join", .administer, [.target, Member("timeZone", .timeZone)]),
    CommandRule("account.put-profile", .changeAccount, [.target, Member("profile", profile)]),
    CommandRule("account.set-email", .changeAccount, [.target, .email, .password]),
    CommandRule(
      "account.set-password", .changeAccount,
      [.target, .password, Member("newPassword", .text).secret, Member("session", .text).optional]),
    CommandRule(
      "account.set-questions", .changeAccount,
      [
        .target, .password, Member("questions", .texts).optional,
        Member("answers", .texts).secret.optional,
      ]),
    CommandRule("account.end-session", .changeAccount, [.target, Member("session", .text)]),
    CommandRule(
      "account.end-sessions", .changeAccount, [.target, Member("session", .text).optional]),
    CommandRule("account.add-browser", .changeAccount, [.target]),
    CommandRule("account.admit-browser", .changeAccount, [.target, Member("number", .text)]),
    CommandRule("account.cancel-browser", .changeAccount, [.target]),
    CommandRule(
      "account.put-push", .changeAccount,
      [.target, Member("session", .text), Member("push", pushSubscription)]),
    CommandRule("account.see-alerts", .changeAccount, [.target, Member("until", .time)]),
    CommandRule("account.end-push", .changeAccount, [.target, Member("session", .text)]),
    CommandRule("account.push-gone", .administer, [Member("endpoint", .text)]),
    CommandRule("account.remove", .changeAccount, [.target, .password]),
    CommandRule("account.seen", .administer, [.target, Member("session", .text)]),
    CommandRule(
      "account.looked", .administer,
      [
        .target, Member("resident", .text),
        Member("scope", .list(.words(of: Permission.self))).optional,
        Member("address", .text).optional,
      ]),
  ]

  /// Who sees whom.
  private static let linkRules = [
    CommandRule("account.show-code", .changeAccount, [.target]),
    CommandRule("account.enter-code", .changeAccount, [.target, Member("code", .text).secret]),
    CommandRule("account.request-link", .changeAccount, [.target, .email]),
    CommandRule(
      "account.answer-link", .changeAccount,
      [.target, Member("request", .text), Member("isAccepted", .flag)]),
    CommandRule("account.withdraw-link", .changeAccount, [.target, Member("request", .text)]),
    CommandRule("account.unlink", .changeAccount, [.target, Member("resident", .text)]),
    CommandRule("account.dismiss", .changeAccount, [.target, Member("other", .text)]),
    CommandRule("account.link", .administer, [.target, Member("resident", .text)]),
  ]

  private static let device = [
    Member("device", .words(["browser"])).optional, Member("label", .text).optional,
  ]

  /// Where a browser is told while no page is open, as it writes it itself.
  public static let pushSubscription = JSONShape.object(
    name: "PushSubscription",
    [
      Member(
        "endpoint",
        .text(
          JSONShape.Writing(
            pattern: "^https://[!-~]{1,990}$", example: "https://push.example.org/a1b2"))),
      Member("keys", pushKeys),
      Member("wantsPlaces", .flag).optional,
    ])

  /// 65 and 16 bytes, in Base64 for addresses.
  private static let pushKeys = JSONShape.object([
    Member(
      "p256dh",
      .text(
        JSONShape.Writing(
          pattern: "^B[A-P][A-Za-z0-9_-]{84}[AEIMQUYcgkosw048]$",
          example:
            "BAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4vMDEyMzQ1Njc4OTo7PD0-P0A"
        ))),
    Member(
      "auth",
      .text(
        JSONShape.Writing(pattern: "^[A-Za-z0-9_-]{21}[AQgw]$", example: "AAECAwQFBgcICQoLDA0ODw"))),
  ])

  /// What somebody tells of themselves.
  public static let profile = JSONShape.object(
    name: "Profile",
    [
      Member("name", .text), Member("phone", .text).optional,
      Member("gender", .words(["woman", "man", "other"])).optional,
      Member("birthYear", .whole).optional, Member("language", .text).optional,
      Member("units", .words(of: LengthUnits.self)).optional,
    ])
}

extension JSONShape.Member {
  fileprivate static let email = Member(
    "email", .text(JSONShape.Writing(format: "email", example: "anna@example.org")))
  fileprivate static let password = Member("password", .text).secret
}
