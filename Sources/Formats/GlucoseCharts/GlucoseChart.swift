public import Charts
public import CivilTime
public import GlucoseFigures
public import GlucoseValues
public import Moments
public import Texts

/// Charts of readings of glucose, the same on a page and on paper.
///
/// Finger-sticks are dots and counts: percentiles and shares of time would claim what nobody measured. A profile is
/// drawn of a sensor whose readings suffice for it, and of nothing else.
public struct GlucoseChart: Sendable {
  private static let width = 640.0
  private static let height = 300.0
  /// What is aimed at, in mg/dL.
  ///
  /// - Source: Battelino et al., Diabetes Care 42 (2019), table 2: 70 through 180 mg/dL.
  public static let target = 70.0...180.0

  private let unit: GlucoseUnit
  private let zone: CivilTimeZone
  private let language: Language

  /// Charts in a unit, for a home's zone, in a language.
  public init(unit: GlucoseUnit, zone: CivilTimeZone, language: Language) {
    self.unit = unit
    self.zone = zone
    self.language = language
  }

  private func text(_ message: Message) -> String { message.text(in: language) }

  private func number(_ milligrams: Double) -> String {
    unit.shownDigits(GlucoseUnit.milligramsPerDecilitre.convert(milligrams, to: unit))
  }

  // MARK: Axes

  /// Up to what is shown, in mg/dL: the highest, or so much that the range is in the middle.
  private func plot(along: ClosedRange<Double>, highest: Double) -> Plot {
    var plot = Plot(
      width: Self.width, height: Self.height, along: along,
      up: 0...min(1000, max(300, (highest / 50).rounded(.up) * 50)))
    plot.band(Self.target, .safe)
    let lines: [Double] =
      unit == .milligramsPerDecilitre
      ? [54, 70, 180, 250, 400]
      : [3.0, 3.9, 10.0, 13.9, 22.0].map { unit.convert($0, to: .milligramsPerDecilitre) }
    plot.levels(lines.map { ($0, number($0)) })
    return plot
  }

  /// The form of a dot says on which side of a meal it is, its ink how it lies to the range.
  private func mark(_ reading: GlucoseReading) -> ChartMark {
    switch reading.tag?.mealRelation {
    case .before: .ring
    case .after: .square
    case nil: .disc
    }
  }

  private func ink(_ level: GlucoseConcentration) -> ChartInk {
    switch ClinicalBand(level) {
    case .veryLow, .low: .alarm
    case .target: .primary
    case .high, .veryHigh: .attention
    }
  }

  // MARK: Finger-sticks

  /// Each reading at its time of day.
  ///
  /// - Parameter readings: of certain time.
  public func day(_ readings: [GlucoseReading]) -> Chart {
    let highest = readings.map(\.level.milligramsPerDecilitre).max() ?? 0
    var plot = plot(along: 0...24, highest: highest)
    plot.places(
      stride(from: 0, through: 24, by: 3).map { (Double($0), "\($0):00") })
    plot.axes()
    for reading in readings {
      let local = zone.local(at: reading.time).civil
      plot.dot(
        Double(local.hour) + Double(local.minute) / 60, reading.level.milligramsPerDecilitre,
        mark(reading), ink(reading.level), radius: 5)
    }
    return Chart(
      title: text(Message("Readings by the time of day")), sentence: daySentence(readings),
      drawing: plot.drawing,
      header: [
        text(Message("Time of day")), text(Message("Readings")), text(Message("Lowest")),
        text(Message("Mean")), text(Message("Highest")),
      ],
      rows: hours(readings))
  }

  private func daySentence(_ readings: [GlucoseReading]) -> String {
    guard let lowest = readings.min(by: isLower), let highest = readings.max(by: isLower) else {
      return text(Message("There are no readings in this time."))
    }
    return text(
      Message(
        "{n} reading by its time of day, from {lowest} to {highest}.",
        plural: "{n} readings by their time of day, from {lowest} to {highest}.", readings.count,
        ["lowest": lowest.level.text(in: unit), "highest": highest.level.text(in: unit)]))
  }

  private func isLower(_ left: GlucoseReading, _ right: GlucoseReading) -> Bool {
    left.level.milligramsPerDecilitre < right.level.milligramsPerDecilitre
  }

  private func hours(_ readings: [GlucoseReading]) -> [[String]] {
    let byPart = Dictionary(grouping: readings) { zone.local(at: $0.time).civil.hour / 3 }
    return byPart.keys.sorted().compactMap { part in
      guard let mean = GlucoseMean(byPart[part] ?? []) else { return nil }
      return [
        "\(part * 3):00–\(part * 3 + 3):00", "\(mean.count)", mean.minimum.text(in: unit),
        "\(number(mean.milligramsPerDecilitre)) \(unit.rawValue)", mean.maximum.text(in: unit),
      ]
    }
  }

