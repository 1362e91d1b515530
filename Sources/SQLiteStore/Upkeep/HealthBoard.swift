import CareModel
import EventLoop
import GatewayPorts
import Synchronization
import Texts

/// What is wrong with the store now, told as one report: the worst of it.
final class HealthBoard: Sendable {
  /// Things that can be wrong, the worst first.
  enum Concern: Int, CaseIterable, Sendable {
    case writing
    case damage
    case full
    case recovered
    case refused
    case space
    case traces
    case inputs
    case erasure
    case backup
    case card
  }

  private struct State {
    var concerns: [Concern: HealthReport] = [:]
    var told: HealthReport?
    var observer: (@LoopActor @Sendable (HealthReport) -> Void)?
  }

  private let state = Mutex(State())

  /// Notes a concern, or that it is over.
  func set(
    _ concern: Concern, _ health: HealthState, code: String, detail: Message
  ) {
    let report = HealthReport(component: "store", state: health, code: code, detail: detail)
    change { $0.concerns[concern] = report }
  }

  /// Notes what was lost at the start; it stays until the gateway starts again.
  func note(_ recovery: StoreRecovery) {
    set(.recovered, .failed, code: "recovered", detail: recovery.message)
  }

  /// Notes that a concern is over.
  func clear(_ concern: Concern) { change { $0.concerns[concern] = nil } }

  /// Whether a concern is noted.
  func has(_ concern: Concern) -> Bool { state.withLock { $0.concerns[concern] != nil } }

  /// Tells `observer` the state now and every change from now on.
  func observe(_ observer: @escaping @LoopActor @Sendable (HealthReport) -> Void) {
    change {
      $0.observer = observer
      $0.told = nil
    }
  }

  /// The worst that is wrong; `working` when nothing is.
  var report: HealthReport { state.withLock { Self.worst($0) } }

  private static func worst(_ state: borrowing State) -> HealthReport {
    for concern in Concern.allCases {
      if let report = state.concerns[concern] { return report }
    }
    return HealthReport(component: "store", state: .working)
  }

  /// Posts under the lock, so that reports arrive in the order of their changes.
  private func change(_ body: (inout State) -> Void) {
    state.withLock { state in
      body(&state)
      let report = Self.worst(state)
      guard let observer = state.observer, report != state.told else { return }
      state.told = report
      EventLoop.shared.post { observer(report) }
    }
  }
}
