import Bytes
import Care
import CivilTime
import Foundation
import GlucoseValues
import JSON
import TestSupport
import Testing

@testable import GlucoseFigures

/// Python with the libraries that the rig's tests use, iglu_python among them.
private enum RigPython {
  static let program = Checkout.path("hardware/rig/python")
}

@Suite("Agreement with iglu_python")
struct DifferentialTests {
  private struct Series {
    var name: String
    var levels: [GlucoseConcentration]

    var numbers: [Double] { levels.map(\.milligramsPerDecilitre) }
  }

  /// Strips: 60 series of 200 unrelated levels, half of them in mmol/L. Sensors: 10 series of 20 days.
  private static func series() throws -> [Series] {
    var random = SplitMix64(seed: 20_261_122)
    var all: [Series] = []
    for index in 0..<60 {
      let unit: GlucoseUnit = index % 2 == 0 ? .milligramsPerDecilitre : .millimolesPerLitre
      let (low, span) = (20.0 + Double(index), 60.0 + Double(index) * 7)
      let levels = try (0..<200).map { _ in
        // Squared, so that there are more low levels than high ones, as in life.
        let level = low + span * random.nextUnit() * random.nextUnit()
        return try concentration(level, unit)
      }
      all.append(Series(name: "strips-\(index)", levels: levels))
    }
    for index in 0..<10 {
      var wander = 0.0
      let levels = try (0..<20 * 288).map { step in
        wander = wander * 0.98 + (random.nextUnit() - 0.5) * Double(index)
        let day = Double(step) / 288 * 2 * .pi
        let level = 140 + 45 * sin(3 * day) + 20 * sin(day + Double(index)) + wander
        return try concentration(max(40, level), .milligramsPerDecilitre)
      }
      all.append(Series(name: "continuous-\(index)", levels: levels))
    }
    return all
  }

  private static func concentration(
    _ level: Double, _ unit: GlucoseUnit
  ) throws -> GlucoseConcentration {
    let shown = unit.shownDigits(GlucoseUnit.milligramsPerDecilitre.convert(level, to: unit))
    return try GlucoseConcentration(text: shown, unit: unit)
  }

  private static func judgements(_ series: [Series]) throws -> [JSONValue] {
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("differential.py").path
    let folder = try TemporaryDirectory()
    let lines = series.map { ([$0.name] + $0.numbers.map { "\($0)" }).joined(separator: " ") }
    let file = try folder.write(lines.joined(separator: "\n"), to: "series.txt")
    let answer = try ProgramOutput(RigPython.program, [script, file])
    #expect(answer.exitCode == 0, "iglu_python did not do its part")
    return try answer.text.split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)) }
  }

  @Test(
    "69,600 readings: mean, spread, risk, GMI, percentiles and shares to nine digits, MAGE to 10 %",
    .enabled(if: PythonPeer.isInstalled, "python3 is absent"))
  func statistics() throws {
    let series = try Self.series()
    #expect(series.reduce(0) { $0 + $1.levels.count } == 69_600)
    let judgements = try Self.judgements(series)
    try #require(judgements.count == series.count)
    for (series, theirs) in zip(series, judgements) {
      let numbers = series.numbers
      let sorted = numbers.sorted()
      var ours: [String: Double?] = [
        "mean": GlucoseFormulas.mean(numbers),
        "sd": GlucoseFormulas.standardDeviation(numbers),
        "cv": GlucoseFormulas.coefficientOfVariation(numbers),
        "lbgi": GlucoseFormulas.lowIndex(numbers), "hbgi": GlucoseFormulas.highIndex(numbers),
        "gmi": GlucoseFormulas.managementIndicator(numbers),
      ]
      if series.levels.first?.unit == .milligramsPerDecilitre {
        let bands = BandCounts(series.levels.map { ClinicalBand($0) })
        let share: (ClinicalBand) -> Double = { bands.percent($0) ?? -1 }
        ours["inRange"] = share(.target)
        ours["below54"] = share(.veryLow)
        ours["below70"] = share(.veryLow) + share(.low)
        ours["above180"] = share(.high) + share(.veryHigh)
        ours["above250"] = share(.veryHigh)
      }
      for (name, value) in ours {
        let ours = try #require(value, "\(series.name) \(name)")
        let theirs = try #require(theirs[name]?.doubleContent, "\(series.name) \(name)")
        let tolerance = 1e-9 * max(1, abs(theirs))
        #expect(abs(ours - theirs) <= tolerance, "\(series.name) \(name) \(ours) \(theirs)")
      }
      let percentiles = SensorSummary.HourProfile.percents.map {
        GlucoseFormulas.percentile($0, ofSorted: sorted) ?? -1
      }
      let quantiles = theirs["quantiles"]?.arrayContent?.compactMap(\.doubleContent) ?? []
      #expect(quantiles.count == percentiles.count)
      #expect(zip(percentiles, quantiles).allSatisfy { abs($0 - $1) <= 1e-9 * $1 })
      try Self.compareExcursions(series, theirs)
    }
    #expect(judgements.filter { $0["mage"]?.doubleContent != nil }.count == 10)
  }

  /// The mean excursion from turning points against the one from moving averages; smooth series have the same.
  private static func compareExcursions(_ series: Series, _ theirs: JSONValue) throws {
    guard let mage = theirs["mage"]?.doubleContent else { return }
    let readings = series.levels.enumerated().map { index, level in
      var reading = GlucoseSamples.reading("100 mg/dL", minutes: index * 5, sensor: .continuous)
      reading.level = level
      return reading
    }
    let ours = try #require(SensorSummary(readings, in: .utc)?.meanExcursion)
    #expect(abs(ours - mage) <= 0.1 * mage, "\(series.name) \(ours) \(mage)")
  }
}
