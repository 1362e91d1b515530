import Glibc
public import JSON
public import Loop
public import Texts
import WebServer

/// `/metrics` and `/health` over HTTP, on a loopback address, for whoever watches the machine.
///
/// There is no password, so nothing else than loopback is listened on, and neither page may hold a position, a name of a
/// person or a health value.
@LoopActor
public final class OperationsEndpoint {
  /// Asks for the page of `/metrics`; the answer is Prometheus text and may come later.
  public typealias Metrics = @LoopActor (@escaping @LoopActor (String) -> Void) -> Void
  /// Asks for the document of `/health` and whether all is well; may be answered later.
  public typealias Health = @LoopActor (@escaping @LoopActor (Bool, JSONValue) -> Void) -> Void

  /// Why the endpoint cannot listen.
  public struct ListenError: Error, Hashable, Sendable, CustomStringConvertible {
    /// One plain sentence that says what to do next.
    public var message: Message

    /// The sentence in English.
    public var description: String { message.description }
  }

  /// The most clients at a time; whoever comes beyond that takes the place of the slowest.
  public nonisolated static let maximumConnections: UInt32 = 16

  private let settings: HTTPServer.Settings
  private let metrics: Metrics
  private let health: Health
  private var server: HTTPServer?

  /// An endpoint that does not listen yet; `port` 0 takes a free one.
  ///
  /// - Parameter patienceMilliseconds: within so long a client has sent its request and taken the answer, or is cut off.
  public init(
    listen address: String, port: UInt16, patienceMilliseconds: Int64 = 10_000,
    metrics: @escaping Metrics, health: @escaping Health
  ) {
    settings = HTTPServer.Settings(
      address: address, port: port, connections: Self.maximumConnections,
      patienceMilliseconds: patienceMilliseconds)
    self.metrics = metrics
    self.health = health
  }

  /// The port that it listens on; nil while it does not.
  public var port: UInt16? { server?.port }

  /// Listens.
  ///
  /// - Throws: ``ListenError`` when the address is no loopback address, or the port is taken.
  public func start() throws(ListenError) {
    guard server == nil else { return }
    let address = settings.address
    guard address == "::1" || address.hasPrefix("127.") else {
      throw ListenError(
        message: Message(
          "{address} is no loopback address; there is no password on the operations "
            + "endpoint, so set operations.listen to 127.0.0.1.", ["address": address]))
    }
    let server = HTTPServer(settings) { [weak self] request in self?.handle(request) }
    do { try server.start() } catch { throw listenError(error) }
    self.server = server
  }

  /// Ends all connections; must be called before the endpoint goes away.
  public func stop() {
    server?.stop()
    server = nil
  }

  private func listenError(_ error: HTTPServer.ListenError) -> ListenError {
    let place = "\(settings.address):\(settings.port)"
    guard error.number != EADDRINUSE else {
      return ListenError(
        message: Message(
          "the operations endpoint cannot listen on {place}: another program listens there; "
            + "set operations.port to another one, or to 0 for none.", ["place": place]))
    }
    return ListenError(
      message: Message(
        "the operations endpoint cannot listen on {place}: {reason}.",
        ["place": place, "reason": error.reason]))
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
        self.answer(request, 200, type: PrometheusText.contentType, text: text)
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
