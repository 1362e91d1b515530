public import Bytes
public import Care
public import JSON
public import Moments

/// The names of the protocol's methods.
public enum PluginMethod {
  /// Host to plugin: the first request.
  public static let initialize = "initialize"
  /// Host to plugin: a batch of events.
  public static let deliver = "events.deliver"
  /// Both ways: how well the plugin does.
  public static let health = "health"
  /// Host to plugin: finish and exit.
  public static let shutdown = "shutdown"
  /// Host to plugin: tell one person about an alarm.
  public static let notify = "alarm.notify"
  /// Plugin to host: hand in an observation.
  public static let observe = "observe"
  /// Plugin to host: hand in a command.
  public static let command = "command"
  /// Plugin to host: ask what the gateway knows.
  public static let request = "request"
  /// Plugin to host: ask several things at once.
  public static let requests = "requests"
  /// Plugin to host: be sent events as they happen, for a session.
  public static let watch = "watch"
  /// Plugin to host: be sent no more of them.
  public static let unwatch = "unwatch"
  /// Host to plugin: an event of a watch, or its end.
  public static let watched = "watched"
  /// Plugin to host: what became of an event on the way to a person.
  public static let delivery = "delivery"
  /// Plugin to host: call a service of another plugin.
  public static let callService = "service.call"
  /// Host to plugin: the start of the name of each service's method.
  public static let servicePrefix = "service."
}

/// How well a plugin does, in its own words.
public struct PluginHealth: Hashable, Sendable, JSONCodable {
  /// How well it does: working, degraded or failed.
  public var state: HealthState
  /// A stable word for the reason; empty when working.
  public var code: String
  /// One plain sentence; says what to do next when something is wrong.
  public var detail: String

  /// A state from its parts.
  public init(state: HealthState, code: String = "", detail: String = "") {
    self.state = state
    self.code = code
    self.detail = detail
  }

  /// Reads `{"state": …, "code": …, "detail": …}`; code and detail are cut to what people read.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    let state = try reader.word("state", as: HealthState.self)
    guard [.working, .degraded, .failed].contains(state) else {
      throw reader.error(.unknownWord, "state")
    }
    self.init(
      state: state, code: try reader.optionalString("code")?.asPluginReason(limit: 60) ?? "",
      detail: try reader.optionalString("detail")?.asPluginReason() ?? "")
  }

  /// The state as JSON.
  public var json: JSONValue {
    ["state": .string(state.rawValue), "code": .string(code), "detail": .string(detail)]
  }
}

/// The parameters of `observe`: what a plugin saw.
public enum ObserveCall: Hashable, Sendable, JSONCodable {
  /// What the gateway itself could have seen.
  case observation(Observation)
  /// What a device in a room says of another, or of itself.
  case room(RoomMessage)

  /// Reads `{"observation": {"kind": …, …}}`.
  public init(json: JSONValue) throws(DecodeError) {
    let content = try JSONReader(json).required("observation")
    let kind = try JSONReader(content).string("kind")
    self =
      RoomMessage.kinds.contains(kind)
      ? .room(try RoomMessage(json: content)) : .observation(try Observation(json: content))
  }

  /// The parameters as JSON.
  public var json: JSONValue {
    switch self {
    case .observation(let observation): ["observation": observation.json]
    case .room(let message): ["observation": message.json]
    }
  }
}

/// The parameters of `command`: what somebody behind a plugin asks for.
public struct CommandCall: Hashable, Sendable, JSONCodable {
  /// Who asks, as the plugin names them; nobody where a session says it.
  public var principal: String
  /// The session for which the plugin asks; nil for none.
  public var session: SessionCall?
  /// Whether whoever holds the session says it once more, after they were told what it takes away.
  public var confirms = false
  /// The address in the network that whoever has no session asks from; nil where the plugin does not know.
  public var address: String?
  /// Id of the request among those of its principal; a repeated one is answered and not done again.
  public var id: CommandID
  /// When the request stops being valid, by the clock of whoever made it; at most 24 hours ahead.
  public var expiresAt: Timestamp?
  /// Until when it counts as made just now, by `CLOCK_BOOTTIME`; at most ten minutes ahead.
  public var freshUntil: Tick?
  /// When it was made, by the clock of whoever made it; says for which alarms one that names none can be meant.
  public var sentAt: Timestamp?
  /// When it was made, by `CLOCK_BOOTTIME`, where the plugin knows.
  public var sentTick: Tick?
  /// What to do.
  public var request: Command.Request
  /// In which a refusal is to be answered, as BCP 47 has it; nil for the gateway's own.
  public var language: String?

  /// A call from its parts.
  public init(
    principal: String, id: CommandID, expiresAt: Timestamp? = nil, freshUntil: Tick? = nil,
    sentAt: Timestamp? = nil, sentTick: Tick? = nil, request: Command.Request,
    language: String? = nil, session: SessionCall? = nil
  ) {
    self.session = session
    self.freshUntil = freshUntil
    self.sentAt = sentAt
    self.sentTick = sentTick
    self.language = language
    self.principal = principal
    self.id = id
    self.expiresAt = expiresAt
    self.request = request
  }

