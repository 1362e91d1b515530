import Care
import JSON
import Texts

extension Page {
  /// What is needed less often.
  static let residentMore = Page.resident("/me/more") { view in
    let visit = view.visit
    let title = visit.pgettext("page", "More")
    return PageContent(
      title: title,
      main: """
        <h1 data-said>\(title)</h1>
        \(ResidentPart.keys(
          ResidentPart.link(Icon.note, visit.gettext("Memos"), to: "/me/memos"),
          ResidentPart.link(Icon.drop, visit.gettext("Health"), to: "/health"),
          ring(view),
          ResidentPart.link(Icon.eye, visit.gettext("Large and small"), to: "/me/look"),
          ResidentPart.link(Icon.book, visit.gettext("How it works"), to: "/me/manual"),
          ResidentPart.link(Icon.dots, visit.gettext("All pages"), to: "/more"), kind: "six"))
        """, scripts: ["call.js"])
  }

  /// A reason to leave. On the gateway's own screen the room rings, a telephone rings itself, wherever it is.
  private static func ring(_ view: ResidentView) -> HTML {
    let visit = view.visit
    let words = visit.gettext("Have my phone ring")
    guard !visit.isAtTheGateway else {
      return ResidentPart.button(
        Icon.phone, words, "fake-call.start", ["target": view.id], tells: "")
    }
    let lines = FakeCallLines.all.enumerated().map { index, line -> JSONValue in
      [
        "words": .string(line.text(in: visit.visitor.language)),
        "pause": .integer(FakeCallLines.pauseMilliseconds(after: index)),
      ]
    }
    let call: JSONValue = [
      "incoming": .string(visit.gettext("Incoming call")),
      "talking": .string(visit.gettext("You are talking with")),
      "name": .string(visit.gettext("A friend")),
      "answer": .string(visit.pgettext("telephone", "Answer")),
      "end": .string(visit.gettext("Hang up")), "lines": .array(lines),
    ]
    return ResidentPart.deed(Icon.phone, words, "data-own-call", call.serialized)
  }

  /// The manual, two sentences at a time.
  static let residentManual = Page.resident("/me/manual") { view in
    let visit = view.visit
    let title = visit.gettext("How it works")
    let language = visit.visitor.language.rawValue
    let sentences = ResidentGuide.text(language: language)
    let pages = (sentences.count + 1) / 2
    let page = min(max(0, visit.fields["page"].flatMap { Int($0) } ?? 0), pages - 1)
    let shown = sentences.dropFirst(2 * page).prefix(2).map {
      ResidentPart.said("p", $0, kind: "great")
    }
    let address = { (page: Int) in Visit.address("/me/manual", ["page": "\(page)"]) }
    return PageContent(
      title: title,
      main: """
        <div class="matter"><h1>\(title)</h1>\(shown)
        <p class="soft">\(visit.gettext("{n} of {count}", ["n": page + 1, "count": pages]))</p>
        \(ResidentPart.keys(
          page > 0 ? ResidentPart.link(Icon.back, visit.gettext("Back"), to: address(page - 1)) : .nothing,
          page + 1 < pages ? ResidentPart.link(Icon.arrow, visit.gettext("Go on"), to: address(page + 1), kind: "first") : .nothing))
        </div>
        """)
  }

  /// How large the letters are, and in which language.
  static let residentLook = Page.resident("/me/look") { view in
    let visit = view.visit
    let title = visit.gettext("Large and small")
    let sizes = [
      ("", visit.gettext("Letters as they are")), ("large", visit.gettext("Large letters")),
      ("larger", visit.gettext("Very large letters")),
    ].map { value, words in ResidentPart.deed(Icon.eye, words, "data-size-choice", value) }
    let profile = visit.account["profile"] ?? .null
    let languages = [("en", "English"), ("zh", "中文")].map { tag, name in
      ResidentPart.button(
        Icon.speech, name, "account.put-profile",
        [
          "target": visit.account["id"] ?? .null,
          "profile": profile.setting("language", to: .string(tag)),
        ], tells: "")
    }
    return PageContent(
      title: title,
      main:
        "<h1 data-said>\(title)</h1><div class=\"keys\">\(sizes)\(languages)\(ResidentPart.link(Icon.tag, visit.gettext("How large the keys are"), to: "/me/size"))</div>"
    )
  }

  /// How large a millimetre is on this screen, which no browser knows: by a card whose size is everywhere the same.
  static let residentSize = Page.resident("/me/size") { view in
    let visit = view.visit
    let title = visit.gettext("How large the keys are")
    return PageContent(
      title: title,
      main: """
        <div class="sizing"><div>\(ResidentPart.said("h1", visit.gettext("Hold a bank card upright between the lines.")))
        <div class="between" aria-hidden="true"></div></div>
        \(ResidentPart.keys(
          ResidentPart.deed(Icon.cross, visit.gettext("Too wide"), "data-card", "narrower"),
          ResidentPart.deed(Icon.arrow, visit.gettext("Too narrow"), "data-card", "wider"),
          ResidentPart.deed(Icon.check, visit.gettext("It fits"), "data-card", "fits", kind: "first")))</div>
        """)
  }

  /// Ends a call for help with the PIN, by keys as a telephone has them.
  static let residentOK = Page.resident("/me/ok", yields: false) { view in
    let visit = view.visit
    let title = visit.gettext("I am all right")
    guard view.help != nil else {
      return PageContent(
        title: title,
        main: """
          <div class="matter">\(ResidentPart.said("h1", visit.gettext("Nobody is called just now.")))\(ResidentPart.keys(ResidentPart.link(Icon.home, visit.pgettext("page", "Home"), to: "/me", kind: "first")))</div>
          """)
    }
    let digits = (Array(1...9) + [0]).map { digit -> HTML in
      "<button type=\"button\" class=\"key\" data-digit=\"\(digit)\"><span>\(digit)</span></button>"
    }
    let message = visit.gettext("I am all right. Thank you for looking after me.")
    return PageContent(
      title: title,
      main: """
        <h1 data-said>\(visit.gettext("Your number, please"))</h1>
        \(Part.form("sos.cancel", ["target": view.id, "message": .string(message)], then: "/me", """
          <p class="field"><label class="unseen" for="f-pin">\(visit.gettext("Your PIN"))</label><input id="f-pin" name="pin" type="password" inputmode="numeric" autocomplete="off" data-reads="text"></p>
          <div class="keys pad" role="group" aria-label="\(visit.gettext("Figures"))">\(digits)<button type="button" class="key" data-digit="back" aria-label="\(visit.gettext("Take the last away"))">\(Icon.back)</button></div>
          <p class="actions"><button class="key first"><span>\(title)</span></button></p>
          """))
        """)
  }
}
