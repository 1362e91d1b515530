import Glibc

/// The interpreter that the first line of a script names.
enum Interpreter {
  /// The most bytes of the first line that the kernel reads.
  private static let maximumBytes = 256

  /// The interpreter of a script where it is not there; nil for a script that has it, and for a program.
  ///
  /// `env` finds its program in `searchPath`, as the plugin's environment has it.
  static func missing(for program: String, searchPath: [String]) -> String? {
    let words = firstLine(of: program)
    guard let interpreter = words.first else { return nil }
    if access(interpreter, X_OK) != 0 { return interpreter }
    guard interpreter.hasSuffix("/env"),
      let name = words.dropFirst().first(where: { !$0.hasPrefix("-") && !$0.contains("=") }),
      !name.contains("/")
    else { return nil }
    return searchPath.contains { access("\($0)/\(name)", X_OK) == 0 } ? nil : name
  }

  /// The words behind `#!`; none for what is no script.
  private static func firstLine(of path: String) -> [String] {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    guard descriptor >= 0 else { return [] }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: maximumBytes)
    let count = read(descriptor, &bytes, bytes.count)
    guard count > 2, bytes.starts(with: "#!".utf8) else { return [] }
    let line = bytes[2..<count].prefix { $0 != UInt8(ascii: "\n") }
    return String(decoding: line, as: UTF8.self).split(whereSeparator: \.isWhitespace)
      .map(String.init)
  }
}
