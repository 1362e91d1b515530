/// The sources of positions that there are: receivers of the configuration, and what plugins bring under their own names.
public struct KnownReceivers: Hashable, Sendable {
  /// Receivers of the configuration.
  public var names: [SourceID]
  /// Plugins that may bring positions, each under names that begin with its own and a slash.
  public var plugins: [String]

  /// Receivers and plugins.
  public init(names: [SourceID], plugins: [String] = []) {
    self.names = names
    self.plugins = plugins
  }

  /// Whether positions may come under this name.
  public func contains(_ source: SourceID) -> Bool {
    names.contains(source) || plugins.contains { source.rawValue.hasPrefix("\($0)/") }
  }

  /// All of them, for people to choose from.
  public var words: [String] { names.map(\.rawValue) + plugins.map { "\($0)/…" } }
}
