import Accounts
import Bytes
import Care
import Door
import JSON
import Moments
import Texts

/// `homeward accounts …`: who may log in, for whoever keeps the gateway.
enum AccountCommands {
  static let all = [
    list, add, invite, show, role, password, link, unlink, screen, program, disconnect, logOut,
    remove,
  ]

  private static let list: CommandSpecification = .init(
    path: ["accounts"], summary: gettext("Who may log in, and whom they see"),
    examples: [Example("homeward accounts", gettext("Each account, with those whom it sees."))]
  ) { session throws(CommandFailure) in
    let answer = try session.call(.accountsList)
    if session.wantsJSON { return session.terminal.write(answer) }
    let accounts = try session.read(answer)
    if accounts.isEmpty {
      return session.terminal.write(
        gettext("Nobody has an account yet. Add one: homeward accounts add --help\n"))
    }
    var table = Table([
      gettext("NAME"), gettext("E-MAIL"), gettext("FOR"), gettext("SEES"), gettext("LOGGED IN"),
      gettext("SINCE"),
    ])
    for account in accounts {
      table.add([
        account.name, account.email ?? "-", word(of: account.role),
        account.residents.isEmpty ? gettext("nobody") : account.residents.joined(separator: ", "),
        account.isPaused ? gettext("wrong passwords, waits") : String(account.sessions),
        session.times.text(account.created),
      ])
    }
    session.terminal.write(table.text)
  }

  private static func word(of role: AccountRole?) -> String {
    switch role {
    case .caregiver: gettext("caring")
    case .clinician: gettext("treating")
    case .resident: gettext("being cared for")
    case nil: gettext("not chosen yet")
    }
  }

  private static let add: CommandSpecification = .init(
    path: ["accounts", "add"], summary: gettext("Makes an account, with a password that is typed"),
    discussion: gettext(
      """
      The password is asked for twice and not shown; without a terminal it is one line of standard input.
      --resident says whom a caregiver sees. With --self it is that resident's own account. With --clinician it is that of a doctor or dietitian, who sees readings, diary and medicine, and changes nothing.
      """),
    options: [
      .option("name", "NAME", gettext("The name by which others know the account, in any script")),
      .option("email", "ADDRESS", gettext("The address to log in with")),
      .option("phone", "NUMBER", gettext("Telephone: +47 912 34 567, or as in the country")),
      .option("language", "en|zh", gettext("The language of what they are told")),
      .repeatable("resident", "WHO", gettext("Whom the account sees; may be given several times")),
      .flag("self", gettext("The account is that resident's own")),
      .flag("clinician", gettext("The account is that of somebody who treats them")),
    ],
    examples: [
      Example(
        "homeward accounts add --name Anna --email anna@example.org --resident ada",
        gettext("Anna cares for Ada.")),
      Example(
        "homeward accounts add --name Ada --email ada@example.org --resident ada --self",
        gettext("Ada's own account.")),
      Example(
        "homeward accounts add --name 'Dr. Lund' --email lund@example.org --clinician --resident ada",
        gettext("Dr. Lund treats Ada.")),
    ]
  ) { session throws(CommandFailure) in
    guard let name = session.arguments.option("name"),
      let email = session.arguments.option("email")
    else { throw .usage(gettext("say who: --name NAME --email ADDRESS"), add) }
    let known = try session.residents()
    var residents: [Resident] = []
    for wanted in session.arguments.all("resident") {
      residents.append(try session.choose(wanted, among: known))
    }
    let isOwn = session.arguments.has("self")
    guard !isOwn || residents.count == 1 else {
      throw .usage(gettext("say whose account it is: --resident WHO --self"), add)
    }
    guard !isOwn || !session.arguments.has("clinician") else {
      throw .usage(gettext("say --self or --clinician, not both."), add)
    }
    let profile = UserAccount.Profile(
      name: name, phone: session.arguments.option("phone"),
      language: session.arguments.option("language"))
    let password = try SecretEntry.password.twice(session, add)
    let answer = try session.make(
      NewAccount(
        email: email, profile: profile, password: password, residents: residents,
        role: isOwn ? .resident : session.arguments.has("clinician") ? .clinician : .caregiver))
    let names = residents.map(\.name).joined(separator: ", ")
    let sentence =
      isOwn
      ? gettext("{name} may log in, with an account of their own.", ["name": name])
      : residents.isEmpty
        ? gettext(
          "{name} may log in, and sees nobody yet: homeward accounts link {email} --resident WHO",
          ["name": name, "email": email])
        : gettext("{name} may log in, and sees {residents}.", ["name": name, "residents": names])
    session.tell(answer, sentence)
  }