  /// Reads the parameters; id, and principal where there is no session, have 1 through 100 characters, and one of the two
  /// times is there.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    let session = try SessionCall(reader)
    let principal = session == nil ? try reader.string("principal") : ""
    let id = try reader.string("id")
    guard session != nil || (1...100).contains(principal.unicodeScalars.count) else {
      throw reader.error(.outOfRange, "principal")
    }
    guard (1...100).contains(id.unicodeScalars.count) else { throw reader.error(.outOfRange, "id") }
    let freshUntil = try reader.optionalInteger("freshUntil")
    let expiresAt =
      freshUntil == nil
      ? try reader.timestamp("expiresAt") : try reader.optionalTimestamp("expiresAt")
    self.init(
      principal: principal, id: CommandID(id), expiresAt: expiresAt,
      freshUntil: freshUntil.map { .milliseconds($0) },
      sentAt: try reader.optionalTimestamp("sentAt"),
      sentTick: try reader.optionalInteger("sentTick").map { .milliseconds($0) },
      request: try Command.Request(json: reader.required("request")),
      language: try reader.optionalString("language"), session: session)
    address = session == nil ? try SessionCall.address(reader) : nil
    confirms = try reader.optionalBool("confirms") ?? false
  }

  /// The parameters as JSON.
  public var json: JSONValue {
    let json = JSONValue.object([
      "principal": session == nil ? .string(principal) : nil, "id": .string(id.rawValue),
      "expiresAt": expiresAt.map { .string($0.iso8601) },
      "freshUntil": freshUntil.map { .integer($0.wholeMilliseconds) },
      "sentAt": sentAt.map { .string($0.iso8601) },
      "sentTick": sentTick.map { .integer($0.wholeMilliseconds) }, "request": request.json,
      "language": language.map { .string($0) }, "address": address.map { .string($0) },
      "confirms": confirms ? .bool(true) : nil,
    ])
    return session?.added(to: json) ?? json
  }

  /// The command as the gateway knows it, asked by `principal`.
  public func command(of principal: Principal) -> Command {
    Command(
      id: id, principal: principal, expiresAt: expiresAt, freshUntil: freshUntil, sentAt: sentAt,
      sentTick: sentTick,
      request: request)
  }
}

/// The parameters of `request`: what a plugin asks of what the gateway knows.
public struct RequestCall: Hashable, Sendable, JSONCodable {
  /// The question, such as `zones.list`.
  public var method: String
  /// Its parameters, an object.
  public var params: JSONValue
  /// In which a refusal is to be answered, as BCP 47 has it; nil for the gateway's own.
  public var language: String?
  /// The session for which the plugin asks; nil for none.
  public var session: SessionCall?

  /// A call from its parts.
  public init(
    method: String, params: JSONValue = .object([]), language: String? = nil,
    session: SessionCall? = nil
  ) {
    self.session = session
    self.method = method
    self.params = params
    self.language = language
  }

  /// Reads `{"method": …, "params": {…}, "language": …, "session": …, "address": …}`; only the method has to be there.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    let params = reader.optional("params") ?? .object([])
    guard params.objectContent != nil else { throw reader.error(.wrongType, "params") }
    self.init(
      method: try reader.string("method"), params: params,
      language: try reader.optionalString("language"), session: try SessionCall(reader))
  }

  /// The parameters as JSON.
  public var json: JSONValue {
    let json = JSONValue.object([
      "method": .string(method), "params": params, "language": language.map { .string($0) },
    ])
    return session?.added(to: json) ?? json
  }
}

/// The parameters of `requests`: several questions at once, all of them for the same session.
public struct RequestsCall: Hashable, Sendable, JSONCodable {
  /// The most questions in one call.
  public static let questionsAtMost = 16

  /// The questions; session and language are those of the call.
  public let questions: [RequestCall]
  /// In which refusals are to be answered, as BCP 47 has it; nil for the gateway's own.
  public let language: String?
  /// The session for which the plugin asks; nil for none.
  public let session: SessionCall?

  /// Questions for a session, or for none.
  public init(_ questions: [RequestCall], language: String? = nil, session: SessionCall? = nil) {
    self.language = language
    self.session = session
    self.questions = questions.map { question in
      RequestCall(
        method: question.method, params: question.params, language: language, session: session)
    }
  }

  /// Reads `{"questions": [{"method": …, "params": {…}}, …], "language": …, "session": …, "address": …}`.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    let questions = try reader.array("questions")
    guard (1...Self.questionsAtMost).contains(questions.count) else {
      throw reader.error(.outOfRange, "questions")
    }
    var calls: [RequestCall] = []
    for question in questions { calls.append(try RequestCall(json: question)) }
    self.init(
      calls, language: try reader.optionalString("language"), session: try SessionCall(reader))
  }

  /// The parameters as JSON.
  public var json: JSONValue {
    let json = JSONValue.object([
      "questions": .array(
        questions.map { ["method": .string($0.method), "params": $0.params] }),
      "language": language.map { .string($0) },
    ])
    return session?.added(to: json) ?? json
  }
}

