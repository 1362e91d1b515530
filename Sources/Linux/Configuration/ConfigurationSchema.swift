public import JSON
import Texts

/// The sections that a program knows, and what is read with them.
public struct ConfigurationSchema: Sendable {
  /// What a section is that the schema does not know.
  public enum Others: Sendable {
    /// A fault of the file.
    case faults
    /// Somebody else's, who checks it; what is written almost like a section of this schema is a fault all the same.
    case skipped
  }

  let root: ConfigurationSection<GatewayConfiguration>
  private let documentations: [String]

  /// The sections of the gateway itself with those of drivers, whose places are behind the gateway's own.
  public init(drivers: [any ConfigurationPart.Type], others: Others = .faults) {
    let parts: [any ConfigurationPart.Type] =
      [GatewaySection.self] + drivers
      + [
        TrackingSection.self, StoreSection.self, PluginsSection.self, HeartbeatSection.self,
        LogSection.self,
      ]
    root = ConfigurationSection(
      name: "",
      fields: parts.map { Self.lifted($0) } + [
        .retired(
          "operations", \.retired,
          Message("The plugin metrics shows figures and health now; see its README."))
      ], skipsOthers: others == .skipped)
    documentations = parts.map { $0.documentation }
  }

  /// What every program may know: the gateway's own sections; those of drivers are skipped.
  public static let common = Self(drivers: [], others: .skipped)

  /// Every key that holds one value, with dots, such as `gateway.name`; these can be set by environment and flags.
  public var scalarKeys: [String] { root.scalarKeys }

  /// The configuration as it counts, as JSON: an object of its sections. Secrets are not told, and settings of plugins
  /// neither.
  public func json(of configuration: GatewayConfiguration) -> JSONValue {
    root.write(configuration)
  }

  /// The commented file that is installed as `/etc/homeward/homeward.yaml`: every key, with its default.
  public var documentedDefault: String {
    ([Self.preamble] + documentations).joined(separator: "\n\n") + "\n"
  }

  private static func lifted<Part: ConfigurationPart>(
    _ part: Part.Type
  ) -> ConfigurationField<GatewayConfiguration> {
    Part.field.within({ $0[Part.self] }, { $0[Part.self] = $1 })
  }

  private static let preamble = """
    # Configuration of the Homeward gateway.
    #
    # Every key stands here with its default; delete what you do not change. After a change:
    #   homeward doctor                      says whether the file is right
    #   systemctl restart homeward           takes it over
    # An environment variable goes before the file: HOMEWARD_STORE_BACKUPS_KEPT=20 for store.backupsKept.
    # People, safe zones, bookmarks and their settings are not here: see homeward residents, zones, bookmarks, settings.
    """
}
