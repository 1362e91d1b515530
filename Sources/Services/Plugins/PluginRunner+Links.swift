import Loop
import PluginProtocol

extension PluginRunner {
  /// What the runner needs from the host.
  struct Links {
    var environment: PluginHost.Environment
    var signature: Signature
    var callService:
      @LoopActor (String, ServiceCall, @escaping @LoopActor (InboundCalls.Answer) -> Void) -> Void
    /// A device of the plugin of this name has come, which only its next start is let in to.
    var onDeviceCame: @LoopActor (String) -> Void
    /// It came to another state of its life.
    var onState: @LoopActor () -> Void = {}
  }
}
