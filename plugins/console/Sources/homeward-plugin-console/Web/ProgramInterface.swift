import Care
import ConsoleRequests
import Door
import JSON
import Loop
import PluginKit
import Texts
import WebServer

/// What programs ask for over HTTP, made from the gateway's own routes and rules.
///
/// `GET /api/v1/residents/list?resident=…` asks `residents.list`, with the parameters as fields; `POST /api/v1/zone/put`
/// does `zone.put`, with the members of the request as a JSON object. Errors are Problem Details. A list that goes on tells
/// in a `Link` where.
///
/// - Source: RFC 9110 (HTTP), RFC 9457 (Problem Details), RFC 8288 (links).
@LoopActor
final class ProgramInterface {
  nonisolated static let root = InterfaceDocument.root

  private static let document = InterfaceDocument.made().serializedBytes

  private let desk: GatewayDesk

  init(_ desk: GatewayDesk) {
    self.desk = desk
  }

  /// Whether a path is below ``root``.
  nonisolated static func has(_ path: [String]) -> Bool { path.starts(with: root) }

  /// By which methods a path below ``root`` is asked for: what is done is sent.
  nonisolated static func methods(at path: [String]) -> [String] {
    name(at: path).map { CommandRule.of($0) != nil || brought($0) != nil } == true
      ? ["POST"] : ["GET", "HEAD"]
  }

  /// What is brought in pieces under a name.
  private nonisolated static func brought(_ name: String) -> Route? {
    Route.brought.first { $0.name == name }
  }

  /// What a path below ``root`` is about; nil where it is written in no way that is offered.
  nonisolated static func name(at path: [String]) -> String? {
    let rest = path.dropFirst(root.count)
    if Array(rest) == [InterfaceDocument.name] { return InterfaceDocument.name }
    return rest.contains { $0.contains(".") } ? nil : rest.joined(separator: ".")
  }

  /// Answers a request below ``root``.
  func handle(
    _ incoming: Incoming, for visitor: Visitor, answer: @escaping @LoopActor (WebAnswer) -> Void
  ) {
    guard let name = Self.name(at: incoming.target.path) else {
      return answer(Self.problem(Self.nothing(visitor)))
    }
    if name == InterfaceDocument.name {
      answer(Self.found(Self.document, incoming))
    } else if let route = InterfaceDocument.routes.first(where: { $0.name == name }) {
      question(route, incoming, for: visitor, answer)
    } else if let route = Self.brought(name) {
      bring(route, incoming, for: visitor, answer)
    } else if CommandRule.of(name) != nil {
      command(name, incoming, for: visitor, answer)
    } else {
      answer(Self.problem(Self.nothing(visitor)))
    }
  }

  // MARK: Questions

  private func question(
    _ route: Route, _ incoming: Incoming, for visitor: Visitor,
    _ answer: @escaping @LoopActor (WebAnswer) -> Void
  ) {
    let params: JSONValue
    switch route.params(from: incoming.target) {
    case .success(let read): params = read
    case .failure(let wrong):
      return answer(
        Self.problem(
          Refusal(
            code: "invalid",
            words: gettext(
              "{field} is none of the fields that are asked for, or not what it has to be.",
              ["field": wrong.name], in: visitor.language))))
    }
    desk.ask([Question(route.name, params)], for: visitor) { answers in
      if let refusal = answers.refusal(route.name) { return answer(Self.problem(refusal)) }
      let next = answers.cursors[route.name].map {
        WebAnswer.Header("Link", "<\(incoming.target.goingOn(at: $0))>; rel=\"next\"")
      }
      answer(
        Self.found(answers[route.name].serializedBytes, incoming, [next].compactMap { $0 }))
    }
  }

  /// A piece of what is too large for a command.
  private func bring(
    _ route: Route, _ incoming: Incoming, for visitor: Visitor,
    _ answer: @escaping @LoopActor (WebAnswer) -> Void
  ) {
    guard let params = try? JSONValue(parsing: incoming.body), params.objectContent != nil else {
      return answer(
        Self.problem(
          Refusal(
            code: "invalid",
            words: gettext("What was sent is no JSON object.", in: visitor.language))))
    }
    desk.ask([Question(route.name, params)], for: visitor) { answers in
      if let refusal = answers.refusal(route.name) { return answer(Self.problem(refusal)) }
      answer(
        WebAnswer(
          200, [WebAnswer.Header("Content-Type", "application/json"), Headers.personal],
          body: answers[route.name].serializedBytes))
    }
  }

