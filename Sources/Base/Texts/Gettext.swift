/// A text in a language.
///
///     gettext("{name} has left {zone}.", ["name": "Ada", "zone": "Home"], in: .zh)
///
/// - Parameters:
///   - msgid: the English text, written as a literal, with a name in braces wherever a value belongs.
///   - values: what to put there, once each: braces in a value stay braces. A place without a value stays as it is.
///   - language: the language; English where the catalogue has no such text.
public func gettext(
  _ msgid: String, _ values: Message.Values = [:], in language: Language
) -> String {
  Message(msgid, values).text(in: language)
}

/// A text that stands for one or for several, in a language.
///
///     ngettext("{n} try is left.", "{n} tries are left.", 2, in: .en)
///
/// - Parameters:
///   - msgid: the English text for one.
///   - msgidPlural: the English text for any other number.
///   - n: how many; `{n}` stands for it in both texts.
///   - values: what else to put in.
///   - language: the language.
public func ngettext(
  _ msgid: String, _ msgidPlural: String, _ n: Int, _ values: Message.Values = [:],
  in language: Language
) -> String {
  Message(msgid, plural: msgidPlural, n, values).text(in: language)
}

/// A text whose English has several meanings, in a language.
///
///     pgettext("time of day", "at night", in: .zh)
///
/// - Parameters:
///   - msgctxt: which of the meanings.
///   - msgid: the English text.
///   - values: what to put in.
///   - language: the language.
public func pgettext(
  _ msgctxt: String, _ msgid: String, _ values: Message.Values = [:], in language: Language
) -> String {
  Message(msgid, context: msgctxt, values).text(in: language)
}
