import Configuration
import Gazetteer
import Glibc
import JSON

/// `homeward places import`.
enum PlaceImportCommand {
  static let specification: CommandSpecification = .init(
    path: ["places", "import"],
    summary: gettext("Makes addresses, a map and walking routes of an OpenStreetMap extract"),
    discussion: gettext(
      """
      Download the extract of your region (a file that ends in .osm.pbf) and give its name. What the import needs of disk
      and memory is said first. Its tools come from the internet once; after that nobody outside is asked for an address,
      a map or a way. An import that was interrupted goes on where it was. The gateway goes on meanwhile with what it has,
      and takes the new set when all of it is there.
      """),
    operands: [OperandSpecification(name: "EXTRACT", help: gettext("A file: .osm.pbf or .osm"))],
    options: [
      .file(gettext("The folder to make it in, instead of the gateway's own"), value: "DIR"),
      .flag("plan", gettext("Say only what it would need")),
    ],
    examples: [
      Example(
        "sudo homeward places import lower-austria-latest.osm.pbf",
        gettext("A region for the gateway on this computer."))
    ], run: run)

  private static func run(_ session: Session) throws(CommandFailure) {
    let extract = absolute(session.arguments.operands[0])
    let folder = absolute(PlaceCommands.folder(session))
    guard let tool = tool, let python = ProgramSearch.find("python3") else {
      throw CommandFailure(
        .failed,
        gettext(
          "The import needs python3 and the plugin places; install the package homeward-plugin-places."
        ))
    }
    let words = [tool] + (session.arguments.has("plan") ? ["--plan"] : []) + [extract, folder]
    guard let child = ChildProcess("import", python, words, directory: "/") else {
      throw CommandFailure(.failed, gettext("{program} cannot be started.", ["program": python]))
    }
    defer { child.stop() }
    var bar = ProgressBar(terminal: session.terminal, isShown: !session.wantsJSON)
    var end: JSONValue?
    var isRunning = true
    while isRunning {
      isRunning = child.isRunning
      for line in child.output() {
        guard let told = try? JSONValue(parsing: line) else { continue }
        if told["done"] != nil || told["error"] != nil { end = told }
        take(told, &bar, session)
      }
      if isRunning { usleep(100_000) }
    }
    bar.end()
    if let reason = end?["error"]?.stringContent { throw CommandFailure(.failed, reason) }
    guard let done = end?["done"] else {
      if session.arguments.has("plan") { return }
      throw CommandFailure(
        .failed,
        gettext("The import ended before it was done: {reason}", ["reason": child.lastLines]))
    }
    guard !session.wantsJSON else { return session.terminal.write(done) }
    session.terminal.write(
      gettext(
        "Imported {extract} in {seconds} s: {size}.\n{attribution}\n",
        [
          "extract": done["extract"]?.stringContent ?? "",
          "seconds": NumberText.fixed(done["seconds"]?.doubleContent ?? 0, 0),
          "size": NumberText.bytes(done["bytes"]?.integerContent ?? 0),
          "attribution": done["attribution"]?.stringContent ?? "",
        ]))
    guard session.arguments.option("to") == nil, !isPluginEnabled(session) else { return }
    session.terminal.write(
      gettext(
        "One thing is left: the configuration has to name the plugin, under plugins, enabled:\n"
          + "  - name: places\nThen: sudo systemctl reload homeward\n"))
  }

  private static func isPluginEnabled(_ session: Session) -> Bool {
    session.configuration.plugins.enabled.contains { $0.name == "places" }
  }

  private static func take(_ told: JSONValue, _ bar: inout ProgressBar, _ session: Session) {
    if let plan = told["plan"] {
      guard !session.wantsJSON || session.arguments.has("plan") else { return }
      if session.wantsJSON { return session.terminal.write(plan) }
      session.terminal.write(
        gettext(
          "This takes about {disk} of the disk and {memory} of memory.\n",
          [
            "disk": NumberText.bytes(plan["diskBytes"]?.integerContent ?? 0),
            "memory": NumberText.bytes(plan["memoryBytes"]?.integerContent ?? 0),
          ]))
    } else if let step = told["step"]?.stringContent, let part = told["part"]?.doubleContent {
      bar.show(words(for: step), part)
    }
  }

  private static func words(for step: String) -> String {
    switch step {
    case "environment": gettext("Tools")
    case "places": gettext("Addresses and map")
    default: gettext("Walking routes")
    }
  }

  /// The tool, beside the program when it is installed, or in the checkout that it was built in.
  private static var tool: String? {
    let own = ProgramSearch.ownFolder
    let places = [
      "\(own)/../lib/homeward/plugins/places", "\(own)/../../../plugins/places",
      "\(own)/../../plugins/places",
    ]
    return places.map { "\($0)/importer.py" }.first { access($0, R_OK) == 0 }
  }

  private static func absolute(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    guard let here = getcwd(nil, 0) else { return path }
    defer { free(here) }
    return "\(String(cString: here))/\(path)"
  }
}

/// How far something is, on one line that is written over.
struct ProgressBar {
  private static let width = 30

  let terminal: Terminal
  let isShown: Bool
  private var last = ""

  init(terminal: Terminal, isShown: Bool) {
    self.terminal = terminal
    self.isShown = isShown && terminal.isInteractive
  }

  mutating func show(_ step: String, _ part: Double) {
    let filled = Int((max(0, min(1, part)) * Double(Self.width)).rounded())
    let bar =
      String(repeating: "█", count: filled) + String(repeating: "░", count: Self.width - filled)
    let line = "\(bar) \(NumberText.fixed(100 * part, 0)) %  \(step)"
    guard isShown, line != last else { return }
    terminal.write("\r\u{1B}[K" + line)
    last = line
  }

  func end() {
    if isShown, !last.isEmpty { terminal.write("\r\u{1B}[K") }
  }
}
