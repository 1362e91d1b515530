import Ports

@testable import Runtime

extension PrometheusText {
  /// A sample in one line of a test.
  mutating func add(
    _ kind: MetricSample.Kind, _ name: String, help: String,
    labels: KeyValuePairs<String, String> = [:], _ figure: Double
  ) {
    add(MetricSample(name, kind, help, figure, labels.map { ($0.key, $0.value) }))
  }
}
