/// What is to be said, before it is known in which language.
///
///     throw CommandReply.Refusal(.conflict, Message("There is no zone \"{id}\".", ["id": id]))
///
/// An engine that knows the language uses ``gettext(_:_:in:)``; who does not hands on a message, and the one that speaks to
/// a person asks for its text.
public struct Message: Hashable, Sendable, CustomStringConvertible {
  /// Values by the names of their places: words, numbers, or messages, which are put in in the same language.
  public typealias Values = KeyValuePairs<String, any CustomStringConvertible>

  private struct Place: Hashable, Sendable {
    var name: String
    var words: [Message]
  }

  private let msgid: String
  private let msgidPlural: String?
  private let msgctxt: String?
  private let count: Int
  private let isVerbatim: Bool
  private let places: [Place]

  private init(
    _ msgid: String, _ msgidPlural: String?, _ msgctxt: String?, _ count: Int, _ values: Values
  ) {
    self.msgid = msgid
    self.msgidPlural = msgidPlural
    self.msgctxt = msgctxt
    self.count = count
    isVerbatim = false
    places = values.map { name, value in
      Place(
        name: name, words: [value as? Message ?? Message(verbatim: String(describing: value))])
    }
  }

  /// A text to be looked up in the catalogue of its language.
  ///
  /// - Parameters:
  ///   - msgid: the English text, a literal, with a name in braces wherever a value belongs.
  ///   - values: what to put there, once each.
  public init(_ msgid: String, _ values: Values = [:]) { self.init(msgid, nil, nil, 1, values) }

  /// A text for one or for several.
  ///
  /// - Parameters:
  ///   - msgid: the English text for one, a literal.
  ///   - msgidPlural: the English text for any other number, a literal.
  ///   - n: how many; `{n}` stands for it.
  ///   - values: what else to put in.
  public init(_ msgid: String, plural msgidPlural: String, _ n: Int, _ values: Values = [:]) {
    self.init(msgid, msgidPlural, nil, n, values)
  }

  /// A text whose English has several meanings.
  ///
  /// - Parameters:
  ///   - msgid: the English text, a literal.
  ///   - msgctxt: which of the meanings, a literal.
  ///   - values: what to put in.
  public init(_ msgid: String, context msgctxt: String, _ values: Values = [:]) {
    self.init(msgid, nil, msgctxt, 1, values)
  }

  /// Words that are the same in each language, such as a person's own or another program's; never looked up.
  public init(verbatim words: String) {
    msgid = words
    msgidPlural = nil
    msgctxt = nil
    count = 1
    isVerbatim = true
    places = []
  }

  /// The English text.
  public var description: String { text(in: .en) }

  /// The text in a language; English where the catalogue has no such text.
  public func text(in language: Language) -> String {
    guard !isVerbatim else { return msgid }
    return filled(pattern(in: language), in: language)
  }

  /// The text in a language as it stands before and behind one place, which is left out.
  ///
  /// - Parameter place: the name of the place; where the text has none, everything stands before it.
  public func parts(
    around place: String, in language: Language
  ) -> (before: String, after: String) {
    let pattern = self.pattern(in: language)
    let ends = pattern.indices.lazy.compactMap { start in
      pattern[start...].hasPrefix("{\(place)}")
        ? (start, pattern.index(start, offsetBy: place.count + 2)) : nil
    }
    guard let (start, end) = ends.first else { return (filled(pattern, in: language), "") }
    return (
      filled(String(pattern[..<start]), in: language), filled(String(pattern[end...]), in: language)
    )
  }

  private func pattern(in language: Language) -> String {
    Catalogue.of(language)?.translation(of: msgid, context: msgctxt) ?? english
  }

  private var english: String {
    guard let msgidPlural, count != 1 else { return msgid }
    return msgidPlural
  }

  /// Puts the values in, from the beginning to the end and never into a value.
  private func filled(_ pattern: String, in language: Language) -> String {
    guard !places.isEmpty || msgidPlural != nil else { return pattern }
    var text = ""
    var rest = pattern[...]
    // By bytes: a brace is one of its own in any text, and characters take far longer to tell apart.
    while let open = rest.utf8.firstIndex(of: UInt8(ascii: "{")) {
      text += rest[..<open]
      let name = rest.utf8.index(after: open)
      guard let close = rest[name...].utf8.firstIndex(of: UInt8(ascii: "}")),
        let value = value(of: rest[name..<close], in: language)
      else {
        text += "{"
        rest = rest[name...]
        continue
      }
      text += value
      rest = rest[rest.utf8.index(after: close)...]
    }
    return text + rest
  }

  private func value(of name: Substring, in language: Language) -> String? {
    if let place = places.first(where: { $0.name == name }) {
      return place.words[0].text(in: language)
    }
    return msgidPlural != nil && name == "n" ? String(count) : nil
  }
}
