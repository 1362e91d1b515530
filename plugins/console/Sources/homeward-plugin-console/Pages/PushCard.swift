import Care
import JSON
import Texts

/// Whether this browser is told of alarms while no page is open: what a caregiver reads of it, and switches.
enum PushCard {
  /// What a page asks for that has the card.
  static let questions = [Question("push.key")]

  /// The card; its script shows what of it is so.
  static func card(_ visit: Visit) -> HTML {
    let heading = visit.gettext("Alarms on this device")
    let intro = visit.gettext(
      "Alarms of those you care for appear on this device, also while this page is closed. No name and no place is in them."
    )
    let limits = visit.gettext(
      "It needs the internet, and nobody can prove that it arrives: never rely on it alone. Guardians are told by message and call as well."
    )
    if let refusal = visit.answers.refusal("push.key") {
      return Part.card(heading, "<p>\(intro)</p><p class=\"soft\">\(refusal.words)</p>")
    }
    return Part.card(
      heading, id: "push-card",
      """
      <p>\(intro)</p>
      \(states(visit))
      <p class="soft">\(limits)</p>
      \(visit.residents.map { ConsentPart.asked(.notifications, of: $0, visit) })
      \(mark(visit, key: visit.answers["push.key"]["key"]?.stringContent))
      """)
  }

  /// Of which session a page is, for the script that keeps its browser told.
  static func mark(_ visit: Visit, key: String? = nil) -> HTML {
    guard visit.isCaregiver, let session = visit.session, let id = session["id"]?.stringContent
    else { return .nothing }
    let push = session["push"]
    return """
      <span id="push" hidden data-account="\(visit.account["id"]?.stringContent ?? "")" data-session="\(id)"\(HTML.attribute("data-key", key))\(HTML.attribute("data-told", push.map { $0["wantsPlaces"]?.boolContent == true ? "places" : "alarms" }))></span>
      """
  }

  private static func states(_ visit: Visit) -> HTML {
    """
    <p class="empty" data-push="none">\(visit.gettext("This browser shows no messages while the page is closed. On an iPhone put this page on the home screen first (Share, Add to Home Screen), and open it there."))</p>
    <p class="empty" data-push="untrusted" hidden>\(visit.gettext("This takes pages whose certificate the browser trusts. Whoever keeps the gateway can help with that."))</p>
    <p class="empty" data-push="refused" hidden>\(visit.gettext("This browser lets these pages show no messages. Allow them in the browser’s settings for this page, then come back."))</p>
    <p class="empty" data-push="failed" hidden>\(visit.gettext("The browser’s own service does not answer. Is the internet there? Please try again in a while."))</p>
    <div data-push="off" hidden>
    <p class="check"><input type="checkbox" id="f-push-places"><label for="f-push-places">\(visit.gettext("Also when somebody leaves a safe zone or comes back"))</label></p>
    <p class="actions"><button type="button" class="button first" id="push-on">\(visit.gettext("Tell me on this device"))</button></p>
    </div>
    <p data-push="waiting" role="status" hidden>\(visit.gettext("A greeting appears on this device in a moment."))</p>
    <p class="fault" data-push="silent" role="alert" hidden>\(visit.gettext("No greeting has come. Are messages of the browser switched on in this device’s settings, and is the internet there? Do not rely on this until one has come."))</p>
    <p data-push="greeted" role="status" hidden>\(visit.gettext("The greeting has come: this device is told."))</p>
    <div data-push="alarms" hidden><p><strong>\(visit.gettext("This device is told of alarms."))</strong></p></div>
    <div data-push="places" hidden><p><strong>\(visit.gettext("This device is told of alarms, and when somebody leaves a safe zone or comes back."))</strong></p></div>
    <p class="actions" data-push="told" hidden><button type="button" class="button" id="push-off">\(visit.gettext("No longer"))</button></p>
    """
  }
}

extension Visit {
  /// The session of whoever looks; nil where there is none.
  var session: JSONValue? {
    account["sessions"]?.arrayContent?.first { $0["isThis"]?.boolContent == true }
  }
}
