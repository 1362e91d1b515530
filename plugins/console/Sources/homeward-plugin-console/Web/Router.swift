import Bytes
import CGatewayShims
import Care
import ConsoleRequests
import Door
import JSON
import Loop
import Moments
import PluginKit
import Texts
import WebServer

/// Finds what a request is about, and answers it.
@LoopActor
final class Router {
  let streams: EventStreams

  let desk: GatewayDesk
  let gate: RequestGate
  let layout: Layout
  /// What is known of the certificate; another one where it was renewed as another kind.
  var trust: PageTrust
  /// Who may make an account.
  private let signUp: SignUp
  private let feedback: String?
  private let programs: ProgramInterface
  let memory = MemoryTrim()

  init(
    desk: GatewayDesk, gate: RequestGate, layout: Layout, trust: PageTrust, signUp: SignUp,
    feedback: String?
  ) {
    self.signUp = signUp
    self.feedback = feedback
    self.desk = desk
    self.gate = gate
    self.layout = layout
    self.trust = trust
    streams = EventStreams(desk)
    programs = ProgramInterface(desk)
  }

  /// Answers a request of whoever reaches the pages.
  func handle(_ request: WebRequest) { handle(request, by: gate) }

  /// Answers a request that comes by a gate, such as that of the gateway's own screen.
  func handle(_ request: WebRequest, by gate: RequestGate, isOwnScreen: Bool = false) {
    let incoming: Incoming
    do throws(Incoming.Fault) {
      incoming = try Incoming(
        method: request.method, target: request.target, body: request.body, address: request.peer,
        isEncrypted: gate.isEncrypted, proxies: gate.proxies
      ) { (request.header($0), request.count(of: $0)) }
      let path = incoming.target.path
      try gate.check(
        incoming,
        takes: ProgramInterface.has(path) ? ProgramInterface.methods(at: path) : ["GET", "HEAD"])
    } catch {
      // Also where the target could not be read.
      let isProgram = request.target.hasPrefix(InterfaceDocument.path(of: "") + "/")
      return request.answer(isProgram ? ProgramInterface.problem(error).guarded : Self.fault(error))
    }
    let language = incoming.languages.first ?? PluginLanguage.current
    let visitor = Visitor(
      token: incoming.token, address: incoming.address, language: language,
      isAtOwnScreen: isOwnScreen)
    route(request, incoming, visitor)
  }

  private func route(_ request: WebRequest, _ incoming: Incoming, _ visitor: Visitor) {
    let path = incoming.target.path
    if ProgramInterface.has(path) {
      return programs.handle(incoming, for: visitor) { request.answer($0.guarded) }
    }
    switch path.first {
    case "static" where path.count == 3: return asset(request, path)
    case "manifest.webmanifest" where path.count == 1: return manifest(request, visitor)
    case "sw.js" where path.count == 1: return worker(request)
    case "authority.crt" where path.count == 1: return authority(request)
    case "events" where path.count == 1:
      return streams.begin(request, for: visitor) {
        request.answer(ProgramInterface.problem($0).guarded)
      }
    case "map" where path.count == 5 && path[1] == "squares":
      return square(request, path, for: visitor)
    case "report.csv" where path.count == 1: return reportTable(request, incoming, visitor)
    case "report.pdf" where path.count == 1: return reportPaper(request, incoming, visitor)
    case "photograph" where path.count == 2:
      return picture(request, "alarm.photograph", path[1], for: visitor)
    case "picture" where path.count == 2:
      return picture(request, "picture.get", path[1], for: visitor)
    case "recording" where path.count == 2: return recording(request, path[1], for: visitor)
    case "g" where path.count == 2: linked(request, incoming, path[1], visitor)
    case OpenIDReturn.name where path.count == 1: cameBack(request, incoming, visitor)
    default: page(request, incoming, visitor)
    }
  }

