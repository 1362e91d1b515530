import Care
import Glibc
import Loop
import Ports
import Texts

/// Notices that nobody takes the log, and says so where it can still be heard: in the health of the gateway.
///
/// Looks only while something waits, so that a quiet gateway sleeps.
@LoopActor
final class LogWatch {
  static let component: ComponentID = "log"
  private static let lookMilliseconds: Int64 = 5000
  /// A write that takes so long is stuck, and not slow.
  private static let stuckMilliseconds: Int64 = 4000

  private let onHealth: @LoopActor (HealthReport) -> Void
  private var isReported = false
  private lazy var timer = LoopTimer { [weak self] in self?.look() }

  init(onHealth: @escaping @LoopActor (HealthReport) -> Void) { self.onHealth = onHealth }

  func start() {
    look()
  }

  func stop() { timer.cancel() }

  /// Figures for a monitoring system.
  static var samples: [MetricSample] {
    let state = Log.state
    return [
      MetricSample(
        "homeward_log_dropped_lines_total", .counter, "Lines of the log that nobody took",
        Double(state.dropped)),
      MetricSample(
        "homeward_log_waiting_bytes", .gauge, "Bytes of the log that nobody has taken yet",
        Double(state.waitingBytes)),
    ]
  }

  private func look() {
    let state = Log.state
    let isStuck = state.stuckMilliseconds >= Self.stuckMilliseconds
    if isStuck || state.error != 0 {
      isReported = true
      onHealth(Self.report(of: state))
    } else if isReported {
      isReported = false
      onHealth(HealthReport(component: Self.component, state: .working))
    }
    if state.waitingBytes > 0 {
      timer.set(afterMilliseconds: Self.lookMilliseconds)
    } else {
      Log.afterNextLine { [weak self] in EventLoop.current.post { self?.lookSoon() } }
    }
  }

  private func lookSoon() { timer.set(afterMilliseconds: Self.lookMilliseconds) }

  private static func report(of state: LogWriter.State) -> HealthReport {
    if state.error != 0 {
      return HealthReport(
        component: component, state: .degraded, code: "unwritable",
        detail: Message(
          "The log cannot be written ({reason}); its lines are lost. Alarms do not need it. Is the disk full? See: df -h",
          ["reason": String(cString: strerror(state.error))]))
    }
    return HealthReport(
      component: component, state: .degraded, code: "stuck",
      detail: Message(
        "Nobody takes the log; its lines are lost. Alarms do not need it. See: systemctl status systemd-journald"
      ))
  }
}
