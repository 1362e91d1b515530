import Care
import CivilTime
import GlucoseValues
import JSON
import Moments
import TestSupport
import Testing
import Texts

@testable import GlucoseFigures

@Suite("Reports about glucose")
struct GlucoseReportTests {
  private static let day = 24 * 60

  private func report(
    _ readings: [GlucoseReading], zone: CivilTimeZone = .utc, days: Int = 40
  ) -> GlucoseReport {
    GlucoseReport(
      readings, in: zone,
      at: GlucoseSamples.start.advanced(byMilliseconds: Int64(days) * 86_400_000))
  }

  @Test("Means are of the calendar month, with counts, and null where there is nothing")
  func months() throws {
    let report = report(
      [
        GlucoseSamples.reading("90 mg/dL", minutes: 0, tag: .beforeBreakfast),
        GlucoseSamples.reading("110 mg/dL", minutes: 10, tag: .fasting),
        GlucoseSamples.reading("160 mg/dL", minutes: 20, tag: .casual),
        GlucoseSamples.reading("5.6 mmol/L", minutes: 95 * Self.day, tag: .afterLunch),
      ], days: 100)
    let months = try #require(report.fingerSticks?.months)
    #expect(months.map(\.month.description) == ["2026-11", "2026-12", "2027-01", "2027-02"])
    #expect(months.map(\.isOver) == [true, true, true, false])
    #expect(months[0].all?.milligramsPerDecilitre == 120 && months[0].all?.count == 3)
    #expect(months[0].all?.band == .high && months[0].beforeMeals?.band == .borderline)
    #expect(months[0].beforeMeals?.milligramsPerDecilitre == 100)
    #expect(months[0].beforeMeals?.minimum.text() == "90 mg/dL")
    #expect(months[0].beforeMeals?.maximum.text() == "110 mg/dL")
    #expect(months[0].afterMeals == nil)
    #expect(months[1].all == nil && months[1].json["all"] == .null)
    #expect(months[3].afterMeals?.minimum.text() == "5.6 mmol/L")
    #expect(report.fingerSticks?.clinicalBands.total == 4)
  }

  @Test("A month begins at midnight where the resident lives")
  func localMonths() throws {
    // 31 October 22:30 UTC is 31 October 23:30 in Oslo, 23:30 UTC is November there.
    let zone = try TimeZoneFile.load(name: "Europe/Oslo")
    let readings = [
      GlucoseSamples.reading("90 mg/dL", minutes: -90),
      GlucoseSamples.reading("100 mg/dL", minutes: -30),
    ]
    let local = try #require(report(readings, zone: zone).fingerSticks?.months)
    #expect(local.prefix(2).map { $0.all?.milligramsPerDecilitre } == [90, 100])
    let utc = try #require(report(readings).fingerSticks?.months)
    #expect(utc.first?.all?.count == 2)
  }

  @Test("A reading of doubtful or future time is counted as such and in no figure")
  func doubts() throws {
    let report = report(
      [
        GlucoseSamples.reading("90 mg/dL", minutes: 0),
        GlucoseSamples.reading("400 mg/dL", minutes: 5, doubts: [.meterClock]),
        GlucoseSamples.reading("400 mg/dL", minutes: 60 * Self.day),
      ])
    #expect(report.doubtfulCount == 2)
    #expect(report.fingerSticks?.summary.count == 1)
    #expect(report.fingerSticks?.summary.maximum?.text() == "90 mg/dL")
    #expect(report.remarks.first?.text(in: .en).hasPrefix("2 readings have a doubtful") == true)
    #expect(self.report([]).fingerSticks == nil && self.report([]).sensor == nil)
    #expect(self.report([]).remarks.isEmpty)
  }

  @Test("Figures wait until there is enough, and the report says for what")
  func enough() throws {
    func sticks(_ count: Int, each minutes: Int) -> GlucoseReport {
      report(
        (0..<count).map {
          GlucoseSamples.reading("\(90 + $0 % 7 * 10) mg/dL", minutes: $0 * minutes)
        })
    }
    let few = sticks(9, each: 60)
    #expect(few.fingerSticks?.summary.standardDeviation == nil)
    #expect(few.fingerSticks?.summary.json["lbgi"] == .null)
    #expect(few.remarks.count == 2)
    let ten = sticks(10, each: 60)
    #expect(ten.fingerSticks?.summary.standardDeviation != nil)
    #expect(ten.fingerSticks?.summary.lowIndex == nil && ten.remarks.count == 1)
    // Many on few days say nothing about a risk.
    #expect(sticks(40, each: 60).fingerSticks?.summary.highIndex == nil)
    let all = sticks(28, each: 12 * 60)
    #expect(all.fingerSticks?.summary.dayCount == 14)
    #expect(all.fingerSticks?.summary.highIndex != nil && all.remarks.isEmpty)
    #expect(sticks(27, each: 12 * 60 + 30).fingerSticks?.summary.highIndex == nil)
  }