  static func fault(_ fault: Incoming.Fault) -> WebAnswer {
    WebAnswer(
      fault.status, type: "text/plain; charset=utf-8",
      fault.words.text(in: PluginLanguage.current) + "\n", [Headers.personal] + fault.headers
    ).guarded
  }

  // MARK: What is the same for everybody

  private func asset(_ request: WebRequest, _ path: [String]) {
    guard path[1] == layout.assets.version,
      let answer = layout.assets.file(path[2], encodings: request.header("Accept-Encoding"))
    else {
      return request.answer(Self.fault(Incoming.Fault(404, Message("There is nothing here."))))
    }
    request.answer(answer)
  }

  private func worker(_ request: WebRequest) {
    guard let answer = layout.assets["sw.js"] else {
      return request.answer(Self.fault(Incoming.Fault(404, Message("There is nothing here."))))
    }
    let head = Array("const version = \"\(layout.assets.version)\";\n".utf8)
    request.answer(
      WebAnswer(
        200,
        [
          WebAnswer.Header("Content-Type", "text/javascript; charset=utf-8"),
          WebAnswer.Header("Cache-Control", "no-cache"), Headers.worker,
        ] + Headers.always, body: head + answer.body))
  }

  /// The certificate of the home's authority: whoever is to trust it has no account yet.
  private func authority(_ request: WebRequest) {
    guard let text = trust.authority else {
      return request.answer(Self.fault(Incoming.Fault(404, Message("There is nothing here."))))
    }
    request.answer(Redirect.certificate(text))
  }

  private func manifest(_ request: WebRequest, _ visitor: Visitor) {
    let document: JSONValue = [
      "name": "Homeward", "short_name": "Homeward", "start_url": "/", "scope": "/",
      "display": "standalone", "background_color": "#F6F3EC", "theme_color": "#0A4F5C",
      "lang": .string(visitor.language == .zh ? "zh-Hans" : "en"),
      "icons": [
        ["src": .string(layout.assets.path("icon.svg")), "sizes": "any", "type": "image/svg+xml"],
        [
          "src": .string(layout.assets.path("icon-192.png")), "sizes": "192x192",
          "type": "image/png",
        ],
        [
          "src": .string(layout.assets.path("icon-512.png")), "sizes": "512x512",
          "type": "image/png",
        ],
      ],
    ]
    request.answer(
      WebAnswer(200, type: "application/manifest+json", document.serialized).guarded)
  }

  // MARK: The map

  /// A square of the map as the gateway has it: GeoJSON, compressed already.
  private func square(_ request: WebRequest, _ path: [String], for visitor: Visitor) {
    let numbers = path.suffix(3).compactMap { Int64($0) }
    guard numbers.count == 3 else {
      return request.answer(Self.fault(Incoming.Fault(404, Message("There is nothing here."))))
    }
    let params: JSONValue = [
      "zoom": .integer(numbers[0]), "column": .integer(numbers[1]), "row": .integer(numbers[2]),
    ]
    desk.ask([Question("map.square", params)], for: visitor) { answers in
      if let refusal = answers.refusal("map.square") {
        // Where no plugin knows the map there is none, which is no fault of the page.
        if refusal.code == "conflict" {
          return request.answer(
            WebAnswer(204, [WebAnswer.Header("Cache-Control", "private, max-age=300")]).guarded)
        }
        return request.answer(ProgramInterface.problem(refusal).guarded)
      }
      let answer = answers["map.square"]
      let attribution = RequestTarget.encoded(answer["attribution"]?.stringContent ?? "")
      let told = [
        WebAnswer.Header("Cache-Control", "private, max-age=86400"),
        WebAnswer.Header("X-Attribution", attribution),
        WebAnswer.Header("X-Zooms", answer["zooms"]?.serialized ?? "[]"),
      ]
      guard let text = answer["content"]?.stringContent, let bytes = Base64.decode(text) else {
        return request.answer(WebAnswer(204, told).guarded)
      }
      request.answer(
        WebAnswer(
          200,
          [
            WebAnswer.Header("Content-Type", "application/geo+json"),
            WebAnswer.Header("Content-Encoding", "deflate"),
          ] + told, body: bytes
        ).guarded)
    }
  }

