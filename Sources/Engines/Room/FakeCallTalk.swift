import Care
import Texts

/// What is heard of a fake call.
enum FakeCallTalk {
  /// Countries whose ring has a pattern of its own.
  private static let ringing: Set<String> = [
    "at", "au", "be", "ch", "cn", "cz", "de", "dk", "es", "fi", "fr", "gb", "gr", "it", "jp", "nl",
    "us",
  ]
  /// Countries that ring like another.
  private static let alike = [
    "ca": "us", "hk": "gb", "ie": "gb", "mo": "cn", "nz": "au", "sg": "gb", "uk": "gb",
  ]

  /// The pattern of a country's ring; most countries without one of their own ring one second in five, as Germany does.
  static func ring(country: String) -> String {
    let code = country.lowercased()
    let known = alike[code] ?? code
    return "ring-\(ringing.contains(known) ? known : "de")"
  }

  /// One side of a talk: what the caller says, with time to answer in between.
  static func script(language: String) -> [SoundPart] {
    let spoken = Language(language)
    let lines = FakeCallLines.all
    return lines.enumerated().flatMap { index, line -> [SoundPart] in
      let sentence = SoundPart.speech(
        Sentence(line.text(in: spoken), language: spoken.rawValue))
      guard index < lines.count - 1 else { return [sentence] }
      return [sentence, .pause(milliseconds: FakeCallLines.pauseMilliseconds(after: index))]
    }
  }
}
