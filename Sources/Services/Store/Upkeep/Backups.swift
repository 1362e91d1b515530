import CGatewayShims
import Glibc
import Moments
import Ports
import Texts

/// Backup files: `care-NNNNNN-YYYYMMDDThhmmssZ.db`, numbered because clocks can be wrong.
enum Backups {
  /// Names of the backups in a directory, oldest first.
  static func names(in directory: String) -> [String] {
    Files.names(in: directory).filter { number(of: $0) != nil }
  }

  /// Names of the backups that somebody asked for, `by-hand-YYYYMMDDThhmmssZ.db`, oldest first.
  static func handMadeNames(in directory: String) -> [String] {
    Files.names(in: directory).filter { $0.hasPrefix("by-hand-") && $0.hasSuffix("Z.db") }
  }

  /// Names of all backups in a directory, newest first; those made by hand are among the regular ones by their times.
  static func newestFirst(in directory: String) -> [String] {
    var names = names(in: directory)
    for name in handMadeNames(in: directory) {
      let later = names.firstIndex { stamp(of: $0) > stamp(of: name) }
      names.insert(name, at: later ?? names.endIndex)
    }
    return names.reversed()
  }

  /// The time in a name, `YYYYMMDDThhmmss`, in whose order they sort.
  static func stamp(of name: String) -> Substring { name.dropLast(4).suffix(15) }

  static func number(of name: String) -> Int? {
    guard name.hasPrefix("care-"), name.hasSuffix("Z.db") else { return nil }
    return Int(name.dropFirst(5).prefix { $0 != "-" })
  }

  /// When a backup was made, as its name says.
  static func time(of name: String) -> Timestamp? {
    let parts = name.dropLast(3).split(separator: "-")
    guard parts.count == 3, parts[2].utf8.count == 16 else { return nil }
    var text = ""
    for (index, character) in parts[2].enumerated() {
      if index == 4 || index == 6 { text += "-" }
      if index == 11 || index == 13 { text += ":" }
      text.append(character)
    }
    return try? Timestamp(iso8601: text)
  }

  /// The name of the next backup.
  static func nextName(in directory: String, at time: Timestamp) -> String {
    let last = names(in: directory).compactMap { number(of: $0) }.max() ?? 0
    let digits = String(last &+ 1)
    let padded = String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    return "care-\(padded)-\(stamp(of: time))Z.db"
  }

  /// The name of a backup that somebody asks for; of several in one second the later ones take the next seconds.
  private static func handMadeName(in directory: String, at time: Timestamp) -> String {
    let taken = Set(handMadeNames(in: directory))
    var time = time
    while true {
      let name = "by-hand-\(stamp(of: time))Z.db"
      if !taken.contains(name) { return name }
      time = time.advanced(byMilliseconds: 1000)
    }
  }

  private static func stamp(of time: Timestamp) -> String {
    String(time.iso8601.filter { $0 != "-" && $0 != ":" }.prefix { $0 != "." })
  }

  /// Copies a live `care.db` into a new file in the folder of backups, which appears whole or not at all, and checks the
  /// copy.
  static func make(
    of options: SQLiteStore.Options, named name: String
  ) throws(StoreError) {
    try withCopy(of: options) { copy throws(StoreError) in
      let target = options.backupDirectory + "/" + name
      guard homeward_rename_new(AT_FDCWD, copy, AT_FDCWD, target) != 0 else {
        return try Files.synchronise(directoryOf: target)
      }
      guard [EINVAL, ENOSYS].contains(errno), !Files.exists(target) else {
        throw Files.failure(target)
      }
      try Files.move(copy, to: target)
    }
  }

  /// Makes a backup because somebody asks for one: where they want it, or among the others.
  ///
  /// - Returns: its path.
  static func make(
    of options: SQLiteStore.Options, wanted path: String?, at time: Timestamp
  ) throws(StoreError) -> String {
    guard let path else {
      let name = handMadeName(in: options.backupDirectory, at: time)
      try make(of: options, named: name)
      return options.backupDirectory + "/" + name
    }
    try Files.makeDirectory(options.backupDirectory)
    let target = try BackupTarget(path, options: options)
    if let free = target.freeBytes {
      try require(Files.size(options.carePath) + options.minimumFreeBytes, of: free)
    }
    try withCopy(of: options) { copy throws(StoreError) in try target.take(copyOf: copy) }
    return path
  }