  private static func found(
    _ body: [UInt8], _ incoming: Incoming, _ more: [WebAnswer.Header] = []
  ) -> WebAnswer {
    let tag = EntityTag(of: body)
    let headers = [Headers.personal, tag.header] + more
    guard !tag.isAmong(incoming.noneMatch) else { return WebAnswer(304, headers) }
    return WebAnswer(
      200, [WebAnswer.Header("Content-Type", "application/json")] + headers, body: body)
  }

  // MARK: Commands

  private func command(
    _ name: String, _ incoming: Incoming, for visitor: Visitor,
    _ answer: @escaping @LoopActor (WebAnswer) -> Void
  ) {
    let redirect = Self.leadsAway.contains(name) ? OpenIDReturn.address(incoming) : nil
    guard redirect != nil || !Self.leadsAway.contains(name) else {
      return answer(
        Self.problem(
          Refusal(
            code: "invalid",
            words: gettext(
              "No other service leads back to an address. Come by one of the names of these pages.",
              in: visitor.language))))
    }
    let sent: SentCommand
    do throws(SentCommand.Fault) {
      sent = try SentCommand(
        incoming, as: name, label: Self.namesDevice.contains(name) ? incoming.userAgent : nil,
        redirect: redirect)
    } catch {
      let words =
        switch error {
        case .unreadable: gettext("What was sent is no JSON object.", in: visitor.language)
        case .unclear: gettext("confirms must be true or false.", in: visitor.language)
        }
      return answer(Self.problem(Refusal(code: "invalid", words: words)))
    }
    desk.demand(sent.request, for: visitor, id: sent.key, confirms: sent.confirms) { result in
      switch result {
      case .failure(let refusal): answer(Self.problem(refusal))
      case .success(let content): answer(self.done(content, name, incoming))
      }
    }
  }

  /// What begins a session, which is called after the browser that asks for it.
  private static let namesDevice: Set = [
    "account.log-in", "account.sign-up", "account.recover", "account.enter-screen",
    "account.enter-browser",
  ]

  /// What leads to an identity provider, and has to say where that leads back to.
  private static let leadsAway: Set = ["account.begin-openid", "account.connect-openid"]

  /// A browser gets its token where no script can read it, a program in the answer.
  private func done(_ content: JSONValue, _ name: String, _ incoming: Incoming) -> WebAnswer {
    var content = content
    var headers = [WebAnswer.Header("Content-Type", "application/json"), Headers.personal]
    if Self.namesDevice.contains(name), incoming.origin != nil,
      let token = content["token"]?.stringContent
    {
      headers.append(Headers.session(token, isEncrypted: incoming.isEncrypted))
      content = .object((content.objectContent ?? []).filter { $0.key != "token" })
    }
    content = QRPicture.added(
      to: content, of: name, at: incoming.origin == nil ? nil : Way(incoming).address)
    if Self.leadsAway.contains(name), incoming.origin != nil,
      let binding = content["binding"]?.stringContent
    {
      headers.append(Headers.binding(binding, isEncrypted: incoming.isEncrypted))
      content = .object((content.objectContent ?? []).filter { $0.key != "binding" })
    }
    return WebAnswer(200, headers, body: content.serializedBytes)
  }

  // MARK: Errors

  static func nothing(_ visitor: Visitor) -> Refusal {
    Refusal(code: "unknown-target", words: gettext("There is nothing here.", in: visitor.language))
  }

  /// Why a request is not looked at any further, as Problem Details.
  static func problem(_ fault: Incoming.Fault) -> WebAnswer {
    let answer = problem(
      code: fault.status == 401 ? "logged-out" : "invalid", status: fault.status,
      fault.words.text(in: PluginLanguage.current))
    return WebAnswer(answer.status, answer.headers + fault.headers, body: answer.body)
  }

  /// A refusal as Problem Details.
  static func problem(_ refusal: Refusal) -> WebAnswer {
    problem(code: refusal.code, status: refusal.status, refusal.words)
  }

  private static func problem(code: String, status: UInt32, _ words: String) -> WebAnswer {
    let body: JSONValue = [
      "type": .string("urn:homeward:problem:\(code)"), "title": .string(words),
      "status": .integer(Int64(status)), "code": .string(code),
    ]
    var headers = [WebAnswer.Header("Content-Type", "application/problem+json"), Headers.personal]
    if status == 503 { headers.append(WebAnswer.Header("Retry-After", "2")) }
    if status == 401 {
      headers.append(WebAnswer.Header("WWW-Authenticate", "Bearer"))
    }
    return WebAnswer(status, headers, body: body.serializedBytes)
  }
}
