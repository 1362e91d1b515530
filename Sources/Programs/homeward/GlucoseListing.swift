import Glucose
import GlucoseFigures
import GlucoseValues
import Moments
import Texts

/// A report about glucose as people read it.
struct GlucoseListing {
  var report: GlucoseReport
  /// The unit of every level that is shown.
  var unit: GlucoseUnit

  func text(rowCount: Int) -> String {
    var parts = [
      ngettext(
        "{n} reading, levels in {unit}.\n", "{n} readings, levels in {unit}.\n", rowCount,
        ["unit": unit.rawValue])
    ]
    if let sticks = report.fingerSticks {
      parts += [summary(sticks.summary), months(sticks.months), bands(sticks)]
      if !sticks.outliers.isEmpty { parts.append(outliers(sticks.outliers)) }
    }
    if let sensor = report.sensor {
      parts.append(self.sensor(sensor))
      if !sensor.profile.isEmpty { parts.append(profile(sensor.profile)) }
    }
    let remarks = report.remarks.map { "\($0.spoken)\n" }.joined()
    if !remarks.isEmpty { parts.append(remarks) }
    return parts.joined(separator: "\n")
  }

  /// A level in mg/dL as it is shown.
  private func level(_ milligrams: Double?) -> String {
    guard let milligrams else { return "-" }
    return unit.shownDigits(GlucoseUnit.milligramsPerDecilitre.convert(milligrams, to: unit))
  }

  private func level(_ level: GlucoseConcentration?) -> String {
    self.level(level?.milligramsPerDecilitre)
  }

  private func number(_ number: Double?, _ decimals: Int = 1, _ unit: String = "") -> String {
    number.map { NumberText.fixed($0, decimals) + unit } ?? "-"
  }

  private func summary(_ summary: GlucoseSummary) -> String {
    var table = Table([gettext("OF ALL"), ""])
    table.add([gettext("days with readings"), "\(summary.dayCount)"])
    table.add([gettext("mean"), level(summary.mean)])
    table.add([gettext("lowest and highest"), range(summary.minimum, summary.maximum)])
    table.add([gettext("standard deviation"), level(summary.standardDeviation)])
    table.add([
      gettext("coefficient of variation"), number(summary.coefficientOfVariation, 1, " %"),
    ])
    table.add([gettext("low risk index (LBGI)"), number(summary.lowIndex)])
    table.add([gettext("high risk index (HBGI)"), number(summary.highIndex)])
    return table.text
  }

  private func range(_ low: GlucoseConcentration?, _ high: GlucoseConcentration?) -> String {
    "\(level(low)) - \(level(high))"
  }

  private func months(_ months: [GlucoseMonth]) -> String {
    var table = Table([
      gettext("MONTH"), gettext("READINGS"), gettext("MEAN"), gettext("BAND"), gettext("RANGE"),
      gettext("BEFORE MEALS"), gettext("AFTER MEALS"),
    ])
    // A table that ended long ago says nothing about the months since.
    let last = months.last { $0.all != nil }?.month
    for month in months where last.map({ month.month <= $0 }) ?? false {
      table.add([
        month.isOver ? "\(month.month)" : gettext("{month} so far", ["month": month.month]),
        "\(month.all?.count ?? 0)", level(month.all?.milligramsPerDecilitre),
        month.all?.band.name.spoken ?? "-",
        month.all.map { range($0.minimum, $0.maximum) } ?? "-", side(month.beforeMeals),
        side(month.afterMeals),
      ])
    }
    return table.text
  }

  /// The mean of one side of meals with its count.
  private func side(_ mean: GlucoseMean?) -> String {
    mean.map { "\(level($0.milligramsPerDecilitre)) (\($0.count))" } ?? "-"
  }

  private func bands(_ sticks: GlucoseReport.FingerSticks) -> String {
    var table = Table([gettext("BAND"), unit.rawValue, gettext("READINGS")])
    let limits: [GlucoseBand: String] = [
      .low: "< \(level(80))", .moderate: "\(level(80)) - \(level(99))",
      .borderline: "\(level(100)) - \(level(110))", .high: "> \(level(110))",
    ]
    for band in GlucoseBand.allCases {
      table.add([band.name.spoken, limits[band] ?? "", "\(sticks.bands[band])"])
    }
    var clinical = Table([gettext("CLINICAL RANGE"), "mg/dL", "mmol/L", gettext("READINGS")])
    for band in ClinicalBand.allCases {
      let limits = Self.clinicalLimits[band] ?? ("", "")
      clinical.add([
        band.name.spoken, limits.mass, limits.moles, "\(sticks.clinicalBands[band])",
      ])
    }
    return table.text + "\n" + clinical.text
  }

  private static let clinicalLimits: [ClinicalBand: (mass: String, moles: String)] = [
    .veryLow: ("< 54", "< 3.0"), .low: ("54 - 69", "3.0 - 3.8"),
    .target: ("70 - 180", "3.9 - 10.0"), .high: ("181 - 250", "10.1 - 13.9"),
    .veryHigh: ("> 250", "> 13.9"),
  ]

  private func outliers(_ outliers: [GlucoseOutlier]) -> String {
    var table = Table([
      gettext("FAR FROM THE OTHERS"), gettext("LEVEL"), gettext("MEAL"), gettext("MEAN"),
    ])
    for outlier in outliers {
      let meal =
        switch outlier.relation {
        case .before: gettext("before")
        case .after: gettext("after")
        }
      table.add([
        "\(outlier.local.iso8601Date) \(outlier.local.iso8601Time.dropLast(3))",
        level(outlier.reading.level), meal, level(outlier.mean),
      ])
    }
    return table.text
  }

  private func sensor(_ sensor: SensorSummary) -> String {
    var table = Table([gettext("SENSOR"), ""])
    table.add([gettext("readings"), "\(sensor.count)"])
    table.add([gettext("days"), "\(sensor.dayCount)"])
    table.add([gettext("time with readings"), number(sensor.coverage * 100, 0, " %")])
    guard let bands = sensor.bands else { return table.text }
    for band in ClinicalBand.allCases.reversed() {
      table.add([band.name.spoken, number(bands.percent(band), 1, " %")])
    }
    table.add([gettext("mean"), level(sensor.mean)])
    table.add([
      gettext("glucose management indicator"), number(sensor.managementIndicator, 1, " %"),
    ])
    table.add([
      gettext("coefficient of variation"), number(sensor.coefficientOfVariation, 1, " %"),
    ])
    table.add([gettext("mean rise or fall (MAGE)"), level(sensor.meanExcursion)])
    return table.text
  }

  private func profile(_ hours: [SensorSummary.HourProfile]) -> String {
    var table = Table(
      [gettext("HOUR")] + SensorSummary.HourProfile.percents.map { "\(Int($0)) %" })
    for hour in hours {
      table.add(["\(hour.hour):00"] + hour.percentiles.map { level($0) })
    }
    return table.text
  }
}
