import Care
import JSON

extension Route {
  /// Every account, for whoever keeps the gateway.
  ///
  /// - Result: `[account + {sessions, isPaused}]`: how many browsers, screens and programs speak for it, and whether no
  ///   password is looked at just now.
  public static let accountsList = Route("accounts.list", needs: [.administer], of: .gateway)
  /// Whose accounts see a resident, and the resident's own: of all, or `{resident?}`.
  ///
  /// - Result: `[{account, name, email?, role, resident}]`, one for each who sees each.
  public static let accountsLinked = Route(
    "accounts.linked", [.text("resident").optional], needs: [.contacts], of: .residents,
    gives: .list(
      .object(
        name: "LinkedAccount",
        [
          Member("account", .text), Member("name", .text), Member("email", .text).optional,
          Member("role", .text).optional, Member("resident", .text),
        ])),
    answer: .plain(["account", "role", "resident"]) + .contacts(["name", "email"]))
  /// One account, its sessions and who asks to be linked: `{account?}`; without it that of whoever asks.
  ///
  /// - Result: `{id, email?, profile, role?, residents, sees: [{id, name, timeZone, isShown}], questions, created, alertsSeen?,
  ///   openID?: {issuer, name?, connected}, isPaused, sessions: [{id, kind, label, began, seen, until?, scope?, isThis, push?}], requests: [{id, from, to, asked,
  ///   answer?: {isAccepted, time}, fromName, toName}], entry?: {state: shown or asked, until, label?, address?}}`, sessions the
  ///   newest first, requests the oldest; whoever asked has one that was answered until they withdraw it. `entry` is the code by
  ///   which another browser is let in, and who came with it.
  public static let accountShow = Route(
    "account.show", [.text("account").optional], needs: [.account], of: .account,
    gives: .object(
      name: "Account",
      [
        Member("id", .text), Member("email", .text).optional,
        Member("profile", CommandRule.profile), Member("role", .text).optional,
        Member("residents", .texts), Member("sees", .list(seen)), Member("questions", .texts),
        Member("created", .time),
        Member("alertsSeen", .time).optional,
        Member(
          "openID",
          .object([
            Member("issuer", .text), Member("name", .text).optional, Member("connected", .time),
          ])
        ).optional,
        Member("isPaused", .flag), Member("sessions", .list(session)),
        Member("requests", .list(linkRequest)), Member("entry", entry).optional,
      ]),
    answer: .plain([
      "id", "role", "residents", "created", "alertsSeen", "isPaused", "sessions",
    ])
      + .contacts(["email", "profile", "questions", "requests", "entry", "openID", "sees"]))

  /// Somebody whom an account is linked to; not shown to those who treat them while they refuse it.
  private static let seen = JSONShape.object([
    Member("id", .text), Member("name", .text), Member("timeZone", .timeZone),
    Member("isShown", .flag),
  ])

  private static let session = JSONShape.object(
    name: "Session",
    [
      Member("id", .text), Member("kind", .words(["browser", "screen", "program"])),
      Member("label", .text), Member("began", .time), Member("seen", .time),
      Member("until", .time).optional,
      Member("scope", .list(.words(of: Permission.self))).optional,
      Member("isThis", .flag).optional,
      Member("push", .object([Member("wantsPlaces", .flag)])).optional,
    ])

  private static let entry = JSONShape.object(
    name: "Entry",
    [
      Member("state", .words(["shown", "asked"])), Member("until", .time),
      Member("label", .text).optional, Member("address", .text).optional,
    ])

  private static let linkRequest = JSONShape.object(
    name: "LinkRequest",
    [
      Member("id", .text), Member("from", .text), Member("to", .text), Member("asked", .time),
      Member("answer", .object([Member("isAccepted", .flag), Member("time", .time)])).optional,
      Member("fromName", .text).optional, Member("toName", .text).optional,
    ])

  /// The browsers of caregivers that are told while no page is open: `{resident?, session?}`, of those who care for a
  /// resident, or one session's.
  ///
  /// - Result: `[{account, session, language?, push: {endpoint, keys: {p256dh, auth}, wantsPlaces}}]`.
  public static let accountsPushes = Route(
    "accounts.pushes", [.text("resident").optional, .text("session").optional], needs: [.push],
    of: .gateway,
    gives: .list(
      .object(
        name: "ToldBrowser",
        [
          Member("account", .text), Member("session", .text), Member("language", .text).optional,
          Member("push", CommandRule.pushSubscription),
        ])), answer: .plain(["account", "session", "language", "push"]))
  /// By which key a browser knows that messages are this gateway's, where a plugin sends such.
  ///
  /// - Result: `{key}`: a point of P-256, uncompressed, in Base64 for addresses. Error 1001, kind `conflict`, when no plugin
  ///   tells browsers.
  public static let pushKey = Route(
    "push.key", needs: [.gateway], of: .gateway, gives: .object([Member("key", .text)]),
    answer: .plain(["key"]))

  /// By which identity provider one may log in, asked before anybody is.
  ///
  /// - Result: `{name}`: what people call it. Error 1001, kind `conflict`, when no plugin speaks with one.
  public static let openIDProvider = Route(
    "openid.provider", needs: [.entry], of: .gateway, gives: .object([Member("name", .text)]),
    answer: .plain(["name"]))

  static let accountRoutes: [Route] = [
    .accountsList, .accountsLinked, .accountShow, .accountsPushes, .pushKey, .openIDProvider,
  ]
}
