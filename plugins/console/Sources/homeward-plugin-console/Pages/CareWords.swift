import JSON
import Texts

/// Where a resident is, in words and as a state.
enum Whereabouts {
  /// In a few words, for a pill.
  static func pill(_ resident: JSONValue, _ visit: Visit) -> HTML {
    let tracking = resident["tracking"] ?? .null
    if resident["isReceiverMissing"]?.boolContent == true {
      return Part.pill(visit.gettext("No receiver yet"), .unknown)
    }
    if tracking["isOn"]?.boolContent == false {
      return Part.pill(visit.gettext("Tracking is off"), .unknown)
    }
    if tracking["positionUnknown"]?.stringContent != nil {
      return Part.pill(visit.gettext("Position not known"), .attention)
    }
    let inside = zones(tracking, "inside")
    if !inside.isEmpty {
      let names = inside.joined(separator: ", ")
      return Part.pill(visit.gettext("At {place}", ["place": names]), .safe)
    }
    if tracking["outside"]?.boolContent == true {
      guard let seconds = visit.seconds(since: tracking["leftHomeAt"]?.stringContent) else {
        return Part.pill(visit.gettext("Outside"), .attention)
      }
      return Part.pill(
        visit.gettext("Outside, {span}", ["span": visit.span(seconds)]), .attention)
    }
    let perhaps = zones(tracking, "uncertain")
    if !perhaps.isEmpty {
      let names = perhaps.joined(separator: ", ")
      return Part.pill(visit.gettext("Perhaps at {place}", ["place": names]), .unknown)
    }
    return tracking["position"] == nil
      ? Part.pill(visit.gettext("Not located yet"), .unknown)
      : Part.pill(visit.gettext("Located"), .plain)
  }

  private static func zones(_ tracking: JSONValue, _ presence: String) -> [String] {
    (tracking["zones"]?.arrayContent ?? []).filter {
      $0["presence"]?.stringContent == presence && $0["counts"]?.boolContent != false
    }.compactMap { $0["zoneName"]?.stringContent }
  }

  /// For how long somebody who is at another place has been away from home; the pill says it of those who are outside.
  private static func awayFromHome(_ tracking: JSONValue, _ visit: Visit) -> String? {
    guard !zones(tracking, "inside").isEmpty || tracking["outside"]?.boolContent != true,
      let seconds = visit.seconds(since: tracking["leftHomeAt"]?.stringContent)
    else { return nil }
    return visit.gettext("away from home for {span}", ["span": visit.span(seconds)])
  }

  /// How old and how sure the position is.
  static func position(_ resident: JSONValue, _ visit: Visit) -> HTML {
    let position = resident["tracking"]?["position"] ?? .null
    guard let time = position["time"]?.stringContent else {
      return HTML(visit.gettext("No position has come yet."))
    }
    let isMoving = resident["tracking"]?["isMoving"]?.boolContent == true
    let blurred = ObfuscationPart.isBlurred(position) ? ObfuscationPart.words(visit) : nil
    let accuracy = position["accuracyMeters"]?.doubleContent.map {
      visit.gettext("within {distance}", ["distance": visit.distance($0)])
    }
    let words = [
      blurred, accuracy, isMoving ? visit.gettext("moving") : visit.gettext("not moving"),
      awayFromHome(resident["tracking"] ?? .null, visit),
    ]
    .compactMap { $0 }.joined(separator: ", ")
    return "\(visit.gettext("Position:")) \(visit.age(of: time)), \(words)"
  }
}

/// What is said of an alarm.
enum AlarmWords {
  /// Who needs what.
  static func heading(_ alarm: JSONValue, _ visit: Visit) -> String {
    let name = alarm["residentName"]?.stringContent ?? visit.gettext("The gateway")
    return switch alarm["kind"]?.stringContent {
    case "sos": visit.gettext("{name} needs help", ["name": name])
    case "zone": visit.gettext("{name} is outside", ["name": name])
    case "position": visit.gettext("Nobody knows where {name} is", ["name": name])
    case "glucose": visit.gettext("Glucose of {name}", ["name": name])
    case "medicine": visit.gettext("{name} did not take a medicine", ["name": name])
    case "lost": visit.gettext("{name} may have lost the way", ["name": name])
    case "battery": visit.gettext("A battery of {name} is low", ["name": name])
    case "test": visit.gettext("A test, nothing is wrong: {name}", ["name": name])
    default: visit.gettext("{name}: something needs you", ["name": name])
    }
  }

  /// Who has taken charge.
  static func charge(_ alarm: JSONValue, _ visit: Visit) -> String {
    let names = (alarm["acknowledgedByNames"]?.arrayContent ?? []).compactMap(\.stringContent)
    guard !names.isEmpty else { return visit.gettext("Nobody has taken charge yet.") }
    return visit.gettext("{names} takes charge.", ["names": names.joined(separator: ", ")])
  }
}

/// What an event says.
enum EventWords {
  static func sentence(_ event: JSONValue, _ visit: Visit) -> String {
    let facts = event["data"] ?? .null
    if let words = facts["explanation"]?.stringContent, !words.isEmpty { return words }
    return switch event["type"]?.stringContent {
    case "gateway.heartbeat": visit.gettext("A sign of life of the gateway.")
    case "location.sampled": visit.gettext("A position was kept.")
    case "record.changed": RecordWords(facts, visit).sentence
    case "account.asked": asked(facts, visit)
    default: visit.gettext("Something happened that this page has no words for.")
    }
  }

  /// What became of a request to be linked, of a version that wrote no sentence.
  private static func asked(_ facts: JSONValue, _ visit: Visit) -> String {
    let values: Message.Values = [
      "account": facts["name"]?.stringContent ?? "–",
      "other": facts["otherName"]?.stringContent ?? "–",
    ]
    return switch facts["answer"]?.stringContent {
    case "accepted":
      visit.gettext("{account} said yes to {other}, who had asked to be linked.", values)
    case "declined":
      visit.gettext("{account} said no to {other}, who had asked to be linked.", values)
    default: visit.gettext("{account} asked {other} to be linked.", values)
    }
  }

  /// Whom an event is about; nil for the gateway.
  static func resident(_ event: JSONValue, _ visit: Visit) -> JSONValue? {
    guard let subject = event["subject"]?.stringContent, subject.hasPrefix("resident/") else {
      return nil
    }
    return visit.resident(String(subject.dropFirst(9)))
  }

  /// The picture of an event.
  static func icon(_ event: JSONValue) -> HTML {
    let type = event["type"]?.stringContent ?? ""
    return switch type.split(separator: ".").first {
    case "alarm", "sos": Icon.bell
    case "zone", "position", "location", "absence", "guidance": Icon.pin
    case "routine", "medicine", "reminder": Icon.pill
    case "glucose": Icon.drop
    case "message", "room": Icon.speech
    case "note": Icon.note
    case "tag", "device", "left": Icon.tag
    case "account", "consent": Icon.person
    default: Icon.clock
    }
  }
}
