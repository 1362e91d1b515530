import Care
import JSON
import Texts

/// Events as people read them.
enum EventText {
  /// Time, type, subject and sentence on one line.
  static func line(_ event: JSONValue, _ times: TimeDisplay) -> String {
    (heading(event, times).map(TextWidth.printable) + [said(event, times)]).joined(separator: "  ")
  }

  /// Events with the beginning of their ids: a table, or two lines for each where a terminal is too narrow for one.
  ///
  /// - Parameter columns: of the terminal; nil for a pipe.
  static func list(_ events: [JSONValue], _ times: TimeDisplay, columns: Int?) -> String {
    let ids = ShortIDs(events.compactMap { $0["id"]?.stringContent })
    var table = Table([
      gettext("TIME"), gettext("TYPE"), gettext("WHO"), gettext("ID"), gettext("WHAT"),
    ])
    for event in events {
      let id = ids.text(event["id"]?.stringContent ?? "-")
      table.add(heading(event, times) + [id, said(event, times)])
    }
    guard let columns, columns < roomy else { return table.text(columns: columns) }
    return table.rows.map { cells in
      let sentence = TextWidth.wrapped(cells.last ?? "", to: columns - indent.count)
      return cells.dropLast().joined(separator: "  ") + "\n"
        + sentence.map { "\(indent)\($0)\n" }.joined()
    }.joined()
  }

  /// From so many columns on, a sentence has room behind time, type, person and id.
  private static let roomy = 120
  private static let indent = "    "

  private static func heading(_ event: JSONValue, _ times: TimeDisplay) -> [String] {
    let subject = event["subject"]?.stringContent ?? "-"
    let who = subject.hasPrefix("resident/") ? String(subject.dropFirst(9)) : subject
    return [times.text(event["time"]?.stringContent), event["type"]?.stringContent ?? "-", who]
  }

  private static func said(_ event: JSONValue, _ times: TimeDisplay) -> String {
    TextWidth.printable(sentence(event, times))
  }

  /// What an event says: its own sentence, or one made of its facts.
  static func sentence(_ event: JSONValue, _ times: TimeDisplay) -> String {
    let facts = event["data"] ?? .null
    if let explanation = facts["explanation"]?.stringContent { return explanation }
    let words =
      switch event["type"]?.stringContent.map({ EventType(rawValue: $0) }) {
      case .recordChanged: RecordWords(facts)?.sentence
      case .heartbeat: heartbeat(facts, times)
      case .fixAccepted, .locationSampled: position(facts)
      default: nil as String?
      }
    return words ?? members(facts)
  }

  private static func heartbeat(_ facts: JSONValue, _ times: TimeDisplay) -> String? {
    guard let next = facts["expectedNext"]?.stringContent else { return nil }
    let faults = (facts["faults"]?.arrayContent ?? []).compactMap(\.stringContent)
    guard !faults.isEmpty else {
      return gettext(
        "All parts are well. Next sign of life by {time}.", ["time": times.text(next)])
    }
    return gettext(
      "At fault: {parts}. Next sign of life by {time}.",
      ["parts": faults.joined(separator: ", "), "time": times.text(next)])
  }

  private static func position(_ facts: JSONValue) -> String? {
    guard let north = facts["latitude"]?.doubleContent,
      let east = facts["longitude"]?.doubleContent,
      let place = Coordinate(latitudeDegrees: north, longitudeDegrees: east)
    else { return nil }
    guard let accuracy = facts["accuracyMeters"]?.doubleContent else {
      return gettext("At {place}.", ["place": NumberText.place(place)])
    }
    return gettext(
      "At {place}, within {distance}.",
      ["place": NumberText.place(place), "distance": NumberText.distance(accuracy)])
  }

  /// What is known of a type for which there are no words.
  private static func members(_ facts: JSONValue) -> String {
    let scalars = (facts.objectContent ?? []).filter {
      $0.value.arrayContent == nil && $0.value.objectContent == nil && $0.value != .null
    }
    return scalars.map { "\($0.key) \($0.value.stringContent ?? $0.value.serialized)" }
      .joined(separator: ", ")
  }
}

/// What somebody changed of what is kept: who, what, and whether it is new, other or gone.
struct RecordWords {
  private let facts: JSONValue
  private let kind: String
  private let verb: String

  init?(_ facts: JSONValue) {
    let words = facts["action"]?.stringContent?.split(separator: ".").map(String.init) ?? []
    guard words.count == 2 else { return nil }
    (self.facts, kind, verb) = (facts, words[0], words[1])
  }

  var sentence: String? {
    if kind == "device", verb == "search" {
      return gettext("{who} looked for tags and meters nearby.", ["who": who])
    }
    guard let what else { return nil }
    let values: Message.Values = ["who": who, "what": what]
    let isKnownNew = facts["content"]?["revision"]?.integerContent == 1
    switch verb {
    case "put" where kind == "setting": return setting
    case "put" where facts["previous"]?.objectContent != nil:
      return gettext("{who} changed {what}.", values)
    case "put" where isKnownNew: return gettext("{who} added {what}.", values)
    case "put": return gettext("{who} saved {what}.", values)
    case "remove": return gettext("{who} removed {what}.", values)
    case "pair": return gettext("{who} began to pair {what}.", values)
    default: return nil
    }
  }

  private var setting: String? {
    let content = facts["content"] ?? .null
    guard let name = content["name"]?.stringContent else { return nil }
    guard let value = content["value"], value != .null else {
      return gettext(
        "{who} set {name} back to its usual value.", ["who": who, "name": name])
    }
    return gettext(
      "{who} set {name} to {value}.",
      ["who": who, "name": name, "value": value.stringContent ?? value.serialized])
  }

  /// Whoever did it, without the way that it came.
  private var who: Message {
    let by = facts["by"]?.stringContent ?? ""
    let name = by.split(separator: ":", maxSplits: 1).last.map(String.init) ?? ""
    return name.isEmpty ? Message("Somebody") : Message(verbatim: name)
  }

  private var what: Message? {
    let content = facts["content"] ?? .null
    let name = (content["title"] ?? content["name"])?.stringContent ?? ""
    let values: Message.Values = [
      "name": name.isEmpty ? facts["target"]?.stringContent ?? "-" : name
    ]
    return switch kind {
    case "resident": Message("the person {name}", values)
    case "zone": Message("the safe zone {name}", values)
    case "bookmark": Message("the place {name}", values)
    case "guardian": Message("the guardian {name}", values)
    case "setting": Message("the setting {name}", values)
    case "tag": Message("the tag {name}", values)
    case "meter": Message("the meter {name}", values)
    case "note": Message("the note \"{name}\"", values)
    case "routine": Message("the routine item \"{name}\"", values)
    default: nil
    }
  }
}
