import CHTTPServer
import Glibc
public import JSON
public import Loop
public import Texts

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

  private let address: String
  private let wantedPort: UInt16
  private let patienceMilliseconds: Int64
  private let metrics: Metrics
  private let health: Health
  private var server: OpaquePointer?
  private var timer: LoopTimer?

  /// An endpoint that does not listen yet; `port` 0 takes a free one.
  ///
  /// - Parameter patienceMilliseconds: within so long a client has sent its request and taken the answer, or is cut off.
  public init(
    listen address: String, port: UInt16, patienceMilliseconds: Int64 = 10_000,
    metrics: @escaping Metrics, health: @escaping Health
  ) {
    self.patienceMilliseconds = patienceMilliseconds
    self.address = address
    self.wantedPort = port
    self.metrics = metrics
    self.health = health
  }

  /// The port that it listens on; nil while it does not.
  public var port: UInt16? { server.map(homeward_http_port) }

  /// Listens.
  ///
  /// - Throws: ``ListenError`` when the address is no loopback address, or the port is taken.
  public func start() throws(ListenError) {
    guard server == nil else { return }
    guard address == "::1" || address.hasPrefix("127.") else {
      throw ListenError(
        message: Message(
          "{address} is no loopback address; there is no password on the operations "
            + "endpoint, so set operations.listen to 127.0.0.1.", ["address": address]))
    }
    let started = homeward_http_start(
      address, wantedPort, Self.maximumConnections, patienceMilliseconds,
      { context, request, method, path in
        guard let context, let method, let path else { return }
        let endpoint = Unmanaged<OperationsEndpoint>.fromOpaque(context).takeUnretainedValue()
        let words = (method: String(cString: method), path: String(cString: path))
        LoopActor.assumeIsolated { endpoint.handle(request, words.method, words.path) }
      }, Unmanaged.passUnretained(self).toOpaque())
    guard let started else { throw listenError(errno) }
    server = started
    timer = LoopTimer { [weak self] in self?.run() }
    EventLoop.current.watch(homeward_http_descriptor(started), for: .reading) { [weak self] _ in
      self?.run()
    }
  }

  /// Ends all connections; must be called before the endpoint goes away.
  public func stop() {
    guard let server else { return }
    self.server = nil
    timer?.cancel()
    EventLoop.current.unwatch(homeward_http_descriptor(server))
    homeward_http_stop(server)
  }

  private func listenError(_ code: Int32) -> ListenError {
    let place = "\(address):\(wantedPort)"
    guard code != EADDRINUSE else {
      return ListenError(
        message: Message(
          "the operations endpoint cannot listen on {place}: another program listens there; "
            + "set operations.port to another one, or to 0 for none.", ["place": place]))
    }
    return ListenError(
      message: Message(
        "the operations endpoint cannot listen on {place}: {reason}.",
        ["place": place, "reason": String(cString: strerror(code))]))
  }

  private func run() {
    guard let server else { return }
    homeward_http_run(server)
    scheduleRun()
  }

  private func scheduleRun() {
    guard let server = self.server else { return }
    let timeout = homeward_http_timeout_milliseconds(server)
    if timeout < 0 { timer?.cancel() } else { timer?.set(afterMilliseconds: timeout) }
  }

  private func handle(_ request: UInt64, _ method: String, _ path: String) {
    guard path == "/metrics" || path == "/health" else {
      return answer(request, status: 404, text: "There is /metrics and /health.\n")
    }
    guard method == "GET" || method == "HEAD" else {
      return answer(request, status: 405, text: "Only GET and HEAD.\n", allow: "GET, HEAD")
    }
    if path == "/metrics" {
      metrics { [weak self] text in
        self?.answer(request, status: 200, type: PrometheusText.contentType, text: text)
      }
    } else {
      health { [weak self] isHealthy, document in
        self?.answer(
          request, status: isHealthy ? 200 : 503, type: "application/json",
          text: document.serialized + "\n")
      }
    }
  }

  private func answer(
    _ request: UInt64, status: UInt32, type: String = "text/plain; charset=utf-8", text: String,
    allow: String? = nil
  ) {
    guard let server else { return }
    let bytes = Array(text.utf8)
    homeward_http_answer(server, request, status, type, allow, bytes, bytes.count)
    timer?.set(afterMilliseconds: 0)  // a resumed connection goes on with the next run
  }
}
