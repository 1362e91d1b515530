import Glibc

/// A line that a plugin's warden reports.
enum WardenReport: Hashable, Sendable {
  /// The walls that stand, before the plugin's program begins.
  case walls(landlock: Int, hasSeccomp: Bool, guardsLoopback: Bool)
  /// A port of this machine that the plugin may not reach; once for each.
  case refused(port: UInt16, address: String)
  /// How the plugin ended, and whether others of its processes lived then.
  case end(ProcessEnd, hasLeftOthers: Bool)

  /// Reads a line; nil for one that is not understood.
  init?(line: String) {
    let words = line.utf8.split(separator: UInt8(ascii: " ")).map {
      String(decoding: $0, as: UTF8.self)
    }
    switch words.first {
    case "walls":
      let figures = Self.figures(words.dropFirst())
      guard let landlock = figures["landlock"], let seccomp = figures["seccomp"],
        let loopback = figures["loopback"]
      else { return nil }
      self = .walls(landlock: landlock, hasSeccomp: seccomp == 1, guardsLoopback: loopback == 1)
    case "refused":
      guard words.count == 3, let port = UInt16(words[1]) else { return nil }
      self = .refused(port: port, address: words[2])
    case "end":
      guard words.count == 5, let number = Int32(words[2]), words[3] == "left" else { return nil }
      switch words[1] {
      case "exited": self = .end(.exited(number), hasLeftOthers: words[4] == "1")
      case "killed": self = .end(.killed(number), hasLeftOthers: words[4] == "1")
      default: return nil
      }
    default: return nil
    }
  }

  /// `name=number` of each word that is such.
  private static func figures(_ words: ArraySlice<String>) -> [String: Int] {
    var figures: [String: Int] = [:]
    for word in words {
      guard let equals = word.firstIndex(of: "="),
        let number = Int(word[word.index(after: equals)...])
      else { continue }
      figures[String(word[..<equals])] = number
    }
    return figures
  }
}
