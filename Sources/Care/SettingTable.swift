public import JSON
public import Texts

/// The settings of an engine that can be changed by name: what each may hold, what it does, and where it lives.
///
///     static let table = SettingTable(
///       standard: AlarmSettings(),
///       [.whole("tierSeconds", \.tierSeconds, 30...3600, .seconds, in: .alarms, Message("After …"))])
///
/// The engine owns the table; the core offers it, and whoever shows or changes settings lists them from it.
public struct SettingTable<Owner: Sendable>: Sendable {
  /// One setting and the place where the owner keeps it.
  public struct Row: Sendable {
    /// What people see of it.
    public let setting: Setting
    /// What the owner holds.
    public let content: @Sendable (Owner) -> JSONValue
    /// Stores a content that fits and answers true; changes nothing otherwise.
    public let store: @Sendable (JSONValue, inout Owner) -> Bool
    /// What may have been meant by a content that does not fit.
    public let meant: @Sendable (JSONValue) -> String?

    /// A row from its parts.
    public init(
      _ setting: Setting, content: @escaping @Sendable (Owner) -> JSONValue,
      store: @escaping @Sendable (JSONValue, inout Owner) -> Bool,
      meant: @escaping @Sendable (JSONValue) -> String? = { _ in nil }
    ) {
      self.setting = setting
      self.content = content
      self.store = store
      self.meant = meant
    }

    /// The row as one of a larger owner that keeps this one at a place.
    public func lifted<Whole>(
      to path: any WritableKeyPath<Whole, Owner> & Sendable
    ) -> SettingTable<Whole>.Row {
      let (content, store) = (content, store)
      return SettingTable<Whole>.Row(
        setting, content: { content($0[keyPath: path]) },
        store: { store($0, &$1[keyPath: path]) }, meant: meant)
    }
  }

  private let rows: [Row]
  private let places: [String: Int]
  private let standard: Owner

  /// A table over its rows; names are unique.
  ///
  /// - Parameter standard: the owner with the defaults.
  public init(standard: Owner, _ rows: [Row]) {
    self.standard = standard
    self.rows = rows
    places = Dictionary(
      rows.enumerated().map { ($0.element.setting.name, $0.offset) },
      uniquingKeysWith: { first, _ in first })
  }

  /// All settings, in the order shown.
  public var settings: [Setting] { rows.map(\.setting) }

  /// One setting by its name; nil for an unknown name.
  public func setting(_ name: String) -> Setting? { row(name)?.setting }

  /// What an owner holds under a name; nil for an unknown name.
  public func content(_ name: String, in owner: Owner) -> JSONValue? { row(name)?.content(owner) }

  /// Sets one by its name; null restores its default.
  ///
  /// - Throws: a refusal with code `unknownTarget` for an unknown name and `invalid` for a content that does not fit; its
  ///   message says what would.
  public func set(
    _ name: String, to content: JSONValue, in owner: inout Owner
  ) throws(CommandReply.Refusal) {
    guard let row = row(name) else {
      throw CommandReply.Refusal(
        .unknownTarget,
        Message(
          "There is no setting \"{name}\". Known settings: {names}.",
          ["name": name, "names": rows.map(\.setting.name).joined(separator: ", ")]))
    }
    guard row.store(content == .null ? row.content(standard) : content, &owner) else {
      let expectation = row.setting.range.expectation
      guard let meant = row.meant(content) else {
        throw CommandReply.Refusal(
          .invalid,
          Message("{name} must be {expectation}.", ["name": name, "expectation": expectation]))
      }
      throw CommandReply.Refusal(
        .invalid,
        Message(
          "{name} must be {expectation}. Did you mean {word}?",
          ["name": name, "expectation": expectation, "word": meant]))
    }
  }

  private func row(_ name: String) -> Row? { places[name].map { rows[$0] } }
}

extension SettingTable.Row {
  /// Where an owner keeps something.
  public typealias Path<Content> = any WritableKeyPath<Owner, Content> & Sendable

  /// A whole number.
  public static func whole(
    _ name: String, _ path: Path<Int64>, _ range: ClosedRange<Int64>, _ unit: Setting.Unit? = nil,
    in group: Setting.Group, _ words: Message
  ) -> Self {
    Self(
      Setting(name: name, group: group, range: .whole(range), unit: unit, words: words),
      content: { .integer($0[keyPath: path]) },
      store: { content, owner in
        guard let number = content.integerContent, range.contains(number) else { return false }
        owner[keyPath: path] = number
        return true
      })
  }

