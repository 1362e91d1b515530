import CGatewayShims
import Care
import CivilTime
import ControlSocket
import Door
import Glibc
import JSON
import Moments
import Synchronization
import WalkSimulator

/// `homeward demo`.
enum DemoCommand {
  static let specification: CommandSpecification = .init(
    path: ["demo"], summary: gettext("Shows a person leave home and return, on this machine"),
    discussion: gettext(
      """
      Starts a gpsd, a broker if there is one, and a gateway, all of their own, in a folder that is removed afterwards.
      Without a receiver a walk is made up: out of the safe zone after about a minute, back after three.
      Ctrl-C ends everything that it started.
      """),
    options: [
      .flag("keep", gettext("Go on after the return, until Ctrl-C")),
      .flag("simulate", gettext("Make the walk up even if a receiver is plugged in")),
    ],
    examples: [Example("homeward demo", gettext("Two to three minutes, then a summary."))]
  ) { session throws(CommandFailure) in
    Interruption.catchSignals()
    let demo = try Demo(session)
    defer { demo.end() }
    try demo.run()
  }
}

/// Whether somebody wants the program to end.
enum Interruption {
  private static let flag = Atomic<Bool>(false)

  static var isWanted: Bool { flag.load(ordering: .relaxed) }

  static func catchSignals() {
    for number in [SIGINT, SIGTERM, SIGHUP] {
      signal(number) { _ in Interruption.flag.store(true, ordering: .relaxed) }
    }
  }
}

/// One demonstration, from the first program started to the last one ended.
final class Demo {
  private let session: Session
  let world: DemoWorld
  private let receiver: DemoReceiver
  private var children: [ChildProcess] = []
  private var subscriber: ChildProcess?
  var transcript: DemoTranscript
  /// What shows the pages; it goes on by itself when the demonstration ends.
  var browser: ChildProcess?

  init(_ session: Session) throws(CommandFailure) {
    self.session = session
    receiver = try .find(isSimulationWanted: session.arguments.has("simulate"))
    world = try DemoWorld()
    transcript = DemoTranscript(terminal: session.terminal, times: session.times)
  }

  /// Runs until the person is home again, or until Ctrl-C.
  func run() throws(CommandFailure) {
    let gpsdPort = try startGPSD()
    let names = pluginNames()
    let folder = DemoFolder.plugins(names, in: world.folder)
    if folder == nil, !names.isEmpty {
      transcript.say(gettext("No pages and no broker: their plugins are not built."))
    }
    try world.write(gpsdPort: gpsdPort, plugins: names, in: folder)
    if folder != nil, names.contains("mqtt") { try startBrokerProcesses() }
    try start(
      "homewardd", "\(ProgramSearch.ownFolder)/homewardd", ["--config", world.configurationPath])
    let commands = try connect()
    let events = try connect()
    do throws(ControlError) { try events.watch() } catch { throw CommandFailure(error) }
    try introduce(to: commands)
    if folder != nil { try openPages(commands) }
    try follow(events)
    transcript.summarize(isInterrupted: Interruption.isWanted)
  }

  /// Ends everything that was started and removes every file.
  func end() {
    if !children.isEmpty { transcript.say(gettext("Ending what was started …")) }
    for child in children.reversed() { child.stop() }
    world.remove()
  }

  // MARK: Starting

  private func start(_ name: String, _ program: String, _ arguments: [String])
    throws(CommandFailure)
  {
    guard let child = ChildProcess(name, program, arguments, directory: world.folder) else {
      throw CommandFailure(
        .failed, gettext("{program} cannot be started.", ["program": program]),
        hint: gettext("Is it built? make build"))
    }
    children.append(child)
  }

  private func startGPSD() throws(CommandFailure) -> Int {
    guard let device = receiver.gpsdDevice(world) else {
      transcript.say(gettext("Positions: the receivers of the gpsd that runs here."))
      return 2947
    }
    guard let gpsd = ProgramSearch.find("gpsd") else {
      throw CommandFailure(
        .failed, gettext("gpsd is missing."), hint: gettext("Try: sudo apt install gpsd"))
    }
    try start("gpsd", gpsd, ["-N", "-n", "-S", String(world.gpsdPort), device])
    transcript.say(
      receiver.outing == nil
        ? gettext(
          "Positions: the receiver {device}, through a gpsd of its own.", ["device": device])
        : gettext(
          "Positions: a made-up walk of a made-up person, sent to a real gpsd as a receiver would.")
    )
    return world.gpsdPort
  }

  /// The plugins that the demonstration can show: the pages, what draws reports where it is built, and the broker's where
  /// there is one.
  private func pluginNames() -> [String] {
    let pages = ["console"] + (DemoFolder.has("report") ? ["report"] : [])
    guard ProgramSearch.find("mosquitto") != nil else {
      transcript.say(gettext("No broker: mosquitto is not installed (sudo apt install mosquitto)."))
      return pages
    }
    return pages + ["mqtt"]
  }

