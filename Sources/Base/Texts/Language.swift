/// A language that people are spoken to in; every text is there in each of them.
public enum Language: String, Hashable, Sendable, CaseIterable {
  /// English, in which the sources are written.
  case en
  /// Simplified Chinese.
  case zh

  /// The language of a tag, by its first part; nil for any other.
  ///
  /// - Parameter tag: BCP 47 (`zh`, `zh-Hans-CN`) or a locale's name (`zh_CN.UTF-8`), in any case.
  public init?(tag: String) {
    let subtag = tag.utf8.prefix { $0 != 0x2D && $0 != 0x5F && $0 != 0x2E && $0 != 0x40 }
    guard (1...8).contains(subtag.count) else { return nil }
    self.init(rawValue: String(decoding: subtag, as: UTF8.self).lowercased())
  }

  /// The language of a person's setting; English for a language that there are no texts in.
  public init(_ tag: String) { self = Language(tag: tag) ?? .en }

  /// The language that a program's environment asks for: the first that is known in `LANGUAGE`, else the locale's.
  ///
  /// The locale is the first of `LC_ALL`, `LC_MESSAGES` and `LANG` that is not empty; with `C` or `POSIX` the answer is
  /// English, whatever `LANGUAGE` says.
  ///
  /// - Parameter variable: a variable's value; nil or empty counts as not set.
  /// - Source: GNU gettext, "Specifying a Priority List of Languages".
  public init(environment variable: (String) -> String?) {
    let named = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap(variable).first { !$0.isEmpty }
    let locale = named ?? ""
    guard !["C", "POSIX"].contains(locale), !locale.hasPrefix("C.") else {
      self = .en
      return
    }
    let listed = (variable("LANGUAGE") ?? "").split(separator: ":")
    self =
      listed.lazy.compactMap { Language(tag: String($0)) }.first ?? Language(tag: locale) ?? .en
  }
}
