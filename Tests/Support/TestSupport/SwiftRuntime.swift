import Foundation

/// The toolchain's shared libraries, which debug builds are linked with and a confined plugin must be allowed to read.
public enum SwiftRuntime {
  /// The folder of `libswiftCore.so` as this process has loaded it; `/usr/lib` when it is linked in.
  public static let directory: String = {
    // Reading at once would end after a page: the kernel does not tell the size of this file.
    let handle = FileHandle(forReadingAtPath: "/proc/self/maps")
    let maps = String(decoding: handle?.readDataToEndOfFile() ?? Data(), as: UTF8.self)
    let line = maps.split(separator: "\n").first { $0.hasSuffix("/libswiftCore.so") }
    guard let start = line?.firstIndex(of: "/"), let path = line?[start...] else {
      return "/usr/lib"
    }
    return URL(fileURLWithPath: String(path)).deletingLastPathComponent().path
  }()
}
