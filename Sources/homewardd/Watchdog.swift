import CSystemd
import CareModel
import EventLoop
import GatewayPorts

/// Tells systemd that the gateway is up, and that loop and store still answer.
@LoopActor
final class Watchdog {
  /// How long the store may be silent before the watchdog is no longer fed: a hanging disk is waited for, because alarms go
  /// out from memory meanwhile, but not for ever.
  private static let patienceMilliseconds: Int64 = 120_000

  private let store: any CareStore
  private let intervalMilliseconds: Int64
  private var lastAnswer = EventLoop.now
  private lazy var timer = LoopTimer { [weak self] in self?.check() }

  init(store: any CareStore) {
    self.store = store
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
    if EventLoop.now.milliseconds(since: lastAnswer) <= Self.patienceMilliseconds {
      sd_notify(0, "WATCHDOG=1")
    }
    store.status { [weak self] _ in self?.lastAnswer = EventLoop.now }
    timer.set(afterMilliseconds: intervalMilliseconds)
  }
}
