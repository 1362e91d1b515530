import Care
import PluginProtocol

/// What of people's data a plugin is not shown.
extension PluginRunner {
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
