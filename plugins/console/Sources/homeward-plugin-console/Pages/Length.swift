import Care
import JSON

/// Lengths that people type, in their own units; the gateway has metres.
enum Length {
  /// A field of a form for a length; 50 metres where none is kept.
  ///
  /// What nobody changes is sent exactly as it is kept, also by those who see it in feet.
  static func field(
    _ label: String, _ name: String, _ length: JSONValue?, atLeast: Double = 1, atMost: Double,
    _ visit: Visit
  ) -> HTML {
    let meters = length?.doubleContent ?? 50
    let unit = visit.isImperial ? LengthUnits.metersInFoot : 1
    let shown = visit.isImperial ? (meters / unit * 10).rounded() / 10 : meters
    let limits: HTML =
      " min=\"\(text((atLeast / unit).rounded(.down)))\" max=\"\(text((atMost / unit).rounded(.down)))\" step=\"any\""
    let exact: HTML = visit.isImperial ? " data-meters=\"\(text(meters))\"" : .nothing
    return Part.field(
      label, name, text(shown), kind: "number", reads: visit.isImperial ? "feet" : "number",
      more: limits + exact)
  }

  private static func text(_ number: Double) -> String {
    Int64(exactly: number).map { "\($0)" } ?? "\(number)"
  }
}
