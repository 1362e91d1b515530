/// One command to a modem, and how its answer is told from everything else.
struct ATCommand: Hashable, Sendable {
  /// The line without its carriage return, such as `AT+CSQ`.
  var text: String
  /// What follows the modem's prompt; nil for a command without.
  var payload: [UInt8]?
  /// The start of the line that the answer must hold, such as `+CSQ:`; nil when `OK` is enough.
  ///
  /// A modem that says `OK` to everything is found out by it.
  var prefix: String?
  /// How long the modem may take; for a command with a payload, until its prompt.
  var timeoutMilliseconds: Int64
  /// Whether the text must not be logged, for it holds a PIN or a number.
  var isSecret = false

  /// A command.
  init(
    _ text: String, prefix: String? = nil, payload: [UInt8]? = nil,
    timeoutMilliseconds: Int64 = 5000, isSecret: Bool = false
  ) {
    self.text = text
    self.prefix = prefix
    self.payload = payload
    self.timeoutMilliseconds = timeoutMilliseconds
    self.isSecret = isSecret
  }

  /// What to call it in a log.
  var name: String {
    isSecret ? String(text.prefix { $0 != "=" && $0 != "\"" && !$0.isNumber }) : text
  }
}

/// How a command ended.
enum ATResult: Hashable, Sendable {
  /// `OK`, with the lines before it.
  case done([String])
  /// An error, in the modem's words: `ERROR`, `+CMS ERROR: 38`.
  case refused(String)
  /// `OK`, but not the line that it stands for; or no prompt.
  case senseless
  /// Nothing in time.
  case timedOut

  /// The first line with a prefix, without it; nil when there is none.
  func content(after prefix: String) -> String? {
    guard case .done(let lines) = self else { return nil }
    return lines.first { $0.hasPrefix(prefix) }.map {
      String($0.dropFirst(prefix.count).drop { $0 == " " })
    }
  }

  /// Whether it ended with `OK` and made sense.
  var isDone: Bool {
    if case .done = self { true } else { false }
  }
}

/// Parameters of an answer: `"SM",3` is `SM` and `3`.
enum ATParameters {
  /// The parameters without quotation marks.
  static func split(_ text: String) -> [String] {
    var parts: [String] = [""]
    var isQuoted = false
    for character in text {
      if character == "\"" {
        isQuoted.toggle()
      } else if character == ",", !isQuoted {
        parts.append("")
      } else if character != " " || isQuoted {
        parts[parts.count - 1].append(character)
      }
    }
    return parts
  }
}
