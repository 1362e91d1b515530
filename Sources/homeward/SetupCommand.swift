import CareModel
import CivilTime
import Configuration

/// `homeward setup`.
enum SetupCommand {
  static let specification: CommandSpecification = .init(
    path: ["setup"],
    summary: gettext("First run: resident, home, time zone and broker, each tested"),
    discussion: gettext(
      """
      Asks on a terminal; takes everything from options elsewhere, or with --yes. Comments and settings in the
      configuration stay as they are. While homewardd does not run, resident and home are left in the state directory
      and taken over at its next start. It may be run again: the same name changes the same resident.
      """),
    options: [
      .option("name", "NAME", gettext("The resident's name as people write it, in any script")),
      .option(
        "time-zone", "ZONE",
        gettext("Time zone that the resident lives by; the machine's own unless set")),
      .option("home", "LAT,LON", gettext("Centre of the home in degrees; none for later")),
      .option("radius", "METERS", gettext("Radius of the home; 25 unless set")),
      .option(
        "gps", "SOURCE",
        gettext("Receiver that moves with the resident; the first configured one unless set")),
      .option("broker", "HOST[:PORT]", gettext("MQTT broker that events go to; none for later")),
      .option("broker-user", "NAME", gettext("User name at the broker")),
      .option(
        "broker-password-file", "PATH",
        gettext("File with the password, readable by root and the daemon")),
      .flag("yes", gettext("Do not ask; what is not given has its default")),
    ],
    examples: [
      Example("sudo homeward setup", gettext("Asks one thing after the other.")),
      Example(
        "sudo homeward setup --yes --name Mary --time-zone Europe/Oslo --home 59.9139,10.7522 --broker 127.0.0.1",
        gettext("The same for a script.")),
    ]
  ) { session throws(CommandFailure) in try Setup(session: session).run() }
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
    var editor = try openConfiguration()
    let configuration = session.configuration
    dialogue.say(gettext("Configuration: {path}", ["path": session.configurationPath]))
    let position = testReceivers(configuration)
    let resident = try askResident(configuration)
    let home = try askHome(of: resident, position: position)
    let broker = try SetupBroker(dialogue: dialogue).ask()
    try edit(&editor, resident, broker)
    try save(editor)
    let isApplied = try SetupPeople(session: session).hand(
      over: resident, home: home, configuration)
    finish(resident, home, isApplied: isApplied)
  }

  private func openConfiguration() throws(CommandFailure) -> ConfigurationEditor {
    let path = session.configurationPath
    var text = GatewayConfiguration.documentedDefault
    do throws(FileFailure) { text = try FileText.read(path) } catch {
      if error.code != 2 {
        throw CommandFailure(
          .failed, gettext("{path}: {reason}.", ["path": path, "reason": error.reason]),
          hint: gettext("Run it as root: sudo homeward setup"))
      }
    }
    do throws(ConfigurationError) { return try ConfigurationEditor(text: text, path: path) } catch {
      throw CommandFailure(
        .failed,
        gettext(
          "the configuration has faults:\n{error}",
          ["error": error.text(in: SpokenLanguage.current)]),
        hint: gettext("Correct them, then run homeward setup again."))
    }
  }

  /// Tests gpsd and answers where it is, for the home's default.
  private func testReceivers(_ configuration: GatewayConfiguration) -> Coordinate? {
    var position: Coordinate?
    for receiver in configuration.gps {
      let waits = dialogue.isAsking && session.arguments.option("home") == nil
      let gpsd = try? GPSDProbe(host: receiver.host, port: receiver.port, waitsForFix: waits)
      position = position ?? gpsd?.position
    }
    for finding in ReceiverChecks(configuration: configuration).all() { dialogue.say(finding.line) }
    return position
  }

  private func askResident(_ configuration: GatewayConfiguration) throws(CommandFailure) -> Resident
  {
    let name = try dialogue.required("name", gettext("Who is looked after (name)?"))
    let machineZone = session.times.zone.name
    let zone = try dialogue.checked("time-zone", gettext("Time zone?"), default: machineZone) {
      text in
      TimeZoneDirectory.contains(text)
        ? nil
        : gettext("there is no time zone \"{text}\".", ["text": text])
          + (TimeZoneDirectory.nearest(to: text).map {
            gettext(" Did you mean {word}?", ["word": $0])
          } ?? "")
    }
    let source = session.arguments.option("gps") ?? configuration.gps.first?.name
    return Resident(
      id: ResidentID(Slug.make(from: name, besides: [])), name: name, timeZone: zone,
      gpsSource: source.map { SourceID($0) })
  }

  private func askHome(
    of resident: Resident, position: Coordinate?
  ) throws(CommandFailure) -> SafeZone? {
    let suggestion = position.map(NumberText.place) ?? "none"
    let place = try dialogue.checked(
      "home", gettext("Where is the home (LAT,LON, or none for later)?"), default: suggestion
    ) {
      text in
      if text == "none" { return nil }
      do throws(CommandFailure) {
        _ = try NumberText.coordinate(text, option: "home")
        return nil
      } catch { return error.message }
    }
    if place == "none" { return nil }
    let radius = try dialogue.checked(
      "radius", gettext("Radius of the home in metres?"), default: "25"
    ) {
      Double($0).map { (1...100_000).contains($0) } ?? false
        ? nil : gettext("write a number from 1 to 100000.")
    }
    return SafeZone(
      id: "home", resident: resident.id, name: gettext("Home"),
      center: try NumberText.coordinate(place, option: "home"),
      radiusMeters: try NumberText.number(radius, option: "radius"), isHome: true)
  }

  private func edit(
    _ editor: inout ConfigurationEditor, _ resident: Resident, _ broker: SetupBroker.Settings?
  ) throws(CommandFailure) {
    do throws(ConfigurationError) {
      try editor.set("gateway.timeZone", to: .string(resident.timeZone))
      guard let broker else { return }
      try editor.enablePlugin("mqtt", grants: ["network"], settings: broker.settings)
    } catch {
      throw CommandFailure(
        .failed,
        gettext(
          "the configuration cannot be changed: {error}",
          ["error": error.text(in: SpokenLanguage.current)]))
    }
  }

  private func save(_ editor: ConfigurationEditor) throws(CommandFailure) {
    do throws(FileFailure) { try FileText.write(editor.text, to: session.configurationPath) } catch
    {
      throw CommandFailure(
        .failed,
        gettext(
          "{path} cannot be written: {reason}.", ["path": error.path, "reason": error.reason]),
        hint: gettext("Run it as root (sudo homeward setup), or name another file with --config."))
    }
    dialogue.say(gettext("Written: {path}", ["path": session.configurationPath]))
  }

  private func finish(_ resident: Resident, _ home: SafeZone?, isApplied: Bool) {
    if session.wantsJSON {
      return session.terminal.write([
        "configuration": .string(session.configurationPath), "resident": resident.json,
        "zone": home?.json ?? .null, "applied": .string(isApplied ? "now" : "at-next-start"),
      ])
    }
    let when = isApplied ? "" : gettext(" at the next start")
    let place = home == nil ? gettext(" Add the home: homeward zones add --help") : ""
    session.terminal.writeLine(
      gettext(
        "{name} is looked after{when}.{place}",
        ["name": TextWidth.printable(resident.name), "when": when, "place": place]))
    session.terminal.writeLine(
      gettext("Next: systemctl restart homeward && homeward doctor && homeward status"))
  }
}
