import Bytes
import Care
import Gazetteer
import JSON
import Loop
import PluginKit
import PluginProtocol
import Texts
import WalkingRoutes

/// Answers the services `geocode`, `reverse`, `route` and `tiles` from what was imported, and asks nobody outside.
@LoopActor
final class PlacesPlugin: Plugin {
  private let link: HostLink
  private var desk: PlaceDesk?
  private var fault: String?
  private var hasPlaces = false
  private var lookTimer: LoopTimer?
  /// While there is nothing to answer from, it looks so often whether something was imported.
  private static let lookMilliseconds: Int64 = 30_000

  init(link: HostLink) {
    self.link = link
    lookTimer = LoopTimer { [weak self] in self?.desk?.look() }
  }

  var health: PluginHealth {
    if let fault { return PluginHealth(state: .failed, code: "damaged", detail: fault) }
    guard hasPlaces else {
      return PluginHealth(
        state: .degraded, code: "nothing-imported",
        detail: gettext(
          "Nothing has been imported yet. Download an extract of your region and run: sudo homeward places import FILE"
        ))
    }
    return PluginHealth(state: .working)
  }

  func initialize(_ request: InitializeRequest) throws(RPCError) -> DeliveryCredits {
    let desk = PlaceDesk(folder: request.stateDirectory) { [weak self] state in
      self?.noted(state)
    }
    self.desk = desk
    desk.look()
    return DeliveryCredits()
  }

  private func noted(_ state: PlaceDesk.State) {
    switch state {
    case .nothing: (hasPlaces, fault) = (false, nil)
    case .ready: (hasPlaces, fault) = (true, nil)
    case .damaged(let reason): (hasPlaces, fault) = (false, reason)
    }
    if hasPlaces {
      lookTimer?.cancel()
    } else {
      lookTimer?.set(afterMilliseconds: Self.lookMilliseconds)
    }
    link.healthChanged()
  }

  func deliver(_ batch: ReceivedBatch, reply: @escaping @LoopActor (BatchOutcomes) -> Void) {
    reply(.all(.accepted, count: batch.count))
  }

  func serve(
    _ service: String, _ params: JSONValue,
    reply: @escaping @LoopActor (Result<JSONValue, RPCError>) -> Void
  ) {
    guard let desk, let question = PlaceQuestion.kinds[service] else {
      return reply(.failure(.methodNotFound(service)))
    }
    do throws(DecodeError) {
      try desk.ask(question(JSONReader(params)), reply)
    } catch {
      reply(.failure(RPCError(code: RPCError.invalidParametersCode, message: "\(error)")))
    }
  }
}
