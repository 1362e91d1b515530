import Care
import Glibc
import JSON
import Loop
import PluginKit
import PluginProtocol

/// Answers the service `photograph` with a still of the room.
@LoopActor
final class CameraPlugin: Plugin {
  private let link: HostLink
  private var settings: CameraSettings?
  private var stateDirectory = ""
  private var lastFault: CameraFault?
  /// Who waits for the photograph that is being taken; all get the same one.
  private var waiting: [@LoopActor (Result<JSONValue, RPCError>) -> Void] = []

  /// Requests that may wait for one photograph.
  private static let waitingLimit = 16

  init(link: HostLink) { self.link = link }

  var health: PluginHealth {
    if let fault = lastFault ?? absence {
      return PluginHealth(state: .failed, code: fault.code.rawValue, detail: fault.message)
    }
    return PluginHealth(state: .working)
  }

  /// What can be seen from outside without waking the camera, whose lamp would frighten.
  private var absence: CameraFault? {
    guard let settings else { return nil }
    switch settings.method {
    case .v4l2:
      return access(settings.device, F_OK) == 0
        ? nil : V4L2Device.fault(ENOENT, path: settings.device)
    case .libcamera:
      let candidates = settings.program.map { [$0] } ?? StillProgram.usual
      if candidates.contains(where: { access($0, X_OK) == 0 }) { return nil }
      return CameraFault(
        .programMissing,
        gettext(
          "There is no {candidates}. Install it.",
          ["candidates": candidates.joined(separator: " and no ")]))
    }
  }

  func initialize(_ request: InitializeRequest) throws(RPCError) -> DeliveryCredits {
    settings = try CameraSettings(json: request.settings)
    stateDirectory = request.stateDirectory
    return DeliveryCredits()
  }

  func deliver(_ batch: ReceivedBatch, reply: @escaping @LoopActor (BatchOutcomes) -> Void) {
    reply(.all(.accepted, count: batch.count))
  }

  func serve(
    _ service: String, _ params: JSONValue,
    reply: @escaping @LoopActor (Result<JSONValue, RPCError>) -> Void
  ) {
    guard service == "photograph", let settings else {
      return reply(.failure(.methodNotFound(service)))
    }
    guard waiting.count < Self.waitingLimit else {
      let busy = gettext("too many requests wait for the photograph that is being taken")
      return reply(.failure(RPCError(code: RPCError.busyCode, message: busy)))
    }
    waiting.append(reply)
    if waiting.count == 1 { take(settings) }
  }

  private func take(_ settings: CameraSettings) {
    let shot = Shot(settings: settings, stateDirectory: stateDirectory) { [weak self] result in
      self?.taken(result)
    }
    if !shot.start() {
      taken(
        .failure(CameraFault(.deviceFailed, gettext("There is no room for another thread now."))))
    }
  }

  private func taken(_ result: Result<String, CameraFault>) {
    let replies = waiting
    waiting = []
    switch result {
    case .success(let path):
      lastFault = nil
      for reply in replies { reply(.success(["path": .string(path)])) }
    case .failure(let fault):
      if lastFault != fault { PluginLog.write(.warning, fault.message) }
      lastFault = fault
      for reply in replies { reply(.failure(fault.rpcError)) }
    }
    link.healthChanged()
  }
}
