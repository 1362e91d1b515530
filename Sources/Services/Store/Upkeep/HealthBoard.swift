import Care
import Loop
import Ports
import Synchronization
import Texts

/// What is wrong with the store now, told as one report: the worst of it.
final class HealthBoard: Sendable {
  /// Things that can be wrong, the worst first.
  enum Concern: Int, CaseIterable, Sendable {
    case writing
    case recovered
    case damage
    case full
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

  /// Notes a concern.
  ///
  /// - Parameter first: what is to be posted to the loop before the report of it.
  func set(
    _ concern: Concern, _ health: HealthState, code: String, detail: Message,
    after first: () -> Void = {}
  ) {
    let report = HealthReport(component: "store", state: health, code: code, detail: detail)
    change {
      first()
      $0.concerns[concern] = report
    }
  }

  /// Notes what was damaged at the start; it stays until the gateway starts again.
  func note(_ damage: StoreDamage) {
    guard let report = damage.report else { return }
    change { $0.concerns[.recovered] = report }
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
      guard let report = state.concerns[concern] else { continue }
      guard concern == .recovered, let damage = state.concerns[.damage] else { return report }
      return both(report, damage)
    }
    return HealthReport(component: "store", state: .working)
  }

  /// What was lost at the start and what breaks since are two things to know.
  private static func both(_ lost: HealthReport, _ broken: HealthReport) -> HealthReport {
    var report = lost
    if broken.state == .failed { report.state = .failed }
    report.detail = Message(
      "{first} {second}", ["first": lost.detail, "second": broken.detail])
    report.namesPeople = lost.namesPeople || broken.namesPeople
    return report
  }

  /// Posts under the lock, so that reports arrive in the order of their changes.
  private func change(_ body: (inout State) -> Void) {
    state.withLock { state in
      body(&state)
      let report = Self.worst(state)
      guard let observer = state.observer, report != state.told else { return }
      state.told = report
      EventLoop.current.post { observer(report) }
    }
  }
}