  // MARK: Pictures

  /// A picture that the gateway has. A browser that has it asks whether it may still show it: on a telephone of several,
  /// somebody else is logged in an hour later.
  private func picture(
    _ request: WebRequest, _ route: String, _ id: String, for visitor: Visitor
  ) {
    let tag = EntityTag(of: Array(id.utf8))
    let isKnown = tag.isAmong(request.header("If-None-Match"))
    desk.file(route, id, onlyItsBeginning: isKnown, for: visitor) { picture in
      switch picture {
      case .failure(let refusal):
        request.answer(ProgramInterface.problem(refusal).guarded)
      case .success(let picture):
        let kept = [WebAnswer.Header("Cache-Control", "private, no-cache"), tag.header]
        if isKnown { return request.answer(WebAnswer(304, kept).guarded) }
        request.answer(
          WebAnswer(
            200, [WebAnswer.Header("Content-Type", picture.type)] + kept, body: picture.bytes
          ).guarded)
      }
    }
  }

  // MARK: Recordings

  /// A recording that the gateway has. Players ask for parts of it (RFC 9110, 14): some play nothing that cannot be had so.
  private func recording(_ request: WebRequest, _ id: String, for visitor: Visitor) {
    desk.file("recording.get", id, for: visitor) { recording in
      switch recording {
      case .failure(let refusal):
        request.answer(ProgramInterface.problem(refusal).guarded)
      case .success(let recording):
        let part = ByteRange(request.header("Range"), of: recording.bytes.count)
        let headers = [
          WebAnswer.Header("Content-Type", recording.type),
          Headers.personal, WebAnswer.Header("Accept-Ranges", "bytes"),
        ]
        guard let part else {
          return request.answer(WebAnswer(200, headers, body: recording.bytes).guarded)
        }
        let range = WebAnswer.Header("Content-Range", part.contentRange)
        request.answer(
          WebAnswer(
            part.isEmpty ? 416 : 206, headers + [range], body: Array(recording.bytes[part.bounds])
          ).guarded)
      }
    }
  }

  // MARK: Pages

  func visit(_ incoming: Incoming, _ visitor: Visitor) -> Visit {
    Visit(
      visitor: visitor, path: incoming.target.path,
      fields: Dictionary(incoming.target.fields.map { ($0.name, $0.value) }) { first, _ in first },
      now: Timestamp(milliseconds: homeward_realtime_milliseconds()),
      way: Way(incoming, trust: trust, signUp: signUp, feedback: feedback))
  }

  private func page(_ request: WebRequest, _ incoming: Incoming, _ visitor: Visitor) {
    var visit = visit(incoming, visitor)
    guard let page = Page.at(incoming.target.path) else {
      return show(PageContent.missing(visit), visit, status: 404, request, incoming)
    }
    let isForOne = page.isForAccounts || (page.isForEverybody && visitor.token != nil)
    desk.ask(
      (isForOne ? Page.always(at: visit.now) : [Question("account.show")])
        + page.questionsAtTheDoor, for: visitor
    ) { answers in
      visit.answers = answers
      let account = visit.account
      if let tag = account["profile"]?["language"]?.stringContent {
        visit.visitor.language = Language(tag)
      }
      guard page.isForAccounts else {
        if let place = page.placeInstead(visit) { return self.go(place, request) }
        // Whoever's pages were shown so far: nothing may bring their session back while another begins.
        if page.path == OwnScreenPage.page.path { visit.answers = Answers() }
        return self.show(page, visit, request, incoming)
      }
      // By the link in a message there is one page, and no account.
      if let refusal = answers.refusal("account.show"),
        refusal.isLoggedOut || refusal.code == "forbidden"
      {
        if visitor.isAtOwnScreen { return self.go(OwnScreenPage.page.path, request) }
        let fields = incoming.target.fields.map { "\($0.name)=\(RequestTarget.encoded($0.value))" }
        let here = page.path + (fields.isEmpty ? "" : "?" + fields.joined(separator: "&"))
        return self.go(Visit.address("/log-in", ["next": here == "/" ? nil : here]), request)
      }
      if account["role"]?.stringContent == nil, account != .null, page.path != "/welcome" {
        return self.go("/welcome", request)
      }
      // Whoever is looked after, or treats others, has a first page of their own.
      if visit.isClinician, page.path == "/" { return self.go("/health", request) }
      if visit.isResident, page.path == "/", !visit.residents.isEmpty {
        return self.go("/me", request)
      }
      self.ask(page, visit, rounds: page.rounds) { visit in
        self.show(page, visit, request, incoming)
      }
    }
  }

