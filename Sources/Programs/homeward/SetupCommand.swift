import Care
import Certificates
import CivilTime
import Configuration
import Glibc
import JSON

/// `homeward setup`.
enum SetupCommand {
  static let specification: CommandSpecification = .init(
    path: ["setup"],
    summary: gettext(
      "First run: resident, home, guardian, broker, and the pages for the family, each tested"),
    discussion: gettext(
      """
      Asks on a terminal; takes everything from options elsewhere, or with --yes. Comments and settings in the
      configuration stay as they are. While homewardd does not run, what is about people is left in the state directory
      and taken over at its next start. It may be run again: it offers what is set, and what is answered with Enter stays.
      """),
    options: [
      .option("name", "NAME", gettext("The resident's name as people write it, in any script")),
      .option(
        "time-zone", "ZONE",
        gettext("Time zone that the resident lives by; the machine's own unless set")),
      .option(
        "language", "en|zh",
        gettext("Language of reminders and messages; that of this dialogue unless set")),
      .option("home", "LAT,LON", gettext("Centre of the home in degrees; none for later")),
      .option(
        "radius", "LENGTH",
        gettext("Radius of the home, 5 to 2000 m; 25m unless set, or such as 82ft")),
      .option("guardian", "NAME", gettext("Who is told in an emergency; none for later")),
      .option(
        "guardian-phone", "NUMBER", gettext("The guardian's telephone, with + and country code")),
      .option("guardian-email", "ADDRESS", gettext("The guardian's e-mail address")),
      .option(
        "gps", "SOURCE",
        gettext("Receiver that moves with the resident; the first configured one unless set")),
      .option("sound", "yes|no", gettext("Whether the room has a loudspeaker")),
      .option("broker", "HOST[:PORT]", gettext("MQTT broker that events go to; none for later")),
      .option("broker-user", "NAME", gettext("User name at the broker")),
      .option(
        "broker-password-file", "PATH",
        gettext("File with the password, readable by root and the daemon")),
      .option("pages", "yes|no", gettext("Whether families have pages in a browser")),
      .option(
        "certificate", "KIND",
        gettext("best (unless set), domain, tailscale, home or self-signed; sets up the pages")),
      .option(
        "host", "NAME", gettext("Name of this computer at home; its own with .local unless set")),
      .repeatable("address", "ADDRESS", gettext("Address of this computer that never changes")),
      .option("port", "NUMBER", gettext("Port of the pages; 8474 unless set")),
      .option(
        "domain", "NAME", gettext("Domain of your own that leads here, such as home.example.org")),
      .option("dns-provider", "CODE", gettext("Who keeps its names: lego dnshelp lists them")),
      .option(
        "dns-credentials", "PATH",
        gettext("File with what the provider wants to know, NAME=VALUE a line, for root alone")),
      .option(
        "acme-email", "ADDRESS", gettext("Whom the authority warns before a certificate ends")),
      .option("acme-server", "URL", gettext("The authority's directory; Let's Encrypt unless set")),
      .option(
        "dns-resolver", "HOST:PORT",
        gettext("Who is asked whether the record is there, where the home has names of its own")),
      .option(
        "push", "yes|no",
        gettext("Whether alarms appear while no page is open; yes with the pages unless set")),
      .option(
        "push-contact", "ADDRESS",
        gettext("Which address push services are told; the caregiver's unless set")),
      .option("caregiver", "NAME", gettext("Who gets an account for the pages; none for later")),
      .option("caregiver-email", "ADDRESS", gettext("With which address they log in")),
      .option(
        "caregiver-password-file", "PATH",
        gettext("File with their password; without it, asked for, or a line of standard input")),
      .option(
        "restart", "yes|no", gettext("Whether the gateway starts anew, to take over what changed")),
      .flag("yes", gettext("Do not ask; what is not given stays, or has its default")),
    ],
    examples: [
      Example("sudo homeward setup", gettext("Asks one thing after the other.")),
      Example(
        "sudo homeward setup --yes --name Mary --time-zone Europe/Oslo --home 59.9139,10.7522 --broker 127.0.0.1",
        gettext("The same for a script.")),
      Example(
        "sudo homeward setup --yes --name Mary --pages yes --certificate home",
        gettext("Switches the pages on, with an authority of the home's own.")),
    ]
  ) { session throws(CommandFailure) in try Setup(session: session).run() }
}

