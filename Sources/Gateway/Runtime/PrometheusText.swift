import Ports

/// Builds a page in the Prometheus text exposition format, version 0.0.4.
///
/// Samples of one metric stand together below one `HELP` and `TYPE`, in the order in which metrics and samples were first
/// added. Adding the same metric with the same labels again replaces its value.
///
/// - Source: Prometheus documentation, "Exposition formats", text-based format.
struct PrometheusText: Sendable {
  private struct Metric {
    var name: String
    var kind: MetricSample.Kind
    var help: String
    var samples: [(labels: String, value: Double)] = []
  }

  private var metrics: [Metric] = []
  private var index: [String: Int] = [:]

  /// An empty page.
  init() {}

  /// A page with these samples.
  init(_ samples: [MetricSample]) {
    for sample in samples { add(sample) }
  }

  /// Adds a sample.
  ///
  /// Characters that a name may not have become `_`. Label contents may be anything. The help of the first sample counts.
  mutating func add(_ sample: MetricSample) {
    let name = Self.name(sample.name, mayHoldColon: true)
    let position = index[name] ?? metrics.count
    if position == metrics.count {
      index[name] = position
      metrics.append(Metric(name: name, kind: sample.kind, help: sample.help))
    }
    let written = Self.labels(sample.labels)
    if let old = metrics[position].samples.firstIndex(where: { $0.labels == written }) {
      metrics[position].samples[old].value = sample.figure
    } else {
      metrics[position].samples.append((written, sample.figure))
    }
  }

  /// The page.
  var text: String {
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

  private static func labels(_ labels: [(name: String, content: String)]) -> String {
    if labels.isEmpty { return "" }
    let written = labels.map { label in
      "\(name(label.name, mayHoldColon: false))=\"\(escaped(label.content, quotes: true))\""
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
