import CSystemd
import Loop
import Runtime

/// Tells systemd that the gateway is up, and that the loop turns and the store gets its work done.
@LoopActor
final class Watchdog {
  /// How long a step may wait for the disk before the watchdog is no longer fed: a hanging disk is waited for, because
  /// alarms go out from memory meanwhile, but not for ever.
  private static let patienceMilliseconds: Int64 = 120_000

  private let runtime: GatewayRuntime
  private let intervalMilliseconds: Int64
  private lazy var timer = LoopTimer { [weak self] in self?.check() }

  init(runtime: GatewayRuntime) {
    self.runtime = runtime
    var microseconds: UInt64 = 0
    let isWanted = sd_watchdog_enabled(0, &microseconds) > 0
    intervalMilliseconds = isWanted ? Int64(microseconds / 2000) : 0
  }

  /// Says that the gateway is armed and begins to feed.
  func start() {
    sd_notify(0, "READY=1\nSTATUS=Armed")
    guard intervalMilliseconds > 0 else { return }
    timer.set(afterMilliseconds: intervalMilliseconds)
  }

  /// Says that the gateway is stopping.
  func stop() {
    timer.cancel()
    sd_notify(0, "STOPPING=1")
  }

  private func check() {
    if runtime.longestWaitMilliseconds <= Self.patienceMilliseconds { sd_notify(0, "WATCHDOG=1") }
    timer.set(afterMilliseconds: intervalMilliseconds)
  }
}
