import JSON
import Texts

/// What matters more than what a page is about, whichever is open.
enum ResidentNow {
  static func content(_ view: ResidentView, yields: Bool, path: String) -> PageContent? {
    if let alarm = view.help {
      if alarm["callsAt"] != nil { return counting(alarm, view) }
      if path == "/me" { return coming(alarm, view) }
    }
    if yields {
      switch view.home["call"]?.stringContent {
      case "ringing", "talking": return call(view)
      default: break
      }
    }
    if let journey = view.journey, journey["stage"]?.stringContent == "asked" {
      return question(journey, view)
    }
    return yields ? view.due.map { reminder($0, view) } : nil
  }

  // MARK: Help

  /// The seconds in which it can be called off.
  private static func counting(_ alarm: JSONValue, _ view: ResidentView) -> PageContent {
    let visit = view.visit
    let title = visit.gettext("I call for help")
    return PageContent(
      title: title,
      main: """
        <div class="matter alarm">
        \(ResidentPart.said("h1", title, once: "sos " + (alarm["alarm"]?.stringContent ?? "")))
        <p class="count" role="timer" data-count="\(alarm["callsAt"]?.stringContent ?? "")">–</p>
        \(ResidentPart.said("p", visit.gettext("Your helpers are told, unless you press Stop.")))
        \(ResidentPart.keys(ResidentPart.button(Icon.cross, visit.gettext("Stop"), "sos.cancel", ["target": view.id], kind: "great", tells: visit.gettext("All right. Nobody is told."))))
        </div>
        """)
  }

  /// Help was called: who comes.
  private static func coming(_ alarm: JSONValue, _ view: ResidentView) -> PageContent {
    let visit = view.visit
    let title = visit.gettext("Help has been called")
    let names = (alarm["acknowledgedByNames"]?.arrayContent ?? []).compactMap(\.stringContent)
    let who =
      names.isEmpty
      ? visit.gettext("Your helpers are being told. Stay where you are, if it is safe.")
      : visit.gettext("{names} is coming.", ["names": names.joined(separator: ", ")])
    return PageContent(
      title: title,
      main: """
        <div class="matter alarm">
        \(ResidentPart.said("h1", title, once: "called " + (alarm["alarm"]?.stringContent ?? "")))
        \(ResidentPart.said("p", told(alarm, view)))
        \(ResidentPart.said("p", who, kind: "great", once: "coming " + names.joined(separator: ",")))
        \(ResidentPart.keys(calls(view), ResidentPart.link(Icon.check, visit.gettext("I am all right"), to: "/me/ok")))
        </div>
        """)
  }

  /// Whom the call has reached: a receipt that is there, or that it is under way.
  private static func told(_ alarm: JSONValue, _ view: ResidentView) -> String {
    let names = view.home["caregivers"]?.arrayContent ?? []
    let reached = (alarm["messages"]?.arrayContent ?? []).filter {
      $0["notice"]?.stringContent == "alarm"
        && ["sent", "delivered"].contains($0["progress"]?.stringContent ?? "")
    }.compactMap { $0["recipient"]?.stringContent }
    let known = names.filter { reached.contains($0["id"]?.stringContent ?? "") }
      .compactMap { $0["name"]?.stringContent }
    guard !known.isEmpty else { return view.visit.gettext("The call is on its way.") }
    return view.visit.gettext(
      "It has reached {names}.", ["names": known.joined(separator: ", ")])
  }

  /// Whom one can telephone oneself, two at most; the gateway's own screen is no telephone, and says the number.
  static func calls(_ view: ResidentView) -> HTML {
    let known = (view.home["caregivers"]?.arrayContent ?? []).compactMap { one -> HTML? in
      guard let phone = one["phone"]?.stringContent, let name = one["name"]?.stringContent else {
        return nil
      }
      if view.visit.visitor.isAtOwnScreen {
        return ResidentPart.said("p", "\(name): \(phone)", isTheirs: true)
      }
      return ResidentPart.link(
        Icon.phone, view.visit.gettext("Call {name}", ["name": name]), to: "tel:\(phone)")
    }
    return "\(Array(known.prefix(2)))"
  }