  @Test("Outliers are found per month and side of the meal, and not among few or even readings")
  func outliers() throws {
    func month(_ outlier: String, others: Int, spread: Int) -> [GlucoseReading] {
      (0..<others).map {
        GlucoseSamples.reading(
          "\(100 + ($0 % 2 == 0 ? spread : -spread)) mg/dL", minutes: $0 * 60 * 8,
          tag: .beforeLunch)
      } + [GlucoseSamples.reading(outlier, minutes: 3 * Self.day + 45, tag: .fasting)]
    }
    let found = try #require(report(month("170 mg/dL", others: 11, spread: 5)).fingerSticks)
    #expect(found.outliers.map(\.local.iso8601Date) == ["2026-11-04"])
    #expect(found.outliers.first?.relation == .before)
    #expect(found.outliers.first?.json["level"] == "170 mg/dL")
    // Low ones as well.
    #expect(report(month("45 mg/dL", others: 11, spread: 5)).fingerSticks?.outliers.count == 1)
    // Nine of a kind are too few; readings after meals do not fill them up.
    let few =
      month("170 mg/dL", others: 8, spread: 5)
      + (0..<20).map { GlucoseSamples.reading("150 mg/dL", minutes: 7 + $0 * 60, tag: .afterMeal) }
    #expect(report(few).fingerSticks?.outliers.isEmpty == true)
    // Very even readings have no outlier within 20 mg/dL.
    #expect(
      report(month("115 mg/dL", others: 11, spread: 1)).fingerSticks?.outliers.isEmpty == true)
    // Without a side of a meal nothing is judged.
    let casual = month("170 mg/dL", others: 11, spread: 5).map { reading in
      var reading = reading
      reading.tag = .own("before lunch")
      return reading
    }
    #expect(report(casual).fingerSticks?.outliers.isEmpty == true)
  }

  // MARK: Sensors

  private func sensor(days: Int, missing: (Int) -> Bool = { _ in false }) -> GlucoseReport {
    let readings = (0..<days * 288).compactMap { index -> GlucoseReading? in
      guard !missing(index) else { return nil }
      // Two rises and falls a day between 80 and 200.
      let place = index % 144
      let level = 80 + (place < 72 ? place : 144 - place) * 120 / 72
      return GlucoseSamples.reading("\(level) mg/dL", minutes: index * 5, sensor: .continuous)
    }
    return report(readings)
  }

  @Test("A sensor says nothing but counts before 14 days and 70 %")
  func shortages() throws {
    let short = try #require(sensor(days: 13).sensor)
    #expect(short.shortage == .days && short.count == 13 * 288 && short.intervalSeconds == 300)
    #expect(short.mean == nil && short.bands == nil && short.managementIndicator == nil)
    #expect(short.profile.isEmpty && short.meanExcursion == nil)
    #expect(short.json["timeInRangePercent"] == .null)
    let holes = try #require(sensor(days: 14) { $0 % 288 > 150 && $0 < 13 * 288 }.sensor)
    #expect(holes.shortage == .coverage && holes.bands == nil)
    for report in [sensor(days: 13), sensor(days: 14) { $0 % 288 > 150 && $0 < 13 * 288 }] {
      #expect(report.remarks.map { $0.text(in: .en) }.last?.hasSuffix("to say more.") == true)
    }
  }

  @Test("With enough readings the sensor's figures are there, by the hour too")
  func sensorFigures() throws {
    let sensor = try #require(sensor(days: 14).sensor)
    #expect(sensor.shortage == nil && sensor.coverage == 1 && sensor.dayCount == 14)
    let bands = try #require(sensor.bands)
    #expect(bands.total == sensor.count && bands[.target] > bands[.high] && bands[.low] == 0)
    let mean = try #require(sensor.mean)
    #expect(abs(mean - 140) < 1)
    #expect(abs(try #require(sensor.meanExcursion) - 120) < 1e-9)
    #expect(sensor.profile.map(\.hour) == Array(0..<24))
    for hour in sensor.profile {
      #expect(hour.dayCount == 14 && hour.percentiles == hour.percentiles.sorted())
      #expect(hour.percentiles.count == 5)
    }
    #expect(self.sensor(days: 14).remarks.isEmpty)
  }

  @Test("A sensor that repeats itself weighs no more, and is never mixed with strips")
  func repeated() throws {
    let readings = (0..<15 * 288).flatMap { index in
      [0, 1].map { twin in
        GlucoseSamples.reading(
          "\(twin == 0 ? 100 : 300) mg/dL", minutes: index * 5,
          id: "r\(index)-\(twin)", sensor: .continuous)
      }
    }
    let report = report(readings + [GlucoseSamples.reading("60 mg/dL", minutes: 3)])
    #expect(report.sensor?.count == 15 * 288 && report.sensor?.mean == 100)
    #expect(report.fingerSticks?.summary.count == 1)
  }

  @Test("The report speaks every language and leaves no place open")
  func texts() {
    let report = report(
      [
        GlucoseSamples.reading("90 mg/dL", minutes: 0, doubts: [.future]),
        GlucoseSamples.reading("90 mg/dL", minutes: 1),
        GlucoseSamples.reading("90 mg/dL", minutes: 2, sensor: .continuous),
      ])
    for language in Language.allCases {
      let texts =
        report.remarks.map { $0.text(in: language) }
        + GlucoseBand.allCases.map { $0.name.text(in: language) }
        + ClinicalBand.allCases.map { $0.name.text(in: language) }
      #expect(texts.allSatisfy { !$0.isEmpty && !$0.contains("{") })
    }
    #expect(
      Set(report.remarks.map { $0.text(in: .zh) }).isDisjoint(
        with: report.remarks.map { $0.text(in: .en) }))
  }
}
