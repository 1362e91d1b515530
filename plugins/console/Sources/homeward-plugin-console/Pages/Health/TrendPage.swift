import Charts
import GlucoseCharts
import GlucoseFigures
import GlucoseValues
import JSON
import Moments
import Texts

/// Readings over time: a graph that can be moved, and what it says in figures.
struct TrendPage {
  static let page = Page(
    path: "/trend", isForClinicians: true, questions: { Self(visit: $0).questions },
    rounds: WholeList.rounds,
    content: { Self(visit: $0).content })

  private let visit: Visit

  private var questions: [Question] {
    guard let resident = visit.chosenResident, let id = resident["id"] else { return [] }
    let since = JSONValue.string(Period.begin(visit).iso8601)
    // Figures are of all readings, or they are none.
    let period: JSONValue = ["resident": id, "since": since, "limit": 1000]
    let more = [WholeList.next("glucose.query", period, visit)].compactMap { $0 }
    guard !visit.answers.has("glucose.series") else { return more }
    return more + [
      ReadingWords.question(about: resident),
      Question("glucose.series", ["resident": id, "since": since]),
      Question(
        "notes.query", ["resident": id, "kind": "diary", "since": since, "limit": 500]),
    ]
  }

  private var content: PageContent {
    let title = visit.gettext("Trend")
    guard let resident = visit.chosenResident else {
      return PageContent(title: title, main: Part.heading(title, visit, "/trend"), place: .more)
    }
    let readings = WholeList.elements("glucose.query", visit).compactMap {
      try? GlucoseReading(json: $0)
    }
    let unit =
      ReadingWords.unit(of: resident, visit) ?? readings.first?.level.unit
      ?? .millimolesPerLitre
    let report = GlucoseReport(readings, in: visit.zone(of: resident), at: visit.now)
    return PageContent(
      title: title,
      main: """
        \(Part.heading(title, visit, "/trend"))
        \(HealthLinks.others(than: "/trend", visit))
        \(explained)
        \(timeline(of: resident, unit))
        <h2>\(visit.gettext("In figures"))</h2>\(Period.links("/trend", visit))
        <div class="cards">\(figures(report, readings, of: resident, unit))</div>
        """, scripts: ["timeline.js"], place: .more)
  }

  /// The "?" that says what there is to see.
  private var explained: HTML {
    """
    <details class="explains"><summary class="button">\(visit.gettext("What do I see here?"))</summary><div class="card">
    <p>\(visit.gettext("Each dot is a reading: further up is a higher level. The band in the middle is where most people want to be."))</p>
    <p>\(visit.gettext("Move the graph with a finger or the arrows, and look closer with the buttons. It only shows; nothing you do here changes a reading."))</p>
    <p>\(visit.gettext("What it means for you only your doctor can say."))</p>
    </div></details>
    """
  }

  private func timeline(of resident: JSONValue, _ unit: GlucoseUnit) -> HTML {
    let series = visit.answers["glucose.series"]
    let entries = visit.answers.list("notes.query").map { entry -> JSONValue in
      .object([
        "id": entry["id"], "time": entry["time"], "title": entry["title"],
        "picture": entry["pictures"]?.arrayContent?.first,
      ])
    }
    let data: JSONValue = [
      "series": series, "entries": .array(entries), "unit": .string(unit.rawValue),
      "factor": .number(GlucoseUnit.milligramsPerDecilitrePerMillimolePerLitre),
      "resident": resident["id"] ?? .null, "zone": resident["timeZone"] ?? "UTC",
      "target": .array([
        .number(GlucoseChart.target.lowerBound), .number(GlucoseChart.target.upperBound),
      ]),
      "words": [
        "seen": .string(visit.gettext("From {from} to {until}: {n} readings.")),
        "none": .string(visit.gettext("No reading from {from} to {until}.")),
      ],
    ]
    return """
      <section class="card timeline" aria-labelledby="timeline-title"><h2 id="timeline-title">\(visit.gettext("Over time"))</h2>
      <p class="actions" role="group" aria-label="\(visit.gettext("Move the graph"))"><button type="button" class="button" data-move="back">\(visit.gettext("Earlier"))</button><button type="button" class="button" data-move="on">\(visit.gettext("Later"))</button><button type="button" class="button" data-move="in">\(visit.gettext("Closer"))</button><button type="button" class="button" data-move="out">\(visit.gettext("Wider"))</button><button type="button" class="button" data-move="all">\(visit.gettext("All"))</button></p>
      <div class="graph"><canvas id="timeline" role="img" tabindex="0" aria-labelledby="timeline-title" aria-describedby="timeline-words"></canvas><div id="timeline-pictures"></div></div>
      <p id="timeline-words" role="status"></p>
      <p class="check"><input type="checkbox" id="only-days" data-only="days"><label for="only-days">\(visit.gettext("Only days with entries in the diary"))</label></p>
      <p class="field"><label for="only-which">\(visit.gettext("Only readings"))</label><select id="only-which" data-only="which"><option value="">\(visit.gettext("all of them"))</option><option value="above">\(visit.gettext("above"))</option><option value="below">\(visit.gettext("below"))</option></select><input id="only-limit" data-only="limit" inputmode="decimal" aria-label="\(visit.gettext("Limit in {unit}", ["unit": unit.rawValue]))" value="\(unit == .milligramsPerDecilitre ? "180" : "10")"></p>
      <div id="timeline-data" hidden data-content="\(data.serialized)"></div>
      </section>
      """
  }

