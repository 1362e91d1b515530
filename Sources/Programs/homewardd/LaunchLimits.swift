import CGatewayShims
import Texts

/// The limits that the daemon was started under, as far as they could make it deaf or end it in the middle of an alarm.
enum LaunchLimits {
  /// As many as the daemon asks for; it has never needed more.
  private static let wantedFiles: UInt64 = 1024
  /// Its devices, databases and plugins; below this clients and plugins are turned away.
  static let fewestFiles: UInt64 = 128
  /// Its threads and libraries alone map more than half of this.
  static let leastMemory: UInt64 = 256 << 20

  /// What is wrong with the limits of this process, after what can be raised was raised; nil for nothing.
  static func problem() -> Message? {
    problem(files: homeward_raise_open_files(wantedFiles), memory: homeward_memory_limit())
  }

  /// What is wrong with limits; `files` 0 for one that is not known.
  static func problem(files: UInt64, memory: UInt64) -> Message? {
    if files > 0, files < fewestFiles {
      return Message(
        "Homeward may open {n} files only and needs {least}: raise the limit (ulimit -n, or LimitNOFILE= in the unit) and start it again.",
        ["n": files, "least": fewestFiles])
    }
    guard memory < leastMemory else { return nil }
    return Message(
      "Homeward may use {n} MiB of addresses only and needs {least}: raise the limit (ulimit -v and -d, or LimitAS= and LimitDATA= in the unit) and start it again.",
      ["n": memory >> 20, "least": leastMemory >> 20])
  }
}
