import Certificates
import JSON
import Texts

extension Page {
  /// How one comes to the pages, and how a device comes to trust them; nothing of anybody who is looked after is on them.
  static let reachPages: [Page] = [
    Page(path: "/reach", isThere: { $0.isCaregiver }, content: reachContent),
    Page(
      path: "/trust", isForAccounts: false, isForEverybody: true,
      isThere: { $0.way.trust.authority != nil }, content: trustContent),
  ]

  // MARK: From outside

  @Sendable private static func reachContent(_ visit: Visit) -> PageContent {
    let title = visit.gettext("How to reach it from outside")
    let scheme = visit.way.isEncrypted ? "https" : "http"
    let now = Part.list([
      Part.line(
        Icon.pin, "<strong>\(scheme)://\(visit.way.authority)</strong>",
        HTML(words(of: visit.way.road, visit)))
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
        \(Part.card(visit.gettext("What works now"), now + trust(visit) + trusting))
        \(Part.card(visit.gettext("From outside, the best way first"), ways(visit)))
        \(Part.card(visit.gettext("Alarms while no page is open"), alarms))
        </div>
        """, scripts: ["reach.js"], place: .more)
  }

  private static func words(of road: Way.Road, _ visit: Visit) -> String {
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
  private static func trust(_ visit: Visit) -> HTML {
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

  private static func ways(_ visit: Visit) -> HTML {
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

  // MARK: Trust

  @Sendable private static func trustContent(_ visit: Visit) -> PageContent {
    let title = visit.gettext("Trust this home")
    let trust = visit.way.trust
    let limit: HTML =
      trust.kind == .home
      ? "<p class=\"soft\">\(visit.gettext("It vouches for the names of this gateway and for addresses at home, and for nothing else."))</p>"
      : .nothing
    let download: HTML = """
      <p>\(visit.gettext("Once on each phone and computer. Then there is no warning any more, and the pages are there while the network is away."))</p>
      <p class="actions">\(Part.link(visit.gettext("Download the certificate"), to: Redirect.authorityPath, isFirst: true))</p>
      \(limit)
      """
    let own = TrustSteps.System(userAgent: visit.way.userAgent)
    let first = TrustSteps.all.filter { $0.system == own }
    let others = TrustSteps.all.filter { $0.system != own }
    let back = visit.isCaregiver ? "/reach" : visit.account == .null ? "/log-in" : "/"
    return PageContent(
      title: title,
      main: """
        <h1>\(title)</h1>
        <div class="cards">
        \(Part.card(nil, download))
        \(first.map { Part.card($0.device.text(in: visit.visitor.language), steps(of: $0, visit)) })
        \(trust.authority.map { comparison($0, visit) } ?? .nothing)
        \(others.map { device -> HTML in
          "<details class=\"card\"><summary><h2>\(device.device.text(in: visit.visitor.language))</h2></summary>\(steps(of: device, visit))</details>"
        })
        </div>
        <p class="actions">\(Part.link(visit.gettext("Back to the pages"), to: back))</p>
        """, place: visit.isCaregiver ? .more : nil)
  }

  private static func steps(of device: TrustSteps, _ visit: Visit) -> HTML {
    let items = device.steps.map { "<li>\($0.text(in: visit.visitor.language))</li>" as HTML }
    return "<ol>\(items)</ol>"
  }

  /// What people compare, so that nobody on the way can have given them another certificate.
  private static func comparison(_ authority: String, _ visit: Visit) -> HTML {
    guard let fingerprint = CertificateFingerprint(pem: authority)?.grouped else { return .nothing }
    let pairs = fingerprint.split(separator: ":").map { HTML(String($0)) }
    let broken = pairs.dropFirst().reduce(pairs.first ?? .nothing) { $0 + ":<wbr>" + $1 }
    return Part.card(
      visit.gettext("Compare first"),
      """
      <p>\(visit.gettext("Your device shows a fingerprint of the certificate (SHA-256). It has to be the one that the gateway itself prints; here it is:"))</p>
      <p><code>\(broken)</code></p>
      <p>\(visit.gettext("If another one is shown, install nothing, and tell whoever keeps the gateway."))</p>
      \(Part.list([Part.line(Icon.gear, HTML(visit.gettext("On the gateway it is printed by:")), "sudo homeward certificate show")]))
      """)
  }
}
