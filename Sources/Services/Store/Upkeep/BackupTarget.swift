import CGatewayShims
import Glibc
import Ports
import Texts

/// The place of a backup that somebody named: its folder is judged once and held open, so that it stays the one judged.
///
/// Whoever names the place may be a member of the group, and the daemon may write where they may not.
final class BackupTarget {
  let path: String
  /// Whether it is the gateway's own folder of backups.
  let isAmongBackups: Bool
  private let name: String
  private let folder: Int32

  /// Judges a place.
  ///
  /// - Throws: `other` for a path that is none, leads into the gateway's own directories, or has something there
  ///   already; `missing` and others for a folder that cannot be had.
  init(_ path: String, options: SQLiteStore.Options) throws(StoreError) {
    guard path.hasPrefix("/"), !path.utf8.contains(0) else {
      throw StoreError(
        .other,
        Message(
          "This is no whole path of a file: give one that begins with / and has no zero byte."))
    }
    name = String(path.split(separator: "/", omittingEmptySubsequences: false).last ?? "")
    guard !["", ".", ".."].contains(name) else {
      throw StoreError(
        .other, Message("{path} is a folder: add the name of the new file.", ["path": path]))
    }
    self.path = path
    folder = open(Files.parent(of: path), O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw Files.failure(path) }
    isAmongBackups = FileIdentity(in: folder) == FileIdentity(at: options.backupDirectory)
    try judge(options)
  }

  deinit { close(folder) }

  private func judge(_ options: SQLiteStore.Options) throws(StoreError) {
    if isAmongBackups {
      guard !name.hasPrefix("care-"), !name.hasPrefix("by-hand-") else {
        throw StoreError(
          .other,
          Message(
            "Names in {path} that begin with care- or by-hand- are Homeward's: choose another, or give none.",
            ["path": options.backupDirectory]))
      }
    } else if Self.lies(folder, in: options.ownDirectories) {
      throw StoreError(
        .other,
        Message(
          "{path} lies where Homeward keeps its own files: choose another folder, or give no file for one in {backups}.",
          ["path": path, "backups": options.backupDirectory]))
    }
    var status = stat()
    guard fstatat(folder, name, &status, AT_SYMLINK_NOFOLLOW) != 0 else { throw taken }
  }

  private var taken: StoreError {
    StoreError(
      .other,
      Message("There is a file {path} already: choose another name.", ["path": path]))
  }

  /// Whether an open folder is one of the directories or lies in one, by whatever names and links it was reached.
  private static func lies(_ folder: Int32, in directories: [String]) -> Bool {
    let own = Set(directories.compactMap { FileIdentity(at: $0) })
    var (above, last) = (".", FileIdentity?.none)
    // What cannot be followed to the root cannot be told to lie elsewhere.
    while let here = FileIdentity(of: above, in: folder) {
      if own.contains(here) { return true }
      if here == last { return false }
      (above, last) = (above + "/..", here)
    }
    return true
  }

  /// Copies a finished backup to the place: whole or not at all, and over nothing.
  ///
  /// - Throws: `other` when something stands there by now; what the disk says.
  func take(copyOf finished: String) throws(StoreError) {
    var random = SystemRandomNumberGenerator()
    let partial = ".\(name.prefix(100)).\(random.next() as UInt64).partial"
    try write(finished, as: partial)
    if homeward_rename_new(folder, partial, folder, name) != 0 {
      let code = errno
      unlinkat(folder, partial, 0)
      guard [EINVAL, ENOSYS].contains(code) else {
        errno = code
        throw code == EEXIST ? taken : Files.failure(path)
      }
      // A file system without such a renaming: made in its place, it may be seen before it is whole.
      try write(finished, as: name)
    }
    fsync(folder)
  }

  private func write(_ source: String, as file: String) throws(StoreError) {
    let sink = openat(folder, file, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard sink >= 0 else { throw errno == EEXIST ? taken : Files.failure(path) }
    defer { close(sink) }
    do throws(StoreError) {
      try Files.copyBytes(of: source, to: sink, path: path)
      guard fsync(sink) == 0 else { throw Files.failure(path) }
    } catch {
      unlinkat(folder, file, 0)
      throw error
    }
  }

  /// Bytes free for the copy; nil when the system does not say.
  var freeBytes: Int64? {
    var status = statvfs()
    return fstatvfs(folder, &status) == 0 ? Files.freeBytes(status) : nil
  }
}

/// What a file or directory is, however it was reached.
struct FileIdentity: Hashable {
  private let device: dev_t
  private let number: ino_t

  /// Of what a path leads to from an open folder; nil when that is nothing.
  init?(of path: String = ".", in folder: Int32 = AT_FDCWD) {
    var status = stat()
    guard fstatat(folder, path, &status, 0) == 0 else { return nil }
    (device, number) = (status.st_dev, status.st_ino)
  }

  /// Of what a path leads to; nil when that is nothing.
  init?(at path: String) { self.init(of: path) }
}