  private func show(
    _ page: Page, _ visit: Visit, _ request: WebRequest, _ incoming: Incoming
  ) {
    let (status, content) = page.shown(to: visit)
    show(content, visit, status: status, request, incoming)
  }

  /// Asks what a page needs, until it needs nothing more.
  func ask(
    _ page: Page, _ visit: Visit, rounds: Int,
    completion: @escaping @LoopActor (Visit) -> Void
  ) {
    let questions = page.next(visit)
    guard !questions.isEmpty, rounds > 0 else { return completion(visit) }
    desk.ask(questions, for: visit.visitor) { answers in
      var visit = visit
      visit.answers.add(answers)
      self.ask(page, visit, rounds: rounds - 1, completion: completion)
    }
  }

  /// What the link in a message to a guardian opens: the token in its address is all that speaks for whoever opens it.
  private func linked(
    _ request: WebRequest, _ incoming: Incoming, _ token: String, _ visitor: Visitor
  ) {
    var visit = Visit(
      visitor: Visitor(
        token: Incoming.isToken(token[...]) ? token : nil, address: visitor.address,
        language: visitor.language),
      path: incoming.target.path, fields: [:],
      now: Timestamp(milliseconds: homeward_realtime_milliseconds()), link: token)
    desk.ask([Question("alarm.linked")], for: visit.visitor) { answers in
      visit.answers = answers
      let isOpen = answers.refusal("alarm.linked") == nil
      if !isOpen { visit.link = nil }
      self.show(
        LinkPage(visit: visit).content, visit, status: isOpen ? 200 : 410, request, incoming)
    }
  }

  func go(_ address: String, _ request: WebRequest, _ headers: [WebAnswer.Header] = []) {
    request.answer(
      WebAnswer(303, [WebAnswer.Header("Location", address), Headers.personal] + headers).guarded)
  }

  func show(
    _ content: PageContent, _ visit: Visit, status: UInt32 = 200, _ request: WebRequest,
    _ incoming: Incoming
  ) {
    var headers =
      Headers.always
      + Headers.page(
        hasMap: content.hasMap, hasRecorder: content.hasRecorder,
        isForResident: content.frame == .resident)
    // Whoever comes now and then stays logged in.
    if let token = incoming.token, !incoming.isBearer, visit.account != .null {
      headers.append(
        Headers.session(
          token, isEncrypted: incoming.isEncrypted, days: visit.isScreen ? 400 : 30))
    }
    request.answer(WebAnswer(status, headers, body: Array(layout.page(content, visit).source.utf8)))
    memory.worked()
  }
}

extension PageContent {
  /// Where nothing is.
  static func missing(_ visit: Visit) -> PageContent {
    let title = visit.gettext("There is nothing here")
    return PageContent(
      title: title,
      main:
        "<h1>\(title)</h1><p class=\"actions\">\(Part.link(visit.gettext("To the first page"), to: "/", isFirst: true))</p>"
    )
  }
}

extension WebAnswer {
  /// With what goes along with every answer that is no page.
  var guarded: WebAnswer {
    WebAnswer(status, headers + Headers.always + [Headers.noPage], body: body)
  }
}