  private static let invite: CommandSpecification = .init(
    path: ["accounts", "invite"],
    summary: gettext("Makes a code by which one person may make an account on the pages"),
    discussion: gettext(
      "It is good for a week, and once, also where the configuration lets nobody else in (gateway.signUp: invited)."
    ),
    examples: [Example("homeward accounts invite", gettext("Tell the code to whom you invite."))]
  ) { session throws(CommandFailure) in
    let answer = try session.perform(.account(.invite))
    session.tell(
      answer,
      gettext(
        "{code} lets one person make an account, until {time}; capital letters count.",
        [
          "code": grouped(answer["code"]?.stringContent ?? ""),
          "time": session.times.text(answer["until"]?.stringContent ?? ""),
        ]))
  }

  private static let show: CommandSpecification = .init(
    path: ["accounts", "show"],
    summary: gettext("What speaks for an account, who asks to be linked, and how else it logs in"),
    operands: [Session.accountOperand],
    examples: [
      Example("homeward accounts show anna", gettext("Each browser, since when, used last when."))
    ]
  ) { session throws(CommandFailure) in
    let account = try session.account()
    let answer = try session.call(.accountShow, ["account": .string(account.id.rawValue)])
    try session.show(answer) { answer throws(DecodeError) in
      let reader = try JSONReader(answer)
      let sessions = try reader.list("sessions") { json throws(DecodeError) in
        try SessionRow(json: json)
      }
      let requests = try reader.list("requests") { json throws(DecodeError) in
        try linkRequest(json, session.times)
      }
      let short = ShortIDs(sessions.map(\.id))
      var table = Table([
        gettext("SESSION"), gettext("WHAT"), gettext("SINCE"), gettext("LAST USED"),
      ])
      for row in sessions {
        table.add([
          short.text(row.id), row.what, session.times.text(row.began), session.times.text(row.seen),
        ])
      }
      let listed = sessions.isEmpty ? gettext("Nobody is logged in.\n") : table.text
      let connected = try reader.optional("openID").map { json throws(DecodeError) in
        try connection(json, session.times)
      }
      return listed + (requests + [connected].compactMap { $0 }).map { $0 + "\n" }.joined()
    }
  }

  private static func linkRequest(
    _ json: JSONValue, _ times: TimeDisplay
  ) throws(DecodeError) -> String {
    let reader = try JSONReader(json)
    let answer = try reader.optional("answer").map { json throws(DecodeError) in
      try JSONReader(json)
    }
    let asked = try reader.string("asked")
    let values: Message.Values = [
      "from": TextWidth.printable(try reader.string("fromName")),
      "to": TextWidth.printable(try reader.string("toName")),
      "time": times.text(try answer?.string("time") ?? asked),
    ]
    return switch try answer?.bool("isAccepted") {
    case nil: gettext("{from} asked to be linked with {to}, on {time}.", values)
    case true?: gettext("{to} said yes to {from}, who had asked to be linked, on {time}.", values)
    case false?: gettext("{to} said no to {from}, who had asked to be linked, on {time}.", values)
    }
  }

  private static func connection(
    _ json: JSONValue, _ times: TimeDisplay
  ) throws(DecodeError) -> String {
    let reader = try JSONReader(json)
    let values: Message.Values = [
      "issuer": TextWidth.printable(try reader.string("issuer")),
      "name": TextWidth.printable(try reader.optionalString("name") ?? ""),
      "time": times.text(try reader.string("connected")),
    ]
    return reader.optional("name") == nil
      ? gettext("Logs in by {issuer} too, since {time}.", values)
      : gettext("Logs in by {issuer} too, as {name}, since {time}.", values)
  }

  private static let disconnect: CommandSpecification = .init(
    path: ["accounts", "disconnect"],
    summary: gettext("Lets an account log in by another service no longer"),
    discussion: gettext(
      "Whoever is logged in stays so: homeward accounts log-out ends that. The password goes on."),
    operands: [Session.accountOperand],
    examples: [
      Example(
        "homeward accounts disconnect anna", gettext("Anna logs in with her password alone."))
    ]
  ) { session throws(CommandFailure) in
    let account = try session.account()
    let answer = try session.perform(.account(.disconnectOpenID(account.id)))
    session.tell(
      answer, gettext("{name} logs in by another service no longer.", ["name": account.name]))
  }

