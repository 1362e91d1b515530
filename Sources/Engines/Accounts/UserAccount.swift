public import Bytes
public import Care
public import JSON
public import Moments
import Texts

/// Somebody who logs in: a resident, or one who cares for residents.
///
/// An account is not the resident: most residents have none, and a screen in a home speaks for a resident by an account
/// with which nobody can log in.
public struct UserAccount: Hashable, Sendable {
  /// How somebody wants to be spoken of.
  public enum Gender: String, Hashable, Sendable, CaseIterable {
    /// She.
    case woman
    /// He.
    case man
    /// Neither, or nobody's business.
    case other
  }

  /// What somebody tells of themselves and may change.
  public struct Profile: Hashable, Sendable {
    /// The name by which others know the account, any script, 1 through 200 characters; of each name there is one.
    public var name: String
    /// The phone number in E.164.
    public var phone: String?
    /// How they want to be spoken of; nil where they did not say.
    public var gender: Gender?
    /// The year in which they were born; nil where they did not say.
    public var birthYear: Int64?
    /// The language of what they are told, as BCP 47 has it: `en` or `zh`; nil for the gateway's.
    public var language: String?
    /// How distances are told; nil where they did not say, which is in metres.
    public var units: LengthUnits?

    /// A profile from its parts.
    public init(
      name: String, phone: String? = nil, gender: Gender? = nil, birthYear: Int64? = nil,
      language: String? = nil, units: LengthUnits? = nil
    ) {
      self.name = name
      self.phone = phone
      self.gender = gender
      self.birthYear = birthYear
      self.language = language
      self.units = units
    }
  }

  /// What somebody alone can answer, for when they forgot their password.
  public struct SecretQuestion: Hashable, Sendable {
    /// The question as they wrote it.
    public var text: String
    /// The salted hash of the answer.
    public var answer: String

    /// A question from its parts.
    public init(text: String, answer: String) {
      self.text = text
      self.answer = answer
    }
  }

  /// Stable identifier, made by the gateway.
  public var id: AccountID
  /// The address with which somebody logs in; nil for the account of a screen.
  public var email: EmailAddress?
  /// What they tell of themselves.
  public var profile: Profile
  /// What they are to Homeward; nil until they chose.
  public var role: AccountRole?
  /// Of a resident: themselves. Of a caregiver: whom they are linked to.
  public var residents: Set<ResidentID>
  /// The salted hash of the password; nil where nobody can log in.
  public var password: String?
  /// What they are asked where they forgot the password.
  public var questions: [SecretQuestion]
  /// When it was made.
  public var created: Timestamp
  /// The time of the newest alert that was looked at; nil where none was.
  public var alertsSeen: Timestamp?
  /// Who they are at the identity provider, by which they log in too; nil where they are not connected.
  public var openID: OpenIDConnection?

  /// An account from its parts.
  public init(
    id: AccountID, email: EmailAddress?, profile: Profile, role: AccountRole? = nil,
    residents: Set<ResidentID> = [], password: String?, questions: [SecretQuestion] = [],
    created: Timestamp, alertsSeen: Timestamp? = nil, openID: OpenIDConnection? = nil
  ) {
    self.id = id
    self.email = email
    self.profile = profile
    self.role = role
    self.residents = residents
    self.password = password
    self.questions = questions
    self.created = created
    self.alertsSeen = alertsSeen
    self.openID = openID
  }
}

extension UserAccount {
  /// Who of those looked after an account is.
  func requireResident() throws(CommandReply.Refusal) -> ResidentID {
    guard role == .resident, let resident = residents.first else {
      throw CommandReply.Refusal(
        .conflict,
        Message(
          "{name}'s account belongs to nobody who is looked after yet. A keeper of the gateway says whose it is.",
          ["name": profile.name]))
    }
    return resident
  }

  /// - Throws: that nobody logs in with this account.
  func requireLogin() throws(CommandReply.Refusal) {
    guard password != nil else {
      throw CommandReply.Refusal(
        .conflict,
        Message(
          "Nobody logs in with this account: it speaks for a screen. Let another screen in instead."
        ))
    }
  }

