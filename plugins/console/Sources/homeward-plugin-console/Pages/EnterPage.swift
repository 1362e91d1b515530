/// Where somebody comes in by a code: their own other device's, or that for a screen in a home.
struct EnterPage {
  static let page = Page(path: "/enter", isForAccounts: false, content: { Self(visit: $0).content })

  private let visit: Visit

  private var content: PageContent {
    let title = visit.gettext("Come in by a code")
    let browser = Part.form(
      "account.enter-browser", isAnswered: true,
      """
      \(CodePart.brought("browser", visit.gettext("The camera has read the code of your other device.")))
      <input type="hidden" name="code" data-brings="browser">
      \(Part.submit(visit.gettext("Ask to be let in")))
      """)
    let waiting: HTML = """
      <div id="waiting" role="status" hidden>
      <p>\(visit.gettext("Write this number on your other device. It lets you in as:")) <strong id="whose"></strong></p>
      <p class="code" id="number"></p>
      <p class="soft">\(visit.gettext("This page goes on by itself. Is the name not yours? Then close this page: somebody wants you to use their account."))</p>
      </div>
      <p id="too-late" class="empty" role="status" hidden>\(visit.gettext("Nobody let this device in within five minutes. Have another code shown, and begin again."))</p>
      """
    let screen = Part.form(
      "account.enter-screen", then: "/",
      """
      <p>\(visit.gettext("For a screen in the home, or a telephone that somebody who is looked after carries. Whoever cares for them finds the code on the page Devices and tags."))</p>
      \(CodePart.brought("screen", visit.gettext("The camera has read the code. Press once more.")))
      \(Part.field(visit.gettext("The code"), "code", hint: visit.gettext("Eight letters and digits."), autocomplete: "off", more: " data-brings=\"screen\" autocapitalize=\"none\" spellcheck=\"false\" maxlength=\"12\""))
      \(Part.field(visit.gettext("Where it stands"), "label", hint: visit.gettext("Such as: kitchen."), autocomplete: "off", isRequired: false))
      \(Part.submit(visit.gettext("Show the pages here")))
      """)
    let own: HTML = """
      <p>\(visit.gettext("Are you logged in on another device? There, on the page Your account, have a code shown, and point the camera of this one at it."))</p>
      \(browser)\(waiting)
      """
    return PageContent(
      title: title,
      main: """
        <div class="narrow"><h1>\(title)</h1>
        <div data-kind="browser">\(Part.card(visit.gettext("By your other device"), own))</div>
        <div data-kind="screen">\(Part.card(visit.gettext("A screen for somebody"), screen))</div>
        <p><a href="/log-in">\(visit.gettext("With my password instead"))</a></p></div>
        """, scripts: [CodePart.script])
  }
}
