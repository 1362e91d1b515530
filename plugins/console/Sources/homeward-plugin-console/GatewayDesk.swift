import CGatewayShims
import Care
import Door
import Glibc
import JSON
import Loop
import PluginKit
import PluginProtocol
import Texts

/// For whom something is asked.
struct Visitor: Hashable, Sendable {
  /// The token of their session; nil for nobody's.
  var token: String?
  /// The address in the network that they come from.
  var address: String
  /// In which they are answered.
  var language: Language
  /// Whether they stand before the screen that the gateway has itself.
  var isAtOwnScreen = false

  /// The session, for the gateway; one that nobody has where there is none.
  var session: SessionCall {
    SessionCall(token: token ?? "nobody", address: address.isEmpty ? nil : address)
  }
}

/// A question to the gateway, under a name of its own.
struct Question: Hashable, Sendable {
  var name: String
  var route: String
  var params: JSONValue
  /// Whether it is asked for whoever stands at the door, logged in or not.
  var isAtTheDoor: Bool

  /// A question; known by its route where nothing else is said.
  init(
    _ route: String, _ params: JSONValue = .object([]), as name: String? = nil,
    isAtTheDoor: Bool = false
  ) {
    self.name = name ?? route
    self.route = route
    self.params = params
    self.isAtTheDoor = isAtTheDoor
  }
}

/// What the gateway answered, by the names of the questions.
struct Answers: Sendable {
  private(set) var results: [String: Result<JSONValue, Refusal>] = [:]
  /// The cursors of what follows, of lists of which a part was answered.
  private(set) var cursors: [String: String] = [:]

  init(_ results: [String: Result<JSONValue, Refusal>] = [:]) { self.results = results }

  /// The answer to a question; null where it was refused.
  subscript(_ name: String) -> JSONValue { (try? results[name]?.get()) ?? .null }

  /// The elements of an answer that is a list.
  func list(_ name: String) -> [JSONValue] { self[name].arrayContent ?? [] }

  /// Why a question was refused; nil where it was answered, or not asked.
  func refusal(_ name: String) -> Refusal? {
    guard case .failure(let refusal) = results[name] else { return nil }
    return refusal
  }

  /// Whether a question was asked and answered, or refused.
  func has(_ name: String) -> Bool { results[name] != nil }

  mutating func add(_ result: Result<JSONValue, Refusal>, next: String? = nil, as name: String) {
    results[name] = result
    cursors[name] = next
  }

  mutating func add(_ others: Answers) {
    for (name, result) in others.results { add(result, next: others.cursors[name], as: name) }
  }
}

/// Why the gateway did not do or tell something.
struct Refusal: Error, Hashable, Sendable {
  /// A word that programs know, such as `logged-out`.
  var code: String
  /// What people read, in their language.
  var words: String

  init(code: String, words: String) {
    self.code = code
    self.words = words
  }

  /// From the error of a call: the word stands before the first colon of what was refused.
  init(_ error: RPCError) {
    let parts = error.message.split(separator: ":", maxSplits: 1)
    let word = parts.first.map(String.init) ?? ""
    let isWord =
      parts.count == 2 && word.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x2D }
    switch error.code {
    case RPCError.refusedCode where isWord, RPCError.busyCode where isWord:
      self.init(code: word, words: parts[1].drop { $0 == " " }.description)
    case RPCError.busyCode: self.init(code: "busy", words: error.message)
    case RPCError.notGrantedCode: self.init(code: "not-granted", words: error.message)
    case RPCError.invalidParametersCode: self.init(code: "invalid", words: error.message)
    default: self.init(code: "refused", words: error.message)
    }
  }

  /// Whether whoever asked has to log in again.
  var isLoggedOut: Bool { code == "logged-out" }

  /// The status of RFC 9110 that says the same.
  var status: UInt32 {
    switch code {
    case "logged-out": 401
    case "forbidden", "not-granted": 403
    case "unknown-target": 404
    case "conflict", "unconfirmed", "expired": 409
    case "invalid": 422
    case "busy", "not-now": 503
    default: 400
    }
  }
}

/// Puts questions and commands to the gateway, in the name of whoever visits.
@LoopActor
final class GatewayDesk {
  /// How long what somebody sends counts as of now.
  private static let freshMilliseconds: Int64 = 60_000

  /// So many calls are open at a time: the gateway answers one after the other, and what waits here may still be joined.
  private static let openAtMost = 32
  /// So many more wait for their turn; whoever comes beyond that is told that the gateway is busy.
  private static let waitingAtMost = 8192

  private let link: HostLink
  private var lastID: UInt64 = 0
  private var openCount = 0
  private var isPutting = false
  private var waiting: ArraySlice<Call> = []
  private var takers: [Call: [Taker]] = [:]

  /// Questions that are put together.
  private struct Call: Hashable {
    var questions: [RequestCall]
    var visitor: Visitor
    var isAtTheDoor: Bool

    var session: SessionCall? { isAtTheDoor ? nil : visitor.session }
  }

  /// Takes the answer to each question of a call, by its place.
  private typealias Taker = @LoopActor (Int, Result<RequestAnswer, RPCError>) -> Void

  init(_ link: HostLink) { self.link = link }

