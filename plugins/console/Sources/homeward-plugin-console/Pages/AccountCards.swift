import Care
import JSON
import Moments
import Texts

/// What somebody does about their account besides saying who they are: the address, what speaks for it, and its end.
enum AccountCards {
  private static func id(_ visit: Visit) -> JSONValue { visit.account["id"] ?? .null }

  /// The password as it is now; each form of the page has its own field.
  private static func password(_ id: String, _ visit: Visit) -> HTML {
    Part.field(
      visit.gettext("Password"), "password", kind: "password", autocomplete: "current-password",
      id: id)
  }

  /// The address with which somebody logs in; nothing for whoever logs in with none, such as a screen.
  static func email(_ visit: Visit) -> HTML {
    guard let email = visit.account["email"]?.stringContent else { return .nothing }
    let hint = visit.gettext("You log in with it, and codes for a forgotten password go there.")
    // Guardians are written down apart from accounts.
    let guarded = visit.answers.list("guardians.list").contains {
      $0["email"]?.stringContent?.lowercased() == email.lowercased()
    }
    let rest =
      guarded
      ? " "
        + visit.gettext(
          "Alarms go on to the address that stands under Guardians: change it there, too.")
      : ""
    return Part.card(
      visit.gettext("E-mail address"),
      Part.form(
        "account.set-email", ["target": id(visit)],
        """
        \(Part.field(visit.gettext("E-mail address"), "email", email, kind: "email", hint: hint + rest, autocomplete: "email"))
        \(password("e-password", visit))
        \(Part.submit(visit.gettext("Take this address")))
        """))
  }

  // MARK: What speaks for it

  /// Each browser, screen and program, with the way to end it.
  static func sessions(_ visit: Visit) -> HTML {
    let sessions = visit.account["sessions"]?.arrayContent ?? []
    let others: HTML =
      sessions.count < 2
      ? .nothing
      : """
      <p class="actions">\(Part.button(visit.gettext("End all others"), "account.end-sessions", JSONValue.object(["target": id(visit), "session": visit.session?["id"]]), kind: "quiet", asks: visit.gettext("End all others? Every other browser and screen has to log in again, and every program needs another token.")))</p>
      """
    return Part.card(
      visit.gettext("Where you are logged in"),
      Part.list(sessions.map { line($0, visit) }) + others)
  }

  private static func line(_ session: JSONValue, _ visit: Visit) -> HTML {
    let isThis = session["isThis"]?.boolContent == true
    // Whoever presses everything on a screen in their home does not end it: who cares for them can, and who keeps the gateway.
    let end: HTML =
      isThis && visit.isScreen
      ? .nothing
      : Part.button(
        isThis ? visit.gettext("Log out") : visit.gettext("End it"), "account.end-session",
        ["target": id(visit), "session": session["id"] ?? .null], then: isThis ? "/log-in" : nil)
    let isProgram = session["kind"]?.stringContent == "program"
    let program: HTML =
      isProgram
      ? """
      <br>\(visit.gettext("A program, until {day}", ["day": visit.day(session["until"]?.stringContent, of: visit.residents.first)]))<br>\(visit.gettext("May: {what}", ["what": scope(session, visit)]))
      """ : .nothing
    return Part.line(
      isProgram ? Icon.gear : Icon.person, HTML(session["label"]?.stringContent ?? "–"),
      """
      \(isThis ? HTML(visit.gettext("This one")) : "\(visit.gettext("Used")) \(visit.age(of: session["seen"]?.stringContent))")\(program)
      \(session["push"] == nil ? .nothing : "<br>\(visit.gettext("Is told of alarms while the page is closed"))")
      """, aside: end)
  }

  private static func scope(_ session: JSONValue, _ visit: Visit) -> String {
    let scope = Set((session["scope"]?.arrayContent ?? []).compactMap(\.stringContent))
    return (ProgramScope.seen(visit) + ProgramScope.done(visit))
      .filter { scope.contains($0.permission.rawValue) }.map(\.words).joined(separator: ", ")
  }

