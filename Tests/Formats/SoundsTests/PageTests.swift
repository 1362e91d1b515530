import Foundation
import Sounds
import TestSupport
import Testing

/// The table of `hardware/sounds/README.md`, as measured.
enum SoundTable {
  static var text: String {
    let head = """
      | sound | fundamental | other partials, beside the strongest | pulses on / gaps, ms | rise, ms \
      | before it repeats, ms | peak, dBFS | level, dBFS |
      | --- | --- | --- | --- | --- | --- | --- | --- |

      """
    return head + SoundPattern.all.map(row).joined(separator: "\n") + "\n"
  }

  private static func row(_ pattern: SoundPattern) -> String {
    let measurement = Measurement(pattern)
    let partials = measurement.partials
    let fundamental = partials.first?.hertz ?? 0
    let others = partials.dropFirst().map {
      "\(decimal($0.hertz, 1)) Hz \(decimal($0.decibels, 0))"
    }
    let rises = measurement.pulses.map(\.rise)
    let cells = [
      "`\(pattern.name)`", "\(decimal(fundamental, 2)) Hz", others.joined(separator: ", "),
      timing(measurement),
      pattern.notes.contains { $0.decayMilliseconds != nil }
        ? "struck" : decimal(rises.reduce(0, +) / Double(max(1, rises.count)), 0),
      "\(pattern.repeatPauseMilliseconds)", decimal(measurement.peakDecibels, 1),
      decimal(measurement.levelDecibels, 1),
    ]
    return "| \(cells.joined(separator: " | ")) |"
  }

  /// `3 × 137 / 86 86`: how many pulses how long, and the gaps between them.
  private static func timing(_ measurement: Measurement) -> String {
    let durations = Set(measurement.pulses.map { decimal($0.duration, 0) }).sorted()
    let gaps = measurement.gaps.prefix(5).map { decimal($0, 0) }
    let more = measurement.gaps.count > 5 ? " …" : ""
    let between = gaps.isEmpty ? "" : " / \(gaps.joined(separator: " "))\(more)"
    return "\(measurement.pulses.count) × \(durations.joined(separator: "–"))\(between)"
  }

  private static func decimal(_ number: Double, _ places: Int) -> String {
    String(format: "%.\(places)f", number + 0.0).replacingOccurrences(of: "-", with: "−")
  }
}

@Suite struct PageTests {
  /// With HOMEWARD_WRITE_SOUND_TABLE=1 the page is brought up to date instead.
  @Test func theTableOfThePageIsWhatIsMeasured() throws {
    let page = Checkout.root.appendingPathComponent("hardware/sounds/README.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let start = try #require(text.range(of: "| sound | fundamental |")).lowerBound
    let end = try #require(text.range(of: "\n\n", range: start..<text.endIndex)).lowerBound
    let table = String(SoundTable.text.dropLast())
    if ProcessInfo.processInfo.environment["HOMEWARD_WRITE_SOUND_TABLE"] == "1" {
      try text.replacingCharacters(in: start..<end, with: table).write(
        to: page, atomically: true, encoding: .utf8)
    } else {
      #expect(text[start..<end] == table, "the table is now:\n\(table)")
    }
  }
}
