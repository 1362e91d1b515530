import Bytes
import Care
import Door
import JSON
import Loop
import PluginProtocol
import Ports
import Texts

/// What a plugin asks of the host: each call checked against its grants, answered once.
///
/// Whether a command still counts, and whether it was done before, the gateway's core alone knows.
@LoopActor
final class InboundCalls {
  /// What the calls need from the plugin's runner.
  struct Links {
    var plugin: String
    var grants: Set<Grant>
    var environment: PluginHost.Environment
    var callService:
      @LoopActor (ServiceCall, _ answer: @escaping @LoopActor (Result<JSONValue, RPCError>) -> Void)
        -> Void
    var onHealth: @LoopActor (PluginHealth) -> Void
    var onReject: @LoopActor (String) -> Void
    /// It hands in what cannot be taken under its name.
    var onRefused: @LoopActor (String) -> Void
    var signature: Signature
    var reply: @LoopActor ([UInt8]) -> Void
    /// Sends what need not overtake anything.
    var send: @LoopActor ([UInt8]) -> Void
    /// Bytes that the plugin has not read yet.
    var waitingBytes: @LoopActor () -> Int
    var onOpenCount: @LoopActor (Int) -> Void
  }

  typealias Answer = Result<JSONValue, RPCError>

  private let links: Links
  /// The names of the grants: each question is asked with them.
  private let grantNames: Set<String>
  private var waiting: ArraySlice<@LoopActor () -> Void> = []
  private var isAsking = false
  private let memory = MemoryTrim()
  private(set) var openCount = 0 {
    didSet { links.onOpenCount(openCount) }
  }
  private var rooms = RoomAllowance()
  private var saidRefusals: Set<String> = []
  private(set) lazy var watches = SessionWatches(
    SessionWatches.Links(
      environment: links.environment, asking: { [weak self] in self?.asking(for: $0) },
      send: links.send, waitingBytes: links.waitingBytes))

  init(_ links: Links) {
    self.links = links
    grantNames = Set(links.grants.map(\.rawValue))
  }

  /// Answers a request.
  func handle(id: RPCID, method: String, message: RPCMessage) {
    openCount += 1
    var isOpen = true
    perform(method, message) { [weak self] answer in
      guard let self, isOpen else { return }
      isOpen = false
      self.openCount -= 1
      self.links.reply(
        Self.line(id: id, answer: answer))
    }
  }

  private static func line(id: RPCID, answer: Answer) -> [UInt8] {
    switch answer {
    case .failure(let error): return RPCLine.failure(id: id, error)
    case .success(let result):
      let line = RPCLine.result(id: id, result)
      return line.count <= PluginLimits.lineFromHostBytes ? line : RPCLine.failure(id: id, tooMuch)
    }
  }

  private static let tooMuch = RPCError(
    code: RPCError.refusedCode,
    message: "the answer is longer than a line may be; ask for less of it, by a smaller limit"
  )

  /// Takes a notification; those that are unknown, malformed or not granted are left out and said.
  func handle(notification method: String, message: RPCMessage) {
    do throws(DecodeError) {
      switch method {
      case PluginMethod.health: links.onHealth(try PluginHealth(json: message.payload()))
      case PluginMethod.delivery: try takeDelivery(DeliveryNotice(json: message.payload()))
      default:
        links.onReject(
          "it sent the notification \(method.asPluginReason(limit: 60)), which is not known")
      }
    } catch {
      links.onReject(
        "its notification \(method.asPluginReason(limit: 60)) cannot be read: \(error)")
    }
  }

  private func takeDelivery(_ notice: DeliveryNotice) throws(DecodeError) {
    guard links.grants.contains(.observe("delivery")) else {
      return links.onReject("it reports deliveries without the grant observe:delivery")
    }
    _ = observe(.delivery(notice.report(of: links.plugin)))
  }

  private func perform(
    _ method: String, _ message: RPCMessage, _ answer: @escaping @LoopActor (Answer) -> Void
  ) {
    do throws(DecodeError) {
      switch method {
      case PluginMethod.observe:
        switch try ObserveCall(json: message.payload()) {
        case .observation(let observation): answer(observe(observation))
        case .room(let message): answer(observe(message))
        }
      case PluginMethod.command: command(try CommandCall(json: message.payload()), answer)
      case PluginMethod.request: request(try RequestCall(json: message.payload()), answer)
      case PluginMethod.requests: requests(try RequestsCall(json: message.payload()), answer)
      case PluginMethod.watch: watch(try WatchCall(json: message.payload()), answer)
      case PluginMethod.unwatch:
        let id = try JSONReader(message.payload()).string("watch")
        answer(watches.end(id) ? .success(.object([])) : .failure(Self.noWatch))
      case PluginMethod.callService: callService(try ServiceCall(json: message.payload()), answer)
      default: answer(.failure(.methodNotFound(method)))
      }
    } catch {
      answer(.failure(.invalidParameters(error)))
    }
  }

