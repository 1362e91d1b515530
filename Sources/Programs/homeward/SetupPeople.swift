import Care
import Configuration
import ControlSocket
import Door
import Glibc
import JSON

/// What is known of people, and how it changes: through the running daemon, or left for its next start.
struct SetupPeople {
  let session: Session
  let configuration: GatewayConfiguration

  /// The file in the state directory that the daemon takes over at its start: one command a line.
  static let fileName = "pending-commands.jsonl"

  private var path: String { "\(configuration.gateway.state)/\(Self.fileName)" }

  /// What the daemon knows, or where it does not run, what was left for it.
  func known() throws(CommandFailure) -> SetupKnown {
    var known = SetupKnown()
    do throws(CommandFailure) {
      known.residents = try session.residents()
      known.zones = try session.list(session.call(.zonesList), of: SafeZone.self)
      known.guardians = try session.guardians()
      for resident in known.residents {
        let settings = try session.call(
          .settingsList, ["resident": .string(resident.id.rawValue)])
        known.languages[resident.id] = settings["language"]?.stringContent
      }
    } catch {
      guard error.exitCode == .notRunning else { throw error }
      for command in pending { known.note(command.request) }
    }
    return known
  }

  /// Whether the daemon has taken them already.
  func hand(over answers: SetupAnswers) throws(CommandFailure) -> Bool {
    do throws(CommandFailure) {
      for request in answers.requests { try session.perform(request) }
      return true
    } catch {
      guard error.exitCode == .notRunning else { throw error }
      try leave(answers.requests)
      return false
    }
  }

  /// What an earlier set-up left.
  private var pending: [Command] {
    let lines = (try? FileText.read(path))?.split(separator: "\n") ?? []
    return lines.compactMap { line in
      (try? JSONValue(parsing: String(line))).flatMap { try? Command(json: $0) }
    }
  }

  /// Leaves commands behind those that wait already.
  private func leave(_ requests: [Command.Request]) throws(CommandFailure) {
    let user = getpwuid(getuid()).map { String(cString: $0.pointee.pw_name) } ?? "uid-\(getuid())"
    let commands =
      pending
      + requests.map { request in
        Command(
          id: CommandID(RandomIdentifier.uuid), principal: Principal(channel: .local, name: user),
          request: request)
      }
    let lines = commands.map { $0.json.serialized + "\n" }
    do throws(FileFailure) { try FileText.write(lines.joined(), to: path, mode: 0o600) } catch {
      throw CommandFailure(
        .failed,
        gettext(
          "resident and home cannot be left in {path}: {reason}.",
          ["path": path, "reason": error.reason]),
        hint: gettext(
          "Start the gateway (systemctl start homeward), then run homeward setup again."))
    }
    var folder = stat()
    if stat(configuration.gateway.state, &folder) == 0 {
      _ = chown(path, folder.st_uid, folder.st_gid)
    }
  }
}
