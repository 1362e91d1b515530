import Care
import ConsoleRequests
import Glibc
import JSON
import Loop
import PluginKit
import PluginProtocol
import WebServer

/// Pages for families, and the same for programs: HTTP on one side, the gateway's door on the other.
///
/// It has no right of its own. Whoever visits hands in their session, and the gateway decides what they see and may do.
@LoopActor
final class ConsolePlugin: Plugin {
  /// Pages of 200 people, each with a stream, and what their browsers keep open for the next time.
  private static let connections: UInt32 = 900
  private static let bodyLimit = 1 << 20
  /// How often a certificate is looked at that nobody told of.
  private static let renewalMilliseconds: Int64 = 3_600_000

  private(set) var health = PluginHealth(state: .working)
  private let link: HostLink
  private var server: HTTPServer?
  private var router: Router?
  /// Leads on from the port without TLS.
  private var redirectServer: HTTPServer?
  /// Serves the gateway's own screen.
  private var screenServer: HTTPServer?
  /// What it shows who it is by now.
  private var identity: HTTPServer.Identity?
  private var folder: DeviceFolder?
  private var renewal: LoopTimer?

  init(_ link: HostLink) { self.link = link }

  func initialize(_ request: InitializeRequest) throws(RPCError) -> DeliveryCredits {
    let settings = try ConsoleSettings(request.settings)
    let assets = Assets(
      folder: "web",
      besides: [
        "leaflet.css": "/usr/share/javascript/leaflet/leaflet.css",
        "leaflet.js": "/usr/share/javascript/leaflet/leaflet.esm.min.js",
      ])
    let router = Router(
      desk: GatewayDesk(link),
      gate: RequestGate(
        names: settings.names, isEncrypted: settings.isEncrypted, proxies: settings.proxies),
      layout: Layout(assets: assets),
      trust: PageTrust(authority: try settings.authority(), kind: settings.certificateKind),
      signUp: request.signUp ?? .anybody, feedback: settings.feedback)
    let identity = try settings.identity()
    let server = Self.server(settings, port: settings.port, identity, router)
    try Self.start(server, settings.listen, settings.port)
    self.server = server
    self.router = router
    if let identity { watchCertificate(settings, identity) }
    try startRedirect(settings, router)
    try startScreen(settings, router)
    if assets["leaflet.js"] == nil {
      health = PluginHealth(
        state: .degraded, code: "no-map",
        detail: gettext(
          "The pages have no map: Leaflet is missing. Try: sudo apt install libjs-leaflet."))
    }
    if let port = server.port {
      StateFile(
        directory: request.stateDirectory, name: "port",
        onFailure: { number in
          PluginLog.write(.warning, "the port could not be written down: error \(number)")
        }
      )
      .replace(with: Array("\(port)\n".utf8))
      PluginLog.write(
        .info, "pages at \(settings.isEncrypted ? "https" : "http")://\(settings.listen):\(port)/")
    }
    return DeliveryCredits()
  }

  private static func server(
    _ settings: ConsoleSettings, port: UInt16, _ identity: HTTPServer.Identity?, _ router: Router
  ) -> HTTPServer {
    HTTPServer(
      HTTPServer.Settings(
        address: settings.listen, port: port, connections: connections, bodyLimit: bodyLimit,
        identity: identity, headers: settings.headers)
    ) { router.handle($0) }
  }

  private static func start(
    _ server: HTTPServer, _ address: String, _ port: UInt16
  ) throws(RPCError) {
    do { try server.start() } catch {
      throw ConsoleSettings.fault(
        gettext(
          "it cannot listen on {address} port {port}: {reason}",
          ["address": address, "port": Int64(port), "reason": error.reason]))
    }
  }

  // MARK: A port that only leads on

  private func startRedirect(_ settings: ConsoleSettings, _ router: Router) throws(RPCError) {
    guard let port = settings.redirectPort, let pages = server?.port else { return }
    let redirect = Redirect(gate: router.gate, port: pages, authority: router.trust.authority)
    let server = HTTPServer(HTTPServer.Settings(address: settings.listen, port: port)) { request in
      request.answer(redirect.answer(to: request))
    }
    try Self.start(server, settings.listen, port)
    redirectServer = server
  }

  // MARK: The gateway's own screen

  /// What goes from this machine to itself nobody reads along, so that a screen here needs no certificate, and none to trust.
  private func startScreen(_ settings: ConsoleSettings, _ router: Router) throws(RPCError) {
    guard let port = settings.screenPort else { return }
    let gate = RequestGate(names: ["localhost"], isEncrypted: false)
    let server = HTTPServer(
      HTTPServer.Settings(
        address: Self.screenAddress, port: port, connections: Self.screenConnections,
        bodyLimit: Self.bodyLimit)
    ) { router.handle($0, by: gate, isOwnScreen: true) }
    try Self.start(server, Self.screenAddress, port)
    screenServer = server
  }

  private static let screenAddress = "127.0.0.1"
  private static let screenConnections: UInt32 = 32

  // MARK: A certificate that is renewed

  private func watchCertificate(_ settings: ConsoleSettings, _ identity: HTTPServer.Identity) {
    self.identity = identity
    let files = [settings.certificateFile, settings.keyFile].compactMap { $0 }
    folder = DeviceFolder(places: files) { [weak self] in self?.renew(settings) }
    let timer = LoopTimer { [weak self] in self?.renew(settings) }
    timer.set(afterMilliseconds: Self.renewalMilliseconds)
    renewal = timer
  }

  /// Serves with the certificate that its files have now; pages that are open come back by themselves.
  private func renew(_ settings: ConsoleSettings) {
    renewal?.set(afterMilliseconds: Self.renewalMilliseconds)
    guard let server, let router, let port = server.port else { return }
    do {
      guard let identity = try settings.identity(), identity != self.identity else { return }
      // While certificate and key do not belong together, as between two writes, the old ones stay.
      let trial = HTTPServer(
        HTTPServer.Settings(address: "127.0.0.1", port: 0, identity: identity)
      ) { _ in }
      try Self.start(trial, "127.0.0.1", 0)
      trial.stop()
      server.stop()
      self.server = nil
      let renewed = Self.server(settings, port: port, identity, router)
      try Self.start(renewed, settings.listen, port)
      self.server = renewed
      self.identity = identity
      router.trust.kind = settings.certificateKind
      PluginLog.write(.info, "a renewed certificate is in use")
    } catch {
      PluginLog.write(.warning, "the renewed certificate is not used: \(error.message)")
      if self.server == nil { exit(1) }
    }
  }

  func deliver(_ batch: ReceivedBatch, reply: @escaping @LoopActor (BatchOutcomes) -> Void) {
    reply(.all(.accepted, count: batch.count))
  }

  func notified(_ method: String, _ params: JSONValue) {
    if method == PluginMethod.watched { router?.streams.notified(params) }
  }

  func shutdown(completion: @escaping @LoopActor () -> Void) {
    renewal?.cancel()
    folder?.close()
    for one in [screenServer, redirectServer, server] { one?.stop() }
    (server, redirectServer, screenServer) = (nil, nil, nil)
    completion()
  }
}
