import Care
import JSON
import Loop
import Moments
import Ports

/// Somebody listens to who is around, to find a resident's tag or meter.
struct DeviceSearch {
  /// How long what was found is kept, in milliseconds: who is around changes.
  static let keptMilliseconds: Int64 = 600_000
  /// More than so many are no help.
  static let shownAtMost = 30

  /// The command that began it.
  var command: CommandID
  var began: Tick
  var seconds: Int64
  /// What was found; nil while it goes on.
  var found: [JSONValue]?
}

/// The last search for each resident.
@LoopActor
final class DeviceSearches {
  private let clock: any GatewayClock
  private var searches: [ResidentID: DeviceSearch] = [:]

  init(clock: any GatewayClock) { self.clock = clock }

  /// Begins a search, unless the same command began the last one.
  func begin(
    for resident: ResidentID, _ seconds: Int64, by id: CommandID,
    _ bluetooth: any BluetoothAdministration
  ) {
    guard searches[resident]?.command != id else { return }
    searches[resident] = DeviceSearch(command: id, began: clock.now().tick, seconds: seconds)
    bluetooth.scan(milliseconds: seconds * 1000) { [weak self] found in
      guard let self, searches[resident]?.command == id else { return }
      searches[resident]?.found = found.arrayContent ?? []
    }
  }

  /// The last search for a resident; nil for none, and for one that is no help any more, which is forgotten.
  func last(for resident: ResidentID, at now: Tick) -> DeviceSearch? {
    if let search = searches[resident],
      now.milliseconds(since: search.began) >= DeviceSearch.keptMilliseconds
    {
      searches[resident] = nil
    }
    return searches[resident]
  }
}
