/// A section of the configuration, as whoever needs it declares it: a driver its own.
///
/// The value is the section as it counts, the defaults included.
public protocol ConfigurationPart: Sendable, Equatable {
  /// The defaults.
  init()
  /// Its key in the file, and what may stand below it.
  static var field: ConfigurationField<Self> { get }
  /// The section of the documented file: every key with its default and comments that explain it, without indentation.
  static var documentation: String { get }
}

/// Everything that the owner decides about a gateway before it starts, section by section.
///
/// Residents, zones, bookmarks and settings are no part of it: they live in the store and change by commands.
public struct GatewayConfiguration: Sendable, Equatable {
  private var parts: [String: any ConfigurationPart] = [:]
  /// What stands in the file for an earlier version, and changes nothing.
  public internal(set) var retired: [ConfigurationProblem] = []

  /// The defaults.
  public init() {}

  /// A section: as it was read, or its defaults.
  public subscript<Part: ConfigurationPart>(_: Part.Type) -> Part {
    get { parts[Part.field.name] as? Part ?? Part() }
    set { parts[Part.field.name] = newValue == Part() ? nil : newValue }
  }

  /// Whether every section is the same.
  public static func == (one: Self, other: Self) -> Bool {
    func isSame<Part: ConfigurationPart>(_ part: Part) -> Bool { other[Part.self] == part }
    return one.retired == other.retired && one.parts.count == other.parts.count
      && one.parts.values.allSatisfy { isSame($0) }
  }
}
