public import Care
public import JSON
public import Texts

/// Settings by name: the engines own them, the core offers them all.
public struct ResidentSettings: Sendable {
  /// Every setting that a resident has, in the order shown.
  public static let all: [Setting] = EngineList.settings.flatMap { $0.settings }

  /// What the configuration sets for everybody.
  private let usual: [StoredState.Setting]
  private let house: House

  /// The settings of the residents of a house.
  ///
  /// - Parameter usual: what the configuration sets for everybody.
  init(usual: [StoredState.Setting], house: House) {
    self.usual = usual
    self.house = house
  }

  /// Every setting of a resident with the value that holds.
  public func inForce(for resident: ResidentID) -> JSONValue {
    let contents = contentsInForce(of: resident)
    return .object(
      EngineList.settings.flatMap { engine in
        let settings = engine.init(contents)
        return engine.names.map { JSONMember(key: $0, value: settings.value($0) ?? .null) }
      })
  }

  /// Every setting as people read it.
  ///
  ///     [{"name": …, "group": …, "kind": …, "expectation": …, "words": …, "default": 2, "value": 3}]
  ///
  /// - Parameter resident: whose values to show; with nil there is no `value`.
  public func descriptions(
    for resident: ResidentID?, in language: Language
  ) -> [JSONValue] {
    let usual = contentsInForce(of: nil)
    let own = resident.map { contentsInForce(of: $0) }
    return EngineList.settings.flatMap { engine in
      let standard = engine.init(usual)
      let settings = own.map { engine.init($0) }
      return engine.settings.map { setting in
        var json = setting.json(in: language)
          .setting("default", to: standard.value(setting.name) ?? .null)
        if let value = settings?.value(setting.name) { json = json.setting("value", to: value) }
        return json
      }
    }
  }

  /// What is set by name: by the configuration for everybody, then by the resident.
  private func contentsInForce(of resident: ResidentID?) -> [String: JSONValue] {
    var contents = Dictionary(
      usual.map { ($0.name, $0.value) }, uniquingKeysWith: { $1 })
    for (name, content) in resident.flatMap({ house.settings[$0] }) ?? [:] {
      // One that a later version no longer allows leaves the configuration's in force.
      if contents[name] == nil || Self.fits(name, content) { contents[name] = content }
    }
    return contents
  }

  private static func fits(_ name: String, _ content: JSONValue) -> Bool {
    var trial = EngineList.settings.first { $0.names.contains(name) }?.init()
    return (try? trial?.set(name, to: content)) != nil
  }

  /// Refuses a content that a setting may not have.
  func check(
    _ name: String, _ content: JSONValue, of resident: ResidentID
  ) throws(CommandReply.Refusal) {
    guard let engine = EngineList.settings.first(where: { $0.names.contains(name) }) else {
      let names = Self.all.map(\.name).joined(separator: ", ")
      throw CommandReply.Refusal(
        .unknownTarget,
        Message(
          "There is no setting \"{name}\". Settings are: {names}.", ["name": name, "names": names]))
    }
    var trial = engine.init(house.settings[resident] ?? [:])
    try trial.set(name, to: content)
  }

  /// The value of one setting of a resident that holds.
  func valueInForce(_ name: String, of resident: ResidentID) -> JSONValue {
    inForce(for: resident)[name] ?? .null
  }
}
