public import Bytes
public import Care
public import JSON

/// What people ask of guidance.
public enum GuidanceRequest: Hashable, Sendable {
  /// Where somebody wants to go.
  public enum Goal: Hashable, Sendable {
    /// Home: the bookmark of that name, else the safe zone that is the home.
    case home
    /// A bookmark of the resident's.
    case bookmark(BookmarkID)
    /// A place in the resident's own address book.
    case kept(String)
    /// A place that only this request knows.
    case place(name: String, at: Coordinate)
  }

  /// Show the way; `asks` whether the resident is asked first.
  case start(ResidentID, to: Goal, asks: Bool)
  /// The answer to the question whether to go.
  case answer(ResidentID, isYes: Bool)
  /// Say once more what is to be done.
  case repeated(ResidentID)
  /// Show the way no longer.
  case cancel(ResidentID)
  /// Keep a place in the resident's own address book; without one, where they are now.
  case keep(ResidentID, name: String, at: Coordinate?)
  /// Keep a place no longer.
  case forget(ResidentID, place: String)

  /// Whom it is about.
  public var resident: ResidentID {
    switch self {
    case .start(let resident, _, _), .answer(let resident, _), .repeated(let resident),
      .cancel(let resident), .keep(let resident, _, _), .forget(let resident, _):
      resident
    }
  }

  /// The request's word.
  public var action: String {
    switch self {
    case .start: "guidance.start"
    case .answer: "guidance.answer"
    case .repeated: "guidance.repeat"
    case .cancel: "guidance.cancel"
    case .keep: "guidance.keep"
    case .forget: "guidance.forget"
    }
  }
}

extension GuidanceRequest: JSONCodable {
  /// Reads a request whose `action` is one of ``action`` and whose `target` is a resident.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    let resident = ResidentID(try reader.string("target"))
    switch try reader.string("action") {
    case "guidance.start":
      self = .start(
        resident, to: try Goal(json: reader.required("to")),
        asks: try reader.optionalBool("asks") ?? false)
    case "guidance.answer": self = .answer(resident, isYes: try reader.bool("yes"))
    case "guidance.repeat": self = .repeated(resident)
    case "guidance.cancel": self = .cancel(resident)
    case "guidance.keep":
      let place = try reader.optional("at").map { json throws(DecodeError) in
        try Coordinate(json: json)
      }
      self = .keep(resident, name: try reader.string("name"), at: place)
    case "guidance.forget": self = .forget(resident, place: try reader.string("place"))
    default: throw reader.error(.unknownWord, "action")
    }
  }

  /// The request, where somebody asks for something about guidance; nil where it is about anything else.
  ///
  /// - Throws: ``DecodeError`` for one that came as JSON and does not fit.
  public init?(_ request: Command.Request) throws(DecodeError) {
    guard case .feature(let asked) = request, Self.isAction(asked.action) else { return nil }
    self = try asked.content.value()
  }

  /// Whether a request of this action is one about guidance.
  public static func isAction(_ action: String) -> Bool { action.hasPrefix("guidance.") }

  /// The request as an object with `action`.
  public var json: JSONValue {
    let asked: JSONValue = ["action": .string(action), "target": .string(resident.rawValue)]
    switch self {
    case .start(_, let goal, let asks):
      return asked.setting("to", to: goal.json).setting("asks", to: .bool(asks))
    case .answer(_, let isYes): return asked.setting("yes", to: .bool(isYes))
    case .repeated, .cancel: return asked
    case .keep(_, let name, let place):
      let named = asked.setting("name", to: .string(name))
      return place.map { named.setting("at", to: $0.json) } ?? named
    case .forget(_, let place): return asked.setting("place", to: .string(place))
    }
  }
}

extension GuidanceRequest.Goal: JSONCodable {
  /// Reads `{"home": true}`, `{"bookmark": id}`, `{"kept": id}` or `{"name": …, "latitude": …, "longitude": …}`.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    if try reader.optionalBool("home") == true {
      self = .home
    } else if let id = try reader.optionalString("bookmark") {
      self = .bookmark(BookmarkID(id))
    } else if let id = try reader.optionalString("kept") {
      self = .kept(id)
    } else {
      self = .place(name: try reader.string("name"), at: try Coordinate(json: json))
    }
  }

  /// The goal as an object.
  public var json: JSONValue {
    switch self {
    case .home: ["home": true]
    case .bookmark(let id): ["bookmark": .string(id.rawValue)]
    case .kept(let id): ["kept": .string(id)]
    case .place(let name, let place): place.json.setting("name", to: .string(name))
    }
  }
}

extension Command.Request {
  /// Something about guidance.
  public static func guidance(_ request: GuidanceRequest) -> Command.Request {
    .feature(FeatureRequest(request.action, of: request.resident.rawValue, request))
  }
}
