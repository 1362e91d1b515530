import Bytes
import Care
import CivilTime
import ControlSocket
import Door
import JSON
import Moments
import Recurrence

/// The routine as a table of at most eighty columns, and one item with everything about it.
struct RoutineListing {
  private let items: [(item: RoutineItem, json: JSONValue)]
  private let times: TimeDisplay
  private static let columns = 80
  /// What a title may take, and what it keeps beside long ids.
  private static let titleColumns = 10...24

  init(_ answer: JSONValue, times: TimeDisplay) throws(DecodeError) {
    guard let found = answer.arrayContent else { throw DecodeError(.wrongType, at: 0) }
    var items: [(item: RoutineItem, json: JSONValue)] = []
    for json in found { items.append((try RoutineItem(json: json), json)) }
    self.items = items
    self.times = times
  }

  var text: String {
    if items.isEmpty {
      return gettext("Nothing yet. Add something: homeward routine add --help\n")
    }
    let ids = ShortIDs(items.map(\.item.id.rawValue))
    let rows = items.map { item, json in
      (
        id: ids.text(item.id.rawValue), state: Self.state(of: item, json),
        next: when(json) + (json["nextInsteadOf"] == nil || Self.isNow(json) ? "" : " *"),
        left: json["daysLeft"]?.integerContent.map { gettext("{days} d", ["days": $0]) } ?? "-"
      )
    }
    func widest(_ cells: [String], _ header: String) -> Int {
      (cells + [header]).map(TextWidth.of).max() ?? 0
    }
    let taken =
      widest(rows.map(\.id), gettext("ID")) + widest(rows.map(\.state), gettext("STATE"))
      + widest(rows.map(\.next), gettext("NEXT")) + widest(rows.map(\.left), gettext("LEFT")) + 8
    let room = min(
      Self.titleColumns.upperBound, max(Self.titleColumns.lowerBound, Self.columns - taken))
    var table = Table([
      gettext("ID"), gettext("WHAT"), gettext("STATE"), gettext("NEXT"), gettext("LEFT"),
    ])
    for (item, row) in zip(items, rows) {
      table.add([row.id, Self.title(item.item, columns: room), row.state, row.next, row.left])
    }
    let isMoved = items.contains { $0.json["nextInsteadOf"] != nil && !Self.isNow($0.json) }
    let note = isMoved ? gettext("* moved by quiet hours; see: homeward routine show ITEM\n") : ""
    return table.text + note
  }

  /// The title, shortened to its column, with a mark where it is critical.
  private static func title(_ item: RoutineItem, columns: Int) -> String {
    let mark = item.isCritical ? " !" : ""
    let title = TextWidth.printable(item.title)
    let columns = columns - mark.count
    guard TextWidth.of(title) > columns else { return title + mark }
    var short = ""
    for character in title {
      if TextWidth.of(short) + TextWidth.of(String(character)) > columns - 1 { break }
      short.append(character)
    }
    return short + "…" + mark
  }

  static func state(of item: RoutineItem, _ json: JSONValue) -> String {
    switch json["state"]?.stringContent {
    case "done": return gettext("done")
    case "off": return gettext("off")
    default: break
    }
    if case .asNeeded = item.schedule { return gettext("any time") }
    guard json["isDue"]?.boolContent == true else { return gettext("waiting") }
    return isNow(json) ? gettext("DUE") : gettext("soon")
  }

  /// Whether it is due now; what was only announced can be done already, and is not.
  private static func isNow(_ json: JSONValue) -> Bool {
    json["isDue"]?.boolContent == true && json["due"]?.stringContent != nil
  }

  /// Since when it is due, or when it is due next.
  private func when(_ json: JSONValue) -> String {
    short(Self.isNow(json) ? json["due"] : json["nextDue"]) ?? "-"
  }

  /// A moment without seconds and zone: `2026-11-20 15:30`.
  private func short(_ json: JSONValue?) -> String? {
    guard let moment = json?.stringContent.flatMap({ try? Timestamp(iso8601: $0) }) else {
      return nil
    }
    let local = times.zone.local(at: moment).civil
    return "\(times.date(local)) \(times.time(local).prefix(5))"
  }

  // MARK: One item

  static let show: CommandSpecification = .init(
    path: ["routine", "show"], summary: gettext("Everything about one item of a routine"),
    operands: [RoutineCommands.operand],
    options: [.file(gettext("Save its picture as this file"))],
    examples: [
      Example("homeward routine show pill", gettext("When it is due, and what quiet hours do.")),
      Example("homeward routine show pill --to box.jpg", gettext("What the reminder shows.")),
    ]
  ) { session throws(CommandFailure) in
    let item = try RoutineCommands.item(session)
    if let path = session.arguments.option("to") {
      guard let picture = item.picture else {
        throw CommandFailure(
          .refused, gettext("{title} has no picture.", ["title": item.title]),
          hint: gettext(
            "Add one: homeward routine edit {id} --picture FILE", ["id": item.id]))
      }
      return try PictureTransfer.save(picture, to: path, session)
    }
    let id = item.id
    let all = try session.call(.routineList).arrayContent ?? []
    let found = all.first { $0["id"]?.stringContent == id.rawValue } ?? .null
    try session.show(found) { json throws(DecodeError) in
      lines(try RoutineItem(json: json), json, session.times)
        .map { TextWidth.printable($0) + "\n" }.joined()
    }
  }

  private static func lines(
    _ item: RoutineItem, _ json: JSONValue, _ times: TimeDisplay
  ) -> [String] {
    var lines = ["\(item.title) (\(item.id))"]
    func add(_ name: String, _ text: String) {
      if !text.isEmpty { lines.append("  \(name): \(text)") }
    }
    add(gettext("Due"), ScheduleSummary.words(item.schedule))
    add(gettext("State"), state(of: item, json))
    if let next = json["nextDue"]?.stringContent { add(gettext("Next"), times.text(next)) }
    if let own = json["nextInsteadOf"]?.stringContent {
      add(gettext("In the place of"), times.text(own))
    }
    if let hours = json["quietHours"]?.stringContent, let rule = json["inQuietHours"]?.stringContent
    {
      add(gettext("In quiet hours"), "\(rule) (\(hours))")
    }
    add(gettext("Dose"), item.dose)
    if let stock = item.stock {
      add(
        gettext("Left"),
        gettext(
          "{units}, {each} a dose", ["units": stock.units, "each": stock.unitsPerDose]))
    }
    add(gettext("Place"), item.place)
    add(gettext("Details"), item.details)
    add(gettext("Calendar"), item.source)
    if item.picture != nil {
      lines.append(
        "  "
          + gettext(
            "A picture; to save it: homeward routine show {id} --to FILE", ["id": item.id]))
    }
    if item.isCritical { lines.append("  " + gettext("Critical: left out it is an alarm")) }
    return lines
  }
}
