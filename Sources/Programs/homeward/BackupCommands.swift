import Bytes
import Configuration
import ControlSocket
import Door
import Glibc
import JSON
import Ports
import Store

/// `homeward backup`.
enum BackupCommands {
  static let all = [backup, restore]

  private static let backup: CommandSpecification = .init(
    path: ["backup"], summary: gettext("Copies the database while the gateway runs"),
    discussion: gettext(
      """
      People, places, readings, records and the journal; raw traces are files of their own. The daemon makes one every
      few hours by itself (store.backupEveryHours). The copy holds health data: keep it as you keep a patient's file.
      """),
    operands: [
      OperandSpecification(
        name: "FILE", isOptional: true,
        help: gettext(
          "A new file outside of the daemon's own directories, written by its user; among its backups without"
        )
      )
    ],
    examples: [
      Example("homeward backup", gettext("One more beside the regular ones.")),
      Example(
        "homeward backup /mnt/stick/care.db",
        gettext("Onto a stick that the user homeward may write to.")),
    ]
  ) { session throws(CommandFailure) in
    let file = session.arguments.operands.first.map(Paths.absolute)
    let params = JSONValue.object(["path": file.map { .string($0) }])
    try session.show(try session.call(.backupCreate, params, timeoutSeconds: 600)) {
      answer throws(DecodeError) in
      gettext("Backup written: {path}\n", ["path": try JSONReader(answer).string("path")])
    }
  }

  private static let restore: CommandSpecification = .init(
    path: ["restore"],
    summary: gettext("Puts a backup in the place of the database, the gateway being stopped"),
    discussion: gettext(
      """
      The backup is checked first; the present database is kept beside the new one. Without FILE the backups are listed.
      """),
    operands: [OperandSpecification(name: "FILE", isOptional: true, help: gettext("A backup"))],
    options: [
      .option("state", "DIR", gettext("The state directory, instead of the configured one")),
      .flag("yes", gettext("Do not ask")),
    ],
    examples: [
      Example("homeward restore", gettext("Lists the backups, newest first.")),
      Example(
        "systemctl stop homeward && homeward restore /var/lib/homeward/backups/FILE && systemctl start homeward",
        gettext("Goes back to a backup.")),
    ], run: runRestore)

  private static func runRestore(_ session: Session) throws(CommandFailure) {
    let state = session.arguments.option("state") ?? session.configuration.gateway.state
    guard let backup = session.arguments.operands.first else {
      let found = SQLiteStore.backups(in: "\(state)/backups")
      if session.wantsJSON { return session.terminal.write(.array(found.map { .string($0) })) }
      let none = gettext("No backups in {state}/backups.\n", ["state": state])
      return session.terminal.write(found.isEmpty ? none : found.map { $0 + "\n" }.joined())
    }
    if !session.arguments.has("yes") {
      guard session.terminal.isInteractive else {
        throw .usage(gettext("this replaces the database: add --yes."), restore)
      }
      let answer = session.terminal.ask(
        gettext(
          "Replace the database in {state} by {backup}? Type yes: ",
          ["state": state, "backup": backup]))
      guard answer == "yes" else { throw CommandFailure(.failed, gettext("nothing was changed.")) }
    }
    do throws(StoreError) {
      try SQLiteStore.restore(backup: Paths.absolute(backup), into: state)
    } catch {
      throw CommandFailure(error.code == .locked ? .refused : .failed, error.message.spoken)
    }
    if session.wantsJSON { return session.terminal.write(["restored": .string(backup)]) }
    session.terminal.writeLine(gettext("Restored. Start the gateway: systemctl start homeward"))
  }
}

/// Paths as the daemon needs them.
enum Paths {
  /// The path from the root: the daemon runs in another folder.
  static func absolute(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    guard let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    return String(cString: folder) + "/" + path
  }
}
