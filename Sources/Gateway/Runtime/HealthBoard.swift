import Care
import JSON
import Moments

/// The last known health of every watched part, with its last sign of life.
struct HealthBoard {
  private struct Entry {
    var report: HealthReport
    var lastSign: Tick
    var since: Tick
  }

  private var entries: [ComponentID: Entry] = [:]

  /// Takes a report; answers whether it says anything new.
  mutating func take(_ report: HealthReport, at now: Tick) -> Bool {
    let old = entries[report.component]
    let isNew = old?.report.state != report.state || old?.report.code != report.code
    entries[report.component] = Entry(
      report: report, lastSign: now, since: isNew ? now : old?.since ?? now)
    return isNew
  }

  /// Notes that a part lives without saying anything else about it.
  mutating func noteSign(of component: ComponentID, at now: Tick) {
    entries[component]?.lastSign = now
  }

  /// The last report of a part.
  func report(of component: ComponentID) -> HealthReport? { entries[component]?.report }

  /// Reports by component.
  var reports: [HealthReport] {
    entries.values.map(\.report).sorted { $0.component < $1.component }
  }

  /// Whether no part has failed.
  var isHealthy: Bool { entries.values.allSatisfy { $0.report.state != .failed } }

  /// Every part as an object, with seconds since its last sign of life.
  ///
  /// - Parameter isPublic: whether anybody on the machine may read it, so that sentences that name people are left out.
  func json(at now: Tick, isPublic: Bool = false) -> JSONValue {
    .array(
      entries.values.sorted { $0.report.component < $1.report.component }.map { entry in
        (isPublic && entry.report.namesPeople
          ? entry.report.json.setting("detail", to: .string("")) : entry.report.json)
          .setting("secondsSinceSign", to: .integer(now.milliseconds(since: entry.lastSign) / 1000))
          .setting("secondsInState", to: .integer(now.milliseconds(since: entry.since) / 1000))
      })
  }
}
