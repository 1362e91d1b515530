import Care
import Loop
import PluginProtocol
import Privacy

/// What of a batch one plugin may see.
@LoopActor
struct PluginView {
  /// What the plugin was granted.
  let grants: Set<Grant>
  /// Makes or keeps the filter; asked once a batch.
  let filter: @LoopActor () -> PrivacyFilter

  /// The bytes that may leave, nil for an event that cannot be read.
  func visible(_ events: [(type: EventType, body: [UInt8])]) -> [[UInt8]?] {
    let clearance = Clearance(Set(grants.flatMap(\.dataKinds)))
    let filter = filter()
    return events.map { filter.filtered($1, of: $0, clearance) }
  }
}
