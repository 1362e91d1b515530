/// Builds a page in the Prometheus text exposition format, version 0.0.4.
///
/// Samples of one metric stand together below one `HELP` and `TYPE`, in the order in which metrics and samples were first
/// added. Adding the same metric with the same labels again replaces its value.
///
/// - Source: Prometheus documentation, "Exposition formats", text-based format.
public struct PrometheusText: Sendable {
  /// Kinds of metric.
  public enum Kind: String, Sendable {
    /// Only grows, but for restarts; the name ends in `_total`.
    case counter
    /// Goes up and down.
    case gauge
  }

  private struct Metric {
    var name: String
    var kind: Kind
    var help: String
    var samples: [(labels: String, value: Double)] = []
  }

  private var metrics: [Metric] = []
  private var index: [String: Int] = [:]

  /// An empty page.
  public init() {}

  /// Adds a sample.
  ///
  /// Characters that a name may not have become `_`. Label values may hold anything. The help of the first sample counts.
  public mutating func add(
    _ kind: Kind, _ name: String, help: String, labels: KeyValuePairs<String, String> = [:],
    _ value: Double
  ) {
    let name = Self.name(name, mayHoldColon: true)
    let position = index[name] ?? metrics.count
    if position == metrics.count {
      index[name] = position
      metrics.append(Metric(name: name, kind: kind, help: help))
    }
    let written = Self.labels(labels)
    if let old = metrics[position].samples.firstIndex(where: { $0.labels == written }) {
      metrics[position].samples[old].value = value
    } else {
      metrics[position].samples.append((written, value))
    }
  }

  /// Adds a sample with a whole number.
  public mutating func add(
    _ kind: Kind, _ name: String, help: String, labels: KeyValuePairs<String, String> = [:],
    _ value: some BinaryInteger
  ) { add(kind, name, help: help, labels: labels, Double(value)) }

  /// The page.
  public var text: String {
    var text = ""
    for metric in metrics {
      text += "# HELP \(metric.name) \(Self.escaped(metric.help, quotes: false))\n"
      text += "# TYPE \(metric.name) \(metric.kind.rawValue)\n"
      for sample in metric.samples {
        text += "\(metric.name)\(sample.labels) \(Self.written(sample.value))\n"
      }
    }
    return text
  }

  /// The media type of the page.
  public static let contentType = "text/plain; version=0.0.4; charset=utf-8"

  private static func labels(_ labels: KeyValuePairs<String, String>) -> String {
    if labels.isEmpty { return "" }
    let written = labels.map { label in
      "\(name(label.key, mayHoldColon: false))=\"\(escaped(label.value, quotes: true))\""
    }
    return "{\(written.joined(separator: ","))}"
  }

  private static func written(_ value: Double) -> String {
    if value.isNaN { return "NaN" }
    if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
    if let whole = Int64(exactly: value) { return String(whole) }
    return "\(value)"
  }

  private static func escaped(_ text: String, quotes: Bool) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": escaped += "\\\\"
      case "\n": escaped += "\\n"
      case "\"" where quotes: escaped += "\\\""
      default: escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }

  private static func name(_ text: String, mayHoldColon: Bool) -> String {
    let scalars = text.unicodeScalars.map { scalar -> Character in
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "_": Character(scalar)
      case ":" where mayHoldColon: ":"
      default: "_"
      }
    }
    let startsWell = scalars.first.map { !("0"..."9").contains($0) } ?? false
    return startsWell ? String(scalars) : "_" + String(scalars)
  }
}
