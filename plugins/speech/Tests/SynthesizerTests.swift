import JSON
import Loop
import Moments
import Testing

@testable import homeward_plugin_speech

@Suite("Synthesizer", .serialized, .timeLimit(.minutes(2)))
struct SynthesizerTests {
  static let help = "Help is being called. Anna is coming to you now."

  @Test("A sentence lasts as long as its words take at 155 words a minute")
  func duration() throws {
    let words = 10.0
    let seconds = try Rendered.speech(Self.help).seconds
    #expect(seconds > words / 155 * 60 * 0.6 && seconds < words / 155 * 60 * 1.5)
  }

  @Test("A slower rate takes longer and a gap between words too")
  func rateAndGap() throws {
    let usual = try Rendered.speech(Self.help).seconds
    #expect(try Rendered.speech(Self.help, .english, ["rate": 80]).seconds > usual * 1.4)
    #expect(try Rendered.speech(Self.help, .english, ["rate": 300]).seconds < usual * 0.75)
    #expect(try Rendered.speech(Self.help, .english, ["gap": 300]).seconds > usual + 1)
  }

  @Test("No more silence than promised stands before and after the words")
  func silenceIsTrimmed() throws {
    let speech = try Rendered.speech(Self.help)
    let first = try #require(speech.samples.firstIndex { $0.magnitude > Speech.threshold })
    let last = try #require(speech.samples.lastIndex { $0.magnitude > Speech.threshold })
    #expect(first <= speech.sampleRate * Speech.leadMilliseconds / 1000)
    #expect(speech.samples.count - last <= speech.sampleRate * Speech.tailMilliseconds / 1000 + 1)
  }

  @Test(
    "The power of the sound lies where voices are",
    arguments: [(Self.help, SpokenLanguage.english), ("现在是下午三点十五分。请坐下。", .mandarin)])
  func spectrum(text: String, language: SpokenLanguage) throws {
    let speech = try Rendered.speech(text, language)
    #expect(speech.powerShare(hertz: 80...4000) > 0.9)
    #expect(speech.powerShare(hertz: 300...3400) > 0.2)
    #expect(speech.samples.map(\.magnitude).max() ?? 0 > 8000)
  }

  @Test("The same text lasts as long each time, whatever was spoken between")
  func repeatable() throws {
    // Not the same samples: espeak-ng's voice flutters on, from text to text.
    let first = try Rendered.speech(Self.help)
    _ = try Rendered.speech("马上就来", .mandarin)
    #expect(try Rendered.speech(Self.help).lasts(as: first))
  }

  @Test("Chinese characters are spoken as words, one syllable each, and not spelt out")
  func mandarinIsNotSpelt() throws {
    let words = try Rendered.speech("请坐下等一等", .mandarin).seconds
    #expect(words > 0.8 && words < 3)
    let spelt = try Rendered.speech("请坐下等一等", .mandarin, ["mandarinVoice": "cmn"]).seconds
    #expect(spelt > words * 1.3)
  }

  @Test("A name in Latin letters inside of Chinese is spoken by the English voice")
  func mixedScripts() throws {
    let (name, rest) = (
      try Rendered.speech("Anna ", .english), try Rendered.speech("马上就来。", .mandarin)
    )
    let change = Double(Synthesizer.changeMilliseconds) / 1000
    let mixed = try Rendered.speech("Anna 马上就来。", .mandarin).seconds
    #expect(abs(mixed - name.seconds - rest.seconds - change) < 0.05)
  }

  @Test("Markup, phoneme brackets and orders of espeak-ng are read as text or left out")
  func textStaysText() throws {
    let plain = try Rendered.speech("hello there").seconds
    #expect(try Rendered.speech("<break time='9s'/>hello there").seconds < plain + 6)
    #expect(try Rendered.speech("[[h@l'oU]]").seconds > 1)
    #expect(
      try Rendered.speech("\u{1}300s hello there").lasts(as: Rendered.speech("300s hello there")))
    #expect(try Rendered.speech("hello\u{530} there").lasts(as: Rendered.speech("hello there")))
    #expect(try Rendered.speech("hel\u{200B}lo there").lasts(as: Rendered.speech("hello there")))
  }

  @Test(
    "Whatever the text, the answer is speech or a plain refusal",
    arguments: [
      "Привет, мир", "مرحبا", "नमस्ते", "ประเทศไทย", "한국어", "にほんご",
      "\u{1F600}\u{1F468}\u{200D}\u{1F469}",
      "e\u{301}\u{301}\u{301}\u{301}", "\u{202E}olleh", "%s%s%n", "'; DROP TABLE", "$(reboot)",
      String(repeating: "9", count: 2000), String(repeating: "(", count: 2000),
      String(repeating: "中", count: 400), "a\0b", "\u{FFFF}\u{10FFFF}x", "&#x0;&lt;", "À×÷",
    ])
  func hostileTexts(text: String) throws {
    let settings = try Rendered.settings()
    for language in SpokenLanguage.allCases {
      do throws(SpokenText.Fault) {
        let ready = try SpokenText(text, language: language)
        let end = EventLoop.now.advanced(byMilliseconds: 60_000)
        do throws(SpeechFault) {
          let speech = try Synthesizer.render(ready, settings, until: end)
          #expect(speech.seconds <= Double(Synthesizer.maximumSeconds + 1))
        } catch { #expect([.silent, .tooLong].contains(error)) }
      } catch { #expect(error == .empty) }
    }
  }

  @Test("A text that takes too long to render is given up")
  func deadline() throws {
    let text = try SpokenText(Self.help, language: .english)
    #expect(throws: SpeechFault.tooSlow) {
      try Synthesizer.render(
        text, Rendered.settings(), until: EventLoop.now.advanced(byMilliseconds: -1))
    }
  }

  @Test("A voice that espeak-ng does not have is named, and where to look")
  func unknownVoice() throws {
    let settings = try Rendered.settings(["voice": "tlh-x-none"])
    #expect(throws: SpeechFault.voice("tlh-x-none")) { try Synthesizer.prepare(settings) }
    #expect(SpeechFault.voice("tlh-x-none").sentence.contains("espeak-ng --voices"))
  }
}
