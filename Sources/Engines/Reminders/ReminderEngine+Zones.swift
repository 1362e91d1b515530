import Care
import Recurrence
import Texts

/// Zones whose rules the routine needs, and that may not be on this machine.
extension ReminderEngine {
  private static let zoneComponent: ComponentID = "routine/zone"

  /// Zones that items are pinned to and that are not known on this machine, with how many items wait for each.
  public var unknownZones: [String: Int] { courses.unknownZones }

  /// The zones whose rules are needed: of the items and of the residents, sorted.
  public var neededZones: [String] {
    courses.zones.union(household.residents.values.map(\.timeZone)).sorted()
  }

  /// Items whose zone is not on this machine are not judged, and somebody has to know.
  func watchZones(_ step: inout Step) {
    step.outcome.signals.append(.health(zoneReport, isCertain: false))
  }

  private var zoneReport: HealthReport {
    let unknown = unknownZones.sorted { $0.key < $1.key }
    guard let first = unknown.first else {
      return HealthReport(component: Self.zoneComponent, state: .working)
    }
    let count = unknown.reduce(0) { $0 + $1.value }
    return HealthReport(
      component: Self.zoneComponent, state: .failed, code: "zone-missing",
      detail: Message(
        "{n} item of the routine is not judged: there is no time zone {zone} on this machine. Install the package tzdata, or give the item another zone.",
        plural:
          "{n} items of the routine are not judged: there is no time zone {zone} on this machine. Install the package tzdata, or give the items another zone.",
        count, ["zone": first.key]))
  }
}
