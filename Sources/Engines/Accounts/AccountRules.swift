public import Care
import Moments
import PhoneNumbers
import Texts

/// What may stand in an account.
public enum AccountRules {
  /// So many accounts a gateway has at most.
  public static let accountsAtMost = 200
  /// So many browsers, screens and programs one account has at most; of browsers the one that was used least goes first.
  public static let sessionsAtMost = 20
  /// How long a password is, in characters; longer ones would only make the hash slow.
  public static let passwordLengths = 8...200
  /// So many secret questions an account has at most.
  public static let questionsAtMost = 5
  /// So many requests to be linked wait for an answer at most, of each who asks.
  public static let requestsAtMost = 20
  /// So many residents one caregiver is linked to at most.
  public static let linksAtMost = 100
  private static let labelAtMost = 200
  /// What no program is let do: it lets nobody else in, and takes nothing away that calls for help.
  private static let keptFromPrograms: Set<Permission> = [
    .logIn, .changeAccount, .administer, .disarm,
  ]
  /// A program's token ends after a year at most, so that none is forgotten for good.
  private static let programDays: Int64 = 366
  private static let dayMilliseconds: Int64 = 86_400_000
  private static let birthYears: ClosedRange<Int64> = 1900...2100

  /// Why a new password is none that keeps others out; nil where it may be.
  ///
  /// What makes a password good is its length and that nobody else can know it: no rule about capitals and digits.
  ///
  /// - Source: NIST SP 800-63B, section 5.1.1.2.
  public static func refusal(
    ofPassword password: String, for email: String, _ name: String
  ) -> CommandReply.Refusal? {
    guard passwordLengths.contains(password.unicodeScalars.count) else {
      return CommandReply.Refusal(
        .invalid,
        Message(
          "A password has {least} through {most} characters. A few words that only you put together are easy to keep.",
          ["least": passwordLengths.lowerBound, "most": passwordLengths.upperBound]))
    }
    let folded = password.lowercased()
    let known = [
      email.lowercased(), String(email.lowercased().prefix { $0 != "@" }), name.lowercased(),
    ]
    let isGuessed =
      Set(folded).count < 4 || known.contains(folded)
      || "01234567890 abcdefghijklmnopqrstuvwxyz qwertyuiop asdfghjkl 09876543210".contains(folded)
      || ["password", "passwort", "letmein", "homeward", "iloveyou"].contains { word in
        folded.hasPrefix(word) && folded.dropFirst(word.count).allSatisfy(\.isNumber)
      }
    guard isGuessed else { return nil }
    return CommandReply.Refusal(
      .invalid,
      Message("That password is one of the first that others would try. Please take another."))
  }

  /// A profile as it is kept, its phone number in E.164.
  ///
  /// - Parameter country: where national numbers are understood; may be empty.
  static func checked(
    _ profile: UserAccount.Profile, country: String
  ) throws(CommandReply.Refusal) -> UserAccount.Profile {
    var profile = profile
    try Validation.name(profile.name)
    if let phone = profile.phone {
      do { profile.phone = try PhoneNumber(validating: phone, country: country).e164 } catch {
        throw CommandReply.Refusal(.invalid, error.message)
      }
    }
    if let year = profile.birthYear, !birthYears.contains(year) {
      throw CommandReply.Refusal(
        .invalid, Message("The year of birth has four digits, such as 1948."))
    }
    if let language = profile.language, Language(rawValue: language) == nil {
      throw CommandReply.Refusal(
        .invalid,
        Message(
          "The language is one of {words}.",
          ["words": Language.allCases.map(\.rawValue).joined(separator: ", ")]))
    }
    return profile
  }

  static func check(_ device: AccountRequest.Device) throws(CommandReply.Refusal) {
    guard device.label.unicodeScalars.count <= labelAtMost,
      !device.label.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
    else {
      throw CommandReply.Refusal(
        .invalid, Message("What a device calls itself has at most 200 characters, on one line."))
    }
  }

  /// Only a browser logs in.
  static func checkBrowser(_ device: AccountRequest.Device) throws(CommandReply.Refusal) {
    try check(device)
    guard device.kind == .browser else {
      throw CommandReply.Refusal(
        .invalid,
        Message(
          "Only a browser logs in with a password; a screen or a program is let in by a code or token of its own."
        ))
    }
  }

  /// What a program may, and until when.
  static func checkProgram(
    _ label: String, _ scope: Set<Permission>, until: Timestamp, at now: Moment
  ) throws(CommandReply.Refusal) {
    try Validation.name(label)
    try check(AccountRequest.Device(kind: .program, label: label))
    guard !scope.isEmpty, scope.isDisjoint(with: keptFromPrograms) else {
      throw CommandReply.Refusal(
        .invalid,
        Message(
          "Say what the program may. It cannot change accounts, keep the gateway, or take away what calls for help."
        ))
    }
    let ahead = until.milliseconds(since: now.utc)
    guard now.quality.isTrusted else {
      throw CommandReply.Refusal(
        .notNow, Message("The clock is not set, so no day can be kept. Try again in a while."))
    }
    guard ahead > 0, ahead <= programDays * dayMilliseconds else {
      throw CommandReply.Refusal(
        .invalid, Message("A program's token ends on a day to come, within a year."))
    }
  }

  /// Questions with the hashes of their answers.
  static func questions(
    _ texts: [String], _ credentials: Credentials?
  ) throws(CommandReply.Refusal) -> [UserAccount.SecretQuestion] {
    guard texts.count <= questionsAtMost, Set(texts).count == texts.count else {
      throw CommandReply.Refusal(
        .invalid,
        Message(
          "There are at most {most} secret questions, each another.", ["most": questionsAtMost]))
    }
    for text in texts { try Validation.name(text) }
    let answers = credentials?.answers ?? []
    guard answers.count == texts.count else {
      throw CommandReply.Refusal(.invalid, Message("Each secret question needs its answer."))
    }
    return zip(texts, answers).map { UserAccount.SecretQuestion(text: $0, answer: $1) }
  }

  /// Where national phone numbers are understood: where those live whom somebody is linked to, or anybody here.
  static func country(of account: UserAccount?, in world: World) -> String {
    let linked = account?.residents.sorted() ?? []
    return (linked + world.people.keys.sorted()).lazy
      .compactMap { world.people[$0]?.alarms.country }.first { !$0.isEmpty } ?? ""
  }
}