/// What set-up was told about people.
struct SetupAnswers {
  var resident: Resident
  /// Nil where it stays as it is.
  var language: String?
  /// Nil where there is none, or it stays as it is.
  var home: SafeZone?
  /// Nil where nobody new is told.
  var guardian: Guardian?

  /// The commands that bring it about.
  var requests: [Command.Request] {
    let setting = language.map {
      Command.Request.putSetting(resident: resident.id, name: "language", value: .string($0))
    }
    return [.putResident(resident)]
      + [setting, home.map { .putZone($0) }, guardian.map { .putGuardian($0) }].compactMap { $0 }
  }
}

/// One run of set-up.
struct Setup {
  let session: Session
  let dialogue: SetupDialogue

  init(session: Session) {
    self.session = session
    dialogue = SetupDialogue(session: session)
  }

  func run() throws(CommandFailure) {
    try requireWritable()
    var (editor, present) = try openConfiguration()
    let configuration = session.configuration
    dialogue.say(gettext("Configuration: {path}", ["path": session.configurationPath]))
    let people = SetupPeople(session: session, configuration: configuration)
    let position = testReceivers(present.receivers)
    let questions = SetupQuestions(
      dialogue: dialogue, known: try people.known(), present: present)
    let answers = try questions.ask(position: position)
    let hasSound = try questions.askSound()
    let broker = try SetupBroker(dialogue: dialogue, configured: Self.broker(configuration)).ask()
    let pages = SetupPages(
      dialogue: dialogue, configuration: configuration, maker: session.certificates)
    let wish = try pages.ask()
    let account = SetupAccount(dialogue: dialogue)
    let newcomer = try account.ask(of: answers, hasPages: wish != nil)
    let push = SetupPush(dialogue: dialogue, configuration: configuration)
    var contact = try push.ask(
      hasPages: wish != nil,
      addresses: [newcomer?.email, wish?.ladder.domain?.challenge.email])
    try edit(&editor, answers.resident, hasSound, broker)
    var reach: SetupPages.Reach?
    if let wish {
      // What the file does not allow is said before anything is made.
      var trial = editor
      try pages.edit(&trial, wish, nil)
      let settled = try pages.settle(wish)
      try pages.edit(&editor, wish, settled)
      if !push.isUseful(with: settled) { contact = nil }
      if let contact { try push.edit(&editor, contact: contact) }
      reach = settled
    }
    let isChanged = try save(editor)
    if let wish { pages.announce(wish) }
    let isApplied = try people.hand(over: answers)
    let sentence = try newcomer.map { newcomer throws(CommandFailure) in
      try account.make(newcomer, for: answers.resident)
    }
    let restart = SetupRestart(dialogue: dialogue)
    let isRestarted = isChanged ? try restart.offer() : false
    let end = SetupEnd(
      session: session, isApplied: isApplied, isChanged: isChanged, isRestarted: isRestarted,
      account: sentence, reach: reach, pushContact: contact)
    end.tell(answers, questions.home(of: answers))
  }

  /// Whoever may not write the configuration learns it before the first question, not after the last.
  private func requireWritable() throws(CommandFailure) {
    let path = session.configurationPath
    let folder = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
    let isMissing = access(path, F_OK) != 0
    if access(folder.isEmpty ? "/" : folder, W_OK) == 0, isMissing || access(path, W_OK) == 0 {
      return
    }
    let reason = String(cString: strerror(errno))
    throw CommandFailure(
      .failed, gettext("{path} cannot be written: {reason}.", ["path": path, "reason": reason]),
      hint: gettext(
        "Set-up writes the configuration, which needs root: sudo homeward setup (nothing was asked or changed)."
      ))
  }

  /// Where the plugin mqtt goes now, as it is typed; nil where it is not configured.
  private static func broker(_ configuration: GatewayConfiguration) -> String? {
    let settings = configuration.plugins.enabled.first { $0.name == "mqtt" }?.settings
    guard let host = settings?["host"]?.stringContent else { return nil }
    let port = settings?["port"]?.integerContent ?? 1883
    let name = host.contains(":") ? "[\(host)]" : host
    return port == 1883 ? name : "\(name):\(port)"
  }

