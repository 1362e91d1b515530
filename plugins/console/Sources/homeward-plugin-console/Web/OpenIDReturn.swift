import ConsoleRequests
import JSON
import Loop
import WebServer

/// Where an identity provider sends a browser back to.
enum OpenIDReturn {
  /// The only part of its path.
  static let name = "openid"

  /// Its address, by the name that the browser came by, which is one of the gateway's; nil where it came by an address, which
  /// no provider knows.
  static func address(_ incoming: Incoming) -> String? {
    Incoming.isAddress(incoming.host)
      ? nil : (incoming.isEncrypted ? "https://" : "http://") + incoming.authority + "/" + name
  }
}

extension Router {
  /// Lets in whoever comes back from the identity provider, or says why not.
  func cameBack(_ request: WebRequest, _ incoming: Incoming, _ visitor: Visitor) {
    let visit = visit(incoming, visitor)
    // What only looks ahead uses nothing up.
    guard incoming.method == "GET", let state = visit.fields["state"],
      let code = visit.fields["code"], let binding = incoming.binding
    else {
      let words =
        visit.fields["error"] == "access_denied"
        ? visit.gettext(
          "You said there that you do not want to be known here, so nothing was done.")
        : visit.gettext("The other service did not say who you are. Please begin again.")
      return show(PageContent.notLetIn(words, visit), visit, status: 403, request, incoming)
    }
    let demand: JSONValue = [
      "action": "account.finish-openid", "state": .string(state), "code": .string(code),
      "binding": .string(binding), "label": .string(incoming.userAgent),
    ]
    desk.demand(demand, for: visitor) { self.answer($0, visit, request, incoming) }
  }

  private func answer(
    _ result: Result<JSONValue, Refusal>, _ visit: Visit, _ request: WebRequest,
    _ incoming: Incoming
  ) {
    switch result {
    case .failure(let refusal):
      show(PageContent.notLetIn(refusal.words, visit), visit, status: 403, request, incoming)
    case .success(let done):
      var headers = [Headers.binding(nil, isEncrypted: incoming.isEncrypted)]
      if let token = done["token"]?.stringContent {
        headers.append(Headers.session(token, isEncrypted: incoming.isEncrypted))
      }
      go(done["next"]?.stringContent.flatMap(Visit.ownPlace) ?? "/", request, headers)
    }
  }
}

extension PageContent {
  /// Why nobody was let in, or connected, by another service, and where to go on.
  fileprivate static func notLetIn(_ words: String, _ visit: Visit) -> PageContent {
    let title = visit.gettext("That did not work")
    let way: HTML =
      visit.visitor.token == nil
      ? Part.link(visit.gettext("Log in with your password"), to: "/log-in", isFirst: true)
        + Part.link(visit.gettext("I have no account yet"), to: "/sign-up")
      : Part.link(visit.gettext("Your account"), to: "/account", isFirst: true)
    return PageContent(
      title: title,
      main:
        "<div class=\"narrow\"><h1>\(title)</h1><p role=\"alert\">\(words)</p><p class=\"actions\">\(way)</p></div>"
    )
  }
}
