import CareModel
import ControlSocket
import Glibc

/// `homeward backup`.
enum BackupCommands {
  static let all = [backup]

  private static let backup: CommandSpecification = .init(
    path: ["backup"], summary: "Copies the database while the gateway runs",
    discussion: """
      People, places, readings, records and the journal; raw traces are files of their own. The daemon makes one every
      few hours by itself (store.backupEveryHours). The copy holds health data: keep it as you keep a patient's file.
      """,
    operands: [
      OperandSpecification(
        name: "FILE", isOptional: true,
        help: "A new file, written by the daemon's user; into the state directory's backups without"
      )
    ],
    examples: [
      Example("homeward backup", "One more beside the regular ones."),
      Example(
        "homeward backup /mnt/stick/care.db", "Onto a stick that the user homeward may write to."),
    ]
  ) { session throws(CommandFailure) in
    let file = session.arguments.operands.first.map(Paths.absolute)
    let params = JSONValue.object(["path": file.map { .string($0) }])
    try session.show(try session.call(.backupCreate, params, timeoutSeconds: 600)) {
      answer throws(DecodeError) in
      "Backup written: \(try JSONReader(answer).string("path"))\n"
    }
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
