import GlucoseValues
import JSON
import Moments
import Texts

extension Page {
  /// Readings of glucose, and one more of them.
  static let glucose = Page(
    path: "/glucose",
    questions: { visit in
      let asked = ofOne("glucose.query", limit: 100)(visit)
      guard !asked.isEmpty, let resident = visit.chosenResident else { return asked }
      return asked + [ReadingWords.question(about: resident)]
    }, content: glucoseContent)

  @Sendable private static func glucoseContent(_ visit: Visit) -> PageContent {
    let title = visit.gettext("Glucose")
    let resident = visit.chosenResident
    let readings = visit.answers.list("glucose.query")
    let unit = ReadingWords.unit(of: resident, visit)
    let lines = readings.map { reading in
      Part.line(
        Icon.drop, "<strong>\(ReadingWords.level(reading, in: unit))</strong>",
        HTML(visit.clock(reading["time"]?.stringContent, of: resident)))
    }
    let list: HTML =
      lines.isEmpty
      ? Part.empty(visit.gettext("No reading has come yet.")) : Part.card(nil, Part.list(lines))
    let pager = Pager.links(
      "glucose.query", visit, "/glucose", ["resident": resident?["id"]?.stringContent])
    let form = resident.map {
      Part.card(visit.gettext("Write a reading down"), entry(for: $0, readings.first, unit, visit))
    }
    return PageContent(
      title: title,
      main:
        "\(heading(title, visit, "/glucose"))<div class=\"cards\">\(form ?? .nothing)\(list)</div>\(pager)",
      place: .more)
  }

  /// A reading that somebody read from a meter, in the resident's unit; else in one that is chosen, as the last one was.
  private static func entry(
    for resident: JSONValue, _ last: JSONValue?, _ unit: GlucoseUnit?, _ visit: Visit
  ) -> HTML {
    let reading = JSONValue.object([
      "id": "@new", "resident": resident["id"], "receivedAt": .string(visit.now.iso8601),
      "source": "hand", "origin": visit.account["profile"]?["name"],
      "unit": unit.map { .string($0.rawValue) },
    ])
    let label =
      unit.map { visit.gettext("Level in {unit}", ["unit": $0.rawValue]) }
      ?? visit.gettext("Level")
    let (lowest, highest) =
      switch unit {
      case .milligramsPerDecilitre: ("10", "600")
      case .millimolesPerLitre: ("0.6", "33.3")
      case nil: ("0.6", "600")
      }
    let choice = unit == nil ? unitChoice(last?["unit"]?.stringContent, visit) : .nothing
    return Part.form(
      "glucose.put", ["reading": reading],
      """
      \(Part.field(label, "reading.level", kind: "number", hint: visit.gettext("As the meter shows it."), autocomplete: "off", more: " step=\"any\" inputmode=\"decimal\" min=\"\(lowest)\" max=\"\(highest)\""))
      \(choice)
      \(Part.field(visit.gettext("Measured at"), "reading.time", kind: "datetime-local", hint: visit.gettext("Leave it empty for now."), isRequired: false, reads: "moment"))
      \(Part.submit(visit.gettext("Write it down")))
      """)
  }

  /// Nobody guesses a unit: where no reading tells it, it has to be chosen.
  private static func unitChoice(_ usual: String?, _ visit: Visit) -> HTML {
    let options = GlucoseUnit.allCases.map(\.rawValue).map { unit -> HTML in
      "<option\(HTML.flag("selected", unit == usual))>\(unit)</option>"
    }
    let open: HTML =
      usual == nil ? "<option value=\"\">\(visit.gettext("Please choose"))</option>" : .nothing
    return """
      <p class="field"><label for="f-unit">\(visit.gettext("Unit"))</label><select id="f-unit" name="reading.unit" required>\(open)\(options)</select></p>
      """
  }
}

/// How readings of glucose are written.
enum ReadingWords {
  /// What is asked to know a resident's unit.
  static func question(about resident: JSONValue) -> Question {
    let id = resident["id"] ?? .null
    return Question("settings.list", ["resident": id], as: name(of: resident))
  }

  private static func name(of resident: JSONValue?) -> String {
    "settings \(resident?["id"]?.stringContent ?? "")"
  }

  /// The unit that a resident's readings are shown in; nil where each is shown as it came.
  static func unit(of resident: JSONValue?, _ visit: Visit) -> GlucoseUnit? {
    visit.answers[name(of: resident)]["glucoseUnit"]?.stringContent.flatMap({
      GlucoseUnit(rawValue: $0)
    })
  }

  /// The level of a reading with its unit, as a meter of that unit would show it.
  static func level(_ reading: JSONValue, in unit: GlucoseUnit?) -> String {
    guard let own = reading["unit"]?.stringContent.flatMap({ GlucoseUnit(rawValue: $0) }),
      let digits = reading["level"]?.stringContent,
      let level = try? GlucoseConcentration(text: digits, unit: own)
    else { return "–" }
    return level.text(in: unit)
  }
}
