import Glibc
public import Moments
public import Ports
import Texts

/// What opening had to do to get going again.
public struct StoreRecovery: Hashable, Sendable {
  /// The name that the damaged database has now, in the same directory; nil when there was none left.
  public var damagedFile: String?
  /// The backup that was restored; nil when there was no good one.
  public var restoredBackup: String?
  /// When the emergency card was written that went over it; nil when there was none, or none that knew more.
  public var card: Timestamp?
  /// What was wrong.
  public var cause: StoreError

  /// What happened and what is lost, for people.
  var message: Message {
    guard let damagedFile else {
      return Message("The database was gone; {outcome}.", ["outcome": outcome])
    }
    return Message(
      "The database was damaged and set aside as {file}; {outcome}.",
      ["file": damagedFile, "outcome": outcome])
  }

  private var outcome: Message {
    switch (restoredBackup, card) {
    case (let backup?, let card?):
      Message(
        "the backup {file} was restored, with people, numbers, buttons and open alarms from the emergency card of "
          + "{time}; the rest since the backup is lost",
        ["file": backup, "time": card.iso8601])
    case (let backup?, nil):
      Message(
        "the backup {file} was restored; what happened since then is lost", ["file": backup])
    case (nil, let card?):
      Message(
        "there was no good backup: people, numbers, buttons and open alarms are those of the emergency card of "
          + "{time}; routine, notes and history are lost",
        ["time": card.iso8601])
    case (nil, nil):
      Message(
        "there was neither a good backup nor an emergency card, and the store started empty: run homeward setup, or "
          + "homeward restore with a backup from elsewhere")
    }
  }
}

/// Sets damaged files aside and brings back backups.
enum Recovery {
  /// Gives a database a name under which nobody uses it; answers the name.
  @discardableResult
  static func setAside(_ path: String, as word: String = "damaged") throws(StoreError) -> String {
    var number = 1
    while Files.exists("\(path).\(word)-\(number)") { number += 1 }
    let target = "\(path).\(word)-\(number)"
    // The index of the log is of no use without it, unless it is no file: that cannot be removed like one.
    let index = Files.isOther(path + "-shm") ? ["-shm"] : []
    for suffix in ["-wal", "-journal"] + index where Files.exists(path + suffix) {
      guard rename(path + suffix, target + suffix) == 0 else { throw Files.failure(path + suffix) }
    }
    Files.remove(path + "-shm")
    try Files.move(path, to: target)
    return lastComponent(target)
  }

  /// Sets a database aside, or what is left of it; answers its new name, nil when there was nothing.
  static func setAsideIfThere(_ path: String) throws(StoreError) -> String? {
    guard Files.exists(path) else {
      Files.removeDatabase(path)
      return nil
    }
    return try setAside(path)
  }

  // MARK: A database that is not there

  /// What is wrong with an empty database where there was one.
  static let emptiness = StoreError(
    .corrupt, Message("The database is empty or gone, though there was one in its directory."))

  /// Whether this gateway has stored anything before, so that an empty database means a loss.
  static func hadData(_ options: SQLiteStore.Options, card: EmergencyCard?) -> Bool {
    card != nil || !Backups.newestFirst(in: options.backupDirectory).isEmpty
      || Files.names(in: options.directory).contains { name in
        name.hasPrefix("care.db.") || name.hasPrefix("traces-") || name == "inputs.db"
      }
  }

  /// Finds a database that is missing or has no bytes.
  static func checkPresence(_ options: SQLiteStore.Options) throws(StoreError) {
    guard Files.isOther(options.carePath) || Files.size(options.carePath) > 0 else {
      throw emptiness
    }
  }
}
