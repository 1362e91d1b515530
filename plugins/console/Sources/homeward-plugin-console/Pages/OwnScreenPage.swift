/// What the gateway's own screen shows while nobody's pages are shown there: what is to be done.
///
/// A code that `homeward kiosk` made comes behind its address and counts at once: who stands there has no keyboard, and
/// nobody else can lead this browser anywhere.
struct OwnScreenPage {
  static let page = Page(
    path: "/screen", isForAccounts: false, content: { Self(visit: $0).content })

  private let visit: Visit

  private var content: PageContent {
    let title = visit.gettext("This screen is not set up")
    let unset: HTML = """
      <div data-unset><h1>\(title)</h1>
      <p>\(visit.gettext("Somebody who keeps the gateway can say whose pages it shows, with this command:"))</p>
      <p><code>sudo homeward kiosk</code></p>
      <p>\(visit.gettext("Buttons, alarms and reminders of the gateway go on without it."))</p></div>
      """
    return PageContent(
      title: title,
      main: """
        <div class="narrow" data-enters="\(visit.gettext("The gateway’s own screen"))">\(unset)
        <div role="status" data-entering hidden><h1>\(visit.gettext("One moment, please."))</h1></div></div>
        """, scripts: [CodePart.script])
  }
}