  /// Who would see whom, of two that are to be linked.
  ///
  /// - Throws: why they are not a resident and somebody who cares for or treats residents, or linked already.
  func pair(
    with other: UserAccount
  ) throws(CommandReply.Refusal) -> (cares: UserAccount, resident: ResidentID) {
    guard let role = other.role else { throw other.noRole }
    guard (role == .resident) != (self.role == .resident) else {
      throw CommandReply.Refusal(
        .conflict,
        role == .resident
          ? Message("You are both residents. A link is between a caregiver and a resident.")
          : Message(
            "Neither of you is looked after here. A link is between somebody who is, and somebody who cares for or treats them."
          ))
    }
    let (cares, isCaredFor) = role == .resident ? (self, other) : (other, self)
    let resident = try isCaredFor.requireResident()
    guard !cares.residents.contains(resident) else { throw Self.linkedAlready }
    return (cares, resident)
  }

  /// Nobody is linked before they chose what their account is for.
  var noRole: CommandReply.Refusal {
    CommandReply.Refusal(
      .conflict,
      Message(
        "{name} has not chosen yet whether the account is a resident's or a caregiver's.",
        ["name": profile.name]))
  }

  static let linkedAlready = CommandReply.Refusal(
    .conflict, Message("You are linked already."))
}

// MARK: - As JSON

extension UserAccount.Profile: JSONCodable {
  /// Reads a profile; `name` is required.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    self.init(
      name: try reader.string("name"), phone: try reader.optionalString("phone"),
      gender: try reader.optionalWord("gender", as: UserAccount.Gender.self),
      birthYear: try reader.optionalInteger("birthYear"),
      language: try reader.optionalString("language"),
      units: try reader.optionalWord("units", as: LengthUnits.self))
  }

  /// The profile as an object; what was not told is left out.
  public var json: JSONValue {
    .object([
      "name": .string(name), "phone": phone.map { .string($0) },
      "gender": gender.map { .string($0.rawValue) }, "birthYear": birthYear.map { .integer($0) },
      "language": language.map { .string($0) }, "units": units.map { .string($0.rawValue) },
    ])
  }
}

extension UserAccount {
  static let engine = "accounts"
  static let rowPrefix = "account:"

  /// An account from its row.
  init(row: EngineRow) throws(DecodeError) {
    let reader = try JSONReader(row.content)
    let id = AccountID(try reader.string("id"))
    guard row.name == Self.rowPrefix + id.rawValue else { throw reader.error(.outOfRange, "id") }
    var email: EmailAddress?
    if let text = try reader.optionalString("email") {
      guard let address = EmailAddress(text) else { throw reader.error(.outOfRange, "email") }
      email = address
    }
    self.init(
      id: id, email: email, profile: try Profile(json: reader.required("profile")),
      role: try reader.optionalWord("role", as: AccountRole.self),
      residents: Set(try reader.strings("residents").map { ResidentID($0) }),
      password: try reader.optionalString("password"),
      questions: try reader.list("questions") { json throws(DecodeError) in
        let question = try JSONReader(json)
        return SecretQuestion(
          text: try question.string("text"), answer: try question.string("answer"))
      },
      created: try reader.timestamp("created"),
      alertsSeen: try reader.optionalTimestamp("alertsSeen"),
      openID: try reader.optional("openID").map { json throws(DecodeError) in
        try OpenIDConnection(json: json)
      })
  }

  /// The account as a row, with what nobody but the gateway sees.
  var row: EngineRow {
    EngineRow(
      engine: Self.engine, subject: "gateway", name: Self.rowPrefix + id.rawValue,
      content: .object([
        "id": .string(id.rawValue), "email": email.map { .string($0.text) },
        "profile": profile.json, "role": role.map { .string($0.rawValue) },
        "residents": .array(residents.sorted().map { .string($0.rawValue) }),
        "password": password.map { .string($0) },
        "questions": .array(
          questions.map { ["text": .string($0.text), "answer": .string($0.answer)] }),
        "created": .string(created.iso8601),
        "alertsSeen": alertsSeen.map { .string($0.iso8601) }, "openID": openID?.json,
      ]))
  }

  /// The account as whoever it belongs to sees it: `{id, email?, profile, role?, residents, questions, created,
  /// alertsSeen?, openID?: {issuer, name?, connected}}`, the questions without their answers.
  public var json: JSONValue {
    .object([
      "id": .string(id.rawValue), "email": email.map { .string($0.text) },
      "profile": profile.json, "role": role.map { .string($0.rawValue) },
      "residents": .array(residents.sorted().map { .string($0.rawValue) }),
      "questions": .array(questions.map { .string($0.text) }),
      "created": .string(created.iso8601),
      "alertsSeen": alertsSeen.map { .string($0.iso8601) }, "openID": openID?.told,
    ])
  }
}
