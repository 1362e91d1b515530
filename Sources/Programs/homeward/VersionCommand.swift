import Care
import ControlSocket
import Door
import JSON

/// `homeward version`.
enum VersionCommand {
  static let specification: CommandSpecification = .init(
    path: ["version"], summary: gettext("Versions of this program and of the daemon"),
    examples: [
      Example(
        "homeward version --json", gettext("For scripts; daemon is null while it does not run."))
    ]
  ) { session throws(CommandFailure) in
    let daemon = try? session.call(.health, timeoutSeconds: 5)["version"]
    if session.wantsJSON {
      return session.terminal.write([
        "homeward": .string(Release.version), "homewardd": daemon ?? .null,
      ])
    }
    session.terminal.writeLine(gettext("homeward   {version}", ["version": Release.version]))
    session.terminal.writeLine(
      gettext("homewardd  {version}", ["version": daemon?.stringContent ?? gettext("not running")]))
  }
}
