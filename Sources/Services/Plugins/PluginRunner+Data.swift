import Care
import JSON
import PluginProtocol

/// What of people's data a plugin is not shown, and what it must not do with them.
extension PluginRunner {
  /// The lanes that the plugin asked for, alarm first; none for one that serves accounts, which has no right of its own.
  var wantedLanes: [LaneDelivery] {
    if grants.contains(.accounts) { return [] }
    return lanes.filter { manifest?.lanes.contains($0.lane) ?? false }
  }

  /// What residents refuse of what it needs them for.
  var refusedNow: [ConsentNeed] {
    guard let manifest else { return [] }
    let settings = manifest.settings.applyingDefaults(to: configuration.settings)
    return manifest.consents.filter { need in
      let resident = settings[need.residentSetting]?.stringContent
      return resident.map { environment.isRefused(need.kind, ResidentID($0)) } ?? false
    }
  }

  /// Kinds of data that the manifest asks for and the owner did not grant.
  var withheld: [String] { grants.withheld(of: manifest?.grants ?? []).map(\.rawValue) }

  /// The kinds that it may ask the gateway about, as grants name them.
  var reads: [String] { grants.filter(\.isToRead).sorted().map(\.rawValue) }

  /// Says once what is missing from events, for whoever wonders.
  func sayWhatIsWithheld() {
    guard !withheld.isEmpty else { return }
    let kinds = withheld.joined(separator: ", ")
    environment.log(name, .info, "events reach it without what was not granted: \(kinds)")
  }

  /// Shows an event to whoever watches through the plugin.
  func show(_ event: EncodedEvent) {
    if state == .running { calls?.watches.show(event) }
  }
}
