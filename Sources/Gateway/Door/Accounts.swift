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
  /// - Result: `[{account, name, role, resident}]`, one for each who sees each.
  public static let accountsLinked = Route(
    "accounts.linked", [.text("resident").optional], needs: [.contacts], of: .residents,
    gives: .list(
      .object(
        name: "LinkedAccount",
        [
          Member("account", .text), Member("name", .text), Member("role", .text).optional,
          Member("resident", .text),
        ])),
    answer: .plain(["account", "role", "resident"]) + .contacts(["name"]))
  /// One account, its sessions and who asks to be linked: `{account?}`; without it that of whoever asks.
  ///
  /// - Result: `{id, email?, profile, role?, residents, questions, created, isPaused, sessions: [{id, kind, label, began,
  ///   seen, until?, isThis}], requests: [{id, from, to, asked, fromName, toName}]}`, sessions the newest first, requests the
  ///   oldest.
  public static let accountShow = Route(
    "account.show", [.text("account").optional], needs: [.account], of: .account,
    gives: .object(
      name: "Account",
      [
        Member("id", .text), Member("email", .text).optional,
        Member("profile", CommandRule.profile), Member("role", .text).optional,
        Member("residents", .texts), Member("questions", .texts), Member("created", .time),
        Member("isPaused", .flag), Member("sessions", .list(session)),
        Member("requests", .list(linkRequest)),
      ]),
    answer: .plain(["id", "role", "residents", "created", "isPaused", "sessions"])
      + .contacts(["email", "profile", "questions", "requests"]))

  private static let session = JSONShape.object(
    name: "Session",
    [
      Member("id", .text), Member("kind", .words(["browser", "screen", "program"])),
      Member("label", .text), Member("began", .time), Member("seen", .time),
      Member("until", .time).optional, Member("isThis", .flag).optional,
    ])

  private static let linkRequest = JSONShape.object(
    name: "LinkRequest",
    [
      Member("id", .text), Member("from", .text), Member("to", .text), Member("asked", .time),
      Member("fromName", .text).optional, Member("toName", .text).optional,
    ])

  static let accountRoutes: [Route] = [.accountsList, .accountsLinked, .accountShow]
}