/// The answer to `request`.
public struct RequestAnswer: Hashable, Sendable, JSONCodable {
  /// What was asked for, as the question's own answer is.
  public var result: JSONValue
  /// The cursor of what follows, of a list of which a part was answered; nil when there is no more.
  public var next: String?

  /// An answer from its parts.
  public init(_ result: JSONValue, next: String? = nil) {
    self.result = result
    self.next = next
  }

  /// Reads `{"result": …, "next": …}`.
  public init(json: JSONValue) throws(DecodeError) {
    self.init(
      json["result"] ?? .null, next: try JSONReader(json).optionalString("next"))
  }

  /// The answer as JSON.
  public var json: JSONValue {
    .object(["result": result, "next": next.map { .string($0) }])
  }
}

/// The parameters of `delivery`: what became of an event on the way to a person.
public struct DeliveryNotice: Hashable, Sendable, JSONCodable {
  /// The event concerned.
  public var event: EventID
  /// Who it was for, as the plugin names them.
  public var recipient: String
  /// How it travelled.
  public var channel: String
  /// How far it came.
  public var outcome: DeliveryReport.Outcome
  /// Why, when it failed.
  public var detail: String
  /// What the message of an alarm was about; as in `alarm.notify`.
  public var notice: AlarmNotice?
  /// The attempt that it is about, as in `alarm.notify`; nil for the newest.
  public var attempt: Int64?

  /// A notice from its parts.
  public init(
    event: EventID, recipient: String, channel: String, outcome: DeliveryReport.Outcome,
    detail: String = "", notice: AlarmNotice? = nil, attempt: Int64? = nil
  ) {
    self.attempt = attempt
    self.notice = notice
    self.event = event
    self.recipient = recipient
    self.channel = channel
    self.outcome = outcome
    self.detail = detail
  }

  /// Reads the parameters; the detail is optional.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    self.init(
      event: EventID(try reader.string("event").asPluginReason(limit: 100)),
      recipient: try reader.string("recipient").asPluginReason(limit: 200),
      channel: try reader.string("channel").asPluginReason(limit: 60),
      outcome: try reader.word("outcome", as: DeliveryReport.Outcome.self),
      detail: try reader.optionalString("detail")?.asPluginReason() ?? "",
      notice: try reader.optionalWord("notice", as: AlarmNotice.self),
      attempt: try reader.optionalInteger("attempt"))
  }

  /// The parameters as JSON.
  public var json: JSONValue {
    .object([
      "event": .string(event.rawValue), "recipient": .string(recipient),
      "channel": .string(channel), "outcome": .string(outcome.rawValue),
      "detail": .string(detail), "notice": notice.map { .string($0.rawValue) },
      "attempt": attempt.map { .integer($0) },
    ])
  }

  /// The report as the gateway keeps it.
  public func report(of plugin: String) -> DeliveryReport {
    DeliveryReport(
      plugin: plugin, event: event, recipient: recipient, channel: channel, outcome: outcome,
      detail: detail, notice: notice, attempt: attempt)
  }
}

/// The parameters of `service.call`.
public struct ServiceCall: Hashable, Sendable, JSONCodable {
  /// The service's name.
  public var service: String
  /// What the service is asked.
  public var params: JSONValue

  /// A call from its parts.
  public init(service: String, params: JSONValue) {
    self.service = service
    self.params = params
  }

  /// Reads the parameters.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    self.init(
      service: try reader.string("service"), params: reader.optional("params") ?? .object([]))
  }

  /// The parameters as JSON.
  public var json: JSONValue { ["service": .string(service), "params": params] }
}

/// The answer to `alarm.notify`, within ten seconds: whether the plugin took the message upon itself.
///
/// A plugin that answers ``taken`` owes notices of delivery: `sent`, `delivered` or `failed`.
public enum NotifyAnswer: Hashable, Sendable, JSONCodable {
  /// The plugin does what it can and tells by notices of delivery.
  case taken
  /// Not now; the gateway tries again, this way and others.
  case failed(String)

  /// Reads `{"outcome": "taken"}` or `{"outcome": "failed", "detail": …}`.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    switch try reader.string("outcome") {
    case "taken": self = .taken
    case "failed":
      self = .failed(try reader.optionalString("detail")?.asPluginReason() ?? "no reason was given")
    default: throw reader.error(.unknownWord, "outcome")
    }
  }

  /// The answer as JSON.
  public var json: JSONValue {
    switch self {
    case .taken: ["outcome": "taken"]
    case .failed(let detail): ["outcome": "failed", "detail": .string(detail)]
    }
  }
}