  /// Asks several questions at once; `completion` is called when all are answered.
  func ask(
    _ questions: [Question], for visitor: Visitor,
    completion: @escaping @LoopActor (Answers) -> Void
  ) {
    guard !questions.isEmpty else { return completion(Answers()) }
    let gathering = Gathering(count: questions.count, completion: completion)
    for isAtTheDoor in [false, true] {
      var rest = questions.filter { $0.isAtTheDoor == isAtTheDoor }[...]
      while !rest.isEmpty {
        let some = Array(rest.prefix(RequestsCall.questionsAtMost))
        rest = rest.dropFirst(some.count)
        let calls = some.map { RequestCall(method: $0.route, params: $0.params) }
        put(Call(questions: calls, visitor: visitor, isAtTheDoor: isAtTheDoor)) {
          gathering.add($1.mapError(Refusal.init), as: some[$0].name)
        }
      }
    }
  }

  /// Puts questions as soon as there is room: when something happens, every open page asks at once. What the same session
  /// waits to ask from another page is asked once for both.
  private func put(_ call: Call, _ taker: @escaping Taker) {
    if takers[call] != nil { return takers[call, default: []].append(taker) }
    guard waiting.count < Self.waitingAtMost else {
      let busy = RPCError(
        code: RPCError.busyCode,
        message: Message(
          "too many requests wait for the gateway's answer; try again in a few seconds"
        ).text(in: call.visitor.language))
      for place in call.questions.indices { taker(place, .failure(busy)) }
      return
    }
    waiting.append(call)
    takers[call] = [taker]
    putWaiting()
  }

  private func putWaiting() {
    // An answer may come before the question has returned.
    guard !isPutting else { return }
    isPutting = true
    defer { isPutting = false }
    while openCount < Self.openAtMost, let next = waiting.popFirst() {
      openCount += 1
      let takers = takers.removeValue(forKey: next) ?? []
      let language = next.visitor.language.rawValue
      link.ask(RequestsCall(next.questions, language: language, session: next.session)) {
        [self] in
        openCount -= 1
        for taker in takers { hand($0, to: taker, of: next) }
        putWaiting()
      }
    }
  }

  private func hand(
    _ answer: Result<[Result<RequestAnswer, RPCError>], RPCError>, to taker: @escaping Taker,
    of call: Call
  ) {
    switch answer {
    case .success(let answers):
      for (place, answer) in answers.enumerated() { taker(place, answer) }
    case .failure(let error) where call.questions.count == 1 || isOfAll(error):
      for place in call.questions.indices { taker(place, .failure(error)) }
    case .failure:
      // What is too long for one line together is asked piece by piece.
      for (place, question) in call.questions.enumerated() {
        var piece = call
        piece.questions = [question]
        put(piece) { taker(place, $1) }
      }
    }
  }

  /// Whether what failed together fails as well by itself.
  private func isOfAll(_ error: RPCError) -> Bool {
    error.code == RPCError.busyCode || Refusal(error).isLoggedOut
  }

  /// Has something done. A browser keeps the token of a session that is over, and whoever has none may come in: what lets
  /// somebody in is asked for nobody then. Who is logged in stays who they are.
  ///
  /// - Parameters:
  ///   - request: the members of the request, with its `action`.
  ///   - id: by which a repeated one is known; nil for one that is not repeated.
  ///   - confirms: whether whoever asks was told what it takes away, and says it once more.
  func demand(
    _ request: JSONValue, for visitor: Visitor, id: String? = nil, confirms: Bool = false,
    completion: @escaping @LoopActor (Result<JSONValue, Refusal>) -> Void
  ) {
    lastID &+= 1
    let now = homeward_boottime_nanoseconds() / 1_000_000
    var call = JSONValue.object([
      "id": .string(id ?? "\(getpid())-\(now)-\(lastID)"),
      "freshUntil": .integer(now + Self.freshMilliseconds), "request": request,
      "language": .string(visitor.language.rawValue),
      "address": visitor.address.isEmpty ? nil : .string(visitor.address),
    ])
    if let token = visitor.token {
      call = call.setting("session", to: .string(token))
    } else {
      call = call.setting("principal", to: "page")
    }
    if confirms { call = call.setting("confirms", to: true) }
    link.command(call) { [self] answer in
      let outcome = answer.map { $0["result"] ?? .null }.mapError(Refusal.init)
      guard case .failure(let refusal) = outcome, refusal.isLoggedOut, visitor.token != nil,
        let action = request["action"]?.stringContent, CommandRule.of(action)?.needs == .logIn
      else { return completion(outcome) }
      var nobody = visitor
      nobody.token = nil
      demand(request, for: nobody, id: id, confirms: confirms, completion: completion)
    }
  }

  /// Calls a service of another plugin.
  func call(
    _ service: String, _ params: JSONValue,
    completion: @escaping @LoopActor (Result<JSONValue, RPCError>) -> Void
  ) {
    link.callService(ServiceCall(service: service, params: params), completion: completion)
  }

  /// Begins to watch what happens, for a visitor; answers the id of the watch.
  func watch(
    for visitor: Visitor, completion: @escaping @LoopActor (Result<String, Refusal>) -> Void
  ) {
    let call = WatchCall(session: visitor.session, language: visitor.language.rawValue)
    link.watch(call) { answer in
      completion(answer.map { $0["watch"]?.stringContent ?? "" }.mapError(Refusal.init))
    }
  }

  /// Ends a watch.
  func unwatch(_ id: String) { link.unwatch(id) }
}

/// Answers that are still to come.
@LoopActor
private final class Gathering {
  private var left: Int
  private var answers = Answers()
  private let completion: @LoopActor (Answers) -> Void

  init(count: Int, completion: @escaping @LoopActor (Answers) -> Void) {
    left = count
    self.completion = completion
  }

  func add(_ result: Result<RequestAnswer, Refusal>, as name: String) {
    answers.add(result.map(\.result), next: (try? result.get())?.next, as: name)
    left -= 1
    if left == 0 { completion(answers) }
  }
}