  /// The file to change, and what the daemon makes of it; the documented one where there is none yet.
  private func openConfiguration() throws(CommandFailure) -> (
    ConfigurationEditor, DaemonProgram.Judgement
  ) {
    let path = session.configurationPath
    let daemon = DaemonProgram()
    var text: String?
    do throws(FileFailure) { text = try FileText.read(path) } catch {
      if error.code != 2 {
        throw CommandFailure(
          .failed, gettext("{path}: {reason}.", ["path": path, "reason": error.reason]),
          hint: gettext("Run it as root: sudo homeward setup"))
      }
    }
    let judgement = text == nil ? daemon.judgementOfDefaults : daemon.judge(path)
    switch judgement {
    case .right: break
    case .wrong(let faults): throw Self.faulty(faults)
    case .unknown(let reason): throw Self.missing(reason)
    }
    // An empty file is none to begin from.
    guard let text = text ?? daemon.defaultConfiguration else { throw Self.missing(daemon.silence) }
    do throws(ConfigurationError) {
      return (
        try ConfigurationEditor(text: text, path: path),
        judgement
      )
    } catch { throw Self.faulty(error.problems.map { $0.text(in: SpokenLanguage.current) }) }
  }

  private static func missing(_ reason: String) -> CommandFailure {
    CommandFailure(
      .failed, gettext("{reason}.", ["reason": reason]),
      hint: gettext("Install homewardd beside homeward, then run homeward setup again."))
  }

  private static func faulty(_ faults: [String]) -> CommandFailure {
    CommandFailure(
      .failed,
      gettext(
        "the configuration has faults:\n{error}", ["error": faults.joined(separator: "\n")]),
      hint: gettext("Correct them, then run homeward setup again."))
  }

  /// Tests gpsd and answers where it is, for the home's default.
  private func testReceivers(_ receivers: [DaemonProgram.Receiver]) -> Coordinate? {
    var position: Coordinate?
    for receiver in receivers {
      let waits = dialogue.isAsking && session.arguments.option("home") == nil
      let gpsd = try? GPSDProbe(host: receiver.host, port: receiver.port, waitsForFix: waits)
      position = position ?? gpsd?.position
    }
    for finding in ReceiverChecks(receivers: receivers).all() { dialogue.say(finding.line) }
    return position
  }

  private func edit(
    _ editor: inout ConfigurationEditor, _ resident: Resident, _ hasSound: Bool?,
    _ broker: SetupBroker.Settings?
  ) throws(CommandFailure) {
    do throws(ConfigurationError) {
      try editor.set("gateway.timeZone", to: .string(resident.timeZone))
      if let hasSound { try editor.set("sound.enabled", to: .bool(hasSound)) }
      guard let broker else { return }
      try editor.enablePlugin(
        "mqtt", grants: ["network", "contacts", "health", "places"], loopback: broker.loopback,
        settings: broker.settings)
    } catch {
      throw .unchangeable(error)
    }
  }

  /// Whether the configuration changed; what it was stands beside it then.
  private func save(_ editor: ConfigurationEditor) throws(CommandFailure) -> Bool {
    let path = session.configurationPath
    let old = try? FileText.read(path)
    guard old != editor.text else {
      dialogue.say(gettext("Nothing changes in {path}.", ["path": path]))
      return false
    }
    do throws(FileFailure) {
      if let old { try FileText.write(old, to: "\(path).old", mode: 0o600) }
      try FileText.write(editor.text, to: path)
    } catch {
      throw CommandFailure(
        .failed,
        gettext(
          "{path} cannot be written: {reason}.", ["path": error.path, "reason": error.reason]),
        hint: gettext("Run it as root (sudo homeward setup), or name another file with --config."))
    }
    dialogue.say(
      old == nil
        ? gettext("Written: {path}", ["path": path])
        : gettext("Written: {path}. What it was: {path}.old", ["path": path]))
    return true
  }
}
