import Certificates
import JSON
import Texts

/// How one comes to the pages, at home and from outside; nothing of anybody who is looked after is on it.
struct ReachPage {
  static let page = Page(
    path: "/reach", isThere: { $0.isCaregiver }, content: { Self(visit: $0).content })

  private let visit: Visit

  private var content: PageContent {
    let title = visit.gettext("How to reach it from outside")
    let scheme = visit.way.isEncrypted ? "https" : "http"
    let now = Part.list([
      Part.line(
        Icon.pin, "<strong>\(scheme)://\(visit.way.authority)</strong>",
        HTML(words(of: visit.way.road)))
    ])
    let trusting: HTML =
      visit.way.trust.authority == nil
      ? .nothing
      : "<p class=\"actions\">\(Part.link(visit.gettext("Trust this home"), to: "/trust"))</p>"
    let alarms: HTML = """
      <p>\(visit.gettext("For alarms on a locked phone nothing has to be reached: the gateway only calls out to the internet. Each device is asked once."))</p>
      <p class="actions">\(Part.link(visit.gettext("Your account"), to: "/account"))</p>
      """
    return PageContent(
      title: title,
      main: """
        <h1>\(title)</h1>
        <div class="cards">
        \(Part.card(visit.gettext("What works now"), now + trust + trusting))
        \(Part.card(visit.gettext("From outside, the best way first"), ways))
        \(Part.card(visit.gettext("Alarms while no page is open"), alarms))
        </div>
        """, scripts: ["reach.js"], place: .more)
  }

  private func words(of road: Way.Road) -> String {
    switch road {
    case .proxy: visit.gettext("You came through a reverse proxy.")
    case .tailscale:
      visit.gettext("This leads here at home and on the way, wherever Tailscale is switched on.")
    case .address:
      visit.gettext("An address. It leads here as long as the router leaves it to the gateway.")
    case .thisMachine: visit.gettext("This leads here on the gateway itself, and nowhere else.")
    case .home: visit.gettext("This name leads here at home.")
    case .domain: visit.gettext("This name leads here at home, and from outside by VPN.")
    }
  }

  /// Whether the browser trusts the certificate, as its script finds out, and what the certificate is.
  private var trust: HTML {
    let kind = visit.way.isForwarded ? nil : visit.way.trust.kind
    let about: HTML =
      kind.map {
        let words = $0.words.text(in: visit.visitor.language)
        return "<p class=\"soft\">\(visit.gettext("Certificate: {kind}", ["kind": words]))</p>"
      } ?? .nothing
    return """
      <p data-trust="trusted" hidden>\(Part.pill(visit.gettext("Trusted"), .safe)) \(visit.gettext("This browser trusts the pages. It can show them while the network is away, and alarms while they are closed."))</p>
      <p data-trust="untrusted" hidden>\(Part.pill(visit.gettext("Not trusted yet"), .attention)) \(visit.gettext("The pages work, but nothing is shown while the network is away, and no alarm while they are closed."))</p>
      <p data-trust="open" hidden>\(Part.pill(visit.gettext("Not encrypted"), .attention)) \(visit.gettext("Others in the network could read along. Ask for the pages by an address that begins with https."))</p>
      <p data-trust="unknown">\(Part.pill(visit.gettext("Not known"), .unknown)) \(visit.gettext("This browser does not say whether it trusts the pages."))</p>
      \(about)
      """
  }

  private var ways: HTML {
    let lines = [
      Part.line(
        Icon.check, "<strong>\(visit.gettext("1. Tailscale, or another VPN"))</strong>",
        HTML(
          visit.gettext(
            "Your phone is then as good as at home, and nobody else finds the gateway. Tailscale needs nothing from the router; many routers have a VPN of their own."
          ))),
      Part.line(
        Icon.check, "<strong>\(visit.gettext("2. A domain of your own"))</strong>",
        HTML(
          visit.gettext(
            "Every browser trusts it by itself. It is proved by an entry among its names (DNS-01), so that nothing has to be open. From outside it leads here by VPN, or by a reverse proxy of yours that stands in the setting “proxies”."
          ))),
      Part.line(
        Icon.bell, "<strong>\(visit.gettext("Never open a port of the router for it"))</strong>",
        HTML(visit.gettext("Strangers from all over the world could then try to come in."))),
      Part.line(
        Icon.gear, HTML(visit.gettext("Whoever keeps the gateway sets it up there:")),
        "sudo homeward setup"),
    ]
    return Part.list(lines)
  }
}
