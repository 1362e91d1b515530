import Accounts
import Care
import Configuration
import Glibc
import JSON
import Loop

/// `homeward kiosk`.
enum KioskCommand {
  static let specification: CommandSpecification = .init(
    path: ["kiosk"], summary: gettext("Has the gateway's own screen show a resident's pages"),
    discussion: gettext(
      """
      Needs root, and the package homeward-kiosk. The pages open a port for this machine alone, the screen is let in
      there by a code that counts once and for ten minutes, and it starts. From then on it comes back by itself, also
      after a power cut. It stands among the sessions of the resident's account: homeward accounts log-out ends it.
      """),
    options: [Session.residentOption],
    examples: [
      Example(
        "sudo homeward kiosk --resident ada",
        gettext("The screen at the gateway shows Ada's pages from now on."))
    ]
  ) { session throws(CommandFailure) in try Kiosk(session: session).run() }
}

/// One setting-up of the gateway's own screen.
private struct Kiosk {
  let session: Session

  /// The ports of this machine that are tried, from the first on.
  private static let ports = 8475...8484
  private static let setting = "screenPort"

  private var path: String { session.configurationPath }
  /// Where the screen reads with which address it begins; the package makes it, for root to write and the screen to read.
  private var start: String {
    let absolute = FileText.absolute(path)
    return absolute[..<(absolute.lastIndex(of: "/") ?? absolute.startIndex)] + "/kiosk/start"
  }

  func run() throws(CommandFailure) {
    try requireScreen()
    let resident = try session.resident()
    let (port, isNew) = try openPort()
    let answer = try session.perform(.account(.addScreen(for: resident.id)))
    let code = answer["code"]?.stringContent ?? ""
    try write("http://localhost:\(port)/screen?new=1#screen=\(code)\n", to: start)
    let isOn = switchOn(isNewPort: isNew)
    if session.wantsJSON {
      return session.terminal.write([
        "resident": .string(resident.id.rawValue), "port": .integer(Int64(port)),
        "changed": .bool(isNew), "started": .bool(isOn),
      ])
    }
    guard isOn else {
      let reload = isNew ? "sudo systemctl reload homeward && " : ""
      return session.terminal.writeLine(
        gettext(
          "The screen shows {name}'s pages once it is started, within ten minutes: {command}",
          [
            "name": TextWidth.printable(resident.name),
            "command": "\(reload)sudo systemctl enable --now homeward-kiosk",
          ]))
    }
    session.terminal.writeLine(
      gettext(
        "The screen shows {name}'s pages in a moment.",
        ["name": TextWidth.printable(resident.name)]))
  }

  /// Nothing is changed where it would be for nothing.
  private func requireScreen() throws(CommandFailure) {
    guard FileText.exists(start) else {
      throw CommandFailure(
        .failed, gettext("the gateway's own screen is not installed."),
        hint: gettext("Try: sudo apt install {package}", ["package": "homeward-kiosk"]))
    }
    for file in [start, path] where access(file, W_OK) != 0 {
      throw CommandFailure(
        .failed,
        gettext(
          "{path} cannot be written: {reason}.",
          ["path": file, "reason": String(cString: strerror(errno))]),
        hint: gettext("Run it as root: {command}", ["command": "sudo homeward kiosk"]))
    }
  }

  /// The port of the pages for this machine alone, and whether it is a new one.
  private func openPort() throws(CommandFailure) -> (port: Int, isNew: Bool) {
    guard let console = session.configuration.plugins.enabled.first(where: { $0.name == "console" })
    else {
      throw CommandFailure(
        .failed, gettext("the pages are not switched on."),
        hint: gettext("Switch them on: sudo homeward setup --pages yes"))
    }
    if let port = console.settings[Self.setting]?.integerContent {
      return (Int(clamping: port), false)
    }
    guard let port = Self.ports.first(where: { !PortProbe.isTaken($0) }) else {
      throw CommandFailure(
        .failed,
        gettext(
          "other programs listen on all ports from {first} to {last}.",
          ["first": Self.ports.lowerBound, "last": Self.ports.upperBound]),
        hint: gettext(
          "Name a free one in the settings of the console: {setting}", ["setting": Self.setting]))
    }
    let before: String
    do throws(FileFailure) { before = try FileText.read(path) } catch {
      throw CommandFailure(
        .failed, gettext("{path}: {reason}.", ["path": path, "reason": error.reason]))
    }
    let text: String
    do throws(ConfigurationError) {
      var editor = try ConfigurationEditor(text: before, path: path)
      try editor.enablePlugin(
        "console", grants: [], settings: [(Self.setting, .integer(Int64(port)))])
      text = editor.text
    } catch { throw .unchangeable(error) }
    try write(text, to: path)
    return (port, true)
  }

  private func write(_ text: String, to file: String) throws(CommandFailure) {
    do throws(FileFailure) { try FileText.write(text, to: file) } catch {
      throw CommandFailure(
        .failed,
        gettext(
          "{path} cannot be written: {reason}.", ["path": error.path, "reason": error.reason]))
    }
  }

  /// Whether the pages know their port and the screen was started; where there is no systemd, or it is another
  /// configuration, the owner does it.
  private func switchOn(isNewPort: Bool) -> Bool {
    guard path == Session.defaultConfigurationPath, access("/run/systemd/system", F_OK) == 0,
      let systemctl = ProgramSearch.find("systemctl")
    else { return false }
    let commands =
      (isNewPort ? [["reload", "homeward.service"]] : [])
      + [["enable", "--now", "homeward-kiosk.service"]]
    return commands.allSatisfy { words in
      let run = ProgramRun(
        systemctl, words, directory: "/", milliseconds: 120_000, mostBytes: 65_536)
      if run?.end == .exited(0) { return true }
      let said = String(decoding: run?.complaint ?? [], as: UTF8.self)
      session.terminal.writeError(NumberText.trimmed(said))
      return false
    }
  }
}
