import Care
import JSON
import Texts

/// The way: an arrow, a sentence, how far it is.
enum ResidentGuidance {
  /// Where it goes.
  static func goal(_ journey: JSONValue, _ view: ResidentView) -> String {
    let goal = journey["destination"] ?? .null
    return goal["isHome"]?.boolContent == true
      ? view.visit.gettext("Shall I take you home?")
      : view.visit.gettext(
        "Shall I show you the way to {place}?", ["place": goal["name"]?.stringContent ?? ""])
  }

  /// To where, and for how long.
  static func minutes(_ journey: JSONValue, _ visit: Visit) -> String {
    let goal = journey["destination"] ?? .null
    let name =
      goal["isHome"]?.boolContent == true
      ? visit.gettext("To home")
      : visit.gettext("To {place}", ["place": goal["name"]?.stringContent ?? ""])
    guard let minutes = journey["minutesLeft"]?.integerContent else { return name }
    return visit.ngettext(
      "{place}, {n} minute", "{place}, {n} minutes", Int(clamping: minutes),
      ["place": name, "n": minutes])
  }

  /// How far it is to what is to be done next, in steps, as somebody walks.
  static func steps(_ journey: JSONValue, _ visit: Visit) -> String? {
    guard let meters = journey["metersToNext"]?.integerContent, (5...150).contains(meters) else {
      return nil
    }
    let steps = Int((Double(meters) / metersInStep / 10).rounded()) * 10
    return visit.ngettext(
      "about {n} step", "about {n} steps", max(10, steps), ["n": max(10, steps)])
  }

  /// Of somebody of eighty.
  private static let metersInStep = 0.55

  /// An arrow that a script turns: by where to go, and by where the telephone or the tracker looks.
  static func arrow(_ bearing: JSONValue?, heading: JSONValue?, isHere: Bool, _ visit: Visit)
    -> HTML
  {
    let degrees = bearing?.integerContent
    let turned = degrees.map { $0 - (heading?.integerContent ?? 0) }
    return """
      <div class="compass\(degrees == nil ? " lost" : "")" data-bearing="\(degrees.map(String.init) ?? "")" data-heading="\(heading?.integerContent.map(String.init) ?? "")" data-turned="\(turned.map(String.init) ?? "")">
      <svg viewBox="0 0 200 200" aria-hidden="true" focusable="false"><circle class="ring" cx="100" cy="100" r="96"/>\(rose(visit))\(isHere ? HTML(stringLiteral: "<circle class=\"here\" cx=\"100\" cy=\"100\" r=\"44\"/>") : HTML(stringLiteral: "<path class=\"needle\" d=\"M100 30 142 160 100 132 58 160Z\"/>"))</svg>
      </div>
      """
  }

  /// The four directions, which turn with whoever looks.
  private static func rose(_ visit: Visit) -> HTML {
    let names = [
      visit.pgettext("on a compass", "N"), visit.pgettext("on a compass", "E"),
      visit.pgettext("on a compass", "S"), visit.pgettext("on a compass", "W"),
    ]
    let marks = names.enumerated().map { index, name -> HTML in
      let (x, y) = [(100, 22), (182, 106), (100, 190), (18, 106)][index]
      return "<text x=\"\(x)\" y=\"\(y)\" text-anchor=\"middle\">\(name)</text>"
    }
    return "<g class=\"rose\">\(marks)</g>"
  }
}
