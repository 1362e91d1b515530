import JSON
import Texts

/// What somebody changed of what is kept, in words: who by their name, and a setting by what it is about.
struct RecordWords {
  private static let type = "record.changed"

  private let facts: JSONValue
  private let visit: Visit

  init(_ facts: JSONValue, _ visit: Visit) {
    (self.facts, self.visit) = (facts, visit)
  }

  /// What has to be known for the words of events; nothing where it is, or no event is such a change.
  static func questions(_ events: [JSONValue], of resident: JSONValue, _ visit: Visit) -> [Question]
  {
    let changes = events.filter { $0["type"]?.stringContent == type }
    guard !changes.isEmpty else { return [] }
    let hasSetting = changes.contains { $0["data"]?["action"]?.stringContent == "setting.put" }
    let names =
      visit.answers.has("accounts.linked") ? [] : [Question("accounts.linked")]
    guard hasSetting, !visit.answers.has("settings.describe") else { return names }
    return names + [
      Question(
        "settings.describe",
        ["resident": resident, "language": .string(visit.visitor.language.rawValue)])
    ]
  }

  var sentence: String {
    let words = facts["action"]?.stringContent?.split(separator: ".") ?? []
    let values: Message.Values = ["who": who, "what": what(words.first.map(String.init) ?? "")]
    switch words.last {
    case "search": return visit.gettext("{who} looked for tags and meters nearby.", values)
    case "pair": return visit.gettext("{who} began to pair {what}.", values)
    case "remove": return visit.gettext("{who} removed {what}.", values)
    case "put" where words.first == "setting": return setting
    case "put" where facts["content"]?["revision"]?.integerContent == 1:
      return visit.gettext("{who} added {what}.", values)
    default: return visit.gettext("{who} changed {what}.", values)
    }
  }

  // MARK: Who

  /// Whoever did it by their name, never by the address with which they log in.
  private var who: String {
    let by = (facts["by"]?.stringContent ?? "").split(separator: ":", maxSplits: 1)
    switch by.first {
    case "local": return visit.gettext("Whoever keeps the gateway")
    case "gateway": return visit.gettext("The gateway")
    default:
      let person = by.last?.split(separator: "/", maxSplits: 1).last.map(String.init) ?? ""
      return name(of: person) ?? visit.gettext("Somebody")
    }
  }

  private func name(of person: String) -> String? {
    let profile = visit.account["profile"] ?? .null
    let own = visit.account.setting("name", to: profile["name"] ?? .null)
    let known = [own] + visit.answers.list("accounts.linked") + visit.answers.list("guardians.list")
    let found = known.first { one in
      [one["id"], one["account"], one["email"]].contains {
        !person.isEmpty && $0?.stringContent?.lowercased() == person.lowercased()
      }
    }
    return found?["name"]?.stringContent
  }

  // MARK: What

  private func what(_ kind: String) -> String {
    let content = facts["content"] ?? .null
    let name = (content["title"] ?? content["name"])?.stringContent ?? ""
    let values: Message.Values = ["name": name]
    return switch kind {
    case "resident": visit.gettext("the person {name}", values)
    case "zone": visit.gettext("the safe zone {name}", values)
    case "bookmark": visit.gettext("the place {name}", values)
    case "guardian": visit.gettext("the guardian {name}", values)
    case "tag": visit.gettext("the tag {name}", values)
    case "meter": visit.gettext("the meter {name}", values)
    case "note": visit.gettext("the note \"{name}\"", values)
    case "routine": visit.gettext("the routine item \"{name}\"", values)
    default: name.isEmpty ? visit.gettext("something that is kept") : name
    }
  }

  private var setting: String {
    let content = facts["content"] ?? .null
    let known = visit.answers.list("settings.describe").first { $0["name"] == content["name"] }
    guard let words = known?["words"]?.stringContent else {
      return visit.gettext("{who} changed a setting.", ["who": who])
    }
    guard let value = content["value"], value != .null else {
      return visit.gettext(
        "{who} set a setting back to its usual value: {setting}", ["who": who, "setting": words])
    }
    let said =
      switch value.boolContent {
      case true?: visit.gettext("yes")
      case false?: visit.gettext("no")
      case nil: word(value, of: content["name"]?.stringContent ?? "")
      }
    let unit = known?["unit"]?.stringContent.map { " \($0)" } ?? ""
    return visit.gettext(
      "{who} changed a setting to {value}: {setting}",
      ["who": who, "value": said + unit, "setting": words])
  }

  private func word(_ value: JSONValue, of setting: String) -> String {
    guard let word = value.stringContent else { return value.serialized }
    return SettingWords.choice(word, of: setting, visit) ?? word
  }
}
