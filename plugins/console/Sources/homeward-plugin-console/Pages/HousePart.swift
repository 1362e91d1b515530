import JSON
import Texts

/// What the parts of the gateway are called by those who live with it, and what to do when one is not well.
enum HousePart {
  /// A part's name, its picture, and what to do.
  private struct Words {
    var name: String
    var icon = Icon.gear
    var advice: String
  }

  /// A line of a part as `status` tells of it.
  static func line(of part: JSONValue, _ visit: Visit) -> HTML {
    let component = part["component"]?.stringContent ?? "–"
    let words = words(of: component, visit)
    let state = part["state"]?.stringContent ?? ""
    let detail = part["detail"]?.stringContent ?? ""
    let isWell = ["working", "unused", "starting"].contains(state)
    let advice: HTML = isWell ? .nothing : "<strong>\(words.advice)</strong>"
    let told: HTML = detail.isEmpty ? .nothing : "\(detail)"
    return Part.line(
      words.icon, "<strong>\(words.name)</strong> \(pill(state, visit))",
      advice == .nothing ? told : told == .nothing ? advice : "\(advice)<br>\(told)")
  }

  /// A line of a plugin.
  static func line(ofPlugin plugin: JSONValue, _ visit: Visit) -> HTML {
    let name = plugin["name"]?.stringContent ?? "–"
    let state = plugin["state"]?.stringContent ?? ""
    let version = visit.gettext(
      "Version {version}", ["version": plugin["version"]?.stringContent ?? "–"])
    let isWell = ["running", "starting", "stopping"].contains(state)
    let advice: HTML =
      isWell
      ? .nothing
      : "<strong>\(visit.gettext("It is started again by itself. If that does not help within the hour, tell whoever keeps the gateway."))</strong><br>"
    return Part.line(
      Icon.gear,
      "<strong>\(pluginName(name, visit))</strong> \(pill(state, visit))\(ObfuscationPart.pill(ofPlugin: plugin, visit))",
      "\(advice)\(name), \(version)")
  }

  private static func pill(_ state: String, _ visit: Visit) -> HTML {
    switch state {
    case "working", "running": Part.pill(visit.gettext("Works"), .safe)
    case "unused", "disabled": Part.pill(visit.gettext("Not used"), .plain)
    case "starting", "waiting": Part.pill(visit.gettext("Begins"), .plain)
    case "degraded": Part.pill(visit.gettext("Works partly"), .attention)
    default: Part.pill(visit.gettext("Does not work"), .attention)
    }
  }

  // MARK: Words

  /// What a component is called; one with a name of its own, such as `gps/phone`, by both.
  private static func words(of component: String, _ visit: Visit) -> Words {
    let parts = component.split(separator: "/", maxSplits: 1).map(String.init)
    let own = parts.count > 1 ? parts[1] : ""
    let keeper = visit.gettext("Tell whoever keeps the gateway.")
    switch parts.first {
    case "gps":
      return Words(
        name: visit.gettext("Receiver of positions {name}", ["name": own]), icon: Icon.pin,
        advice: visit.gettext("Is it charged, plugged in, and near a window or outside?"))
    case "bluetooth":
      return Words(
        name: visit.gettext("Bluetooth, for tags and meters"), icon: Icon.tag,
        advice: visit.gettext(
          "Is the Bluetooth stick plugged in? Pull it out and plug it in again."))
    case "meter":
      return Words(
        name: visit.gettext("Glucose meter {name}", ["name": own]), icon: Icon.drop,
        advice: visit.gettext(
          "Measure once more with the meter near the gateway. If that does not help, pair it anew.")
      )
    case "button", "buttons":
      return Words(
        name: own.isEmpty
          ? visit.gettext("Buttons that call for help")
          : visit.gettext("Button that calls for help {name}", ["name": own]), icon: Icon.bell,
        advice: visit.gettext(
          "Until it works nobody can call for help with it. Put in a fresh battery, then try it with a test alarm."
        ))
    case "sound":
      return Words(
        name: visit.gettext("Loudspeaker"), icon: Icon.speech,
        advice: visit.gettext(
          "Is it plugged in, and turned up? Alarms and reminders are heard by it."))
    case "speech":
      return Words(
        name: visit.gettext("Spoken sentences"), icon: Icon.speech,
        advice: visit.gettext("Tones still sound. Sentences come back by themselves, as a rule."))
    case "lamp":
      return Words(
        name: visit.gettext("Lamp on the gateway"),
        advice: visit.gettext("Is its cable in? Alarms go on without it."))
    case "power":
      return Words(
        name: visit.gettext("Battery {name}", ["name": own]),
        advice: visit.gettext("Charge it now: without it nobody is followed and no alarm sounds."))
    case "guardians":
      return Words(
        name: visit.gettext("The way to the guardians"), icon: Icon.bell,
        advice: visit.gettext(
          "Somebody might not be reached in an alarm. Look at the page Guardians, and send a test alarm."
        ))
    case "store":
      return Words(
        name: visit.gettext("Memory of the gateway"), icon: Icon.note,
        advice: visit.gettext(
          "Alarms go on, but something may not be kept. Tell whoever keeps the gateway, today."))
    case "clock":
      return Words(
        name: visit.gettext("Clock"), icon: Icon.clock,
        advice: visit.gettext(
          "Times may be wrong until it is set again. Is the gateway connected to the internet?"))
    case "routine":
      return Words(
        name: visit.gettext("Reminders"), icon: Icon.clock,
        advice: visit.gettext(
          "Look at the page What recurs, and at the time zone of whoever it is."))
    case "log", "control", "trace":
      return Words(name: visit.gettext("Tools of whoever keeps the gateway"), advice: keeper)
    case "plugin":
      return Words(
        name: pluginName(own, visit),
        advice: visit.gettext(
          "It is started again by itself. If that does not help within the hour, tell whoever keeps the gateway."
        ))
    default: return Words(name: component, advice: keeper)
    }
  }

  /// What a plugin does, for those who do not know its name.
  private static func pluginName(_ name: String, _ visit: Visit) -> String {
    switch name {
    case "address-server": visit.gettext("Addresses from the internet")
    case "apprise": visit.gettext("Messages by other services")
    case "calendar": visit.gettext("Calendar")
    case "camera": visit.gettext("Camera")
    case "console": visit.gettext("These pages")
    case "email": visit.gettext("E-mail")
    case "fhir", "nightscout": visit.gettext("Readings for doctors and other programs")
    case "keyword": visit.gettext("Spoken call for help")
    case "metrics": visit.gettext("Tools of whoever keeps the gateway")
    case "mqtt": visit.gettext("Other devices at home")
    case "openid": visit.gettext("Log-in by another service")
    case "places": visit.gettext("Map and addresses")
    case "report": visit.gettext("Reports on paper")
    case "sms-modem": visit.gettext("Text messages and calls")
    case "speech": visit.gettext("Voice")
    case "webhook": visit.gettext("Events for other programs")
    case "webpush": visit.gettext("Alarms on closed telephones")
    default: name
    }
  }
}