  // MARK: A call

  private static func call(_ view: ResidentView) -> PageContent {
    let visit = view.visit
    let isTalking = view.home["call"]?.stringContent == "talking"
    let name = visit.gettext("A friend")
    return PageContent(
      title: visit.gettext("Telephone"),
      main: """
        <div class="matter call">
        <p class="soft">\(isTalking ? visit.gettext("You are talking with") : visit.gettext("Incoming call"))</p>
        <h1>\(name)</h1>
        \(ResidentPart.keys(
          isTalking ? .nothing : ResidentPart.button(Icon.phone, visit.pgettext("telephone", "Answer"), "fake-call.answer", .object([]), kind: "first"),
          ResidentPart.button(Icon.cross, visit.gettext("Hang up"), "fake-call.end", .object([]), kind: "alarm")))
        </div>
        """)
  }

  // MARK: Questions and reminders

  private static func question(_ journey: JSONValue, _ view: ResidentView) -> PageContent {
    let visit = view.visit
    let title = visit.gettext("Shall we go?")
    let answer = { (yes: Bool) -> JSONValue in ["target": view.id, "yes": .bool(yes)] }
    return PageContent(
      title: title,
      main: """
        <div class="matter">
        \(ResidentPart.said("h1", ResidentGuidance.goal(journey, view)))
        \(ResidentPart.keys(
          ResidentPart.button(Icon.check, visit.gettext("Yes, let us go"), "guidance.answer", answer(true), kind: "first", then: "/me/way"),
          ResidentPart.button(Icon.cross, visit.gettext("No, not now"), "guidance.answer", answer(false))))
        </div>
        """)
  }

  private static func reminder(_ item: JSONValue, _ view: ResidentView) -> PageContent {
    let visit = view.visit
    let title = item["title"]?.stringContent ?? ""
    let slot = item["slot"] ?? .null
    let answer = { (word: String) -> JSONValue in
      ["target": item["id"] ?? .null, "slot": slot, "answer": .string(word)]
    }
    let dose = item["dose"]?.stringContent.flatMap { $0.isEmpty ? nil : $0 }
    let place = item["place"]?.stringContent.flatMap { $0.isEmpty ? nil : $0 }
    let details = item["details"]?.stringContent.map { ResidentWords.brief($0) }
    let second = dose ?? place ?? (details?.isEmpty == false ? details : nil)
    let picture: HTML =
      switch (item["picture"]?.stringContent, item["kind"]?.stringContent) {
      case (let own?, _): "<img src=\"/picture/\(own)\" alt=\"\">"
      case (nil, "medicine"): Icon.pill
      case (nil, "appointment"): Icon.calendar
      default: Icon.clock
      }
    return PageContent(
      title: title,
      main: """
        <div class="matter due">
        <div class="picture" aria-hidden="true">\(picture)</div>
        <div class="what">
        \(ResidentPart.said("p", view.words.itIs, kind: "soft"))
        \(ResidentPart.said("h1", title, once: "due \(item["id"]?.stringContent ?? "") \(slot.stringContent ?? "")", isTheirs: true))
        \(second.map { ResidentPart.said("p", $0, isTheirs: true) } ?? .nothing)
        </div>
        \(ResidentPart.keys(
          ResidentPart.button(Icon.check, visit.gettext("Done"), "routine.answer", answer("done"), kind: "first", tells: visit.gettext("Well done.")),
          ResidentPart.button(Icon.clock, visit.gettext("Not now"), "routine.answer", answer("not-now"), tells: visit.gettext("All right. Later, then.")), kind: "answers"))
        </div>
        """)
  }
}
