public import Bytes
public import Care
import CivilTime
public import JSON
public import Moments
public import Texts

/// A report that goes to an address by e-mail, once or again and again (EG-10).
public struct ReportOrder: Hashable, Sendable {
  /// What a report is for.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// For those who treat somebody.
    case doctor
    /// For the family.
    case week
  }

  /// How often.
  public enum Recurrence: String, Hashable, Sendable, CaseIterable {
    /// As soon as it can be sent.
    case once
    /// On Mondays.
    case weekly
    /// On the first of a month.
    case monthly
  }

  /// The paper of a PDF.
  public enum Paper: String, Hashable, Sendable, CaseIterable {
    /// 210 by 297 mm.
    case a4
    /// 8.5 by 11 inches.
    case letter
  }

  /// Of reports that come again, the hour of the day at which they go out.
  static let hour = 8

  /// What it is known by.
  public var id: String
  /// About whom.
  public var resident: ResidentID
  /// Which report.
  public var kind: Kind
  /// Where it goes.
  public var email: String
  /// How often.
  public var every: Recurrence
  /// In which language.
  public var language: Language
  /// On which paper.
  public var paper: Paper
  /// Who wants it so; nil in what somebody asks.
  public var by: String?
  /// When it goes out next.
  public var next: Timestamp?
  /// When it went out last.
  public var sentAt: Timestamp?
  /// Why it could not be sent when that was last tried; nil since it went out.
  public var fault: String?

  /// When one that comes again goes out after `now`; now for one that is sent once.
  func following(_ now: Timestamp, in zone: CivilTimeZone) -> Timestamp {
    guard every != .once else { return now }
    let today = zone.local(at: now).civil
    var day = CivilDateTime(
      year: today.year, month: today.month, day: today.day, hour: Self.hour)
    // Within five weeks there is a Monday and a first of a month.
    for _ in 0..<35 {
      let moment = zone.instant(of: day)
      if every == .weekly ? day.weekday == .monday : day.day == 1, moment > now { return moment }
      day = CivilTimeZone.utc.local(at: day.asUTC.advanced(byMilliseconds: 86_400_000)).civil
    }
    return zone.instant(of: day)
  }
}

extension ReportOrder: JSONCodable {
  /// Reads an order.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    id = try reader.string("id")
    resident = ResidentID(try reader.string("resident"))
    kind = try reader.word("kind", as: Kind.self)
    email = try reader.string("email")
    every = try reader.word("every", as: Recurrence.self)
    language = try reader.optionalWord("language", as: Language.self) ?? .en
    paper = try reader.optionalWord("paper", as: Paper.self) ?? .a4
    by = try reader.optionalString("by")
    next = try reader.optionalTimestamp("next")
    sentAt = try reader.optionalTimestamp("sentAt")
    fault = try reader.optionalString("fault")
  }

  /// The order as an object.
  public var json: JSONValue {
    .object([
      "id": .string(id), "resident": .string(resident.rawValue), "kind": .string(kind.rawValue),
      "email": .string(email), "every": .string(every.rawValue),
      "language": .string(language.rawValue),
      "paper": .string(paper.rawValue), "by": by.map { .string($0) },
      "next": next.map { .string($0.iso8601) }, "sentAt": sentAt.map { .string($0.iso8601) },
      "fault": fault.map { .string($0) },
    ])
  }
}

/// What is asked about reports by e-mail.
public enum ReportOrderRequest: Hashable, Sendable {
  /// That one goes out; its `by`, `next`, `sentAt` and `fault` are not read.
  case order(ReportOrder)
  /// That one goes out no more.
  case cancel(String)
  /// What became of one that was due: nil where it went out, else why not.
  case settle(String, fault: String?)

  /// The words of these requests.
  public static let actions: Set = ["report.order", "report.cancel", "report.settle"]

  /// The request's word.
  public var action: String {
    switch self {
    case .order: "report.order"
    case .cancel: "report.cancel"
    case .settle: "report.settle"
    }
  }

  /// The request, where somebody asks for something about reports; nil where it is about anything else.
  ///
  /// - Throws: ``DecodeError`` for one that came as JSON and does not fit.
  public init?(_ request: Command.Request) throws(DecodeError) {
    guard case .feature(let asked) = request, Self.actions.contains(asked.action) else {
      return nil
    }
    self = try asked.content.value()
  }
}

extension ReportOrderRequest: JSONCodable {
  /// Reads a request; of `cancel` and `settle` the `target` is the order's id.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    switch try reader.string("action") {
    case "report.order": self = .order(try ReportOrder(json: reader.required("order")))
    case "report.cancel": self = .cancel(try reader.string("target"))
    case "report.settle":
      self = .settle(try reader.string("target"), fault: try reader.optionalString("fault"))
    default: throw reader.error(.unknownWord, "action")
    }
  }

  /// The request as an object with `action`.
  public var json: JSONValue {
    switch self {
    case .order(let order): ["action": .string(action), "order": order.json]
    case .cancel(let id): ["action": .string(action), "target": .string(id)]
    case .settle(let id, let fault):
      .object([
        "action": .string(action), "target": .string(id), "fault": fault.map { .string($0) },
      ])
    }
  }
}
