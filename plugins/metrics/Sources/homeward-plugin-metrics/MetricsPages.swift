import JSON
import Loop
import WebServer

/// `/metrics` and `/health` over HTTP, on an address of this machine alone, for whoever watches it.
///
/// There is no password, so nothing else than loopback is listened on, and neither page may hold a position, a name of a
/// person or a health value.
@LoopActor
final class MetricsPages {
  /// Asks for the page of `/metrics`, Prometheus text, nil where the gateway has none to give; may be answered later.
  typealias Metrics = @LoopActor (@escaping @LoopActor (String?) -> Void) -> Void
  /// Asks for the document of `/health` and whether all is well; may be answered later.
  typealias Health = @LoopActor (@escaping @LoopActor (Bool, JSONValue) -> Void) -> Void

  /// The most clients at a time; whoever comes beyond that takes the place of the slowest.
  nonisolated static let maximumConnections: UInt32 = 16
  /// The content type of the Prometheus text exposition format.
  private static let prometheus = "text/plain; version=0.0.4; charset=utf-8"

  private let metrics: Metrics
  private let health: Health
  private let settings: HTTPServer.Settings
  private var server: HTTPServer?

  /// Pages that nobody reaches yet; `port` 0 takes a free one.
  ///
  /// - Parameter patienceMilliseconds: within so long a client has sent its request and taken the answer, or is cut off.
  init(
    listen address: String, port: UInt16, patienceMilliseconds: Int64 = 10_000,
    metrics: @escaping Metrics, health: @escaping Health
  ) {
    settings = HTTPServer.Settings(
      address: address, port: port, connections: Self.maximumConnections,
      patienceMilliseconds: patienceMilliseconds)
    self.metrics = metrics
    self.health = health
  }

  /// The port that they are on; nil while they are not.
  var port: UInt16? { server?.port }

  /// Whether nobody but this machine can reach an address.
  nonisolated static func isLoopback(_ address: String) -> Bool {
    address == "::1" || address.hasPrefix("127.")
  }

  /// Listens.
  func start() throws(HTTPServer.ListenError) {
    guard server == nil else { return }
    let server = HTTPServer(settings) { [weak self] request in self?.handle(request) }
    try server.start()
    self.server = server
  }

  /// Ends all connections; must be called before the pages go away.
  func stop() {
    server?.stop()
    server = nil
  }

  private func handle(_ request: WebRequest) {
    let path = request.target.prefix { $0 != "?" }
    guard path == "/metrics" || path == "/health" else {
      return answer(request, 404, text: "There is /metrics and /health.\n")
    }
    guard request.method == "GET" || request.method == "HEAD" else {
      return answer(
        request, 405, text: "Only GET and HEAD.\n", WebAnswer.Header("Allow", "GET, HEAD"))
    }
    if path == "/metrics" {
      metrics { text in
        guard let text else {
          return self.answer(request, 503, text: "The gateway does not answer.\n")
        }
        self.answer(request, 200, type: Self.prometheus, text: text)
      }
    } else {
      health { isHealthy, document in
        self.answer(
          request, isHealthy ? 200 : 503, type: "application/json",
          text: document.serialized + "\n")
      }
    }
  }

  private func answer(
    _ request: WebRequest, _ status: UInt32, type: String = "text/plain; charset=utf-8",
    text: String, _ more: WebAnswer.Header...
  ) {
    let headers = [
      WebAnswer.Header("Cache-Control", "no-store"),
      WebAnswer.Header("X-Content-Type-Options", "nosniff"),
    ]
    request.answer(WebAnswer(status, type: type, text, headers + more))
  }
}