  /// Makes a checked copy for `use`, in the folder of backups, and removes what is left of it.
  ///
  /// What SQLite writes to is named by a path, which may lead elsewhere by the time it is opened: so only into a folder of
  /// our own.
  private static func withCopy(
    of options: SQLiteStore.Options, _ use: (String) throws(StoreError) -> Void
  ) throws(StoreError) {
    try Files.makeDirectory(options.backupDirectory)
    if let free = Files.freeBytes(at: options.backupDirectory) {
      try require(Files.size(options.carePath) + options.minimumFreeBytes, of: free)
    }
    let partial = options.backupDirectory + "/care.db.partial"
    Files.removeDatabase(partial)
    defer { Files.removeDatabase(partial) }
    try Files.makeFile(partial)
    try copyLive(options, to: partial)
    try check(partial)
    try Files.synchronise(partial)
    try use(partial)
  }

  private static func require(_ needed: Int64, of free: Int64) throws(StoreError) {
    guard free < needed else { return }
    throw StoreError(
      .full,
      Message(
        "There is no room for a backup: free {megabytes} MiB on the disk.",
        ["megabytes": (needed - free) >> 20]))
  }

  private static func copyLive(
    _ options: SQLiteStore.Options, to path: String
  ) throws(StoreError) {
    do throws(SQLiteFailure) {
      let source = try Connection(
        path: options.carePath, mode: .readOnly, vfs: options.vfs,
        busyMilliseconds: options.busyMilliseconds)
      defer { source.close() }
      let target = try Connection(path: path, mode: .readWrite)
      defer { target.close() }
      try target.script("PRAGMA synchronous = OFF")
      try source.copy(into: target)
      try removeAdditions(from: target)
    } catch { throw error.storeError }
  }

  /// Checks that a file is a sound `care.db` that this version can use.
  static func check(_ path: String) throws(StoreError) {
    guard Files.exists(path) else {
      throw StoreError(
        .missing,
        Message(
          "There is no file {path}: `homeward restore` names the backups there are.", ["path": path]
        ))
    }
    let connection: Connection
    do throws(SQLiteFailure) { connection = try Connection(path: path, mode: .immutable) } catch {
      throw error.storeError
    }
    defer { connection.close() }
    let found = try Schema.care.inspect(connection)
    guard found.version > 0 else {
      throw StoreError(
        .notOurs, Message("{file} is empty: choose another backup.", ["file": lastComponent(path)]))
    }
    guard found.additions.isEmpty else {
      throw StoreError(
        .notOurs,
        Message(
          "{file} holds what no backup of Homeward's does ({names}), and it could act by itself: choose another backup.",
          ["file": lastComponent(path), "names": found.additions.joined(separator: ", ")]))
    }
    let damage: String?
    do throws(SQLiteFailure) { damage = try DatabaseCheck(care: connection).damage() } catch {
      throw error.storeError
    }
    if let damage {
      throw StoreError(
        .corrupt,
        Message(
          "{file} is damaged: choose an older backup ({damage}).",
          ["file": lastComponent(path), "damage": damage]))
    }
  }

  /// Copies a closed database file, durably and whole or not at all.
  static func copy(_ path: String, to target: String) throws(StoreError) {
    let partial = target + ".partial"
    Files.removeDatabase(partial)
    defer { Files.removeDatabase(partial) }
    try copyBytes(of: path, to: partial)
    try Files.synchronise(partial)
    try Files.move(partial, to: target)
  }

  static func copyBytes(of path: String, to target: String) throws(StoreError) {
    let sink = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard sink >= 0 else { throw Files.failure(target) }
    defer { close(sink) }
    try Files.copyBytes(of: path, to: sink, path: target)
  }

  /// Removes from a copy what somebody added to the live database: a backup holds our schema and nothing else.
  private static func removeAdditions(from copy: Connection) throws(SQLiteFailure) {
    guard let found = try? Schema.care.inspect(copy), !found.additions.isEmpty else { return }
    for kind in ["trigger", "view", "index", "table"] {
      for addition in found.additions where addition.hasPrefix(kind + " ") {
        let name = addition.dropFirst(kind.count + 1).replacing("\"", with: "\"\"")
        try copy.script("DROP \(kind) IF EXISTS \"\(name)\"")
      }
    }
  }
}
