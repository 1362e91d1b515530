import JSON
import Loop
import PluginProtocol
import Plugins
import Ports
import Texts

/// The plugins' services, for the parts of the gateway that know nothing of plugins.
@LoopActor
final class PluginServices: ServiceCaller {
  private let host: PluginHost

  init(_ host: PluginHost) { self.host = host }

  func callService(
    _ name: String, params: JSONValue, timeoutMilliseconds: Int64,
    completion: @escaping @LoopActor (Result<JSONValue, ServiceFailure>) -> Void
  ) {
    host.callService(name, params: params, timeoutMilliseconds: timeoutMilliseconds) { answer in
      completion(
        answer.mapError {
          ServiceFailure(
            isMissing: $0.code == RPCError.noServiceCode, message: Message(verbatim: $0.message))
        })
    }
  }
}
