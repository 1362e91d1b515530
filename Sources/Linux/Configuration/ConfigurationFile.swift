import Texts

/// A configuration file that has been read and found to be right.
public struct ConfigurationFile: Sendable {
  /// Where it came from, for error messages.
  public let path: String
  let node: YAMLNode?
}

extension ConfigurationSchema {
  /// Reads the text of a configuration file and checks all sections of the schema.
  ///
  /// - Throws: ``ConfigurationError`` with every problem, each with its line and column.
  public func read(text: String, path: String) throws(ConfigurationError) -> ConfigurationFile {
    var (node, log) = YAMLReader.read(text, path: path)
    var scratch = GatewayConfiguration()
    if let node { root.read(node, into: &scratch, &log) }
    try log.finish()
    return ConfigurationFile(path: path, node: node)
  }

  /// The configuration from all sources: flags before environment before file before defaults.
  ///
  /// `environment` is the whole environment; variables such as `HOMEWARD_STORE_BACKUPS_KEPT` count, one for each key
  /// that holds a single value. `flags` has the keys of the file with dots, such as `store.backupsKept`.
  ///
  /// - Throws: ``ConfigurationError`` with every problem of every source.
  public func resolve(
    file: ConfigurationFile?, environment: [String: String], flags: [String: String]
  ) throws(ConfigurationError) -> GatewayConfiguration {
    var configuration = GatewayConfiguration()
    if let file, let node = file.node {
      var log = ProblemLog(origin: Message(verbatim: file.path))
      root.read(node, into: &configuration, &log)
      try log.finish()
    }
    var problems: [ConfigurationProblem] = []
    let ours = environment.filter { $0.key.hasPrefix(Self.environmentPrefix) }
    for (name, text) in ours.sorted(by: { $0.key < $1.key }) {
      problems += set(variable: name, to: text, in: &configuration)
    }
    for (key, text) in flags.sorted(by: { $0.key < $1.key }) {
      problems += set(
        key, to: text, origin: Message(verbatim: "--set \(key)"), in: &configuration)
    }
    if !problems.isEmpty { throw ConfigurationError(problems: problems) }
    return configuration
  }

  private static let environmentPrefix = "HOMEWARD_"

  /// The environment variable of a key: `HOMEWARD_STORE_BACKUPS_KEPT` for `store.backupsKept`.
  public static func environmentVariable(of key: String) -> String {
    let words = key.map { character in
      if character == "." { return "_" }
      return character.isUppercase ? "_\(character)" : character.uppercased()
    }
    return environmentPrefix + words.joined()
  }

  private func set(
    variable: String, to text: String, in configuration: inout GatewayConfiguration
  ) -> [ConfigurationProblem] {
    let origin = Message("environment variable {variable}", ["variable": variable])
    let keys = scalarKeys
    if let key = keys.first(where: { Self.environmentVariable(of: $0) == variable }) {
      return set(key, to: text, origin: origin, in: &configuration)
    }
    let sections = Set(keys.compactMap { $0.split(separator: ".").first?.uppercased() })
    guard sections.contains(where: { variable.hasPrefix("\(Self.environmentPrefix)\($0)_") }) else {
      return []
    }
    let hint = NearestWord.hint(variable, among: keys.map(Self.environmentVariable(of:)))
    return [
      ConfigurationProblem(
        origin: origin, message: Message("there is no such variable.{hint}", ["hint": hint]))
    ]
  }

  private func set(
    _ key: String, to text: String, origin: Message, in configuration: inout GatewayConfiguration
  ) -> [ConfigurationProblem] {
    guard scalarKeys.contains(key) else {
      let hint = NearestWord.hint(key, among: scalarKeys)
      return [
        ConfigurationProblem(
          origin: origin, message: Message("there is no such key.{hint}", ["hint": hint]))
      ]
    }
    var log = ProblemLog(origin: origin)
    var node = YAMLNode(content: .scalar(text: text, isPlain: true))
    for name in key.split(separator: ".").reversed() {
      let entry = YAMLNode.Entry(
        key: String(name), keyPosition: TextPosition(line: 1, column: 1), node: node)
      node = YAMLNode(content: .mapping([entry]))
    }
    root.read(node, into: &configuration, &log)
    return log.problems
  }
}
