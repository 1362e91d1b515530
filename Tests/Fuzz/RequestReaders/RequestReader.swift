import Bytes
import Care
import ConsoleRequests
import Door
import JSON
import PluginProtocol
import Texts
import WebServer

/// A promise that a reader of what browsers send did not keep.
public struct BrokenPromise: Error, Hashable, CustomStringConvertible {
  /// The promise, in words.
  public var description: String

  /// A promise in words.
  public init(_ description: String) { self.description = description }
}

/// The readers of what a browser sends: on the side of the pages, and on the gateway's behind them.
///
/// Each answers or throws for any bytes; what it accepted keeps the promises that are checked here.
public enum RequestReader: String, CaseIterable, Sendable {
  /// What stands between method and version in the first line of a request.
  case target = "web-target"
  /// A request: its first line and headers, each on a line, an empty line, its body.
  case request = "web-request"
  /// The parameters of a command, as the gateway reads them from the pages.
  case command = "web-command"
  /// The parameters of a question and of a watch, as the gateway reads them from the pages.
  case question = "web-question"

  /// Reads bytes; whether they were accepted.
  @discardableResult
  public func check(_ bytes: [UInt8]) throws(BrokenPromise) -> Bool {
    switch self {
    case .target: try Self.checkTarget(String(decoding: bytes, as: UTF8.self))
    case .request: try Self.checkRequest(bytes)
    case .command: try Self.checkCommand(bytes)
    case .question: try Self.checkQuestion(bytes)
    }
  }

  private static func require(_ isKept: Bool, _ promise: String) throws(BrokenPromise) {
    guard isKept else { throw BrokenPromise(promise) }
  }

  // MARK: The address

  private static func checkTarget(_ text: String) throws(BrokenPromise) -> Bool {
    guard let target = RequestTarget(text) else { return false }
    for part in target.path {
      try require(
        !["", ".", ".."].contains(part) && !part.contains("/") && !part.contains("\\"),
        "no part of a path leads elsewhere")
    }
    for text in target.path + target.fields.flatMap({ [$0.name, $0.value] }) {
      try require(
        text.unicodeScalars.allSatisfy { $0.value >= 0x20 && !(0x7F...0x9F).contains($0.value) },
        "no part of an address holds a control character")
    }
    try require(RequestTarget(written(target)) == target, "an address is read as it was written")
    return true
  }

  private static func written(_ target: RequestTarget) -> String {
    let path = target.path.map { "/" + RequestTarget.encoded($0) }.joined()
    let fields = target.fields.map {
      "\(RequestTarget.encoded($0.name))=\(RequestTarget.encoded($0.value))"
    }
    return (path.isEmpty ? "/" : path + (target.endsWithSlash ? "/" : ""))
      + (fields.isEmpty ? "" : "?" + fields.joined(separator: "&"))
  }

  // MARK: The request

  private static func checkRequest(_ bytes: [UInt8]) throws(BrokenPromise) -> Bool {
    let sent = SentRequest(bytes)
    var isAccepted = false
    for isEncrypted in [false, true] {
      guard
        let incoming = try? Incoming(
          method: sent.method, target: sent.target, body: sent.body, address: "192.0.2.7",
          isEncrypted: isEncrypted, header: sent.header)
      else { continue }
      try checkHeaders(of: incoming, in: sent, isEncrypted: isEncrypted)
      let gate = RequestGate(names: ["homeward.local"], isEncrypted: isEncrypted)
      guard (try? gate.check(incoming, takes: ["GET", "HEAD", "POST"])) != nil else { continue }
      isAccepted = true
      try require(
        Incoming.isAddress(incoming.host) || incoming.host == "homeward.local",
        "no page is given under a name of somebody else")
      if incoming.method == "POST", incoming.token != nil, !incoming.isBearer {
        let own = (isEncrypted ? "https://" : "http://") + incoming.authority
        try require(
          sent.header("Origin").value == own, "no other page sends in the name of who is logged in")
      }
      try checkMeaning(of: incoming)
    }
    return isAccepted
  }

  private static func checkHeaders(
    of incoming: Incoming, in sent: SentRequest, isEncrypted: Bool
  ) throws(BrokenPromise) {
    try require(
      incoming.host.utf8.allSatisfy { (0x21...0x7E).contains($0) && !(0x41...0x5A).contains($0) }
        && !incoming.host.isEmpty, "a host is one word in lower case")
    if let token = incoming.token {
      try require(Incoming.isToken(token[...]), "a token has the form of one")
      let place = sent.header(incoming.isBearer ? "Authorization" : "Cookie").value ?? ""
      try require(place.contains(token), "a token is one that was sent")
    }
    try require(incoming.userAgent.count <= 200, "the name of a browser is not longer than shown")
    _ = ContentCoding.takesGzip(sent.header("Accept-Encoding").value)
    _ = EntityTag(of: incoming.body).isAmong(incoming.noneMatch)
  }

  /// What it asks for, where it is below the path for programs.
  private static func checkMeaning(of incoming: Incoming) throws(BrokenPromise) {
    let path = incoming.target.path
    guard path.starts(with: InterfaceDocument.root) else { return }
    let name = path.dropFirst(InterfaceDocument.root.count).joined(separator: ".")
    if let route = Route.named(name), let params = try? route.params(from: incoming.target).get() {
      try require(
        (try? JSONValue(parsing: params.serializedBytes)) == params, "fields become parameters")
      let members = (params.objectContent ?? []).map(\.key)
      try require(
        members.allSatisfy { key in route.parameters.contains { $0.name == key } },
        "a question has no parameter that it does not take")
    }
    guard let command = try? SentCommand(incoming, as: name) else { return }
    let actions = (command.request.objectContent ?? []).filter { $0.key == "action" }
    try require(
      actions.count == 1 && actions[0].value.stringContent == name,
      "what is done is what the address says")
    try require(!(command.key ?? "1").isEmpty, "a key is not empty")
  }

  // MARK: The gateway's side

  private static func checkCommand(_ bytes: [UInt8]) throws(BrokenPromise) -> Bool {
    guard let json = try? JSONValue(parsing: bytes), let call = try? CommandCall(json: json) else {
      return false
    }
    try require((1...100).contains(call.id.rawValue.count), "an id has 1 through 100 characters")
    try require(
      (call.session?.token.utf8.count ?? 1) <= 200, "a token is no longer than tokens are")
    let written = call.json
    try require(
      (try? CommandCall(json: written))?.request == call.request,
      "a request is read as it was written")
    return true
  }

  private static func checkQuestion(_ bytes: [UInt8]) throws(BrokenPromise) -> Bool {
    guard let json = try? JSONValue(parsing: bytes) else { return false }
    var isAccepted = false
    if let call = try? RequestCall(json: json) {
      isAccepted = true
      try require((try? RequestCall(json: call.json)) == call, "a question is read as written")
    }
    if let call = try? WatchCall(json: json) {
      isAccepted = true
      try require((try? WatchCall(json: call.json)) == call, "a watch is read as written")
      try require(call.types.count <= PluginLimits.watchedTypes, "a watch is of few types")
    }
    return isAccepted
  }
}
