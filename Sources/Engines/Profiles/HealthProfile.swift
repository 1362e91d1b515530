public import Bytes
public import Care
import CivilTime
public import JSON
public import Moments
import Texts

/// What a resident tells of themselves for those who treat them (EG-7, EG-8).
public struct HealthProfile: Hashable, Sendable {
  /// Biological sex.
  public enum Sex: String, Hashable, Sendable, CaseIterable {
    /// Female.
    case female
    /// Male.
    case male
    /// Neither, or both.
    case intersex
  }

  /// A type of diabetes.
  ///
  /// - Source: WHO, Classification of diabetes mellitus (2019).
  public enum Diabetes: String, Hashable, Sendable, CaseIterable {
    /// None.
    case none
    /// Type 1.
    case type1 = "type-1"
    /// Type 2.
    case type2 = "type-2"
    /// In a pregnancy.
    case gestational
    /// Another one.
    case other
  }

  /// The whole name, as it stands in a report, 1 through 200 characters; nil for what the resident is called anyway.
  public var name: String?
  /// The date of birth, such as `1948-03-07`.
  public var birthDate: String?
  /// Biological sex.
  public var sex: Sex?
  /// The type of diabetes.
  public var diabetes: Diabetes?
  /// When it was last changed.
  public var changedAt: Timestamp?

  /// A profile in which nothing is told.
  public init() {}

  private static let years = 1900...2200

  /// Refuses what no profile can say.
  func check(at now: Moment) throws(CommandReply.Refusal) {
    if let name { try Validation.name(name) }
    guard let birthDate else { return }
    guard birthDate.utf8.count == 10,
      let date = try? CivilDateTime(localText: "\(birthDate)T00:00"),
      Self.years.contains(date.year)
    else {
      throw CommandReply.Refusal(
        .invalid, Message("A date of birth has a year, a month and a day, such as 1948-03-07."))
    }
    // A day ahead: somewhere it is tomorrow already.
    let latest = now.utc.advanced(byMilliseconds: 86_400_000)
    guard !now.quality.isTrusted || date.asUTC < latest else {
      throw CommandReply.Refusal(.invalid, Message("This date of birth is still to come."))
    }
  }
}

extension HealthProfile: JSONCodable {
  /// Reads a profile; every member may be missing.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    name = try reader.optionalString("name")
    birthDate = try reader.optionalString("birthDate")
    sex = try reader.optionalWord("sex", as: Sex.self)
    diabetes = try reader.optionalWord("diabetes", as: Diabetes.self)
    changedAt = try reader.optionalTimestamp("changedAt")
  }

  /// The profile as an object.
  public var json: JSONValue {
    .object([
      "name": name.map { .string($0) }, "birthDate": birthDate.map { .string($0) },
      "sex": sex.map { .string($0.rawValue) }, "diabetes": diabetes.map { .string($0.rawValue) },
      "changedAt": changedAt.map { .string($0.iso8601) },
    ])
  }
}

/// What people ask of profiles.
public struct ProfileRequest: Hashable, Sendable {
  /// The request's word.
  public static let action = "profile.put"

  /// Whose.
  public var resident: ResidentID
  /// All of it: what it does not say is told no longer.
  public var profile: HealthProfile

  /// A request from its parts.
  public init(_ resident: ResidentID, _ profile: HealthProfile) {
    self.resident = resident
    self.profile = profile
  }

  /// The request, where somebody asks for something about a profile; nil where it is about anything else.
  ///
  /// - Throws: ``DecodeError`` for one that came as JSON and does not fit.
  public init?(_ request: Command.Request) throws(DecodeError) {
    guard case .feature(let asked) = request, asked.action == Self.action else { return nil }
    self = try asked.content.value()
  }
}

extension ProfileRequest: JSONCodable {
  /// Reads a request whose `target` is a resident.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    switch try reader.string("action") {
    case "profile.put":
      self.init(
        ResidentID(try reader.string("target")),
        try HealthProfile(json: reader.required("profile")))
    default: throw reader.error(.unknownWord, "action")
    }
  }

  /// The request as an object with `action`.
  public var json: JSONValue {
    [
      "action": .string(Self.action), "target": .string(resident.rawValue),
      "profile": profile.json,
    ]
  }
}