  // MARK: Observations

  private func observe(_ observation: Observation) -> Answer {
    let kind = Signature.kind(of: observation)
    guard kind.isTaken else {
      return .failure(
        RPCError(
          code: RPCError.refusedCode, message: "plugins hand in no observations of \(kind.name)"))
    }
    guard links.grants.contains(.observe(kind.name)) else {
      return .failure(notGranted("observe:\(kind.name)"))
    }
    do throws(RPCError) {
      links.environment.onObservation(links.plugin, try links.signature.signed(observation))
      return .success(.object([]))
    } catch {
      refused(error)
      return .failure(error)
    }
  }

  /// Said once for each process: a plugin that goes on writes no log full.
  private func refused(_ error: RPCError) {
    guard saidRefusals.insert(error.message).inserted, saidRefusals.count <= 8 else { return }
    links.onRefused(error.message)
  }

  /// Takes what devices in rooms say, as fast as it may come; what comes faster is dropped and counted.
  private func observe(_ message: RoomMessage) -> Answer {
    let grant = Grant.observe(message.kind)
    guard links.grants.contains(grant) else { return .failure(notGranted(grant.rawValue)) }
    guard rooms.takes(message, at: EventLoop.now) else {
      if let notice = rooms.notice(at: EventLoop.now) { links.onReject(notice) }
      return .failure(RPCError(code: RPCError.busyCode, message: RoomAllowance.refusal))
    }
    links.environment.onRoomMessage(links.plugin, message)
    return .success(.object([]))
  }

  private func notGranted(_ grant: String) -> RPCError {
    RPCError(
      code: RPCError.notGrantedCode,
      message:
        "this plugin has no grant \(grant); the owner's configuration and its manifest give it")
  }

  // MARK: Commands

  private func command(_ call: CommandCall, _ answer: @escaping @LoopActor (Answer) -> Void) {
    let grant = Grant.command(call.request.action)
    guard links.grants.contains(grant) else { return answer(.failure(notGranted(grant.rawValue))) }
    let language = call.language.map { Language($0) } ?? links.environment.language
    var asking: Asking
    do throws(RPCError) {
      asking = try self.asking(
        as: "/\(call.principal)", for: call.session, from: call.address, in: language)
    } catch { return answer(.failure(error)) }
    asking.confirms = call.confirms
    links.environment.onCommand(call.command(of: asking.principal), asking) { reply in
      answer(Self.answer(to: reply, in: language))
    }
  }

  /// Who asks: whoever holds the session that the plugin hands on, else the plugin for whomever it names.
  private func asking(
    as person: String, for session: SessionCall?, from address: String?, in language: Language
  ) throws(RPCError) -> Asking {
    guard let session else {
      return Asking(
        Principal(channel: .plugin, name: links.plugin + person), .plugin(grants: grantNames),
        address: address)
    }
    guard links.grants.contains(.accounts) else { throw notGranted(Grant.accounts.rawValue) }
    guard var asking = self.asking(for: session) else {
      throw Self.error(.loggedOut, in: language)
    }
    asking.language = asking.language ?? language
    return asking
  }

  private func asking(for session: SessionCall) -> Asking? {
    links.environment.onSession(session.token)?.asking(
      through: links.plugin, grantNames, from: session.address)
  }

  private static func answer(to reply: CommandReply, in language: Language) -> Answer {
    switch reply {
    case .done(let result): .success(["result": result])
    case .refused(let refusal): .failure(error(refusal, in: language))
    }
  }

  private static func error(_ refusal: CommandReply.Refusal, in language: Language) -> RPCError {
    RPCError(
      // What may pass is worth a second try, under the same id.
      code: refusal.code == .notNow ? RPCError.busyCode : RPCError.refusedCode,
      message: "\(refusal.code.rawValue): \(refusal.message.text(in: language))")
  }

  // MARK: Questions

  private func request(_ call: RequestCall, _ answer: @escaping @LoopActor (Answer) -> Void) {
    let language = call.language.map { Language($0) } ?? links.environment.language
    do throws(RPCError) {
      let route = try granted(call.method)
      let asking = try asking(as: "", for: call.session, from: nil, in: language)
      ask(route, call.params, as: asking, in: language, answer)
    } catch { answer(.failure(error)) }
  }

