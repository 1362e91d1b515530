import JSON
import Texts

/// Codes that one device shows and another one's camera reads.
enum CodePart {
  /// The script that fills the places of ``shown(_:inWords:)`` and ``brought(_:_:)``.
  static let script = "codes.js"

  /// Where a code appears once it was asked for: for a camera, and in words where it can be typed in, too.
  static func shown(_ visit: Visit, inWords: Bool = true) -> HTML {
    let words: HTML = inWords ? "<p class=\"code\" id=\"code\" aria-live=\"polite\"></p>" : .nothing
    return """
      \(words)<svg id="qr" role="img" aria-label="\(visit.gettext("The code for a camera"))" width="232" height="232" viewBox="0 0 1 1" hidden><rect width="100%" height="100%" fill="#fff"/><path fill="#000" shape-rendering="crispEdges" d=""/></svg>
      <p class="empty" id="no-qr" role="status" hidden>\(visit.gettext("This page was opened under a name that only this machine knows, so there is no code for a camera. Open it by the address that the others use."))</p>
      """
  }

  /// The button that asks for a code; it stays on the page that shows it.
  static func button(_ words: String, _ action: String, _ members: JSONValue, isFirst: Bool = true)
    -> HTML
  {
    """
    <button type="button" class="button\(isFirst ? " first" : "")" data-code data-command="\(action)" data-members="\(members.serialized)">\(words)</button>
    """
  }

  /// What is said where a camera brought a code of a kind into this page.
  static func brought(_ kind: String, _ words: String) -> HTML {
    "<p class=\"said\" role=\"status\" data-brought=\"\(kind)\" hidden>\(words)</p>"
  }
}

/// How another device of the same person is let in by this one, without a password.
enum BrowserCard {
  static func card(_ visit: Visit) -> HTML {
    let members: JSONValue = ["target": visit.account["id"] ?? .null]
    let entry = visit.account["entry"]
    let content: HTML =
      entry?["state"]?.stringContent == "asked"
      ? asked(entry ?? .null, members, visit) : begin(isShown: entry != nil, members, visit)
    return Part.card(visit.gettext("Let another device of yours in"), id: "browser", content)
  }

  private static func begin(isShown: Bool, _ members: JSONValue, _ visit: Visit) -> HTML {
    let wait: HTML = isShown ? "<span data-waits hidden></span>" : .nothing
    let cancel: HTML =
      isShown
      ? Part.button(visit.gettext("Show it no longer"), "account.cancel-browser", members)
      : .nothing
    return """
      <p>\(visit.gettext("Point the camera of your new telephone or tablet at the code that appears here, and open what it finds. Then the new device shows a number, and you write it here. The code is good for five minutes, and once."))</p>
      <p class="soft">\(visit.gettext("Show it to nobody, and send nobody a picture of it. Nobody who helps you ever needs it."))</p>
      \(CodePart.shown(visit, inWords: false))\(wait)
      <p class="actions">\(CodePart.button(isShown ? visit.gettext("Show another code") : visit.gettext("Show a code"), "account.add-browser", members))\(cancel)</p>
      """
  }

  private static func asked(_ entry: JSONValue, _ members: JSONValue, _ visit: Visit) -> HTML {
    let device = entry["label"]?.stringContent.flatMap { $0.isEmpty ? nil : $0 } ?? "–"
    let address = entry["address"]?.stringContent ?? "–"
    let form = Part.form(
      "account.admit-browser", members,
      """
      \(Part.field(visit.gettext("The number on the new device"), "number", hint: visit.gettext("Two digits. Only write them when you read them on a device in your own hand, never because somebody tells you to."), autocomplete: "off", more: " inputmode=\"numeric\" maxlength=\"2\""))
      \(Part.submit(visit.gettext("Let it in")))
      """)
    return """
      <p><strong>\(visit.gettext("A device wants to be let in."))</strong></p>
      <p class="soft">\(visit.gettext("It calls itself {device}, and comes from {address}.", ["device": device, "address": address]))</p>
      \(form)<span data-waits hidden></span>
      <p class="actions">\(Part.button(visit.gettext("That is not mine: keep it out"), "account.cancel-browser", members))</p>
      """
  }
}
