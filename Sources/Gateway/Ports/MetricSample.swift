/// One figure for a monitoring system, named by Prometheus's conventions.
public struct MetricSample: Sendable {
  /// How the figure moves.
  public enum Kind: String, Sendable {
    /// Only grows, until a restart.
    case counter
    /// Goes up and down.
    case gauge
  }

  /// Name with unit suffix (`_total`, `_seconds`, `_bytes`).
  public var name: String
  /// How the figure moves.
  public var kind: Kind
  /// One sentence about it.
  public var help: String
  /// The figure.
  public var figure: Double
  /// Label names and contents, in order.
  public var labels: [(name: String, content: String)]

  /// A sample from its parts.
  public init(
    _ name: String, _ kind: Kind, _ help: String, _ figure: Double,
    _ labels: [(String, String)] = []
  ) {
    self.name = name
    self.kind = kind
    self.help = help
    self.figure = figure
    self.labels = labels.map { (name: $0.0, content: $0.1) }
  }
}
