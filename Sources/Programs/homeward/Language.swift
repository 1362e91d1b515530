import Texts

/// The language of this program's words: that of the environment it was started in.
enum SpokenLanguage {
  static let current = Language(environment: Environment.value)
}

/// A text in the language of whoever sits at the terminal.
func gettext(_ msgid: String, _ values: Message.Values = [:]) -> String {
  Message(msgid, values).text(in: SpokenLanguage.current)
}

/// A text for one or for several, in the language of whoever sits at the terminal.
func ngettext(
  _ msgid: String, _ msgidPlural: String, _ n: Int, _ values: Message.Values = [:]
) -> String {
  Message(msgid, plural: msgidPlural, n, values).text(in: SpokenLanguage.current)
}

extension Message {
  /// The text in the language of whoever sits at the terminal.
  var spoken: String { text(in: SpokenLanguage.current) }
}
