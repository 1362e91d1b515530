import Care
import Core
import Loop
import LoopTestSupport
import Moments
import Ports
import Privacy
import Texts

@testable import Runtime

extension GatewayRuntime {
  /// A gateway over doubles that has started, in a house where everybody lives by UTC.
  @LoopActor
  static func scripted(
    _ stored: StoredState, over store: ScriptedStore, at clock: ManualClock,
    parts change: (inout Parts) -> Void = { _ in }
  ) -> GatewayRuntime {
    let now = clock.now()
    let core = GatewayCore(
      stored: stored, configuration: CoreConfiguration(gateway: "test", language: .en), seed: 1,
      boot: "b", at: now)
    var parts = Parts(store: store, clock: clock)
    parts.privacy = { PrivacyFilter(zones: [], gatewaySeed: 1) }
    parts.room.timeZoneFile = { $0 == "UTC" ? [] : nil }
    change(&parts)
    let runtime = GatewayRuntime(
      run: Run(
        core: core,
        record: RunRecord(
          run: "run-1", seed: 1, version: "0", boot: "b", moment: now, startState: [])),
      parts: parts)
    runtime.start()
    return runtime
  }
}
