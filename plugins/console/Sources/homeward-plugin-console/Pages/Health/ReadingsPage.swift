import Care
import GlucoseFigures
import GlucoseValues
import JSON
import Moments
import Texts

/// Readings of glucose: one more on one screen, and those of a period as a table.
struct ReadingsPage {
  static let page = Page(
    path: "/glucose", isForClinicians: true, questions: Period.questions("glucose.query"),
    content: { Self(visit: $0).content })

  private let visit: Visit

  private var content: PageContent {
    let title = visit.gettext("Glucose")
    guard let resident = visit.chosenResident else {
      return PageContent(title: title, main: Part.heading(title, visit, "/glucose"), place: .more)
    }
    let json = visit.answers.list("glucose.query")
    let readings = json.compactMap { try? GlucoseReading(json: $0) }
    let unit = ReadingWords.unit(of: resident, visit)
    let chosen = json.first { $0["id"]?.stringContent == visit.fields["reading"] }
    let entry = ReadingForm(visit: visit, resident: resident, unit: unit, last: json.first)
    let form: HTML =
      visit.isClinician
      ? .nothing
      : chosen.map {
        Part.card(visit.gettext("Change a reading"), id: "reading", entry.changing($0))
      }
        ?? Part.card(visit.gettext("Write a reading down"), entry.new)
    return PageContent(
      title: title,
      main: """
        \(Part.heading(title, visit, "/glucose"))
        \(HealthLinks.others(than: "/glucose", visit))
        <div class="cards">\(form)\(table(readings, of: resident, unit))</div>
        """, scripts: ["reading.js", "voice.js"], place: .more)
  }

  private func table(_ readings: [GlucoseReading], of resident: JSONValue, _ unit: GlucoseUnit?)
    -> HTML
  {
    let title = visit.gettext("Readings")
    let period = Period.links("/glucose", visit)
    let tags = Set(readings.compactMap(\.tag)).sorted { $0.word < $1.word }
    let tag = visit.fields["tag"].flatMap { GlucoseTag(written: $0) }
    let order = TableOrder(visit, keys: ["time", "level", "tag"])
    let shown = GlucoseSorting.table(
      readings, by: GlucoseSorting.Key(rawValue: order.key) ?? .time,
      isAscending: order.isAscending, tag: tag)
    let filter = TagFilter.links(
      tags.map { ($0.word, $0.name.text(in: visit.visitor.language)) }, "/glucose", visit)
    guard !shown.isEmpty else {
      return Part.card(
        title, "\(period)\(filter)\(Part.empty(visit.gettext("No reading has come in this time.")))"
      )
    }
    let heads = [
      ("time", visit.gettext("When")), ("level", visit.gettext("Level")),
      ("tag", visit.gettext("Tag")),
    ]
    let rows = shown.map { reading -> HTML in
      let address = Visit.address(
        "/glucose",
        ["resident": resident["id"]?.stringContent, "reading": reading.id.rawValue])
      let at = visit.clock(reading.time.iso8601, of: resident)
      let time: HTML = visit.isClinician ? HTML(at) : "<a href=\"\(address)#reading\">\(at)</a>"
      let doubt: HTML =
        reading.isTimeCertain ? .nothing : Part.pill(visit.gettext("time in doubt"), .unknown)
      return """
        <tr><td>\(time)\(doubt)</td><td><strong>\(reading.level.text(in: unit))</strong></td><td>\(reading.tag?.name.text(in: visit.visitor.language) ?? "")</td></tr>
        """
    }
    let more: HTML =
      visit.answers.cursors["glucose.query"] == nil
      ? .nothing
      : "<p class=\"soft\">\(WholeList.words(visit))</p>"
    return Part.card(
      title,
      "\(period)\(filter)\(order.table(heads, rows, "/glucose", caption: title))\(more)")
  }
}

/// What somebody writes down of a reading, or changes of it.
struct ReadingForm {
  let visit: Visit
  let resident: JSONValue
  let unit: GlucoseUnit?
  let last: JSONValue?

  /// A reading that somebody read from a meter, in the resident's unit; else in one that is chosen, as the last one was.
  var new: HTML {
    let reading = JSONValue.object([
      "id": "@new", "resident": resident["id"], "receivedAt": .string(visit.now.iso8601),
      "source": "hand", "origin": visit.account["profile"]?["name"],
      "unit": unit.map { .string($0.rawValue) },
    ])
    let choice = unit == nil ? unitChoice(last?["unit"]?.stringContent) : .nothing
    return Part.form(
      "glucose.put", ["reading": reading],
      """
      \(level(nil))
      \(choice)
      \(tag(nil))
      \(Part.field(visit.gettext("Measured at"), "reading.time", kind: "datetime-local", hint: visit.gettext("Leave it empty for now."), isRequired: false, reads: "moment"))
      \(Part.submit(visit.gettext("Write it down")))
      """)
  }