  /// A number with a fraction.
  public static func number(
    _ name: String, _ path: Path<Double>, _ range: ClosedRange<Double>,
    _ unit: Setting.Unit? = nil, in group: Setting.Group, _ words: Message
  ) -> Self {
    Self(
      Setting(name: name, group: group, range: .number(range), unit: unit, words: words),
      content: { .number($0[keyPath: path]) },
      store: { content, owner in
        guard let number = content.doubleContent, range.contains(number) else { return false }
        owner[keyPath: path] = number
        return true
      })
  }

  /// True or false.
  public static func flag(
    _ name: String, _ path: Path<Bool>, in group: Setting.Group, _ words: Message
  ) -> Self {
    Self(
      Setting(name: name, group: group, range: .flag, words: words),
      content: { .bool($0[keyPath: path]) },
      store: { content, owner in
        guard let truth = content.boolContent else { return false }
        owner[keyPath: path] = truth
        return true
      })
  }

  /// One of some words, kept as a text.
  public static func choice(
    _ name: String, _ path: Path<String>, _ choices: [String], in group: Setting.Group,
    _ words: Message
  ) -> Self {
    Self(
      Setting(name: name, group: group, range: .choice(choices), words: words),
      content: { .string($0[keyPath: path]) },
      store: { content, owner in
        guard let text = content.stringContent, choices.contains(text) else { return false }
        owner[keyPath: path] = text
        return true
      })
  }

  /// One of the words of a type.
  public static func choice<Word: RawRepresentable<String> & CaseIterable & Sendable>(
    _ name: String, _ path: Path<Word>, in group: Setting.Group, _ words: Message
  ) -> Self {
    Self(
      Setting(
        name: name, group: group, range: .choice(Word.allCases.map(\.rawValue)), words: words),
      content: { .string($0[keyPath: path].rawValue) },
      store: { content, owner in
        guard let word = content.stringContent.flatMap(Word.init) else { return false }
        owner[keyPath: path] = word
        return true
      })
  }

  /// A text that a rule judges.
  ///
  /// - Parameters:
  ///   - expectation: what fits, as it follows "must be".
  ///   - fits: whether a text does.
  ///   - meant: what may have been meant by a text that does not.
  public static func text(
    _ name: String, _ path: Path<String>, _ expectation: Message, in group: Setting.Group,
    _ words: Message, fits: @escaping @Sendable (String) -> Bool,
    meant: @escaping @Sendable (String) -> String? = { _ in nil }
  ) -> Self {
    Self(
      Setting(name: name, group: group, range: .text(expectation), words: words),
      content: { .string($0[keyPath: path]) },
      store: { content, owner in
        guard let text = content.stringContent, fits(text) else { return false }
        owner[keyPath: path] = text
        return true
      }, meant: { $0.stringContent.flatMap(meant) })
  }
}

/// The settings of an engine for one resident, readable and changeable by name.
public protocol NamedSettings: Sendable {
  /// The defaults.
  init()

  /// The settings of a resident from those that differ from the default; what does not fit is passed over, and what
  /// belongs to other engines is not looked at.
  init(_ contents: [String: JSONValue])

  /// What can be set, in the order shown.
  static var table: SettingTable<Self> { get }

  /// Sets one by its name; null restores its default.
  ///
  /// - Throws: what ``SettingTable/set(_:to:in:)`` throws, and what the engine refuses besides.
  mutating func set(_ name: String, to content: JSONValue) throws(CommandReply.Refusal)
}

extension NamedSettings {
  /// All settings, in the order shown.
  public static var settings: [Setting] { table.settings }

  /// Every name, in the order shown.
  public static var names: [String] { table.settings.map(\.name) }

  /// The content of one by its name; nil for an unknown name.
  public func value(_ name: String) -> JSONValue? { Self.table.content(name, in: self) }

  /// Sets one by its name; null restores its default.
  ///
  /// - Throws: a refusal with code `unknownTarget` for an unknown name and `invalid` for a content that does not fit; its
  ///   message says what would.
  public mutating func set(
    _ name: String, to content: JSONValue
  ) throws(CommandReply.Refusal) { try Self.table.set(name, to: content, in: &self) }

  /// The settings of a resident from those that differ from the default; what does not fit is passed over.
  public init(_ contents: [String: JSONValue]) {
    self.init()
    for name in Self.names {
      guard let content = contents[name] else { continue }
      // All were checked when they came; one that a later version no longer allows leaves the default in force.
      try? set(name, to: content)
    }
  }
}
