import Care
import CareReports
import JSON
import Texts

/// Reports that go out by e-mail: who gets them, and one more; nothing without the person's yes.
struct ReportMailPart {
  let visit: Visit
  let resident: JSONValue
  let kind: ReportRequest.Kind

  static func question(about resident: JSONValue) -> Question {
    Question("reports.list", ["resident": resident["id"] ?? .null])
  }

  /// The card; nothing where whoever looks may not know of it, and on a sheet for the police.
  var card: HTML {
    guard kind != .missing, visit.answers.has("reports.list"),
      visit.answers.refusal("reports.list") == nil
    else { return .nothing }
    let asked = ConsentPart.asked(.reports, of: resident, visit)
    return Part.card(
      visit.gettext("By e-mail"), id: "mail",
      """
      \(HTML(visit.answers.list("reports.list").map(line)))
      \(asked == .nothing ? form : asked)
      """)
  }

  private func line(_ order: JSONValue) -> HTML {
    func text(_ name: String) -> String { order[name]?.stringContent ?? "" }
    let every =
      switch text("every") {
      case "weekly": visit.gettext("each Monday")
      case "monthly": visit.gettext("on the first of each month")
      default: visit.pgettext("how often", "once")
      }
    let which =
      text("kind") == "week" ? visit.gettext("The week") : visit.gettext("For the doctor")
    let next = visit.gettext(
      "The next one goes out: {time}", ["time": visit.clock(text("next"), of: resident)])
    let last: HTML =
      order["sentAt"] == nil
      ? .nothing
      : """
      <p class="soft">\(visit.gettext("It went out last: {time}", ["time": visit.clock(text("sentAt"), of: resident)]))</p>
      """
    let fault: HTML =
      order["fault"] == nil
      ? .nothing
      : """
      <p class="fault">\(visit.gettext("The last one could not be sent, and is tried again: {reason}", ["reason": text("fault")]))</p>
      """
    return """
      <div class="line"><div><strong>\(text("email"))</strong><span class="soft">\(which), \(every)</span>
      <p class="soft">\(next)</p>\(last)\(fault)</div>
      \(Part.button(visit.gettext("Stop"), "report.cancel", ["target": .string(text("id"))]))</div>
      """
  }

  private var form: HTML {
    let order: JSONValue = [
      "id": "@new", "resident": resident["id"] ?? .null,
      "kind": .string(kind.rawValue), "language": .string(visit.visitor.language.rawValue),
    ]
    let often = [
      ("once", visit.pgettext("how often", "once")), ("weekly", visit.gettext("each Monday")),
      ("monthly", visit.gettext("on the first of each month")),
    ]
    return Part.form(
      "report.order", ["order": order],
      """
      \(Part.field(visit.gettext("E-mail address"), "order.email", kind: "email", hint: visit.gettext("Such as that of the practice. The report is about health: write to nobody else."), autocomplete: "off"))
      \(Part.choice(visit.gettext("How often"), "order.every", often, chosen: "once"))
      \(Part.submit(visit.gettext("Send it by e-mail")))
      """)
  }
}
