public import JSON
import Texts

/// What tracking does unless a resident's settings say otherwise.
public struct TrackingSection: ConfigurationPart {
  /// Defaults of tracking settings for all residents, checked by whoever wires the engine.
  public var defaults: [TrackingDefault] = []

  /// The defaults.
  public init() {}

  /// Its keys.
  public static let field = ConfigurationField<Self>.group(
    "tracking",
    [
      .free("defaults") { node, tracking, log in
        if node.json == .null { return }
        guard case .mapping(let entries) = node.content else {
          return log.add(
            Message(
              "\"defaults\" must be a group of settings; it is {kind}.", ["kind": node.kind]),
            at: node.position)
        }
        tracking.defaults = entries.map {
          .init(name: $0.key, value: $0.node.json, position: $0.keyPosition)
        }
      }.telling { .object($0.defaults.map { JSONMember(key: $0.name, value: $0.value) }) }
    ])

  /// Its section of the documented file.
  public static let documentation =
    """
    tracking:
      # Defaults of tracking settings for all residents; "homeward settings --help" lists names and ranges.
      defaults: {}
    """
}

/// A default of one tracking setting.
public struct TrackingDefault: Sendable, Hashable {
  /// The setting's name, as in `homeward settings`.
  public var name: String
  /// Its value.
  public var value: JSONValue
  /// Where it stands in the file.
  public var position: TextPosition?
}

extension GatewayConfiguration {
  /// What tracking does unless a resident's settings say otherwise.
  public var tracking: TrackingSection {
    get { self[TrackingSection.self] }
    set { self[TrackingSection.self] = newValue }
  }
}
