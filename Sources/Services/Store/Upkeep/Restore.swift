import Glibc
public import Ports
import Texts

extension SQLiteStore {
  /// Puts a backup in the place of `care.db`, whole or not at all, and keeps the old database beside it.
  ///
  /// The backup is checked first: that it is sound, holds our schema and nothing else, and is no newer than this program. The old database is kept as
  /// `care.db.replaced-N`. Traces and recorded inputs stay as they are. Events that plugins had received since the
  /// backup was made are unknown to it; ids are never used twice, so nothing is taken for something else. Files belong
  /// to the owner of the directory, also when root restores.
  /// - Throws: `locked` while a daemon uses the directory; `missing`, `notOurs`, `newerVersion` or `corrupt` for the
  ///   backup; `full` and others when it cannot be copied, the old database being in its place then.
  public static func restore(
    backup: String, into directory: String
  ) throws(StoreError) {
    try Backups.check(backup)
    // Made by root it would be root's, and the gateway could not write in it.
    guard Files.exists(directory) || geteuid() != 0 else {
      throw StoreError(
        .missing,
        Message(
          "There is no directory {directory}: start Homeward once, which makes it, stop it, and restore again.",
          ["directory": directory]))
    }
    try Files.makeDirectory(directory)
    let lock = try DirectoryLock(directory: directory)
    defer { lock.release() }
    try Files.giveToOwner(ofDirectoryOf: directory + "/lock")
    let target = directory + "/care.db"
    let partial = target + ".restoring"
    Files.removeDatabase(partial)
    try Backups.copy(backup, to: partial)
    try forgetCard(in: partial)
    try Files.giveToOwner(ofDirectoryOf: partial)
    // How far the present database had come says nothing of this one.
    Files.remove(target + ".mark")
    guard Files.exists(target) else { return try Files.move(partial, to: target) }
    let kept = try Recovery.setAside(target, as: "replaced")
    do throws(StoreError) { try Files.move(partial, to: target) } catch {
      try Recovery.putBack(directory + "/" + kept, to: target)
      throw error
    }
  }

  /// Whoever restores wants what the backup says, not what an emergency card knows better.
  private static func forgetCard(in path: String) throws(StoreError) {
    do throws(SQLiteFailure) {
      let connection = try Connection(path: path, mode: .readWrite)
      defer { connection.close() }
      try CardNote(care: connection).forget()
    } catch { throw error.storeError }
  }

  /// The backups of a directory, newest first, as paths; those made by hand are among them by their times.
  public static func backups(in backupDirectory: String) -> [String] {
    Backups.newestFirst(in: backupDirectory).map { backupDirectory + "/" + $0 }
  }
}

extension Recovery {
  /// Undoes ``setAside(_:as:)``.
  static func putBack(_ kept: String, to path: String) throws(StoreError) {
    for suffix in ["-wal", "-journal"] where Files.exists(kept + suffix) {
      try Files.move(kept + suffix, to: path + suffix)
    }
    try Files.move(kept, to: path)
  }
}
