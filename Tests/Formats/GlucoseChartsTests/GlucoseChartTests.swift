import Charts
import CivilTime
import GlucoseCharts
import GlucoseFigures
import GlucoseValues
import Moments
import TestSupport
import Testing
import Texts

@Suite("Charts of glucose")
struct GlucoseChartTests {
  private let chart = GlucoseChart(unit: .millimolesPerLitre, zone: .utc, language: .en)
  private let readings = [
    GlucoseSamples.reading("50 mg/dL", minutes: 6 * 60, tag: .beforeBreakfast),
    GlucoseSamples.reading("7.0 mmol/L", minutes: 12 * 60, tag: .afterLunch),
    GlucoseSamples.reading("20.0 mmol/L", minutes: 26 * 60),
  ]

  private func dots(_ chart: Chart) -> [(mark: ChartMark, ink: ChartInk, at: ChartPoint)] {
    chart.drawing.shapes.compactMap { shape in
      guard case .dot(let point, _, let mark, let ink) = shape else { return nil }
      return (mark, ink, point)
    }
  }

  @Test("Each reading is a dot at its time of day: its form is the meal, its ink the range")
  func day() {
    let day = chart.day(readings)
    let dots = dots(day)
    #expect(dots.map(\.mark) == [.ring, .square, .disc])
    #expect(dots.map(\.ink) == [.alarm, .primary, .attention])
    // The second day's reading, at two at night, is left of both.
    #expect(dots[2].at.x < dots[0].at.x && dots[0].at.x < dots[1].at.x)
    #expect(dots[2].at.y < dots[1].at.y && dots[1].at.y < dots[0].at.y)
    #expect(day.sentence == "3 readings by their time of day, from 2.8 mmol/L to 20.0 mmol/L.")
    #expect(day.rows.map(\.first) == ["0:00–3:00", "6:00–9:00", "12:00–15:00"])
    #expect(day.rows[0] == ["0:00–3:00", "1", "20.0 mmol/L", "20.0 mmol/L", "20.0 mmol/L"])
    #expect(chart.day([]).sentence == "There are no readings in this time.")
  }

  @Test("A change of clocks moves no reading from its hour on the wall")
  func clocks() throws {
    let zone = try TimeZoneFile.load(name: "Europe/Vienna")
    let local = GlucoseChart(unit: .milligramsPerDecilitre, zone: zone, language: .en)
    // 25 October 2026, 00:30 and 01:30 UTC: the hour of two o'clock comes twice.
    let start = CivilDateTime(year: 2026, month: 10, day: 25).asUTC
    let twice = [30, 90].map { minutes -> GlucoseReading in
      var reading = GlucoseSamples.reading("100 mg/dL", minutes: minutes)
      reading.time = start.advanced(byMilliseconds: Int64(minutes) * 60_000)
      return reading
    }
    let dots = dots(local.day(twice))
    #expect(dots.count == 2 && dots[0].at == dots[1].at)
    #expect(local.day(twice).rows == [["0:00–3:00", "2", "100 mg/dL", "100 mg/dL", "100 mg/dL"]])
  }

  @Test("Finger-sticks are counted in order of the ranges, and parts are as long as their share")
  func ranges() {
    let ranges = chart.ranges(BandCounts(readings.map { ClinicalBand($0.level) }))
    #expect(ranges.sentence == "1 of 3 readings are in range.")
    #expect(ranges.rows.map { $0[1] } == ["1", "0", "1", "0", "1"])
    let none = chart.ranges(BandCounts([]))
    #expect(none.sentence == "0 of 0 readings are in range.")
  }

  @Test("A profile is drawn of a sensor that suffices, and of no other")
  func profile() throws {
    func sensor(days: Int) throws -> SensorSummary {
      let readings = (0..<(days * 96)).map {
        GlucoseSamples.reading("\(100 + $0 % 96) mg/dL", minutes: $0 * 15, sensor: .continuous)
      }
      return try #require(SensorSummary(readings, in: .utc))
    }
    #expect(chart.profile(try sensor(days: 13)) == nil)
    let profile = try #require(chart.profile(try sensor(days: 15)))
    #expect(profile.rows.count == 24 && profile.header.count == 6)
    let areas = profile.drawing.shapes.filter { if case .area = $0 { true } else { false } }
    #expect(areas.count == 2)
  }

  @Test("Over days each reading is on its day, and months are told")
  func course() {
    let course = chart.course(
      readings, from: GlucoseSamples.start,
      until: GlucoseSamples.start.advanced(byMilliseconds: 30 * 86_400_000))
    let dots = dots(course)
    #expect(dots[0].at.x < dots[1].at.x && dots[1].at.x < dots[2].at.x)
    #expect(course.rows.map(\.first) == ["2026-11"])
  }

  @Test("Figures are words on a page and on paper, in either unit")
  func facts() throws {
    let report = GlucoseReport(
      readings, in: .utc, at: GlucoseSamples.start.advanced(byMilliseconds: 40 * 86_400_000))
    let sticks = try #require(report.fingerSticks)
    let facts = GlucoseFacts.of(sticks, .milligramsPerDecilitre, .en)
    #expect(facts.map(\.name) == ["Readings", "Days with readings", "Mean", "Lowest", "Highest"])
    #expect(facts.map(\.value) == ["3", "2", "179 mg/dL", "50 mg/dL", "360 mg/dL"])
    #expect(GlucoseFacts.of(sticks, .millimolesPerLitre, .en)[2].value == "9.9 mmol/L")
    #expect(GlucoseFacts.tenths(-0.25) == "-0.3" && GlucoseFacts.tenths(.nan) == "–")
  }
}
