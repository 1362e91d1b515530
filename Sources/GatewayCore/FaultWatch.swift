import CareModel
import Texts

/// Turns health reports into faults that last, and clears them.
///
/// A part must be down for a while before it becomes an event, so that a short reconnect wakes nobody. Raised faults are
/// stored, so that a restart neither repeats them nor forgets to clear them.
struct FaultWatch: Hashable, Sendable {
  private struct Pending: Hashable, Sendable {
    var report: HealthReport
    var dueAt: Tick
  }

  private var pending: [ComponentID: Pending] = [:]
  private var raised: [ComponentID: HealthReport] = [:]
  private let delayMilliseconds: Int64
  private let language: Language

  init(delaySeconds: Int64, rows: [EngineRow], language: Language) {
    self.language = language
    delayMilliseconds = delaySeconds * 1000
    for row in rows where row.engine == Self.engine && row.name.hasPrefix("fault:") {
      if let report = try? HealthReport(json: row.content) { raised[report.component] = report }
    }
  }

  private static let engine = "core"

  var nextWake: Tick? { pending.values.map(\.dueAt).min() }

  /// Faults that are raised now, by component.
  var faults: [HealthReport] { raised.values.sorted { $0.component < $1.component } }

  /// Raised faults as they are stored.
  var rows: [EngineRow] { faults.map { Self.row(of: $0) } }

  mutating func handle(_ report: HealthReport, at now: Tick) -> ([EventDraft], [StateChange]) {
    switch report.state {
    case .working, .unused:
      pending[report.component] = nil
      guard let cleared = raised.removeValue(forKey: report.component) else { return ([], []) }
      return ([draft(.faultCleared, cleared, now: report)], [removal(of: cleared)])
    case .starting: return ([], [])
    case .degraded, .failed:
      if raised[report.component]?.code == report.code { return ([], []) }
      let dueAt = now.advanced(byMilliseconds: delayMilliseconds)
      let earlier = pending[report.component]
      pending[report.component] = Pending(
        report: report, dueAt: min(earlier?.dueAt ?? dueAt, dueAt))
      return ([], [])
    }
  }

  mutating func raiseDue(at now: Tick) -> ([EventDraft], [StateChange]) {
    let due = pending.values.filter { $0.dueAt <= now }
      .sorted { $0.report.component < $1.report.component }
    for entry in due {
      pending[entry.report.component] = nil
      raised[entry.report.component] = entry.report
    }
    return (
      due.map { draft(.faultRaised, $0.report, now: $0.report) },
      due.map { .putEngineRow(Self.row(of: $0.report)) }
    )
  }

  private func draft(_ type: EventType, _ fault: HealthReport, now: HealthReport) -> EventDraft {
    let explanation =
      type == .faultRaised
      ? fault.detail
      : Message(
        "{part} works again. It was: {fault}", ["part": fault.component, "fault": fault.detail])
    // Of a disk that takes nothing only the alarm lane can tell, which goes out from memory.
    let isOfDisk = fault.component == "store" || fault.component.rawValue.hasPrefix("store/")
    return EventDraft(
      type: type, lane: isOfDisk ? .alarm : .record, resident: nil,
      facts: [
        "component": .string(fault.component.rawValue), "code": .string(fault.code),
        "state": .string(now.state.rawValue),
        "explanation": .string(explanation.text(in: language)),
      ])
  }

  private static func row(of report: HealthReport) -> EngineRow {
    EngineRow(
      engine: engine, subject: "gateway", name: "fault:\(report.component)", content: report.json)
  }

  private func removal(of report: HealthReport) -> StateChange {
    .removeEngineRow(
      engine: Self.engine, subject: "gateway", name: "fault:\(report.component)")
  }
}
