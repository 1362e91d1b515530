import Loop
import Privacy

/// What the grants of the last plugin that asked let be seen: the one that asks most asks with the same over and over.
@LoopActor
final class ClearanceCache {
  private let make: (Set<String>) -> Clearance
  private var last: (grants: Set<String>, clearance: Clearance)?

  /// A cache of what grants are worth for one purpose.
  init(_ make: @escaping (Set<String>) -> Clearance) { self.make = make }

  /// What grants let be seen.
  func clearance(of grants: Set<String>) -> Clearance {
    if let last, last.grants == grants { return last.clearance }
    let clearance = make(grants)
    last = (grants, clearance)
    return clearance
  }
}
