import Care
public import JSON
public import Loop
public import PluginProtocol

/// What a plugin says to its host.
@LoopActor
public final class HostLink {
  /// Takes the answer to a request.
  public typealias Completion = @LoopActor (Result<JSONValue, RPCError>) -> Void

  private let writer: LineWriter
  private var nextID: Int64 = 0
  private var open: [Int64: Completion] = [:]
  /// Nil until `initialize` is answered; the host takes a plugin that has answered for one that works.
  private var reportedHealth: PluginHealth?
  weak var plugin: (any Plugin)?
  var pace = PluginPace.ordinary

  init(writer: LineWriter) { self.writer = writer }

  /// Hands an observation in; needs the grant `observe:<kind>`.
  public func observe(_ observation: JSONValue, completion: @escaping Completion) {
    request(PluginMethod.observe, ["observation": observation], completion)
  }

  /// Hands a command in, in the form of the contract's `command`; needs the grant `command:<action>`.
  public func command(_ params: JSONValue, completion: @escaping Completion) {
    request(PluginMethod.command, params, completion)
  }

  /// Asks what the gateway knows, such as `zones.list`; needs grants `read:<kind>`. The answer is the question's own.
  public func ask(
    _ question: String, _ params: JSONValue = .object([]), completion: @escaping Completion
  ) {
    ask(RequestCall(method: question, params: params)) { completion($0.map(\.result)) }
  }

  /// Asks what the gateway knows, for a session or in a language; of a list the answer tells how it goes on.
  public func ask(
    _ call: RequestCall,
    completion: @escaping @LoopActor (Result<RequestAnswer, RPCError>) -> Void
  ) {
    request(PluginMethod.request, call.json) { answer in
      completion(answer.map(Self.answer))
    }
  }

  /// Asks several things at once, for the same session; the answers have the order of the questions.
  ///
  /// It fails as a whole where nobody is logged in by the session, and where the answers together are longer than a line.
  public func ask(
    _ call: RequestsCall,
    completion: @escaping @LoopActor (Result<[Result<RequestAnswer, RPCError>], RPCError>) -> Void
  ) {
    request(PluginMethod.requests, call.json) { answer in
      completion(
        answer.map { result in
          let answers = result["answers"]?.arrayContent ?? []
          return call.questions.indices.map { place in
            Self.outcome(answers.dropFirst(place).first ?? .null)
          }
        })
    }
  }

  private static func outcome(_ json: JSONValue) -> Result<RequestAnswer, RPCError> {
    if let error = json["error"], let error = try? RPCError(json: error) { return .failure(error) }
    return .success(answer(json))
  }

  private static func answer(_ json: JSONValue) -> RequestAnswer {
    RequestAnswer(json["result"] ?? .null, next: json["next"]?.stringContent)
  }

  /// Begins to watch for a session; needs the grants `accounts` and `read:journal`. The answer has the watch's id, and what
  /// is watched comes to ``Plugin/notified(_:_:)``.
  public func watch(_ call: WatchCall, completion: @escaping Completion) {
    request(PluginMethod.watch, call.json, completion)
  }

  /// Ends a watch.
  public func unwatch(_ id: String) {
    request(PluginMethod.unwatch, ["watch": .string(id)]) { _ in }
  }

  /// Calls a service of another plugin; needs the grant `service:<name>`.
  public func callService(_ call: ServiceCall, completion: @escaping Completion) {
    request(PluginMethod.callService, call.json, completion)
  }

  /// Tells what became of an event on the way to a person; needs the grant `observe:delivery`.
  public func report(_ delivery: DeliveryNotice) {
    writer.write(RPCLine.notification(method: PluginMethod.delivery, params: delivery.json))
  }

  /// Tells the host the plugin's health, unless it knows; what is found out within `initialize`, once that is answered.
  public func healthChanged() {
    guard let reportedHealth, let health = plugin?.health, health != reportedHealth else { return }
    self.reportedHealth = health
    writer.write(RPCLine.notification(method: PluginMethod.health, params: health.json))
  }

  /// Sends a request, or answers `busy` (1004) when as many are open as may be, or the host does not read.
  private func request(_ method: String, _ params: JSONValue, _ completion: @escaping Completion) {
    guard open.count < pace.openRequests, !writer.isFull else {
      let busy = gettext(
        "too many requests wait for the gateway's answer; try again in a few seconds")
      return completion(.failure(RPCError(code: RPCError.busyCode, message: busy)))
    }
    nextID &+= 1
    open[nextID] = completion
    writer.write(RPCLine.request(id: .number(nextID), method: method, params: params))
  }

  func answered(_ id: RPCID?, _ result: Result<JSONValue, RPCError>) {
    guard case .number(let number) = id, let completion = open.removeValue(forKey: number) else {
      return PluginLog.write(.warning, "the host answered a request that was not made")
    }
    completion(result)
  }

  /// `initialize` is answered.
  func begin() {
    reportedHealth = PluginHealth(state: .working)
    healthChanged()
  }

  func noteReported(_ health: PluginHealth) { reportedHealth = health }
}
