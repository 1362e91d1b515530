import Glibc

/// What is in folders.
public enum Folder {
  /// The names in a folder, sorted, without its own and its parent's; none when it is missing.
  public static func entries(of path: String) -> [String] {
    guard let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names.sorted()
  }

  /// Removes a folder with all that is in it; links are removed, not followed. False where something stays.
  @discardableResult
  public static func remove(_ path: String) -> Bool {
    empty(path) && rmdir(path) == 0
  }

  /// Removes all that is in a folder, which stays itself; false where something stays.
  @discardableResult
  public static func empty(_ path: String) -> Bool {
    var isEmpty = true
    for name in entries(of: path) {
      let entry = "\(path)/\(name)"
      var found = stat()
      guard lstat(entry, &found) == 0 else { continue }
      let isFolder = found.st_mode & S_IFMT == S_IFDIR
      isEmpty = (isFolder ? remove(entry) : unlink(entry) == 0) && isEmpty
    }
    return isEmpty
  }
}
