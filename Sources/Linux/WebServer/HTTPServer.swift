import CHTTPServer
import Glibc
public import Loop

/// An HTTP server on the event loop: each request comes whole, and is answered at once or later.
@LoopActor
public final class HTTPServer {
  /// Where it listens, and for whom.
  public struct Settings: Sendable {
    /// A numeric address; `::` is every one of the machine.
    public var address: String
    /// The port; 0 takes a free one.
    public var port: UInt16
    /// The most clients at a time; whoever comes beyond that takes the place of the slowest.
    public var connections: UInt32
    /// Within so long a client has sent its request and taken the answer, or is cut off.
    public var patienceMilliseconds: Int64
    /// The longest body of a request, in bytes; longer ones are refused with 413 before they are read.
    public var bodyLimit: Int
    /// PEM texts, for TLS; nil for none.
    public var identity: Identity?
    /// What goes along with every answer.
    public var headers: [WebAnswer.Header]

    /// Settings from their parts.
    public init(
      address: String, port: UInt16, connections: UInt32 = 16,
      patienceMilliseconds: Int64 = 10_000, bodyLimit: Int = 0, identity: Identity? = nil,
      headers: [WebAnswer.Header] = []
    ) {
      self.address = address
      self.port = port
      self.connections = connections
      self.patienceMilliseconds = patienceMilliseconds
      self.bodyLimit = bodyLimit
      self.identity = identity
      self.headers = headers
    }
  }

  /// What shows clients who the server is.
  public struct Identity: Hashable, Sendable {
    /// The certificate and those that vouch for it, as PEM.
    public var certificate: String
    /// The certificate's key, as PEM.
    public var key: String

    /// An identity from its parts.
    public init(certificate: String, key: String) {
      self.certificate = certificate
      self.key = key
    }
  }

  /// Why it cannot listen, as the system says it; `EBADMSG` where certificate and key are none that belong together.
  public struct ListenError: Error, Hashable, Sendable {
    /// The number of `errno`.
    public var number: Int32

    /// The system's words.
    public var reason: String {
      number == EBADMSG
        ? "its certificate and key cannot be used" : String(cString: strerror(number))
    }
  }

  private let settings: Settings
  private let handler: @LoopActor (WebRequest) -> Void
  private var server: OpaquePointer?
  private var timer: LoopTimer?
  private var endings: [UInt64: @LoopActor () -> Void] = [:]

  /// A server that does not listen yet; `handler` is called for each request.
  public init(_ settings: Settings, handler: @escaping @LoopActor (WebRequest) -> Void) {
    self.settings = settings
    self.handler = handler
  }

  /// The port that it listens on; nil while it does not.
  public var port: UInt16? { server.map(homeward_http_port) }

  /// Listens.
  public func start() throws(ListenError) {
    guard server == nil else { return }
    guard let started = startServer() else { throw ListenError(number: errno) }
    server = started
    timer = LoopTimer { [weak self] in self?.run() }
    EventLoop.current.watch(homeward_http_descriptor(started), for: .reading) { [weak self] _ in
      self?.run()
    }
    scheduleRun()
  }

  private func startServer() -> OpaquePointer? {
    func text(_ text: String?, _ body: (UnsafePointer<CChar>?) -> OpaquePointer?) -> OpaquePointer?
    {
      text.map { $0.withCString(body) } ?? body(nil)
    }
    return settings.address.withCString { address in
      text(settings.identity?.certificate) { certificate in
        text(settings.identity?.key) { key in
          var wanted = homeward_http_settings()
          wanted.address = address
          wanted.port = settings.port
          wanted.connections = settings.connections
          wanted.patience_milliseconds = settings.patienceMilliseconds
          wanted.body_limit = settings.bodyLimit
          wanted.certificate = certificate
          wanted.key = key
          wanted.handler = { context, request in
            HTTPServer.from(context) { $0.handle(request) }
          }
          wanted.over = { context, request in
            HTTPServer.from(context) { $0.endings.removeValue(forKey: request)?() }
          }
          wanted.context = Unmanaged.passUnretained(self).toOpaque()
          return homeward_http_start(&wanted)
        }
      }
    }
  }

  /// Ends all connections; must be called before the server goes away.
  public func stop() {
    guard let server else { return }
    timer?.cancel()
    EventLoop.current.unwatch(homeward_http_descriptor(server))
    homeward_http_stop(server)
    self.server = nil
  }

  private nonisolated static func from(
    _ context: UnsafeMutableRawPointer?, _ body: @LoopActor (HTTPServer) -> Void
  ) {
    guard let context else { return }
    let server = Unmanaged<HTTPServer>.fromOpaque(context).takeUnretainedValue()
    withoutActuallyEscaping(body) { body in LoopActor.assumeIsolated { body(server) } }
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

  private func handle(_ request: UInt64) {
    guard let server else { return }
    handler(WebRequest(request, of: self, server))
  }

  // MARK: What requests need

  func header(_ name: String, of request: UInt64) -> [String] {
    guard let server else { return [] }
    var count: UInt32 = 0
    let value = homeward_http_header(server, request, name, &count).map { String(cString: $0) }
    return value.map { Array(repeating: $0, count: Int(count)) } ?? []
  }

  func answer(_ request: UInt64, _ answer: WebAnswer) {
    guard let server else { return }
    Self.withHeaders(answer.headers + settings.headers) {
      homeward_http_answer(server, request, answer.status, $0, answer.body, answer.body.count)
    }
    timer?.set(afterMilliseconds: 0)  // a resumed connection goes on with the next run
  }

  func begin(_ request: UInt64, _ answer: WebAnswer, _ onEnd: @escaping @LoopActor () -> Void)
    -> Bool
  {
    guard let server else { return false }
    let hasBegun = Self.withHeaders(answer.headers + settings.headers) {
      homeward_http_begin(server, request, answer.status, $0)
    }
    guard hasBegun else { return false }
    endings[request] = onEnd
    return send(answer.body, to: request)
  }

  func send(_ piece: [UInt8], to request: UInt64) -> Bool {
    guard let server else { return false }
    defer { timer?.set(afterMilliseconds: 0) }
    return homeward_http_send(server, request, piece, piece.count, WebRequest.waitingBytes)
  }

  func end(_ request: UInt64) {
    guard let server else { return }
    homeward_http_end(server, request)
    timer?.set(afterMilliseconds: 0)
  }

  private static func withHeaders<Result>(
    _ headers: [WebAnswer.Header], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Result
  ) -> Result {
    let copies = headers.flatMap { [strdup($0.name), strdup($0.value)] } + [nil]
    defer { for copy in copies { free(copy) } }
    return copies.map { UnsafePointer($0) }.withUnsafeBufferPointer { body($0.baseAddress) }
  }
}