  private static let role: CommandSpecification = .init(
    path: ["accounts", "role"], summary: gettext("Says what an account is for; once"),
    operands: [
      Session.accountOperand,
      OperandSpecification(name: "FOR", help: gettext("caregiver, clinician or resident")),
    ],
    options: [
      .option("resident", "WHO", gettext("Whose own account it is, for one of a resident"))
    ],
    examples: [
      Example(
        "homeward accounts role ada resident --resident ada",
        gettext("The account is Ada's own."))
    ]
  ) { session throws(CommandFailure) in
    guard let role = AccountRole(rawValue: session.arguments.operands[1]) else {
      throw .usage(gettext("say caregiver, clinician or resident."), role)
    }
    let account = try session.account()
    let resident = role == .resident ? try session.resident() : nil
    let answer = try session.perform(
      .account(.chooseRole(account.id, role, resident: resident?.id)))
    let sentence =
      resident.map {
        gettext(
          "{account} is {name}'s own account.", ["account": account.name, "name": $0.name])
      }
      ?? (role == .clinician
        ? gettext("{account} treats others.", ["account": account.name])
        : gettext("{account} cares for others.", ["account": account.name]))
    session.tell(answer, sentence)
  }

  private static let password: CommandSpecification = .init(
    path: ["accounts", "password"],
    summary: gettext("Sets another password; every browser is logged out"),
    discussion: gettext(
      "For somebody who forgot it. It is asked for twice and not shown; without a terminal it is one line of standard input."
    ),
    operands: [Session.accountOperand],
    examples: [Example("homeward accounts password anna", gettext("Asks twice."))]
  ) { session throws(CommandFailure) in
    let account = try session.account()
    let new = try SecretEntry.password.twice(session, password)
    let answer = try session.perform(
      AccountRequest.setPassword(account.id, keeping: nil).json
        .setting("newPassword", to: .string(new)))
    session.tell(
      answer,
      gettext(
        "{name} has a new password, and is logged out everywhere.", ["name": account.name]))
  }

  private static let link: CommandSpecification = .init(
    path: ["accounts", "link"],
    summary: gettext("Lets the account of a caregiver or clinician see a resident"),
    operands: [Session.accountOperand], options: [Session.residentOption],
    examples: [
      Example("homeward accounts link anna --resident ada", gettext("Anna sees how Ada is."))
    ]
  ) { session throws(CommandFailure) in
    let (account, resident) = (try session.account(), try session.resident())
    let answer = try session.perform(.account(.linking(account.id, .link(resident.id))))
    session.tell(
      answer,
      UserAccount.sentence(
        ofLink: true, account.role, ["account": account.name, "name": resident.name]
      ).text(in: SpokenLanguage.current))
  }

  private static let unlink: CommandSpecification = .init(
    path: ["accounts", "unlink"],
    summary: gettext("Lets the account of a caregiver or clinician see a resident no longer"),
    operands: [Session.accountOperand], options: [Session.residentOption],
    examples: [
      Example("homeward accounts unlink anna --resident ada", gettext("Anna sees nothing of Ada."))
    ]
  ) { session throws(CommandFailure) in
    let (account, resident) = (try session.account(), try session.resident())
    let answer = try session.perform(.account(.linking(account.id, .unlink(resident.id))))
    session.tell(
      answer,
      UserAccount.sentence(
        ofLink: false, account.role, ["account": account.name, "name": resident.name]
      ).text(in: SpokenLanguage.current))
  }

  private static let screen: CommandSpecification = .init(
    path: ["accounts", "screen"],
    summary: gettext("Makes a code by which a screen or a telephone speaks for a resident"),
    discussion: gettext(
      "The page on the screen asks for it within ten minutes. It never logs out by itself: homeward accounts log-out does."
    ),
    options: [Session.residentOption],
    examples: [
      Example(
        "homeward accounts screen --resident ada", gettext("For the screen in Ada's kitchen."))
    ]
  ) { session throws(CommandFailure) in
    let resident = try session.resident()
    let answer = try session.perform(.account(.addScreen(for: resident.id)))
    session.tell(
      answer,
      gettext(
        "{code} lets a screen speak for {name}. Type it there within ten minutes; capital letters count.",
        ["code": grouped(answer["code"]?.stringContent ?? ""), "name": resident.name]))
  }

