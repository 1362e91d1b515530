import CareModel
import Configuration
import ControlSocket
import Glibc

/// Hands resident and home to the running daemon, or leaves them for its next start.
struct SetupPeople {
  let session: Session

  /// The file in the state directory that the daemon takes over at its start: one command a line.
  static let fileName = "pending-commands.jsonl"

  /// Whether the daemon has taken them already.
  func hand(
    over resident: Resident, home: SafeZone?, _ configuration: GatewayConfiguration
  ) throws(CommandFailure) -> Bool {
    do throws(CommandFailure) {
      try tellDaemon(resident, home)
      return true
    } catch {
      guard error.exitCode == .notRunning else { throw error }
      try leave(resident, home, in: configuration.gateway.state)
      return false
    }
  }

  private func tellDaemon(_ resident: Resident, _ home: SafeZone?) throws(CommandFailure) {
    var (resident, home) = (resident, home)
    let known = try session.residents()
    if let same = known.first(where: { $0.name == resident.name }) {
      resident.id = same.id
    } else {
      resident.id = ResidentID(Slug.make(from: resident.name, besides: known.map(\.id.rawValue)))
    }
    try session.perform(.putResident(resident))
    guard home != nil else { return }
    let zones = try session.list(session.call(.zonesList), of: SafeZone.self)
    let old = zones.first { $0.resident == resident.id && $0.isHome }
    let id = old?.id.rawValue ?? Slug.make(from: "home", besides: zones.map(\.id.rawValue))
    home?.resident = resident.id
    home?.id = ZoneID(id)
    if let home { try session.perform(.putZone(home)) }
  }

  private func leave(
    _ resident: Resident, _ home: SafeZone?, in state: String
  ) throws(CommandFailure) {
    let requests = [Command.Request.putResident(resident)] + (home.map { [.putZone($0)] } ?? [])
    let user = getpwuid(getuid()).map { String(cString: $0.pointee.pw_name) } ?? "uid-\(getuid())"
    let lines = requests.map { request in
      Command(
        id: CommandID(RandomIdentifier.uuid), principal: Principal(channel: .local, name: user),
        request: request
      ).json.serialized + "\n"
    }
    let path = "\(state)/\(Self.fileName)"
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
    if stat(state, &folder) == 0 { _ = chown(path, folder.st_uid, folder.st_gid) }
  }
}
