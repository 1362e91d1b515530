import JSON

/// Who can be told, as people read it.
enum ReachText {
  /// The ways to one guardian, each with what it is worth; nil when the daemon says nothing of ways.
  static func ways(_ guardian: JSONValue, _ times: TimeDisplay) -> String? {
    guard let ways = guardian["ways"]?.arrayContent else { return nil }
    if ways.isEmpty { return gettext("nothing: add --phone, --email or --push") }
    return ways.map { way in
      "\(way["channel"]?.stringContent ?? "?") \(way["address"]?.stringContent ?? "") (\(state(way, times)))"
    }.joined(separator: ", ")
  }

  /// What a way is worth: when it was proved, or what is wrong with it.
  static func state(_ way: JSONValue, _ times: TimeDisplay) -> String {
    let proven = way["lastSuccess"]?.stringContent.map { times.text($0) }
    switch way["state"]?.stringContent {
    case "missing": return gettext("NO PLUGIN")
    case "down":
      return gettext("PLUGIN {plugin} DOWN", ["plugin": way["plugin"]?.stringContent ?? "?"])
    case "failing":
      return gettext(
        "FAILS since {time}", ["time": times.text(way["failingSince"]?.stringContent)])
    case "untried": return gettext("not tried yet")
    default: return gettext("worked {time}", ["time": proven ?? "-"])
    }
  }

  /// A resident's guardians in one line, each with the ways that lead there and what those are worth.
  static func guardians(_ reach: JSONValue, _ times: TimeDisplay) -> String {
    var names: [(id: String, name: String)] = []
    var ways: [String: [String]] = [:]
    for way in reach["ways"]?.arrayContent ?? [] {
      let id = way["guardian"]?.stringContent ?? ""
      if ways[id] == nil { names.append((id, way["guardianName"]?.stringContent ?? id)) }
      ways[id, default: []].append(
        "\(way["channel"]?.stringContent ?? "?") (\(state(way, times)))")
    }
    return names.map { "\($0.name): \(ways[$0.id, default: []].joined(separator: ", "))" }
      .joined(separator: "; ")
  }

  /// Every resident's guardians with their ways, and a line where nobody can be told.
  static func table(_ reach: [JSONValue], _ times: TimeDisplay) -> String {
    guard !reach.isEmpty else { return "" }
    var table = Table([
      gettext("RESIDENT"), gettext("GUARDIAN"), gettext("TOLD BY"), gettext("STATE"),
      gettext("LAST SUCCESS"), gettext("LAST TEST"),
    ])
    var remarks = ""
    for resident in reach {
      let name = resident["residentName"]?.stringContent ?? "-"
      for way in resident["ways"]?.arrayContent ?? [] {
        table.add([
          name, way["guardianName"]?.stringContent ?? "-",
          StateWords.channel(way["channel"]?.stringContent ?? "-"),
          state(way, times), times.text(way["lastSuccess"]?.stringContent),
          times.text(way["lastTest"]?.stringContent),
        ])
      }
      if resident["isReachable"]?.boolContent == false
        || resident["isProven"]?.boolContent == false
      {
        remarks += TextWidth.printable(resident["explanation"]?.stringContent ?? "") + "\n"
      }
    }
    let hasWays = reach.contains { $0["ways"]?.arrayContent?.isEmpty == false }
    return (hasWays ? table.text : "") + remarks
  }
}
