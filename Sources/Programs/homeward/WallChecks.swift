import CGatewayShims
import ControlSocket
import Door
import JSON

/// What keeps each plugin in: as the daemon says of those that run, else as this machine would.
struct WallChecks {
  let session: Session

  func all() -> [Finding] {
    let client = try? ControlClient(connectingTo: session.socketPath)
    let plugins = try? client?.call(.pluginsList, timeoutMilliseconds: 5000).arrayContent
    guard let plugins else { return [MachineChecks.confinement(), MachineChecks.namespaces()] }
    let found = plugins.compactMap { plugin -> Finding? in
      guard let name = plugin["name"]?.stringContent, let walls = plugin["walls"] else {
        return nil
      }
      return Self.finding(of: name, walls, plugin["confinement"]?.stringContent ?? "")
    }
    return found.isEmpty ? [MachineChecks.confinement(), MachineChecks.namespaces()] : found
  }

  /// One line for a plugin, with each wall that is missing and what to do.
  static func finding(of plugin: String, _ walls: JSONValue, _ standing: String) -> Finding {
    let missing = missing(in: walls)
    let subject = "walls/\(plugin)"
    if missing.isEmpty {
      return Finding(
        subject: subject, state: .working,
        found: gettext("all stand: {walls}", ["walls": standing]))
    }
    return Finding(
      subject: subject, state: .warning,
      found: gettext(
        "{walls}; missing: {missing}",
        ["walls": standing, "missing": missing.map(\.name).joined(separator: ", ")]),
      advice: missing.map(\.advice).joined(separator: "; "))
  }

  private static func missing(in walls: JSONValue) -> [(name: String, advice: String)] {
    var missing: [(String, String)] = []
    if (walls["landlock"]?.integerContent ?? 0) == 0 {
      missing.append(
        ("Landlock", gettext("add landlock to lsm= on the kernel's command line"))
      )
    }
    if walls["seccomp"]?.boolContent == false {
      missing.append(("seccomp", gettext("use a kernel with CONFIG_SECCOMP_FILTER")))
    }
    let namespaces = ["user", "pid", "ipc", "net"].filter { walls[$0]?.boolContent == false }
    if !namespaces.isEmpty {
      missing.append(
        (
          gettext("namespaces {names}", ["names": namespaces.joined(separator: " ")]),
          gettext(
            "let the service make namespaces: RestrictNamespaces=user pid ipc net in the unit, and sysctl "
              + "user.max_user_namespaces above 0")
        ))
    }
    if walls["group"]?.boolContent == false {
      missing.append(
        (
          gettext("a control group"),
          gettext(
            "let the service make groups: Delegate=pids memory cpu in the unit, with cgroup v2")
        ))
    }
    if walls["loopback"]?.boolContent == false {
      missing.append(
        (
          gettext("the guard at this machine's ports"),
          gettext("use Linux 5.9 or newer, and let the service call pidfd_getfd")
        ))
    }
    return missing
  }
}