  /// A code in two groups, as people read and type it.
  private static func grouped(_ code: String) -> String { "\(code.prefix(4)) \(code.dropFirst(4))" }

  private static let program: CommandSpecification = .init(
    path: ["accounts", "program"],
    summary: gettext("Makes a token by which a program speaks for an account"),
    discussion: gettext(
      "The token is shown once. It ends on its day, or when homeward accounts log-out ends it."),
    operands: [Session.accountOperand],
    options: [
      .option("label", "NAME", gettext("What the program is, for whoever looks later")),
      .repeatable(
        "may", "WHAT",
        gettext("What it may, such as position or health; may be given several times")),
      .option("until", "DAY", gettext("The day on which it ends, such as 2027-01-31; in 90 days")),
    ],
    examples: [
      Example(
        "homeward accounts program anna --label \"Weekly report\" --may health --may routine",
        gettext("It reads glucose and the routine of those whom Anna sees."))
    ]
  ) { session throws(CommandFailure) in
    guard let label = session.arguments.option("label") else {
      throw .usage(gettext("say what the program is: --label NAME"), program)
    }
    var scope: Set<Permission> = []
    for word in session.arguments.all("may") {
      guard let permission = Permission(rawValue: word) else {
        throw .usage(
          gettext(
            "say one of {known}, not \"{word}\".",
            [
              "known": Permission.allCases.map(\.rawValue).joined(separator: ", "), "word": word,
            ]), program)
      }
      scope.insert(permission)
    }
    let now = TimeDisplay.now
    let until =
      try session.arguments.option("until").map { text throws(CommandFailure) in
        try session.times.read(text, option: "until", now: now)
      } ?? now.advanced(byMilliseconds: 90 * 86_400_000)
    let account = try session.account()
    let answer = try session.perform(
      .account(.addProgram(account.id, label: label, scope: scope, until: until)))
    session.tell(
      answer,
      gettext(
        "The token of {label}, until {time}: {token}",
        [
          "label": label, "time": session.times.text(until),
          "token": answer["token"]?.stringContent ?? "",
        ]))
  }

  private static let logOut: CommandSpecification = .init(
    path: ["accounts", "log-out"],
    summary: gettext("Logs an account out, everywhere or in one place"),
    operands: [Session.accountOperand],
    options: [
      .option("session", "ID", gettext("One session alone, as homeward accounts show lists it"))
    ],
    examples: [
      Example("homeward accounts log-out anna", gettext("A telephone was lost: all must log in."))
    ]
  ) { session throws(CommandFailure) in
    let account = try session.account()
    guard let wanted = session.arguments.option("session") else {
      let answer = try session.perform(.account(.endSessions(account.id, besides: nil)))
      return session.tell(
        answer, gettext("{name} is logged out everywhere.", ["name": account.name]))
    }
    let page = try session.call(.accountShow, ["account": .string(account.id.rawValue)])
    let known = (page["sessions"]?.arrayContent ?? []).compactMap { $0["id"]?.stringContent }
    let found = try Lookup(
      among: known, id: { $0 }, name: { $0 },
      nothing: { gettext("there is no session \"{wanted}\".", ["wanted": $0]) },
      list: gettext("List them: homeward accounts show {account}", ["account": account.name])
    ).find(wanted)
    let answer = try session.perform(.account(.endSession(account.id, session: found)))
    session.tell(answer, gettext("{name} is logged out there.", ["name": account.name]))
  }

  private static let remove: CommandSpecification = .init(
    path: ["accounts", "remove"],
    summary: gettext("Removes an account; the resident and the guardian stay"),
    operands: [Session.accountOperand],
    examples: [Example("homeward accounts remove anna", gettext("Anna cannot log in any more."))]
  ) { session throws(CommandFailure) in
    let account = try session.account()
    let answer = try session.perform(.account(.remove(account.id)))
    session.tell(answer, gettext("Removed the account of {name}.", ["name": account.name]))
  }
}

/// What speaks for an account, as a line.
private struct SessionRow {
  let id: String
  let what: String
  let began: String
  let seen: String

  init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    id = try reader.string("id")
    let kind =
      switch try reader.word("kind", as: Accounts.Session.Kind.self) {
      case .browser: gettext("browser")
      case .screen: gettext("screen")
      case .program: gettext("program")
      }
    let label = try reader.string("label")
    what = label.isEmpty ? kind : "\(kind): \(TextWidth.printable(label))"
    began = try reader.string("began")
    seen = try reader.string("seen")
  }
}