  private func startBrokerProcesses() throws(CommandFailure) {
    guard let mosquitto = ProgramSearch.find("mosquitto") else { return }
    try start("mosquitto", mosquitto, ["-c", world.brokerConfigurationPath])
    transcript.say(gettext("News: a real MQTT broker on this machine."))
    guard let client = ProgramSearch.find("mosquitto_sub") else { return }
    try waitForBroker()
    try start(
      "mosquitto_sub", client,
      ["-h", "127.0.0.1", "-p", String(world.brokerPort), "-t", "homeward/#", "-F", "%t %p"])
    subscriber = children.last
  }

  private func waitForBroker() throws(CommandFailure) {
    try wait(for: gettext("the broker")) {
      (try? TCPProbe(host: "127.0.0.1", port: world.brokerPort, timeoutMilliseconds: 200)) != nil
    }
  }

  private func connect() throws(CommandFailure) -> ControlClient {
    try wait(for: gettext("the gateway")) {
      (try? ControlClient(connectingTo: world.controlSocket)) != nil
    }
    do throws(ControlError) { return try ControlClient(connectingTo: world.controlSocket) } catch {
      throw CommandFailure(error)
    }
  }

  /// Asks again and again, for ten seconds at most.
  func wait(for what: String, _ isThere: () -> Bool) throws(CommandFailure) {
    for _ in 0..<200 where !Interruption.isWanted {
      if isThere() { return }
      try checkChildren()
      usleep(50_000)
    }
    if Interruption.isWanted { throw CommandFailure(.failed, gettext("interrupted.")) }
    throw CommandFailure(.failed, gettext("{what} did not start.", ["what": what]), hint: lastLines)
  }

  private func checkChildren() throws(CommandFailure) {
    for child in children {
      _ = child === subscriber ? [] : child.output()
      guard child.isRunning else {
        throw CommandFailure(
          .failed, gettext("{name} has ended.", ["name": child.name]),
          hint: gettext("  {lastLines}", ["lastLines": child.lastLines]))
      }
    }
  }

  private var lastLines: String? { children.last.map { "  \($0.lastLines)" } }

  // MARK: Walking

  private func introduce(to gateway: ControlClient) throws(CommandFailure) {
    guard let home = try homePlace() else { return }
    let resident = Resident(
      id: "ada", name: gettext("Ada"), timeZone: session.times.zone.name, gpsSource: "gps")
    let zone = SafeZone(
      id: "home", resident: "ada", name: gettext("Home"), center: home, radiusMeters: 25,
      exitMarginMeters: 50, isHome: true)
    try ask(gateway, .putResident(resident))
    try ask(gateway, .putZone(zone))
    transcript.say(
      gettext(
        "Ada is looked after; her home is a safe zone of 25 m, and 50 m beyond count as left."))
    transcript.say(
      receiver.outing == nil
        ? gettext("Walk more than 75 m away from here with the receiver, and come back.")
        : gettext(
          "In 15 s Ada sets out at 1.5 m/s. Leaving is noticed after about a minute, the return after three."
        )
    )
  }

  /// Where home is: that of the walk, or where the receiver is now.
  private func homePlace() throws(CommandFailure) -> Coordinate? {
    if let outing = receiver.outing { return outing.home }
    transcript.say(gettext("Waiting for the receiver's first fix; it needs a view of the sky …"))
    let port = if case .gpsd(let port, _) = receiver { port } else { world.gpsdPort }
    while !Interruption.isWanted {
      try checkChildren()
      let probe = try? GPSDProbe(host: "127.0.0.1", port: port, waitsForFix: true)
      if let position = probe?.position { return position }
    }
    return nil
  }

  @discardableResult
  func ask(
    _ gateway: ControlClient, _ request: Command.Request
  ) throws(CommandFailure) -> JSONValue { try ask(gateway, request.json) }

  @discardableResult
  func ask(_ gateway: ControlClient, _ request: JSONValue) throws(CommandFailure) -> JSONValue {
    do throws(ControlError) {
      return try gateway.call(
        .command,
        params: ["command": ["id": .string(RandomIdentifier.uuid), "request": request]],
        timeoutMilliseconds: 10_000)
    } catch { throw CommandFailure(error) }
  }

  /// Sends a sentence each second and shows what comes of it, until the return and what the broker had of it.
  private func follow(_ events: ControlClient) throws(CommandFailure) {
    let feed = DemoFeed(port: world.receiverPort)
    defer { feed.end() }
    let start = TimeDisplay.now
    var second = 0
    var secondsAfterReturn = 0
    while !Interruption.isWanted {
      if let outing = receiver.outing {
        let time = start.advanced(byMilliseconds: Int64(second) * 1000)
        feed.send(outing.nmea(at: time, second: second))
      }
      second += 1
      try show(events, until: start.advanced(byMilliseconds: Int64(second) * 1000))
      try checkChildren()
      if transcript.hasReturned { secondsAfterReturn += 1 }
      if secondsAfterReturn > 3, !session.arguments.has("keep") { return }
    }
  }

  private func show(_ events: ControlClient, until end: Timestamp) throws(CommandFailure) {
    while !Interruption.isWanted {
      let rest = end.milliseconds(since: TimeDisplay.now)
      guard rest > 0 else { break }
      do throws(ControlError) {
        if let event = try events.nextEvent(timeoutMilliseconds: rest) { transcript.show(event) }
      } catch { throw CommandFailure(error) }
    }
    for line in subscriber?.output() ?? [] { transcript.showBroker(line) }
  }
}
