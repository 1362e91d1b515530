import CivilTime
import JSON
import TestSupport
import Testing

@testable import GlucoseFigures

@Suite("Formulas of glucose statistics")
struct GlucoseFormulaTests {
  @Test("Of nothing there is nothing to say")
  func nothing() {
    let none: [Double] = []
    #expect(GlucoseFormulas.mean(none) == nil)
    #expect(GlucoseFormulas.standardDeviation([100]) == nil)
    #expect(GlucoseFormulas.coefficientOfVariation([100]) == nil)
    #expect(GlucoseFormulas.lowIndex(none) == nil && GlucoseFormulas.highIndex(none) == nil)
    #expect(GlucoseFormulas.managementIndicator(none) == nil)
    #expect(GlucoseFormulas.percentile(50, ofSorted: none) == nil)
    #expect(GlucoseFormulas.excursions(none, above: 10).isEmpty)
  }

  @Test("Small sets give what is reckoned by hand")
  func byHand() throws {
    let levels: [Double] = [80, 100, 120]
    #expect(GlucoseFormulas.mean(levels) == 100)
    #expect(GlucoseFormulas.standardDeviation(levels) == 20)
    #expect(GlucoseFormulas.coefficientOfVariation(levels) == 20)
    #expect(abs(try #require(GlucoseFormulas.managementIndicator(levels)) - 5.702) < 1e-12)
    #expect(GlucoseFormulas.percentile(25, ofSorted: levels) == 90)
    #expect(GlucoseFormulas.percentile(0, ofSorted: levels) == 80)
    #expect(GlucoseFormulas.percentile(100, ofSorted: levels) == 120)
    #expect(GlucoseFormulas.percentile(400, ofSorted: levels) == 120)
    // The scale is made so that 20 and 600 mg/dL carry the full risk of 100, 112.5 none.
    #expect(abs(try #require(GlucoseFormulas.lowIndex([20])) - 100) < 1)
    #expect(abs(try #require(GlucoseFormulas.highIndex([600])) - 100) < 1)
    #expect(try #require(GlucoseFormulas.highIndex([112.5])) < 1e-4)
    #expect(GlucoseFormulas.lowIndex([112.5]) == 0 && GlucoseFormulas.highIndex([112]) == 0)
  }

  @Test("Excursions go from turning point to turning point, small ones within them not counted")
  func excursions() {
    // Rises to 180, falls to 70, rises to 200 over a dip of 10, falls again.
    let levels: [Double] = [100, 140, 180, 120, 70, 110, 100, 150, 200, 190, 100, 100]
    #expect(GlucoseFormulas.excursions(levels, above: 30) == [110, 130])
    #expect(GlucoseFormulas.excursions(levels, above: 500).isEmpty)
    #expect(GlucoseFormulas.excursions(levels.map { 300 - $0 }, above: 30) == [110, 130])
    #expect(GlucoseFormulas.excursions([100, 101, 100, 101], above: 5).isEmpty)
  }
}

@Suite("Bands of glucose")
struct GlucoseBandTests {
  @Test("Every whole mg/dL has one band of EG-6, and 100 through 110 is borderline")
  func bands() {
    for level in 10...600 {
      let band = GlucoseBand(wholeMilligramsPerDecilitre: level)
      let expected: GlucoseBand =
        level <= 79 ? .low : level <= 99 ? .moderate : level <= 110 ? .borderline : .high
      #expect(band == expected, "\(level)")
    }
    // In mmol/L the whole mg/dL decide: 4.4 is 79.27, 5.5 is 99.09, 6.1 is 109.9, 6.2 is 111.7.
    for (text, band) in [
      ("4.4 mmol/L", GlucoseBand.low), ("4.5 mmol/L", .moderate), ("5.5 mmol/L", .moderate),
      ("5.6 mmol/L", .borderline), ("6.1 mmol/L", .borderline), ("6.2 mmol/L", .high),
      ("79.4 mg/dL", .low), ("79.5 mg/dL", .moderate), ("110.5 mg/dL", .high),
    ] { #expect(GlucoseBand(GlucoseSamples.level(text)) == band, "\(text)") }
  }

  @Test("The clinical ranges end where they are published, in either unit")
  func clinical() {
    for (text, band) in [
      ("53 mg/dL", ClinicalBand.veryLow), ("54 mg/dL", .low), ("69 mg/dL", .low),
      ("70 mg/dL", .target), ("180 mg/dL", .target), ("181 mg/dL", .high), ("250 mg/dL", .high),
      ("251 mg/dL", .veryHigh), ("2.9 mmol/L", .veryLow), ("3.0 mmol/L", .low),
      ("3.8 mmol/L", .low), ("3.9 mmol/L", .target), ("10.0 mmol/L", .target),
      ("10.1 mmol/L", .high), ("13.9 mmol/L", .high), ("14.0 mmol/L", .veryHigh),
    ] { #expect(ClinicalBand(GlucoseSamples.level(text)) == band, "\(text)") }
  }

  @Test("Counts add up and shares are of all")
  func counts() {
    let counts = BandCounts<GlucoseBand>([.low, .high, .high, .borderline])
    #expect(counts.total == 4 && counts[.high] == 2 && counts[.moderate] == 0)
    #expect(counts.percent(.high) == 50 && BandCounts<GlucoseBand>([]).percent(.low) == nil)
    #expect(counts.json.serialized == #"{"low":1,"moderate":0,"borderline":1,"high":2}"#)
  }
}
