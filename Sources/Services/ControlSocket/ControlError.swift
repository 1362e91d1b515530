public import Care
public import Door
public import JSON
public import Texts

/// Why something over the control socket did not work.
public struct ControlError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Kinds of failure.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// The line is no JSON.
    case parse
    /// The JSON is no request.
    case invalidRequest = "invalid-request"
    /// There is no such method.
    case unknownMethod = "unknown-method"
    /// The parameters do not fit the method.
    case invalidParameters = "invalid-parameters"
    /// Something failed inside the gateway.
    case failed
    /// The gateway refused; ``ControlError/refusal`` has the kind.
    case refused
    /// Too much is going on; try again.
    case busy
    /// The part that is needed does not work now, such as the store.
    case unavailable
    /// Client only: nobody listens on the socket.
    case notRunning = "not-running"
    /// Client only: the socket may not be opened by this user.
    case forbidden
    /// Client only: no answer in time.
    case timedOut = "timed-out"
    /// Client only: the connection ended.
    case disconnected

    /// The JSON-RPC number; nil for the kinds of the client.
    public var number: Int64? {
      switch self {
      case .parse: -32_700
      case .invalidRequest: -32_600
      case .unknownMethod: -32_601
      case .invalidParameters: -32_602
      case .failed: -32_603
      case .refused: 1001
      case .busy: 1004
      case .unavailable: 1005
      case .notRunning, .forbidden, .timedOut, .disconnected: nil
      }
    }
  }

  /// The kind.
  public var code: Code
  /// One plain sentence that says what to do next.
  public var message: Message
  /// Why a command was refused, for code `refused`.
  public var refusal: CommandReply.Refusal.Code?

  /// A failure with its sentence.
  public init(_ code: Code, _ message: Message, refusal: CommandReply.Refusal.Code? = nil) {
    self.code = code
    self.message = message
    self.refusal = refusal
  }

  /// A refused command.
  public init(_ refusal: CommandReply.Refusal) {
    self.init(.refused, refusal.message, refusal: refusal.code)
  }

  /// The sentence.
  public var description: String { message.description }

  /// The `error` member of an answer, in the language of whoever asked.
  func json(in language: Language) -> JSONValue {
    .object([
      "code": .integer(code.number ?? -32_603), "message": .string(message.text(in: language)),
      "data": refusal.map { ["kind": .string($0.rawValue)] },
    ])
  }

  /// Reads the `error` member of an answer.
  init(json: JSONValue) {
    let number = json["code"]?.integerContent
    self.init(
      Code.allCases.first { $0.number == number && number != nil } ?? .failed,
      json["message"]?.stringContent.map { Message(verbatim: $0) }
        ?? Message("the gateway answered with an error without a sentence."),
      refusal: json["data"]?["kind"]?.stringContent.flatMap { .init(rawValue: $0) })
  }
}

/// One request as the handler sees it.
public struct ControlRequest: Hashable, Sendable {
  /// What is asked for.
  public var method: Route
  /// Its parameters, an object.
  public var params: JSONValue
  /// Who stands behind the socket.
  public var asking: Asking

  /// Who is written down as having asked.
  public var principal: Principal { asking.principal }

  /// A request from its parts.
  public init(method: Route, params: JSONValue, asking: Asking) {
    self.method = method
    self.params = params
    self.asking = asking
  }
}
