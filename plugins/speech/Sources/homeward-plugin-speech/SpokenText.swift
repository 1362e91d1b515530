/// A language that the plugin has a voice for.
enum SpokenLanguage: String, Hashable, Sendable, CaseIterable {
  case english = "en"
  case mandarin = "zh"

  /// The language of a BCP 47 tag, by its first part; nil for any other.
  init?(tag: String) {
    let parts = tag.lowercased().split(separator: "-", omittingEmptySubsequences: false)
    self.init(rawValue: parts.first.map(String.init) ?? "")
  }
}

/// A text made ready for the synthesizer: cleaned, bounded, cut where the writing system changes.
///
/// A Mandarin voice reads Latin letters as pinyin and an English one reads Chinese characters as "Chinese letter": a name in
/// the other writing is therefore spoken by the other voice.
struct SpokenText: Hashable, Sendable {
  /// The most Unicode scalars of a text.
  static let maximumScalars = 2000

  /// Words of one voice.
  struct Run: Hashable, Sendable {
    var language: SpokenLanguage
    var text: String
  }

  /// Why a text cannot be spoken.
  enum Fault: Error, Hashable, Sendable {
    case tooLong(scalars: Int)
    case empty
  }

  /// The runs, in order; at least one.
  let runs: [Run]
  /// The language asked for.
  let language: SpokenLanguage

  /// Makes a text ready.
  init(_ text: String, language: SpokenLanguage) throws(Fault) {
    let count = text.unicodeScalars.count
    guard count <= Self.maximumScalars else { throw .tooLong(scalars: count) }
    self.language = language
    runs = Self.runs(of: Self.cleaned(text), language: language)
    guard runs.contains(where: { $0.text.unicodeScalars.contains(where: Self.isSpeakable) }) else {
      throw .empty
    }
  }

  /// Names the text among others.
  var key: String { runs.map { "\($0.language.rawValue):\($0.text)" }.joined(separator: "\n") }

  // MARK: Cleaning

  /// The text in one line, with single spaces, and without what a synthesizer takes for orders.
  private static func cleaned(_ text: String) -> String {
    var scalars = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      if isInvisible(scalar) { continue }
      let isGap = isSpace(scalar)
      if isGap, scalars.last.map({ $0 == " " }) ?? true { continue }
      scalars.append(isGap ? " " : scalar)
    }
    if scalars.last == " " { scalars.removeLast() }
    return String(scalars)
  }

  /// Zero-width and format characters: nobody hears them, and they cut words in two.
  private static func isInvisible(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .format: true
    default: scalar.properties.isVariationSelector
    }
  }

  /// White space, control characters (some are orders to espeak-ng), and code points that nobody has assigned (it uses two
  /// of those as marks of its own).
  private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .unassigned, .privateUse, .surrogate: true
    default: scalar.properties.isWhitespace
    }
  }

  private static func isSpeakable(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .decimalNumber, .letterNumber, .otherNumber, .currencySymbol, .mathSymbol:
      true
    default: false
    }
  }

  // MARK: Runs

  private static func runs(of text: String, language: SpokenLanguage) -> [Run] {
    var runs: [Run] = []
    for scalar in text.unicodeScalars {
      let wanted = Self.language(of: scalar, within: language) ?? runs.last?.language ?? language
      if let last = runs.indices.last, runs[last].language == wanted {
        runs[last].text.unicodeScalars.append(scalar)
      } else {
        runs.append(Run(language: wanted, text: String(scalar)))
      }
    }
    return joined(runs, language: language)
  }

  /// Who speaks a character; nil for whoever speaks the one before it.
  private static func language(
    of scalar: Unicode.Scalar, within language: SpokenLanguage
  ) -> SpokenLanguage? {
    switch scalar.value {
    case 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x20000...0x323AF, 0x3007: .mandarin
    case 0x41...0x5A, 0x61...0x7A, 0xC0...0xD6, 0xD8...0xF6, 0xF8...0x24F: .english
    case 0x30...0x39: language
    default: nil
    }
  }

  /// Runs without anything to speak join their neighbour, so that punctuation keeps its pause and makes no run.
  private static func joined(_ runs: [Run], language: SpokenLanguage) -> [Run] {
    var joined: [Run] = []
    for run in runs {
      let isSilent = !run.text.unicodeScalars.contains(where: isSpeakable)
      if let last = joined.indices.last, isSilent || joined[last].language == run.language {
        joined[last].text += run.text
      } else {
        joined.append(run)
      }
    }
    return joined
  }
}
