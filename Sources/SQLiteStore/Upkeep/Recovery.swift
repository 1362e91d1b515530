import CareModel
public import GatewayPorts
import Glibc

/// What opening had to do to get going again.
public struct StoreRecovery: Hashable, Sendable {
  /// The name that the damaged database has now, in the same directory.
  public var damagedFile: String
  /// The backup that was restored; nil when there was no good one and the store starts empty.
  public var restoredBackup: String?
  /// What was wrong.
  public var cause: StoreError
}

/// Sets damaged files aside and brings back backups.
enum Recovery {
  /// Gives a database a name under which nobody uses it; answers the name.
  @discardableResult
  static func setAside(_ path: String, as word: String = "damaged") throws(StoreError) -> String {
    var number = 1
    while Files.exists("\(path).\(word)-\(number)") { number += 1 }
    let target = "\(path).\(word)-\(number)"
    for suffix in ["-wal", "-journal"] where Files.exists(path + suffix) {
      guard rename(path + suffix, target + suffix) == 0 else { throw Files.failure(path + suffix) }
    }
    Files.remove(path + "-shm")
    try Files.move(path, to: target)
    return lastComponent(target)
  }

  /// Sets the damaged `care.db` aside and restores the newest backup that is good.
  static func recover(
    _ options: SQLiteStore.Options, from cause: StoreError
  ) throws(StoreError) -> StoreRecovery {
    let damaged = try setAside(options.carePath)
    for name in Backups.names(in: options.backupDirectory).reversed() {
      let path = options.backupDirectory + "/" + name
      guard (try? Backups.check(path)) != nil else { continue }
      try Backups.copy(path, to: options.carePath)
      return StoreRecovery(damagedFile: damaged, restoredBackup: name, cause: cause)
    }
    return StoreRecovery(damagedFile: damaged, restoredBackup: nil, cause: cause)
  }
}
