import Care
import JSON
import Texts

/// What is told of accounts, in the languages of the house as it is just now. It keeps nothing.
struct AccountNews {
  /// What happened to an account, as `change` says it.
  enum Change: String, CaseIterable {
    case signedUp = "signed-up"
    case loggedIn = "logged-in"
    case codeSent = "code-sent"
    case program
    case screen
    case browser
    case keptOut = "kept-out"
    case role
    case profile
    case email
    case password
    case questions
    case push
    case connected
    case disconnected
    case loggedOut = "logged-out"
    case removed

    /// What happened, without a name.
    var sentence: Message {
      switch self {
      case .signedUp: Message("An account was made.")
      case .loggedIn: Message("Somebody logged in with an account.")
      case .codeSent: Message("A code was sent to somebody who forgot their password.")
      case .program: Message("A program speaks for an account from now on.")
      case .screen: Message("A screen speaks for a resident from now on.")
      case .browser: Message("A browser was let in by another one in which somebody is logged in.")
      case .keptOut: Message("A browser that wanted to be let in was kept out.")
      case .role: Message("It was said what an account is for.")
      case .profile: Message("Somebody changed what their account tells of them.")
      case .email: Message("Somebody logs in with another address from now on.")
      case .password: Message("An account has another password.")
      case .questions: Message("An account has other secret questions.")
      case .push: Message("A browser is told of alarms from now on, also while no page is open.")
      case .connected: Message("Somebody logs in by another service too from now on.")
      case .disconnected: Message("Somebody logs in by another service no longer.")
      case .loggedOut: Message("Somebody was logged out.")
      case .removed: Message("An account was removed.")
      }
    }

    /// What a request changes; nil for what is told otherwise, or not at all.
    init?(_ request: AccountRequest) {
      switch request {
      case .signUp, .invite, .logIn, .forgot, .sendCode, .recover, .join, .addScreen, .showViewCode,
        .endView, .enterScreen, .addBrowser, .enterBrowser, .admitBrowser, .cancelBrowser, .looked,
        .seen, .remove,
        .linking, .putPush, .endPush, .pushGone, .seeAlerts, .beginOpenID, .connectOpenID,
        .finishOpenID:
        return nil
      case .addProgram: self = .program
      case .chooseRole: self = .role
      case .putProfile: self = .profile
      case .setEmail: self = .email
      case .setPassword: self = .password
      case .setQuestions: self = .questions
      case .disconnectOpenID: self = .disconnected
      case .endSession, .endSessions: self = .loggedOut
      }
    }
  }

  /// What became of a request to be linked.
  enum Answer: String, CaseIterable {
    case asked, accepted, declined

    /// What happened, of whoever asked or answered and the other one.
    func sentence(_ values: Message.Values) -> Message {
      switch self {
      case .asked: Message("{account} asked {other} to be linked.", values)
      case .accepted: Message("{account} said yes to {other}, who had asked to be linked.", values)
      case .declined: Message("{account} said no to {other}, who had asked to be linked.", values)
      }
    }
  }

  private let world: World

  init(in world: World) { self.world = world }

  func asked(
    _ account: UserAccount, _ other: UserAccount, _ answer: Answer, _ resident: ResidentID
  ) -> EventDraft {
    let sentence = answer.sentence(["account": account.profile.name, "other": other.profile.name])
    return EventDraft(
      type: .accountAsked, lane: .record, resident: resident,
      facts: [
        "account": .string(account.id.rawValue), "name": .string(account.profile.name),
        "other": .string(other.id.rawValue), "otherName": .string(other.profile.name),
        "answer": .string(answer.rawValue),
        "explanation": .string(sentence.text(in: world.language(of: resident))),
      ])
  }

  func looked(
    _ account: UserAccount, at resident: ResidentID, _ kinds: Set<Permission>,
    from address: String?
  ) -> EventDraft {
    let sentence = Message(
      "{account} looked at how {name} is.",
      [
        "account": account.profile.name, "name": world.people[resident]?.name ?? resident.rawValue,
      ])
    return EventDraft(
      type: .accountLooked, lane: .record, resident: resident,
      facts: .object([
        "account": .string(account.id.rawValue), "name": .string(account.profile.name),
        "kinds": .array(kinds.map(\.rawValue).sorted().map { .string($0) }),
        "address": address.map { .string($0) },
        "explanation": .string(sentence.text(in: world.language(of: resident))),
      ]))
  }

  private func carer(_ account: UserAccount, of resident: ResidentID) -> Guardian {
    Guardian(
      id: GuardianID(account.id.rawValue), resident: resident, name: account.profile.name,
      phone: account.profile.phone, email: account.email?.text, isCaregiver: true,
      language: account.profile.language)
  }

  func linked(
    _ account: UserAccount, _ resident: ResidentID, isLinked: Bool, by command: Command
  ) -> EventDraft {
    let values: Message.Values = [
      "account": account.profile.name,
      "name": world.people[resident]?.name ?? resident.rawValue,
    ]
    let sentence = UserAccount.sentence(ofLink: isLinked, account.role, values)
    return EventDraft(
      type: .accountLinked, lane: .record, resident: resident,
      facts: [
        "account": .string(account.id.rawValue), "name": .string(account.profile.name),
        "isLinked": .bool(isLinked), "by": .string(command.principal.description),
        "explanation": .string(sentence.text(in: world.language(of: resident))),
      ], signal: isLinked && account.role == .caregiver ? .cares(carer(account, of: resident)) : nil
    )
  }

  /// Nobody's name stands in it: whoever signs up may be a resident, who is not known as one yet, and goes with every trace
  /// when they are erased.
  func changed(
    _ account: UserAccount, _ change: Change, by command: Command? = nil,
    session: String? = nil, from address: String? = nil
  ) -> EventDraft {
    EventDraft(
      type: .accountChanged, lane: .record,
      resident: account.role == .resident ? account.residents.first : nil,
      facts: .object([
        "account": .string(account.id.rawValue), "change": .string(change.rawValue),
        "session": session.map { .string($0) },
        "by": command.map { .string($0.principal.description) },
        "address": (address ?? command?.address).map { .string($0) },
        "explanation": .string(change.sentence.text(in: world.language)),
      ]))
  }

  /// Tells that somebody tries to get into an account: once of each resident whom it is linked to, so that all who care for
  /// them hear it.
  func attack(on account: UserAccount, _ tries: Int) -> [EventDraft] {
    func told(_ resident: ResidentID?) -> EventDraft {
      let language = resident.map { world.language(of: $0) } ?? world.language
      let sentence = Message(
        "Somebody tried {n} wrong passwords for the account of {name}. If that was not {name}, it needs a new password.",
        ["n": tries, "name": account.profile.name]
      ).text(in: language)
      return EventDraft(
        type: .accountAttacked, lane: .record, resident: resident,
        facts: [
          "account": .string(account.id.rawValue), "name": .string(account.profile.name),
          "tries": .integer(Int64(tries)), "explanation": .string(sentence),
        ], signal: resident.map { .news(.intrusion(sentence: sentence), of: $0) })
    }
    let linked = account.residents.sorted().filter { world.house.residents[$0] != nil }
    return linked.isEmpty ? [told(nil)] : linked.map { told($0) }
  }
}