  /// What a meter measured keeps its level.
  func changing(_ reading: JSONValue) -> HTML {
    let revision = reading["revision"] ?? .null
    let isTyped = reading["source"]?.stringContent == "hand"
    let own = reading["unit"]?.stringContent.flatMap { GlucoseUnit(rawValue: $0) }
    let back = Visit.address("/glucose", ["resident": resident["id"]?.stringContent])
    let shown: HTML =
      isTyped
      ? ReadingForm(visit: visit, resident: resident, unit: own, last: nil)
        .level(reading["level"]?.stringContent)
      : "<p class=\"great\">\(ReadingWords.level(reading, in: unit))</p><p class=\"soft\">\(visit.gettext("What a meter measured keeps its level."))</p>"
    let kept = JSONValue.object(
      (reading.objectContent ?? []).filter { $0.key != "timeDoubts" && $0.key != "tag" })
    let remove = Part.button(
      visit.gettext("Delete"), "glucose.remove",
      ["target": reading["id"] ?? .null, "revision": revision], kind: "quiet", then: back,
      undo: ("glucose.put", ["reading": reading.setting("revision", to: 0)]))
    return """
      \(Part.form("glucose.put", ["reading": kept, "revision": revision], then: back, """
        \(shown)\(tag(reading["tag"]?.stringContent))
        <p class="field"><label for="f-at">\(visit.gettext("Measured at"))</label><input id="f-at" name="reading.time" type="datetime-local" data-moment="\(reading["time"]?.stringContent ?? "")" data-reads="moment"></p>
        \(Part.submit(visit.gettext("Save")))
        """))
      <p class="actions">\(Part.link(visit.gettext("Leave it as it is"), to: back))\(remove)</p>
      """
  }

  /// A level, by figures or by voice; a script asks where it is one of the other unit alone.
  private func level(_ value: String?) -> HTML {
    let label =
      unit.map { visit.gettext("Level in {unit}", ["unit": $0.rawValue]) }
      ?? visit.gettext("Level")
    let asks: JSONValue = [
      "other": .string(
        visit.gettext("{level} is no level in {unit}. Did you mean {level} {other}?")),
      "yes": .string(visit.gettext("Yes, it is right")),
      "no": .string(visit.gettext("No, I correct it")),
      "heard": .string(visit.gettext("I heard {words}. Which one is it?")),
      "unheard": .string(visit.gettext("I heard no number. Please say it again, or write it.")),
    ]
    return """
      <div class="level" data-unit="\(unit?.rawValue ?? "")" data-asks="\(asks.serialized)">
      \(Part.field(label, "reading.level", value, hint: visit.gettext("As the meter shows it."), autocomplete: "off", more: " inputmode=\"decimal\" pattern=\"[0-9]+([.,][0-9]+)?\" maxlength=\"9\" data-level"))
      <p class="actions"><button type="button" class="button" data-voice="f-reading-level" hidden>\(visit.gettext("Say it"))</button></p>
      </div>
      """
  }

  private func tag(_ value: String?) -> HTML {
    let names = GlucoseTag.Listed.allCases.map {
      ($0.rawValue, $0.name.text(in: visit.visitor.language))
    }
    let isOwn = value.map { word in !names.contains { $0.0 == word } } ?? false
    let options = names.map { word, name -> HTML in
      "<option value=\"\(word)\"\(HTML.flag("selected", word == value))>\(name)</option>"
    }
    let own: HTML =
      isOwn ? "<option value=\"\(value ?? "")\" selected>\(value ?? "")</option>" : .nothing
    return """
      <p class="field"><label for="f-tag">\(visit.gettext("Tag"))</label><select id="f-tag" name="reading.tag"><option value="">\(visit.gettext("none"))</option>\(own)\(options)</select></p>
      <p class="field"><label for="f-own-tag">\(visit.gettext("Or a tag of your own"))</label><input id="f-own-tag" type="text" maxlength="50" autocomplete="off"></p>
      """
  }

  /// Nobody guesses a unit: where no reading tells it, it has to be chosen.
  private func unitChoice(_ usual: String?) -> HTML {
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