  /// How many readings lie in which range: counts, not shares of time.
  public func ranges(_ bands: BandCounts<ClinicalBand>, isOfSensor: Bool = false) -> Chart {
    let total = ClinicalBand.allCases.reduce(0) { $0 + bands[$1] }
    let parts = ClinicalBand.allCases.map { band -> (count: Int, ink: ChartInk, words: String) in
      let count = bands[band]
      let percent = total > 0 ? Int((Double(count) / Double(total) * 100).rounded()) : 0
      return (count, ink(band), text(words(band, count, percent)))
    }
    let within = bands[.target]
    let sentence =
      isOfSensor
      ? Message(
        "{n} of {count} readings of the sensor are in range.", ["n": within, "count": total])
      : Message("{n} of {count} readings are in range.", ["n": within, "count": total])
    return Chart(
      title: text(Message("Readings in range")), sentence: text(sentence),
      drawing: StackedBar.drawing(width: Self.width, parts),
      header: [text(Message("Range")), text(Message("Readings"))],
      rows: ClinicalBand.allCases.map { [text($0.name), "\(bands[$0])"] })
  }

  private func ink(_ band: ClinicalBand) -> ChartInk {
    switch band {
    case .veryLow: .alarm
    case .low: .unknown
    case .target: .primary
    case .high: .safe
    case .veryHigh: .attention
    }
  }

  private func words(_ band: ClinicalBand, _ count: Int, _ percent: Int) -> Message {
    Message(
      "{band}: {count} ({percent} %)",
      ["band": band.name, "count": count, "percent": percent])
  }

  /// Readings over days, each at its time, joined by nothing.
  public func course(_ readings: [GlucoseReading], from: Timestamp, until: Timestamp) -> Chart {
    let first = zone.local(at: from).civil
    let last = zone.local(at: until).civil
    let days = max(1, Double(last.daysSinceEpoch - first.daysSinceEpoch))
    let highest = readings.map(\.level.milligramsPerDecilitre).max() ?? 0
    var plot = plot(along: 0...days, highest: highest)
    let step = max(1, (days / 8).rounded(.up))
    plot.places(
      stride(from: 0, through: days, by: step).map { day in
        let date = CivilDateTime(
          utc: first.midnight.advanced(byMilliseconds: Int64(day) * 86_400_000))
        return (day, String(date.iso8601Date.dropFirst(5)))
      })
    plot.axes()
    for reading in readings {
      let local = zone.local(at: reading.time).civil
      let day =
        Double(local.daysSinceEpoch - first.daysSinceEpoch)
        + (Double(local.hour) + Double(local.minute) / 60) / 24
      plot.dot(
        day, reading.level.milligramsPerDecilitre, mark(reading), ink(reading.level), radius: 3)
    }
    return Chart(
      title: text(Message("Readings over the days")), sentence: daySentence(readings),
      drawing: plot.drawing,
      header: [
        text(Message("Month")), text(Message("Readings")), text(Message("Lowest")),
        text(Message("Mean")), text(Message("Highest")),
      ],
      rows: months(readings))
  }

  private func months(_ readings: [GlucoseReading]) -> [[String]] {
    let byMonth = Dictionary(grouping: readings) { CalendarMonth(zone.local(at: $0.time).civil) }
    return byMonth.keys.sorted().compactMap { month in
      guard let mean = GlucoseMean(byMonth[month] ?? []) else { return nil }
      return [
        month.description, "\(mean.count)", mean.minimum.text(in: unit),
        "\(number(mean.milligramsPerDecilitre)) \(unit.rawValue)", mean.maximum.text(in: unit),
      ]
    }
  }

  // MARK: Sensors

  /// The ambulatory glucose profile; nil of a sensor whose readings do not suffice.
  ///
  /// - Source: Battelino et al., Diabetes Care 42 (2019): median, 25th to 75th and 5th to 95th percentile by the hour.
  public func profile(_ sensor: SensorSummary) -> Chart? {
    guard sensor.shortage == nil, sensor.profile.count > 1 else { return nil }
    var plot = plot(
      along: 0...24, highest: sensor.profile.compactMap(\.percentiles.last).max() ?? 0)
    plot.places(stride(from: 0, through: 24, by: 3).map { (Double($0), "\($0):00") })
    func line(_ index: Int) -> [(x: Double, y: Double)] {
      sensor.profile.map { (Double($0.hour) + 0.5, $0.percentiles[index]) }
    }
    plot.area(line(0), line(4), .hair)
    plot.area(line(1), line(3), .unknown)
    plot.line(line(2), .primary, width: 3)
    plot.axes()
    return Chart(
      title: text(Message("Profile of the sensor")),
      sentence: text(
        Message(
          "Median of each hour with the middle half and the middle 90 % of its readings, over {n} days.",
          ["n": sensor.dayCount])), drawing: plot.drawing,
      header: [text(Message("Hour"))] + SensorSummary.HourProfile.percents.map { "\(Int($0)) %" },
      rows: sensor.profile.map { hour in
        ["\(hour.hour):00"] + hour.percentiles.map { "\(number($0)) \(unit.rawValue)" }
      })
  }
}

extension CivilDateTime {
  /// The beginning of the day, as if it were in UTC.
  fileprivate var midnight: Timestamp { CivilDateTime(year: year, month: month, day: day).asUTC }
}
