public import Care
public import Texts

extension EventType {
  /// An account was made, changed or removed, or somebody logged in.
  public static let accountChanged: EventType = "account.changed"
  /// Somebody tried several wrong passwords for an account.
  public static let accountAttacked: EventType = "account.attacked"
  /// An account asked another to be linked, or got its answer.
  public static let accountAsked: EventType = "account.asked"
  /// Somebody looked at what is known of a resident, for the first time within the hour.
  public static let accountLooked: EventType = "account.looked"
  /// The account of somebody who cares for a resident, or treats one, sees them from now on, or no longer.
  public static let accountLinked: EventType = "account.linked"
}

extension AccountNews {
  /// What is told of accounts. What names somebody takes `contacts`.
  static let declarations: [EventDeclaration] = [
    EventDeclaration(
      .accountChanged, [.record], about: .either,
      "Something became of an account; the subject is the resident whose own it is.",
      [
        account, .word("change", of: Change.self, "What became of it."),
        .text("session", "Which browser, where it is about one.").optional, .explanation,
      ], .contacts([.by.optional, address])),
    EventDeclaration(
      .accountAttacked, [.record], about: .either,
      "Somebody tried several wrong passwords; once for each resident who is seen by the account.",
      [account, .whole("tries", "How many.")], .contacts([name, .explanation])),
    EventDeclaration(
      .accountAsked, [.record], "One account asked another to be linked, or answered.",
      [
        account, .text("other", "The id of the other account."),
        .word("answer", of: Answer.self, "What was answered."),
      ], .contacts([name, .text("otherName", "The name of the other."), .explanation])),
    EventDeclaration(
      .accountLinked, [.record], "An account sees a resident from now on, or no longer.",
      [account, .flag("isLinked", "Whether it does.")], .contacts([name, .by, .explanation])),
    EventDeclaration(
      .accountLooked, [.record],
      "An account looked at what is known of a resident; of each kind once an hour.",
      [account, .texts("kinds", "Which kinds, as in `read:`.")],
      .contacts([name, address, .explanation])),
  ]

  private static let account = EventFact.text("account", "The id of the account.")
  private static let name = EventFact.text("name", "Whose it is.")
  private static let address = EventFact.text("address", "From which address.").optional
}

extension UserAccount {
  /// What it means that an account sees somebody from now on, or no longer.
  ///
  /// - Parameter values: the names in `account` and `name`.
  public static func sentence(
    ofLink isLinked: Bool, _ role: AccountRole?, _ values: Message.Values
  ) -> Message {
    switch (role, isLinked) {
    case (.clinician, true):
      Message(
        "{account}, who treats {name}, sees readings, diary and medicine from now on.", values)
    case (.clinician, false):
      Message("{account} sees the readings, diary and medicine of {name} no longer.", values)
    case (_, true):
      Message(
        "{account} sees from now on how {name} is, and is told when {name} needs help.", values)
    case (_, false):
      Message(
        "{account} sees no longer how {name} is. As long as {account} is a guardian of {name}, alarms are told to {account}.",
        values)
    }
  }
}
