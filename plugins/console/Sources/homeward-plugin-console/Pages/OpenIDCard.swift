import ConsoleRequests
import JSON
import Texts

/// How somebody logs in by another service: the button at the door, and on their account what connects it.
enum OpenIDCard {
  /// What a page asks for that has it.
  static let questions = [Question("openid.provider", isAtTheDoor: true)]

  /// What people call the service; nil where there is none, or none that could lead back here.
  private static func provider(_ visit: Visit) -> String? {
    Incoming.isAddress(visit.way.host)
      ? nil : visit.answers["openid.provider"]["name"]?.stringContent
  }

  /// Whether anything of it is on the page of an account.
  static func isThere(_ visit: Visit) -> Bool {
    provider(visit) != nil || visit.account["openID"] != nil
  }

  /// The button on the page to log in.
  ///
  /// - Parameter next: where to go on.
  static func entry(_ visit: Visit, next: String) -> HTML {
    guard let name = provider(visit) else { return .nothing }
    return Part.card(
      nil,
      """
      <p class="actions"><button type="button" class="button" data-code data-command="account.begin-openid" data-members="\(JSONValue.object([]).setting("next", to: .string(next)).serialized)">\(visit.gettext("Log in with {service}", ["service": name]))</button></p>
      """)
  }

  /// What somebody sees of it on the page of their account, and does about it.
  static func card(_ visit: Visit) -> HTML {
    let id = visit.account["id"] ?? .null
    if let known = visit.account["openID"] {
      let service = provider(visit) ?? known["issuer"]?.stringContent ?? "–"
      let words =
        known["name"]?.stringContent.map {
          visit.gettext(
            "You log in with {service} too, as {name}.", ["service": service, "name": $0])
        } ?? visit.gettext("You log in with {service} too.", ["service": service])
      return Part.card(
        heading(visit), id: "openid-card",
        """
        <p>\(words)</p>
        <p class="soft">\(visit.gettext("Your password goes on to work as well."))</p>
        <p class="actions">\(Part.button(visit.gettext("Take it away"), "account.disconnect-openid", ["target": id], kind: "quiet"))</p>
        """)
    }
    guard let name = provider(visit) else { return .nothing }
    // Whoever is let in without a password, such as a screen, has none to say here.
    guard visit.account["email"] != nil else { return .nothing }
    let form = Part.form(
      "account.connect-openid", ["target": id, "next": "/account"], isAnswered: true,
      """
      <p>\(visit.gettext("Log in with {service} from now on, beside your password. You say there who you are, and come back here.", ["service": name]))</p>
      \(Part.field(visit.gettext("Password"), "password", kind: "password", autocomplete: "current-password", id: "o-password"))
      \(Part.submit(visit.gettext("Connect with {service}", ["service": name])))
      """)
    return Part.card(heading(visit), id: "openid-card", form)
  }

  private static func heading(_ visit: Visit) -> String { visit.gettext("Another way to log in") }
}
