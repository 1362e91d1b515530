import Care
import Loop
import PluginProtocol
import Texts

/// Puts a plugin's name on what it hands in, so that none speaks for the gateway's own devices or for another plugin.
///
/// What a name then stands for is the owner's to say: a resident moves with a GPS source, a button belongs to somebody, by
/// the configuration and by commands. One signature for each plugin, from its first start to the last.
@LoopActor
final class Signature {
  /// So many parts a plugin may have, itself not counted.
  static let mostParts = 32

  private let plugin: String
  private let buttonOwner: @LoopActor (SourceID) -> String?
  private var parts: Set<ComponentID> = []

  /// - Parameter buttonOwner: whose a button of a name is, when it is nobody's but his: another plugin's name, or an empty
  ///   text for the gateway's own.
  init(plugin: String, buttonOwner: @escaping @LoopActor (SourceID) -> String?) {
    self.plugin = plugin
    self.buttonOwner = buttonOwner
  }

  /// The kind of an observation, as grants name it, and whether plugins hand in such at all.
  static func kind(of observation: Observation) -> (name: String, isTaken: Bool) {
    switch observation {
    case .fix: ("fix", true)
    case .health: ("health", true)
    case .delivery: ("delivery", true)
    case .button: ("button", true)
    case .heading: ("heading", false)
    case .clock: ("clock", false)
    case .photo: ("photo", false)
    case .sound: ("sound", false)
    // Who says what is heard nearby could call somebody home who is not, or give them another's glucose.
    case .sighting: ("sighting", false)
    case .listening: ("listening", false)
    case .meter: ("meter", false)
    // A way comes as the answer to a question, never by itself.
    case .map: ("map", false)
    // The host alone knows who offers what.
    case .ways: ("ways", false)
    }
  }

  /// What a plugin handed in, under the plugin's own name.
  ///
  /// - Throws: why it cannot be taken under any name of the plugin.
  func signed(_ observation: Observation) throws(RPCError) -> Observation {
    switch observation {
    case .fix(var report):
      report.source = SourceID(signed(report.source.rawValue, "\(plugin)/"))
      return .fix(report)
    case .health(let report): return .health(try signed(report))
    case .button(let report): return .button(try signed(report))
    case .delivery(var report):
      report.plugin = plugin
      return .delivery(report)
    case .heading, .clock, .photo, .sound, .sighting, .listening, .meter, .map, .ways:
      return observation
    }
  }

  private func signed(_ name: String, _ own: String) -> String {
    name.hasPrefix(own) ? name : own + name.asPluginReason(limit: 60)
  }

  private func signed(_ report: HealthReport) throws(RPCError) -> HealthReport {
    var report = report
    let own = ComponentID("plugin/\(plugin)")
    guard report.component != own else { return report }
    report.component = ComponentID(
      String(signed(report.component.rawValue, "\(own)/").prefix(160)))
    guard parts.contains(report.component) || parts.count < Self.mostParts else {
      throw RPCError(
        code: RPCError.refusedCode,
        message: "it reports on more than \(Self.mostParts) parts; this one is not watched")
    }
    parts.insert(report.component)
    return report
  }

  private func signed(_ report: ButtonReport) throws(RPCError) -> ButtonReport {
    var report = report
    report.button = SourceID(signed(report.button.rawValue, "\(plugin)-"))
    if let owner = buttonOwner(report.button), owner != plugin {
      let whose = owner.isEmpty ? "the gateway's own" : "the plugin \(owner)'s"
      throw RPCError(
        code: RPCError.refusedCode,
        message: "the button \(report.button) is \(whose); give yours another name")
    }
    return report
  }
}
