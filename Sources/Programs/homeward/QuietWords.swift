import Care
import CivilTime
import JSON
import Moments
import Recurrence
import Texts

/// What becomes of due times in quiet hours, in words.
struct QuietWords {
  static var all: String { QuietPolicy.allCases.map(\.rawValue).joined(separator: ", ") }

  private let answer: JSONValue
  private let item: RoutineItem

  /// From the gateway's answer about an item.
  init(_ answer: JSONValue, _ item: RoutineItem) {
    self.answer = answer
    self.item = item
  }

  /// The rule that holds for the item's due times in quiet hours, and how to change it; nothing where none lies in them.
  var lines: [String] {
    guard let found = answer["nextInQuietHours"], let own = clock(found["own"]),
      let asked = clock(found["due"]), let hours = answer["quietHours"]?.stringContent,
      let policy = answer["inQuietHours"]?.stringContent.flatMap({ QuietPolicy(rawValue: $0) })
    else { return [] }
    let rule = sentence(policy, own: own, asked: asked, hours: hours)
    if item.isCritical { return [rule] }
    return [
      rule,
      gettext(
        "To change that: homeward routine edit {id} --in-quiet-hours {words}",
        ["id": item.id, "words": QuietPolicy.allCases.map(\.rawValue).joined(separator: "|")]),
    ]
  }

  private func sentence(
    _ policy: QuietPolicy, own: String, asked: String, hours: String
  ) -> String {
    let names: Message.Values = ["time": own, "asked": asked, "hours": hours]
    let isBefore =
      (answer["nextInQuietHours"]?["due"]?.stringContent ?? "")
      < (answer["nextInQuietHours"]?["own"]?.stringContent ?? "")
    switch policy {
    case .ask:
      return gettext(
        "{time} lies in the quiet hours ({hours}); it is asked aloud at its time all the same.",
        names)
    case .silent:
      return gettext(
        "{time} lies in the quiet hours ({hours}); nothing is said then.", names)
    case .before, .after, .nearest:
      return isBefore
        ? gettext(
          "{time} lies in the quiet hours ({hours}); it is asked before they begin, at {asked}.",
          names)
        : gettext(
          "{time} lies in the quiet hours ({hours}); it is asked when they are over, at {asked}.",
          names)
    }
  }

  /// The time of day by the clock of the item's home.
  private func clock(_ json: JSONValue?) -> String? {
    guard let moment = json?.stringContent.flatMap({ try? Timestamp(iso8601: $0) }),
      let zone = item.schedule.timeZone.flatMap({ try? TimeZoneFile.load(name: $0) })
    else { return nil }
    return String(zone.local(at: moment).civil.iso8601Time.prefix(5))
  }
}
