import Care
import CivilTime
import GlucoseCharts
import GlucoseFigures
import GlucoseValues
import JSON
import Moments
import Texts

/// For those who treat somebody: readings, medicine, diary; figures and dates, and never what to do about them.
struct DoctorReport {
  let writer: ReportWriter

  private func text(_ message: Message) -> String { writer.text(message) }
  private var zone: CivilTimeZone { writer.request.zone }

  private var readings: [GlucoseReading] {
    writer.answers.list("glucose.query").compactMap { try? GlucoseReading(json: $0) }
      .sorted(by: GlucoseReading.isEarlier)
  }

  var document: ReportDocument {
    writer.document(
      text(Message("Report for the doctor")),
      lines: [writer.name, writer.born, writer.sex, writer.diabetes, writer.period],
      glucose + GlucosePart.medicine(writer) + diary)
  }

  private var glucose: [ReportPart] {
    let parts = GlucosePart(writer: writer, readings: readings)
    return [.heading(text(Message("Glucose")))] + writer.missing("glucose.query") + parts.figures
      + parts.log
  }

  // MARK: The diary

  private var diary: [ReportPart] {
    let entries = writer.answers.list("notes.query").compactMap { try? Note(json: $0) }
      .sorted { $0.time < $1.time }
    let head: [ReportPart] =
      [.heading(text(Message("Diary")))] + writer.missing("notes.query")
    guard !entries.isEmpty else {
      return head
        + writer.none(Message("Nothing was written down in this time."), of: "notes.query")
    }
    let rows = entries.map { entry in
      [
        writer.clock(entry.time),
        [entry.title, entry.text].filter { !$0.isEmpty }.joined(separator: ". "),
        entry.tags.joined(separator: ", "),
      ]
    }
    return head + [
      .table(
        header: [text(Message("When")), text(Message("What it was")), text(Message("Tags"))],
        rows: rows)
    ]
  }
}

/// What readings say, as parts of a report.
struct GlucosePart {
  let writer: ReportWriter
  let readings: [GlucoseReading]

  private func text(_ message: Message) -> String { writer.text(message) }

  private var unit: GlucoseUnit {
    writer.request.unit ?? readings.last?.level.unit ?? .millimolesPerLitre
  }

  private func level(_ milligrams: Double) -> String {
    "\(unit.shownDigits(GlucoseUnit.milligramsPerDecilitre.convert(milligrams, to: unit))) \(unit.rawValue)"
  }

  /// Charts and figures; that there is nothing, where there is nothing.
  var figures: [ReportPart] {
    let report = GlucoseReport(readings, in: writer.request.zone, at: writer.request.now)
    let doubts = report.remarks.map { ReportPart.doubt(text($0)) }
    guard !readings.isEmpty else {
      return writer.none(Message("There are no readings in this time."), of: "glucose.query")
    }
    let chart = GlucoseChart(
      unit: unit, zone: writer.request.zone, language: writer.request.language)
    var parts: [ReportPart] = doubts
    if let sticks = report.fingerSticks {
      let certain = readings.filter {
        $0.isTimeCertain && $0.time <= writer.request.now && $0.sensor == .fingerStick
      }
      parts += [
        .facts(
          GlucoseFacts.of(sticks, unit, writer.request.language).map {
            ReportFact($0.name, $0.value)
          }),
        .chart(chart.ranges(sticks.clinicalBands)), .chart(chart.day(certain)),
        .chart(
          chart.course(certain, from: writer.request.since, until: writer.request.until)),
        months(sticks.months),
      ]
      if !sticks.outliers.isEmpty { parts += outliers(sticks.outliers) }
    }
    if let sensor = report.sensor {
      if let bands = sensor.bands { parts.append(.chart(chart.ranges(bands, isOfSensor: true))) }
      if let profile = chart.profile(sensor) { parts.append(.chart(profile)) }
    }
    return parts
  }

  private func months(_ months: [GlucoseMonth]) -> ReportPart {
    func mean(_ mean: GlucoseMean?) -> String {
      guard let mean else { return "–" }
      return
        "\(level(mean.milligramsPerDecilitre)) (\(mean.minimum.text(in: unit)) – \(mean.maximum.text(in: unit)), \(mean.count))"
    }
    return .table(
      header: [
        text(Message("Month")), text(Message("All")), text(Message("Before meals")),
        text(Message("After meals")),
      ],
      rows: months.filter { $0.all != nil }.map {
        [$0.month.description, mean($0.all), mean($0.beforeMeals), mean($0.afterMeals)]
      })
  }

  private func outliers(_ outliers: [GlucoseOutlier]) -> [ReportPart] {
    [
      .paragraph(
        text(
          Message(
            "Far from the mean of their side of a meal in that month (more than two standard deviations, and 20 mg/dL at least):"
          ))),
      .table(
        header: [text(Message("When")), text(Message("Level")), text(Message("Mean"))],
        rows: outliers.map {
          [
            writer.clock($0.reading.time), $0.reading.level.text(in: unit), level($0.mean),
          ]
        }),
    ]
  }

  /// Every reading, the earliest first.
  var log: [ReportPart] {
    guard !readings.isEmpty else { return [] }
    let rows = readings.map { reading in
      [
        writer.clock(reading.time)
          + (reading.isTimeCertain ? "" : " (\(text(Message("time in doubt"))))"),
        reading.level.text(in: unit), reading.tag.map { text($0.name) } ?? "",
      ]
    }
    return [
      .heading(text(Message("All readings"))),
      .table(
        header: [text(Message("When")), text(Message("Level")), text(Message("Tag"))], rows: rows),
    ]
  }

  // MARK: Medicine

  /// What is to be taken, and how often it was.
  static func medicine(_ writer: ReportWriter) -> [ReportPart] {
    let head: [ReportPart] =
      [.heading(writer.text(Message("Medicine")))]
      + writer.missing("routine.list", "occurrences.query")
    let items = writer.answers.list("routine.list").filter {
      $0["resident"]?.stringContent == writer.request.resident && $0["kind"] == "medicine"
    }
    guard !items.isEmpty else {
      return head + writer.none(Message("No medicine is planned."), of: "routine.list")
    }
    let rows = items.map { item -> [String] in
      let adherence = writer.adherence(of: item)
      return [
        item["title"]?.stringContent ?? "", item["dose"]?.stringContent ?? "",
      ]
        + [adherence?.done, adherence?.late, adherence?.missed, adherence?.declined].map {
          $0.map(String.init) ?? "–"
        }
    }
    return head + [
      .table(
        header: [
          writer.text(Message("Medicine")), writer.text(Message("Dose")),
          writer.text(Message("Done", context: "how often")),
          writer.text(Message("Of these late")), writer.text(Message("Missed")),
          writer.text(Message("Declined")),
        ], rows: rows)
    ]
  }
}