  /// How a program is let speak for somebody; its token is shown where they asked for it, and never again.
  static func programs(_ visit: Visit) -> HTML {
    guard visit.account["email"] != nil else { return .nothing }
    let ends = [
      (7, visit.gettext("A week")), (30, visit.gettext("A month")),
      (90, visit.gettext("Three months")), (365, visit.gettext("A year")),
    ].map { days, words in
      let end = visit.midnight(of: visit.residents.first, daysAgo: -Int64(days)).iso8601
      return (value: end, words: "\(words), \(visit.day(end, of: visit.residents.first))")
    }
    let form = Part.form(
      "account.add-program", ["target": id(visit), "scope": []], isAnswered: true,
      """
      \(Part.field(visit.gettext("What the program is"), "label", hint: visit.gettext("Such as: weekly report."), autocomplete: "off", id: "p-label"))
      <div role="group" aria-labelledby="p-sees"><p id="p-sees"><strong>\(visit.gettext("What it sees of those whom you see"))</strong></p>\(ProgramScope.seen(visit).map(\.box))</div>
      <details><summary>\(visit.gettext("What else it may do"))</summary>\(ProgramScope.done(visit).map(\.box))</details>
      \(Part.choice(visit.gettext("Until"), "until", ends, chosen: ends[2].value))
      \(password("p-password", visit))
      \(Part.submit(visit.gettext("Make a token")))
      """)
    // Few want one, and it is long.
    return """
      <details class="card" id="program"><summary><h2>\(visit.gettext("A program that speaks for you"))</h2></summary>
      <p>\(visit.gettext("A program of your own, such as a report or a display, comes in with a token instead of your password. It sees and does what you choose here, until the day that you choose, and stands under Where you are logged in."))</p>
      <div id="made" role="status" hidden>
      <p class="field"><label for="token">\(visit.gettext("The token"))</label><span class="hint" id="token-hint">\(visit.gettext("Copy it now, into the program alone: it is shown this once."))</span><input id="token" readonly aria-describedby="token-hint" value=""></p>
      </div>
      \(form)
      </details>
      """
  }

  // MARK: Its end

  /// How somebody has no account any more; it takes the password, and is asked once more.
  static func erasure(_ visit: Visit) -> HTML {
    guard visit.account["email"] != nil else { return .nothing }
    let stays =
      visit.isCaregiver
      ? visit.gettext(
        "You see nobody any more. What is known of those you care for stays, and as long as you are a guardian of theirs you are told of alarms."
      )
      : visit.gettext(
        "You cannot log in any more. What the gateway knows of you stays, and you are looked after as before; whoever keeps the gateway can erase that, too."
      )
    return """
      <details class="card" id="erasure"><summary><h2>\(visit.gettext("Erase my account"))</h2></summary>
      \(Part.form("account.remove", ["target": id(visit)], then: "/log-in", asks: visit.gettext("Erase your account for good? Nobody can bring it back."), """
        <p>\(visit.gettext("Your name, your address, your links and all that speaks for you are erased."))</p>
        <p>\(stays)</p>
        \(password("r-password", visit))
        <p class="actions"><button class="button quiet">\(visit.gettext("Erase my account"))</button></p>
        """))
      </details>
      """
  }
}

/// What a program may be let see or do, in words.
struct ProgramScope {
  let permission: Permission
  let words: String

  private init(_ permission: Permission, _ words: String) {
    (self.permission, self.words) = (permission, words)
  }

  /// A box to tick, of a list of such.
  var box: HTML {
    """
    <p class="check"><input type="checkbox" id="p-\(permission.rawValue)" name="scope" value="\(permission.rawValue)" data-reads="item"><label for="p-\(permission.rawValue)">\(words)</label></p>
    """
  }

  /// What it may see.
  static func seen(_ visit: Visit) -> [ProgramScope] {
    [
      ProgramScope(.position, visit.gettext("Where they are, and their zones")),
      ProgramScope(.alarms, visit.gettext("Alarms that are open")),
      ProgramScope(.journal, visit.gettext("What happened")),
      ProgramScope(.routine, visit.gettext("The routine, and what became of it")),
      ProgramScope(.health, visit.gettext("Readings of glucose")),
      ProgramScope(.messages, visit.gettext("Messages")),
      ProgramScope(.notes, visit.gettext("Memos and the diary")),
      ProgramScope(.contacts, visit.gettext("Guardians and how they are reached")),
      ProgramScope(.settings, visit.gettext("Settings and consents")),
      ProgramScope(.map, visit.gettext("The map")),
      ProgramScope(.gateway, visit.gettext("How the gateway does")),
    ]
  }

  /// What it may do: nothing that changes accounts, keeps the gateway or takes away what calls for help, which no program is let do.
  static func done(_ visit: Visit) -> [ProgramScope] {
    [
      ProgramScope(.callForHelp, visit.gettext("Call for help, and say that all is well")),
      ProgramScope(.answerAlarms, visit.gettext("Take charge of alarms and end them")),
      ProgramScope(.sendMessages, visit.gettext("Write messages")),
      ProgramScope(.changeReadings, visit.gettext("Write readings of glucose")),
      ProgramScope(.answerRoutine, visit.gettext("Answer reminders")),
      ProgramScope(.changeRoutine, visit.gettext("Change the routine")),
      ProgramScope(.changeNotes, visit.gettext("Write memos and the diary")),
      ProgramScope(.changePlaces, visit.gettext("Change zones, absences and places")),
      ProgramScope(.useRoom, visit.gettext("Have something sound in the room")),
      ProgramScope(.guide, visit.gettext("Have somebody shown the way")),
      ProgramScope(.changeSettings, visit.gettext("Change settings")),
      ProgramScope(.changeDevices, visit.gettext("Change tags and meters")),
      ProgramScope(.changePeople, visit.gettext("Change residents and guardians")),
      ProgramScope(.consent, visit.gettext("Say what somebody consents to")),
    ]
  }
}
