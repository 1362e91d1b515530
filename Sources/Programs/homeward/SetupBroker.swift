import Glibc
import JSON

/// Asks for the broker, tries it, and makes the plugin's settings.
struct SetupBroker {
  /// What the plugin mqtt is told.
  struct Settings {
    var settings: [(name: String, value: JSONValue)]
    /// Ports of this machine that it has to be let to.
    var loopback: [Int]
  }

  /// Those in the plugin's manifest.
  private static let usualPorts = [1883, 8883]
  private static let secretFile = "/etc/homeward/secrets/mqtt.password"
  let dialogue: SetupDialogue
  /// Where the plugin goes now, as it is typed; nil where it is not configured.
  let configured: String?

  private var arguments: ParsedArguments { dialogue.session.arguments }

  func ask() throws(CommandFailure) -> Settings? {
    while true {
      let text = try dialogue.checked(
        "broker", gettext("MQTT broker (HOST[:PORT], or none for later)?"),
        default: configured ?? "none"
      ) {
        Self.address($0) == nil && $0 != "none"
          ? gettext("write a name or address, and a port where it is not 1883.") : nil
      }
      // What stays is not written again: its user and password stay as well.
      if text == configured, arguments.option("broker") == nil { return nil }
      guard text != "none", let (host, port) = Self.address(text) else { return nil }
      if let settings = try settle(host, port) { return settings }
    }
  }

  /// The settings once the broker was tried; nil to ask again.
  private func settle(_ host: String, _ port: Int) throws(CommandFailure) -> Settings? {
    var user = arguments.option("broker-user")
    var passwordFile = arguments.option("broker-password-file")
    var password = try passwordFile.map(FileText.firstLine)
    while true {
      do throws(TCPProbe.Failure) {
        let answer = try BrokerProbe.ask(host: host, port: port, username: user, password: password)
        guard case .refused(let reason) = answer else {
          dialogue.say(
            Finding(
              subject: "broker", state: .working,
              found: gettext("{host}:{port} accepts", ["host": host, "port": port])
            ).line)
          break
        }
        dialogue.say(
          Finding(
            subject: "broker", state: .warning,
            found: gettext(
              "{host}:{port} answers: {reason}", ["host": host, "port": port, "reason": reason])
          )
          .line)
        guard dialogue.isAsking,
          let name = dialogue.session.terminal.ask(gettext("User name at the broker? ")),
          !name.isEmpty
        else { break }
        user = NumberText.trimmed(name)
        password = dialogue.secret(gettext("Password?"))
        passwordFile = nil
      } catch {
        dialogue.say(
          Finding(subject: "broker", state: .failed, found: "\(host):\(port): \(error.reason)").line
        )
        guard dialogue.isAsking else { break }
        if arguments.option("broker") == nil, !dialogue.confirms(gettext("Use it all the same?")) {
          return nil
        }
        break
      }
    }
    if passwordFile == nil, let password { passwordFile = try keep(password) }
    return Settings(
      settings: Self.settings(host, port, user, passwordFile),
      loopback: ThisMachine.bears(host) && !Self.usualPorts.contains(port) ? [port] : [])
  }

  private static func settings(
    _ host: String, _ port: Int, _ user: String?, _ passwordFile: String?
  ) -> [(name: String, value: JSONValue)] {
    var settings: [(name: String, value: JSONValue)] = [("host", .string(host))]
    settings.append(("port", .integer(Int64(port))))
    if let user { settings.append(("username", .string(user))) }
    if let passwordFile { settings.append(("password", ["file": .string(passwordFile)])) }
    return settings
  }

  /// Keeps a typed password where root writes and the daemon's group reads.
  private func keep(_ password: String) throws(CommandFailure) -> String {
    do throws(FileFailure) {
      try FileText.write(password + "\n", to: Self.secretFile, mode: 0o640)
    } catch {
      throw CommandFailure(
        .failed,
        gettext(
          "the password cannot be kept in {path}: {reason}.",
          ["path": error.path, "reason": error.reason]),
        hint: gettext("Put it into a file yourself and give --broker-password-file PATH."))
    }
    if let group = getgrnam("homeward") { _ = chown(Self.secretFile, 0, group.pointee.gr_gid) }
    return Self.secretFile
  }

  /// `HOST`, `HOST:PORT`, `[IPv6]:PORT`.
  private static func address(_ text: String) -> (host: String, port: Int)? {
    var (host, port) = (text, 1883)
    let colons = text.filter { $0 == ":" }.count
    if let colon = text.lastIndex(of: ":"), colons == 1 || text.contains("]:") {
      host = String(text[..<colon])
      guard let number = Int(text[text.index(after: colon)...]), (1...65_535).contains(number)
      else { return nil }
      port = number
    }
    if host.hasPrefix("["), host.hasSuffix("]") { host = String(host.dropFirst().dropLast()) }
    let isName = host.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != 0x2F }
    return !host.isEmpty && host.utf8.count <= 253 && isName ? (host, port) : nil
  }
}
