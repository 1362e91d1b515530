import Foundation

/// The toolchain's shared libraries, which debug builds are linked with and a confined plugin must be allowed to read.
public enum SwiftRuntime {
  /// The folder of the Swift runtime that this process has loaded; `/usr/lib` when it is linked in.
  public static let directory: String = {
    var found = Dl_info()
    guard let symbol = dlsym(nil, "swift_retain"), dladdr(symbol, &found) != 0,
      let file = found.dli_fname
    else { return "/usr/lib" }
    let path = String(cString: file)
    guard path.hasSuffix(".so") else { return "/usr/lib" }
    return URL(fileURLWithPath: path).deletingLastPathComponent().path
  }()
}
