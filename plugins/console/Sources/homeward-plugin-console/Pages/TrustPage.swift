import Certificates
import JSON
import Texts

/// How a device comes to trust the pages; nothing of anybody who is looked after is on it.
struct TrustPage {
  static let page = Page(
    path: "/trust", isForAccounts: false, isForEverybody: true,
    isThere: { $0.way.trust.authority != nil }, content: { Self(visit: $0).content })

  private let visit: Visit

  private var content: PageContent {
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
        \(first.map { Part.card($0.device.text(in: visit.visitor.language), steps(of: $0)) })
        \(trust.authority.map { comparison($0) } ?? .nothing)
        \(others.map { device -> HTML in
          "<details class=\"card\"><summary><h2>\(device.device.text(in: visit.visitor.language))</h2></summary>\(steps(of: device))</details>"
        })
        </div>
        <p class="actions">\(Part.link(visit.gettext("Back to the pages"), to: back))</p>
        """, place: visit.isCaregiver ? .more : nil)
  }

  private func steps(of device: TrustSteps) -> HTML {
    let items = device.steps.map { "<li>\($0.text(in: visit.visitor.language))</li>" as HTML }
    return "<ol>\(items)</ol>"
  }

  /// What people compare, so that nobody on the way can have given them another certificate.
  private func comparison(_ authority: String) -> HTML {
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
