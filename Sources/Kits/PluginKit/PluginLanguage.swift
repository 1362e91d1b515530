import Glibc
public import Texts

/// The language of what a plugin says that is not meant for one person: its health, its log, the names of what it shows.
///
/// A message to a person has a language of its own; see `gettext(_:_:in:)` of the module Texts.
public enum PluginLanguage {
  /// The gateway's language, as the host gives it in `HOMEWARD_LANGUAGE`; English without it.
  public static let current = Language(
    getenv("HOMEWARD_LANGUAGE").map { String(cString: $0) } ?? "")
}

/// A text in the gateway's language.
///
/// - Parameters:
///   - msgid: the English text, a literal, with a name in braces wherever a value belongs.
///   - values: what to put there, once each.
public func gettext(_ msgid: String, _ values: Message.Values = [:]) -> String {
  Message(msgid, values).text(in: PluginLanguage.current)
}
