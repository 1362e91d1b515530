public import Texts

/// One thing that is wrong with the configuration.
public struct ConfigurationProblem: Hashable, Sendable, CustomStringConvertible {
  /// The file's path, or the environment variable or option that holds it.
  public var origin: Message
  /// Where in the file; nil for environment variables and options.
  public var position: TextPosition?
  /// One plain sentence that says what to do.
  public var message: Message

  /// A problem at a place.
  public init(origin: Message, position: TextPosition? = nil, message: Message) {
    self.origin = origin
    self.position = position
    self.message = message
  }

  /// The problem as compilers write it: `homeward.yaml:12:3: unknown key …`.
  public var description: String { text(in: .en) }

  /// The problem as compilers write it, in a language.
  public func text(in language: Language) -> String {
    let (place, sentence) = (origin.text(in: language), message.text(in: language))
    guard let position else { return "\(place): \(sentence)" }
    return "\(place):\(position.line):\(position.column): \(sentence)"
  }
}

/// Everything that is wrong with the configuration, all at once.
public struct ConfigurationError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The problems, at least one, those of the file in order of position.
  public let problems: [ConfigurationProblem]

  /// The problems found.
  public init(problems: [ConfigurationProblem]) { self.problems = problems }

  /// One line for each problem.
  public var description: String { text(in: .en) }

  /// One line for each problem, in a language.
  public func text(in language: Language) -> String {
    problems.map { $0.text(in: language) }.joined(separator: "\n")
  }
}

/// Collects problems while one source is read.
struct ProblemLog {
  let origin: Message
  private(set) var problems: [ConfigurationProblem] = []

  init(origin: Message) { self.origin = origin }

  mutating func add(_ message: Message, at position: TextPosition?) {
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