  private func ask(
    _ route: Route, _ params: JSONValue, as asking: Asking, in language: Language,
    _ answer: @escaping @LoopActor (Answer) -> Void
  ) {
    links.environment.onQuestion(route, params, asking) { outcome in
      answer(
        outcome.map { RequestAnswer($0.content, next: $0.next).json }
          .mapError { Self.error($0, in: language) })
    }
  }

  /// What a plugin may ask by a name.
  private func granted(_ method: String) throws(RPCError) -> Route {
    // Events come through lanes, and commands have a method of their own.
    guard let route = Route.named(method), route.isForPlugins || route.brings else {
      throw Self.notAsked(method)
    }
    try check(route)
    return route
  }

  private func check(_ route: Route) throws(RPCError) {
    let missing = route.grants.filter { !grantNames.contains($0) }.min()
    if let missing { throw notGranted(missing) }
  }

  // MARK: Several questions

  /// Answers several questions together, in their order.
  private func requests(_ call: RequestsCall, _ answer: @escaping @LoopActor (Answer) -> Void) {
    let language = call.language.map { Language($0) } ?? links.environment.language
    do throws(RPCError) {
      let asking = try asking(as: "", for: call.session, from: nil, in: language)
      let gathering = Gathering(count: call.questions.count) { answers in
        answer(.success(["answers": .array(answers)]))
      }
      for (place, question) in call.questions.enumerated() {
        waiting.append {
          self.ask(question, as: asking, in: language) { gathering.set($0, at: place) }
        }
      }
      askNext()
    } catch { answer(.failure(error)) }
  }

  /// Asks those that wait, one by one, in turn with whatever else the gateway has to do.
  private func askNext() {
    guard !isAsking, !waiting.isEmpty else { return }
    isAsking = true
    EventLoop.current.postInTurn { [weak self] in
      guard let self else { return }
      isAsking = false
      waiting.popFirst()?()
      memory.worked()
      askNext()
    }
  }

  private func ask(
    _ call: RequestCall, as asking: Asking, in language: Language,
    _ answer: @escaping @LoopActor (Answer) -> Void
  ) {
    do throws(RPCError) {
      ask(try granted(call.method), call.params, as: asking, in: language, answer)
    } catch { answer(.failure(error)) }
  }

  private func watch(_ call: WatchCall, _ answer: @escaping @LoopActor (Answer) -> Void) {
    let language = call.language.map { Language($0) } ?? links.environment.language
    let asking: Asking
    do throws(RPCError) {
      try check(.watch)
      asking = try self.asking(as: "", for: call.session, from: nil, in: language)
    } catch { return answer(.failure(error)) }
    guard watches.hasRoom else {
      return answer(
        .failure(
          RPCError(
            code: RPCError.busyCode,
            message: "the plugin watches \(PluginLimits.watches) times already; end one first")))
    }
    links.environment.onQuestion(.watch, .object([]), asking) { [weak self] outcome in
      answer(
        outcome.map { _ in
          [
            "watch": .string(
              self?.watches.begin(call.session, EventSelection(types: call.types)) ?? "")
          ]
        }.mapError { Self.error($0, in: language) })
    }
  }

  private static let noWatch = RPCError(
    code: RPCError.refusedCode, message: "there is no such watch")

  private static func notAsked(_ method: String) -> RPCError {
    RPCError(
      code: RPCError.refusedCode,
      message: "plugins are not answered \"\(method.asPluginReason(limit: 60))\"")
  }

  // MARK: Services

  private func callService(_ call: ServiceCall, _ answer: @escaping @LoopActor (Answer) -> Void) {
    guard Grant(rawValue: "service:\(call.service)") != nil,
      links.grants.contains(.service(call.service))
    else {
      return answer(.failure(notGranted("service:\(call.service.asPluginReason(limit: 60))")))
    }
    links.callService(call, answer)
  }
}

/// Answers to questions of one call, of which some are still to come.
@LoopActor
private final class Gathering {
  private var answers: [JSONValue]
  private var left: Int
  private let completion: @LoopActor ([JSONValue]) -> Void

  init(count: Int, completion: @escaping @LoopActor ([JSONValue]) -> Void) {
    answers = Array(repeating: .null, count: count)
    left = count
    self.completion = completion
  }

  func set(_ answer: InboundCalls.Answer, at place: Int) {
    switch answer {
    case .success(let result): answers[place] = result
    case .failure(let error): answers[place] = ["error": error.json]
    }
    left -= 1
    if left == 0 { completion(answers) }
  }
}
