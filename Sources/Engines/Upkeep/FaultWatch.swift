import Care
import JSON
import Moments
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
  /// Faults of the run before whose parts have not been heard of since the start.
  private var inherited: Set<ComponentID> = []
  private let inheritedUntil: Tick
  private let delayMilliseconds: Int64
  private let language: Language

  init(delaySeconds: Int64, rows: [EngineRow], language: Language, at now: Tick) {
    self.language = language
    delayMilliseconds = delaySeconds * 1000
    inheritedUntil = now.advanced(byMilliseconds: Self.silenceMilliseconds)
    for row in rows where row.engine == Self.engine && row.name.hasPrefix("fault:") {
      if let report = try? HealthReport(json: row.content) { raised[report.component] = report }
    }
    inherited = Set(raised.keys)
  }

  /// A part that says nothing for so long after a start is not there any more: its owner removed it.
  private static let silenceMilliseconds: Int64 = 600_000

  private static let engine = "core"

  var nextWake: Tick? {
    let due = pending.values.map(\.dueAt) + (inherited.isEmpty ? [] : [inheritedUntil])
    return due.min()
  }

  /// Faults that are raised now, by component.
  var faults: [HealthReport] { raised.values.sorted { $0.component < $1.component } }

  /// Raised faults as they are stored.
  var rows: [EngineRow] { faults.map { Self.row(of: $0) } }

  /// - Parameter isCertain: whether it is known to last, so that nothing is waited for.
  mutating func handle(
    _ report: HealthReport, isCertain: Bool = false, at now: Tick
  ) -> ([EventDraft], [StateChange]) {
    inherited.remove(report.component)
    switch report.state {
    case .working, .unused:
      pending[report.component] = nil
      guard let cleared = raised.removeValue(forKey: report.component) else { return ([], []) }
      return ([draft(.faultCleared, cleared, now: report)], [removal(of: cleared)])
    case .starting: return ([], [])
    case .degraded, .failed:
      if isTold(report) {
        // Another reason that came and went in the meantime is none any more.
        pending[report.component] = nil
        return ([], [])
      }
      let dueAt = now.advanced(byMilliseconds: isCertain ? 0 : delayMilliseconds)
      let earlier = pending[report.component]
      pending[report.component] = Pending(
        report: report, dueAt: min(earlier?.dueAt ?? dueAt, dueAt))
      return ([], [])
    }
  }

  /// Whether a fault was raised for the same reason; that a part fails which worked in part is more than that.
  private func isTold(_ report: HealthReport) -> Bool {
    guard let known = raised[report.component], known.code == report.code else { return false }
    return known.state == .failed || known.state == report.state
  }

  mutating func raiseDue(at now: Tick) -> ([EventDraft], [StateChange]) {
    let due = pending.values.filter { $0.dueAt <= now }
      .sorted { $0.report.component < $1.report.component }
    for entry in due {
      pending[entry.report.component] = nil
      raised[entry.report.component] = entry.report
    }
    let (over, removals) = settleInherited(at: now)
    return (
      due.map { draft(.faultRaised, $0.report, now: $0.report) } + over,
      due.map { .putEngineRow(Self.row(of: $0.report)) } + removals
    )
  }

  private mutating func settleInherited(at now: Tick) -> ([EventDraft], [StateChange]) {
    guard inheritedUntil <= now, !inherited.isEmpty else { return ([], []) }
    let silent = inherited.sorted().compactMap { raised.removeValue(forKey: $0) }
    inherited = []
    return (
      silent.map {
        draft(.faultCleared, $0, now: HealthReport(component: $0.component, state: .unused))
      }, silent.map { removal(of: $0) }
    )
  }

  private func draft(_ type: EventType, _ fault: HealthReport, now: HealthReport) -> EventDraft {
    let values: Message.Values = ["part": fault.component, "fault": fault.detail]
    let explanation =
      if type == .faultRaised {
        fault.detail
      } else if now.state == .unused {
        // What is switched off or gone is not mended.
        Message("{part} is not used any more. It was: {fault}", values)
      } else {
        Message("{part} works again. It was: {fault}", values)
      }
    // Of a disk that takes nothing only the alarm lane can tell, which goes out from memory.
    let isOfDisk = fault.component == "store" || fault.component.rawValue.hasPrefix("store/")
    return EventDraft(
      type: type, lane: isOfDisk ? .alarm : .record, resident: nil,
      facts: .object([
        "component": .string(fault.component.rawValue), "code": .string(fault.code),
        "state": .string(now.state.rawValue), "namesPeople": fault.namesPeople ? true : nil,
        "explanation": .string(explanation.text(in: language)),
      ]),
      // That nobody can be told is nothing to tell guardians: whoever looks after the gateway is told.
      signal: type == .faultRaised && fault.component == UpkeepEngine.guardians
        ? nil
        : .fault(
          fault.component, now.state, of: nil,
          (fault.namesPeople ? Self.unnamed : explanation).text(in: language)))
  }

  /// In the place of a sentence that names people: an alarm's goes to every plugin.
  private static let unnamed = Message(
    "Some of what was kept about people is damaged. The status of the gateway tells what it is.")

  private static func row(of report: HealthReport) -> EngineRow {
    EngineRow(
      engine: engine, subject: "gateway", name: "fault:\(report.component)", content: report.json)
  }

  private func removal(of report: HealthReport) -> StateChange {
    .removeEngineRow(
      engine: Self.engine, subject: "gateway", name: "fault:\(report.component)")
  }
}
