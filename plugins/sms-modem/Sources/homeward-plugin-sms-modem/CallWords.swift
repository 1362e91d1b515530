import Texts

/// What is said on the line beside the alarm itself.
enum CallWords {
  /// The voice for a guardian's language: `zh` or `en`.
  static func voice(_ language: String) -> String { Language(language).rawValue }

  /// What to press.
  static func prompt(_ language: String, key: Character, acknowledges: Bool) -> String {
    let text =
      acknowledges
      ? Message("Press {key} to say that you are going.", ["key": name(of: key)])
      : Message("Press {key} to say that you have heard this.", ["key": name(of: key)])
    return text.text(in: Language(language))
  }

  private static func name(of key: Character) -> Message {
    switch key {
    case "0": Message("zero", context: "telephone key")
    case "1": Message("one", context: "telephone key")
    case "2": Message("two", context: "telephone key")
    case "3": Message("three", context: "telephone key")
    case "4": Message("four", context: "telephone key")
    case "5": Message("five", context: "telephone key")
    case "6": Message("six", context: "telephone key")
    case "7": Message("seven", context: "telephone key")
    case "8": Message("eight", context: "telephone key")
    case "9": Message("nine", context: "telephone key")
    case "*": Message("the star key")
    case "#": Message("the hash key")
    default: Message(verbatim: String(key))
    }
  }

  /// After the key.
  static func thanks(_ language: String, acknowledges: Bool) -> String {
    let text =
      acknowledges
      ? Message("Thank you. It is noted that you are going.") : Message("Thank you.")
    return text.text(in: Language(language))
  }

  /// After the key, when the gateway did not take it.
  static func sorry(_ language: String) -> String {
    gettext(
      "Your answer could not be noted. Please look at your text messages, and reply one.",
      in: Language(language))
  }
}
