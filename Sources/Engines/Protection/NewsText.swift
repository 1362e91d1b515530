import Care
import JSON
import Texts

/// One piece of news about a resident.
struct NewsText: Hashable, Sendable {
  let name: String
  let news: Signal.News

  /// Whether it is about a message, not about the routine.
  var isAboutMessage: Bool {
    switch news {
    case .message, .receipt: true
    case .unanswered, .stock, .tag, .arrival, .intrusion: false
    }
  }

  /// Whether they came as a sentence, which is in the resident's language.
  private var isSentence: Bool {
    switch news {
    case .tag, .arrival, .intrusion: true
    case .message, .receipt, .unanswered, .stock: false
    }
  }

  /// The language in which a guardian hears them: their own, where they have one and there are words for it.
  func language(for guardian: Guardian, of resident: Language) -> Language {
    isSentence ? resident : guardian.language.flatMap(Language.init(tag:)) ?? resident
  }

  /// The news in words, plain and short.
  func text(in language: Language) -> String {
    switch news {
    case .message(let sender, "", let seconds?):
      return sender == name
        ? ngettext(
          "{name} recorded a message of {n} second.", "{name} recorded a message of {n} seconds.",
          Int(clamping: seconds), ["name": name], in: language)
        : ngettext(
          "{sender} recorded a message of {n} second for {name}.",
          "{sender} recorded a message of {n} seconds for {name}.", Int(clamping: seconds),
          ["sender": sender, "name": name], in: language)
    case .message(let sender, let text, let seconds):
      let text = ChatMessage.words(text, recordedSeconds: seconds).text(in: language)
      return sender == name
        ? gettext("{name} wrote: {text}", ["name": name, "text": text], in: language)
        : gettext(
          "{sender} wrote for {name}: {text}", ["sender": sender, "name": name, "text": text],
          in: language)
    case .receipt(let sender):
      return gettext(
        "{name} heard the message of {sender}.", ["name": name, "sender": sender], in: language)
    case .unanswered(let title):
      return gettext(
        "{name} has not answered the reminder: {title}.", ["name": name, "title": title],
        in: language)
    case .stock(let title, let days?):
      return ngettext(
        "{name}: {title} will be used up in {n} day. Please see to a new pack.",
        "{name}: {title} will be used up in {n} days. Please see to a new pack.",
        Int(clamping: days), ["name": name, "title": title], in: language)
    case .tag(let sentence), .arrival(let sentence), .intrusion(let sentence): return sentence
    case .stock(let title, nil):
      return gettext(
        "{name}: {title} will be used up soon. Please see to a new pack.",
        ["name": name, "title": title], in: language)
    }
  }

  /// At most one text message: 160 characters where all are plain, else 70.
  static func shortened(_ text: String) -> String {
    let most = text.utf8.allSatisfy { (0x20...0x7E).contains($0) } ? 160 : 70
    // Above the basic plane a character takes two places.
    guard text.utf16.count > most else { return text }
    var short = ""
    for character in text {
      guard short.utf16.count + String(character).utf16.count <= most - 3 else { break }
      short.append(character)
    }
    return short + "..."
  }
}

extension Guardian {
  /// Where news go: by push, else by mail, else as a text message; nil for a guardian who is only called.
  var newsAddress: (channel: Channel, address: String)? {
    [Channel.push, .email, .sms].lazy.compactMap { channel in
      address(by: channel).map { (channel, $0) }
    }.first
  }
}
