import Ports
import Testing

@testable import Runtime

@Suite struct PrometheusTextTests {
  @Test func aPageHasHelpTypeAndSamplesOfEachMetricTogether() {
    var page = PrometheusText()
    page.add(.gauge, "homeward_up", help: "Whether it runs.", 1)
    for lane in ["alarm", "record"] {
      page.add(
        .gauge, "homeward_backlog_events", help: "Events waiting.",
        labels: ["plugin": "mqtt", "lane": lane], 2.5)
      page.add(.counter, "homeward_events_total", help: "Events.", labels: ["lane": lane], 7)
    }
    #expect(
      page.text == """
        # HELP homeward_up Whether it runs.
        # TYPE homeward_up gauge
        homeward_up 1
        # HELP homeward_backlog_events Events waiting.
        # TYPE homeward_backlog_events gauge
        homeward_backlog_events{plugin="mqtt",lane="alarm"} 2.5
        homeward_backlog_events{plugin="mqtt",lane="record"} 2.5
        # HELP homeward_events_total Events.
        # TYPE homeward_events_total counter
        homeward_events_total{lane="alarm"} 7
        homeward_events_total{lane="record"} 7

        """)
  }

  @Test func absurdNamesValuesAndNumbersStillMakeAPageThatParses() throws {
    var page = PrometheusText()
    page.add(
      .gauge, "9 lives/妈", help: "line\nbreak \\ \"quote\"", labels: ["a-b:c": "x\"\\\n🏠,}"], .nan)
    page.add(.gauge, "", help: "", labels: ["": ""], .infinity)
    page.add(.counter, "a:b", help: "h", -.infinity)
    page.add(.counter, "a:b", help: "h", labels: ["l": "v"], 1e300)
    page.add(.counter, "small", help: "h", 1.5e-9)
    let samples = try PrometheusParser.parse(page.text)
    #expect(samples.map(\.name) == ["_9_lives__", "_", "a:b", "a:b", "small"])
    #expect(samples[0].labels == ["a_b_c": "x\"\\\n🏠,}"])
    #expect(samples[0].value.isNaN)
    #expect(samples.dropFirst().map(\.value) == [.infinity, -.infinity, 1e300, 1.5e-9])
  }

  @Test func theSameLabelsAgainReplaceTheValue() throws {
    var page = PrometheusText()
    page.add(.gauge, "g", help: "h", labels: ["a": "1"], 1)
    page.add(.gauge, "g", help: "other", labels: ["a": "1"], 2)
    #expect(try PrometheusParser.parse(page.text).map(\.value) == [2])
  }
}

/// A strict reader of the text format, written from its description, to check pages with.
enum PrometheusParser {
  struct Sample {
    var name: String
    var labels: [String: String]
    var value: Double
  }
  struct Fault: Error { var line: String }

  static func parse(_ text: String) throws -> [Sample] {
    guard text.isEmpty || text.hasSuffix("\n") else { throw Fault(line: "no line end at the end") }
    var samples: [Sample] = []
    var typed: Set<String> = []
    for line in text.split(separator: "\n") {
      if line.hasPrefix("#") {
        let words = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
        guard words.count == 4, ["HELP", "TYPE"].contains(words[1]) else {
          throw Fault(line: String(line))
        }
        if words[1] == "TYPE" {
          guard typed.insert(String(words[2])).inserted, ["counter", "gauge"].contains(words[3])
          else {
            throw Fault(line: String(line))
          }
        }
      } else {
        let sample = try sample(String(line))
        guard typed.contains(sample.name) else { throw Fault(line: String(line)) }
        samples.append(sample)
      }
    }
    return samples
  }

  private static func sample(_ line: String) throws -> Sample {
    let pattern =
      /^([a-zA-Z_:][a-zA-Z0-9_:]*)(\{((?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\]|\\[\\"n])*",?)*)\})? (\S+)$/
    guard let match = line.wholeMatch(of: pattern) else { throw Fault(line: line) }
    var labels: [String: String] = [:]
    for label in (match.3 ?? "").matches(of: /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\]|\\[\\"n])*)"/) {
      labels[String(label.1)] = unescaped(String(label.2))
    }
    let numbers = ["NaN": Double.nan, "+Inf": .infinity, "-Inf": -.infinity]
    guard let value = numbers[String(match.4)] ?? Double(String(match.4)) else {
      throw Fault(line: line)
    }
    return Sample(name: String(match.1), labels: labels, value: value)
  }

  private static func unescaped(_ text: String) -> String {
    var result = ""
    var isEscape = false
    for scalar in text.unicodeScalars {
      if isEscape {
        result.unicodeScalars.append(scalar == "n" ? "\n" : scalar)
        isEscape = false
      } else if scalar == "\\" {
        isEscape = true
      } else {
        result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
