import JSON

/// Whether it is known where somebody is, and how exactly others are told: near a home positions leave the gateway blurred.
enum ObfuscationPart {
  /// How far a blurred position lies from the home at most, in metres: a quarter of a mile, as the gateway's
  /// privacy filter has it.
  static let farthestMeters = 402.336

  /// What the page of devices asks for the card.
  static let questions = [Question("zones.list")]

  /// Whether a position that came is a blurred one.
  static func isBlurred(_ position: JSONValue) -> Bool {
    position["positionPrivacy"]?.stringContent == "approximate"
  }

  /// What is said where a blurred position is shown.
  static func words(_ visit: Visit) -> String {
    visit.gettext(
      "blurred for privacy, as always near a home: up to {distance} away from it",
      ["distance": visit.distance(farthestMeters)])
  }

  // MARK: What leaves the gateway

  /// For each resident whether they are tracked, and whether their home is blurred for others.
  static func card(_ visit: Visit) -> HTML {
    guard !visit.residents.isEmpty else { return .nothing }
    let lines = visit.residents.map { line(of: $0, visit) }
    return Part.card(
      visit.gettext("Tracking and privacy"),
      """
      \(Part.list(lines))
      <p class="soft">\(visit.gettext("While somebody calls for help, whoever is told gets the exact position."))</p>
      """)
  }

  private static func line(of resident: JSONValue, _ visit: Visit) -> HTML {
    let isOn = resident["tracking"]?["isOn"]?.boolContent == true
    let hasHome = visit.answers.list("zones.list").contains {
      $0["resident"] == resident["id"] && $0["isHome"]?.boolContent == true
    }
    let tracking =
      isOn
      ? Part.pill(visit.gettext("Tracked"), .safe)
      : Part.pill(visit.gettext("Tracking is off"), .unknown)
    let blurring =
      hasHome
      ? Part.pill(visit.gettext("Blurred at home"), .safe)
      : Part.pill(visit.gettext("Not blurred"), .attention)
    let words =
      hasHome
      ? visit.gettext(
        "Near home, programs that may not see exact positions are told a place up to {distance} away from it.",
        ["distance": visit.distance(farthestMeters)])
      : visit.gettext(
        "No safe zone is marked as the home: programs are told exact positions everywhere. Mark one on the page Safe zones."
      )
    return Part.line(
      Icon.pin,
      "<strong>\(resident["name"]?.stringContent ?? "–")</strong> \(tracking) \(blurring)",
      HTML(words))
  }

  /// What stands beside a plugin that asked for exact positions and did not get leave.
  static func pill(ofPlugin plugin: JSONValue, _ visit: Visit) -> HTML {
    let withheld = plugin["withheld"]?.arrayContent ?? []
    return withheld.contains("position.precise")
      ? " \(Part.pill(visit.gettext("Positions blurred at home"), .plain))" : .nothing
  }
}
