import Care
import Texts

/// Zones that items are pinned to and that are not known on this machine: those items are not judged.
struct MissingZones {
  private static let component: ComponentID = "routine/zone"

  /// How many items wait for each.
  private let items: [String: Int]

  init(_ items: [String: Int]) { self.items = items }

  /// What is told of them.
  var report: HealthReport {
    guard let first = items.min(by: { $0.key < $1.key }) else {
      return HealthReport(component: Self.component, state: .working)
    }
    let count = items.reduce(0) { $0 + $1.value }
    return HealthReport(
      component: Self.component, state: .failed, code: "zone-missing",
      detail: Message(
        "{n} item of the routine is not judged: there is no time zone {zone} on this machine. Install the package tzdata, or give the item another zone.",
        plural:
          "{n} items of the routine are not judged: there is no time zone {zone} on this machine. Install the package tzdata, or give the items another zone.",
        count, ["zone": first.key]))
  }
}
