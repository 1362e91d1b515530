import CareModel
import GatewayPorts
import Glibc
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
    let stamp = time.iso8601.filter { $0 != "-" && $0 != ":" }
    return "care-\(padded)-\(stamp.prefix { $0 != "." })Z.db"
  }

  /// Copies a live `care.db` into a new file that appears whole or not at all, and checks the copy.
  static func make(
    of options: SQLiteStore.Options, at target: String
  ) throws(StoreError) {
    guard !Files.exists(target) else {
      throw StoreError(
        .other,
        Message("There is a file {path} already: choose another name.", ["path": target]))
    }
    let needed = Files.size(options.carePath) + options.minimumFreeBytes
    if let free = Files.freeBytes(at: Files.parent(of: target)), free < needed {
      throw StoreError(
        .full,
        Message(
          "There is no room for a backup: free {megabytes} MiB on the disk.",
          ["megabytes": (needed - free) >> 20]))
    }
    let partial = target + ".partial"
    Files.removeDatabase(partial)
    defer { Files.removeDatabase(partial) }
    try Files.makeFile(partial)
    try copyLive(options, to: partial)
    try check(partial)
    try Files.synchronise(partial)
    try Files.move(partial, to: target)
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
    guard try Schema.care.check(connection) > 0 else {
      throw StoreError(
        .notOurs, Message("{file} is empty: choose another backup.", ["file": lastComponent(path)]))
    }
    let damage: String?
    do throws(SQLiteFailure) { damage = try connection.damage() } catch { throw error.storeError }
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
    let source = open(path, O_RDONLY | O_CLOEXEC)
    guard source >= 0 else { throw Files.failure(path) }
    defer { close(source) }
    let sink = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
    guard sink >= 0 else { throw Files.failure(target) }
    defer { close(sink) }
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = read(source, &buffer, buffer.count)
      if count == 0 { return }
      guard count > 0 else { throw Files.failure(path) }
      try Files.write(buffer.prefix(count), to: sink, path: target)
    }
  }
}