  private func figures(
    _ report: GlucoseReport, _ readings: [GlucoseReading], of resident: JSONValue,
    _ unit: GlucoseUnit
  ) -> HTML {
    let chart = GlucoseChart(
      unit: unit, zone: visit.zone(of: resident), language: visit.visitor.language)
    var cards: [HTML] = []
    if let sticks = report.fingerSticks {
      let certain = readings.filter {
        $0.isTimeCertain && $0.time <= visit.now && $0.sensor == .fingerStick
      }
      cards.append(FigurePart.card(chart.ranges(sticks.clinicalBands)))
      cards.append(FigurePart.card(chart.day(certain)))
      cards.append(FigurePart.facts(GlucoseFacts.of(sticks, unit, visit.visitor.language), visit))
    }
    if let sensor = report.sensor {
      if let bands = sensor.bands {
        cards.append(FigurePart.card(chart.ranges(bands, isOfSensor: true)))
      }
      if let profile = chart.profile(sensor) { cards.append(FigurePart.card(profile)) }
    }
    let remarks = report.remarks.map { remark -> HTML in
      "<p class=\"soft\">\(remark.text(in: visit.visitor.language))</p>"
    }
    if WholeList.isCut("glucose.query", visit) {
      return Part.empty(WholeList.words(visit))
    }
    guard !cards.isEmpty else {
      return Part.empty(visit.gettext("No reading has come in this time.")) + HTML(remarks)
    }
    return HTML(cards) + (remarks.isEmpty ? .nothing : Part.card(nil, HTML(remarks)))
  }
}

/// Charts on a page, with what they say in words and as a table.
enum FigurePart {
  static func card(_ chart: Chart) -> HTML {
    Part.card(chart.title, figure(chart))
  }

  static func figure(_ chart: Chart) -> HTML {
    let head = chart.header.map { "<th scope=\"col\">\($0)</th>" as HTML }
    let rows = chart.rows.map { row -> HTML in
      "<tr>\(row.map { "<td>\($0)</td>" as HTML })</tr>"
    }
    return """
      <figure>\(HTML(stringLiteral: ChartSVG.markup(chart.drawing, label: chart.sentence)))<figcaption>\(chart.sentence)</figcaption></figure>
      <details><summary>\(chart.header.first ?? "")</summary><div class="scrolls"><table><thead><tr>\(head)</tr></thead><tbody>\(rows)</tbody></table></div></details>
      """
  }

  /// Figures, each with its name.
  static func facts(_ facts: [(name: String, value: String)], _ visit: Visit) -> HTML {
    let rows = facts.map {
      "<tr><th scope=\"row\">\($0.name)</th><td>\($0.value)</td></tr>" as HTML
    }
    return Part.card(
      visit.gettext("Means and ranges"), "<table><tbody>\(rows)</tbody></table>")
  }
}
