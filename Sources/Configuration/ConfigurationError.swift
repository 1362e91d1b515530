/// One thing that is wrong with the configuration.
public struct ConfigurationProblem: Hashable, Sendable, CustomStringConvertible {
  /// The file's path, or the environment variable or option that holds it.
  public var origin: String
  /// Where in the file; nil for environment variables and options.
  public var position: TextPosition?
  /// One plain sentence that says what to do.
  public var message: String

  /// A problem at a place.
  public init(origin: String, position: TextPosition? = nil, message: String) {
    self.origin = origin
    self.position = position
    self.message = message
  }

  /// The problem as compilers write it: `homeward.yaml:12:3: unknown key …`.
  public var description: String {
    guard let position else { return "\(origin): \(message)" }
    return "\(origin):\(position.line):\(position.column): \(message)"
  }
}

/// Everything that is wrong with the configuration, all at once.
public struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The problems, at least one, those of the file in order of position.
  public let problems: [ConfigurationProblem]

  /// The problems found.
  public init(problems: [ConfigurationProblem]) { self.problems = problems }

  /// One line for each problem.
  public var description: String { problems.map(\.description).joined(separator: "\n") }
}

/// Collects problems while one source is read.
struct ProblemLog {
  let origin: String
  private(set) var problems: [ConfigurationProblem] = []

  init(origin: String) { self.origin = origin }

  mutating func add(_ message: String, at position: TextPosition?) {
    problems.append(
      ConfigurationProblem(origin: origin, position: position, message: message))
  }

  func finish() throws(ConfigurationError) {
    guard !problems.isEmpty else { return }
    throw ConfigurationError(problems: sorted)
  }

  private var sorted: [ConfigurationProblem] {
    let indexed = problems.enumerated().sorted { left, right in
      guard let first = left.element.position, let second = right.element.position else {
        return left.offset < right.offset
      }
      return (first, left.offset) < (second, right.offset)
    }
    return indexed.map(\.element)
  }
}
