import Care
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
  /// Pages of 200 people, each with a stream and what it loads meanwhile.
  private static let connections: UInt32 = 400
  private static let bodyLimit = 1 << 20

  private(set) var health = PluginHealth(state: .working)
  private let link: HostLink
  private var server: HTTPServer?
  private var router: Router?

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
      gate: RequestGate(names: settings.names, isEncrypted: settings.isEncrypted),
      layout: Layout(assets: assets))
    let server = HTTPServer(
      HTTPServer.Settings(
        address: settings.listen, port: settings.port, connections: Self.connections,
        bodyLimit: Self.bodyLimit, identity: try settings.identity())
    ) { router.handle($0) }
    do { try server.start() } catch {
      throw ConsoleSettings.fault(
        gettext(
          "it cannot listen on {address} port {port}: {reason}",
          ["address": settings.listen, "port": Int64(settings.port), "reason": error.reason]))
    }
    self.server = server
    self.router = router
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

  func deliver(_ batch: ReceivedBatch, reply: @escaping @LoopActor (BatchOutcomes) -> Void) {
    reply(.all(.accepted, count: batch.count))
  }

  func notified(_ method: String, _ params: JSONValue) {
    if method == PluginMethod.watched { router?.streams.notified(params) }
  }

  func shutdown(completion: @escaping @LoopActor () -> Void) {
    server?.stop()
    server = nil
    completion()
  }
}
