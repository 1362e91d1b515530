import CEspeak
import Loop
import Moments
import PluginKit
import Synchronization

/// Why nothing was spoken.
enum SpeechFault: Error, Hashable, Sendable {
  /// espeak-ng cannot be used at all.
  case library
  /// It has no voice of that name.
  case voice(String)
  /// The speech would be longer than ``Synthesizer/maximumSeconds``.
  case tooLong
  /// It took too long to make.
  case tooSlow
  /// Nothing in the text makes a sound.
  case silent
  /// The file cannot be written; a number of `errno`.
  case disk(Int32)

  /// One plain sentence, which says what to do next where that helps.
  var sentence: String {
    switch self {
    case .library: gettext("espeak-ng cannot find its data; install the package espeak-ng-data")
    case .voice(let name):
      gettext(
        "espeak-ng has no voice \"{name}\"; choose one of those that espeak-ng --voices lists",
        ["name": name])
    case .tooLong:
      gettext(
        "the text takes longer than {seconds} seconds to speak; make it shorter",
        ["seconds": Synthesizer.maximumSeconds])
    case .tooSlow:
      gettext("the text took too long to turn into speech; make it shorter or try again")
    case .silent: gettext("nothing in the text can be spoken; write it in English or Chinese")
    case .disk(let number):
      gettext(
        "the speech cannot be stored (error {number}); see that the disk has room and can be written",
        ["number": number])
    }
  }
}

/// Speaks through espeak-ng, whose state is one for the whole process: one text at a time.
enum Synthesizer {
  /// The longest speech.
  static let maximumSeconds = 240
  /// Silence where the voice changes, in milliseconds.
  static let changeMilliseconds = 40

  private static let use = Mutex<Int32>(0)

  /// Prepares espeak-ng and makes sure that it has both voices.
  static func prepare(_ settings: SpeechSettings) throws(SpeechFault) {
    try use.withLock { (rate) throws(SpeechFault) in
      try open(&rate)
      for language in SpokenLanguage.allCases { try select(language, settings) }
    }
  }

  /// The speech of a text, without silence around it.
  ///
  /// Takes some 20 ms a sentence, and blocks for that: never on the event loop.
  static func render(
    _ text: SpokenText, _ settings: SpeechSettings, until deadline: Tick
  ) throws(SpeechFault) -> Speech {
    try use.withLock { (rate) throws(SpeechFault) in
      try open(&rate)
      var whole = Speech(samples: [], sampleRate: Int(rate))
      for run in text.runs {
        try select(run.language, settings)
        let collector = Collector(
          limit: Self.maximumSeconds * Int(rate) - whole.samples.count, deadline: deadline)
        try speak(run.text, into: collector)
        let part = Speech(samples: collector.samples, sampleRate: Int(rate)).trimmed
        guard !part.samples.isEmpty else { continue }
        if !whole.samples.isEmpty {
          whole.samples += [Int16](repeating: 0, count: Int(rate) * changeMilliseconds / 1000)
        }
        whole.samples += part.samples
      }
      guard !whole.samples.isEmpty else { throw .silent }
      return whole
    }
  }

  private static func open(_ rate: inout Int32) throws(SpeechFault) {
    guard rate == 0 else { return }
    let options = Int32(espeakINITIALIZE_DONT_EXIT)
    let answer = espeak_Initialize(AUDIO_OUTPUT_SYNCHRONOUS, 0, nil, options)
    guard answer > 0 else { throw .library }
    rate = answer
    espeak_SetSynthCallback(collect)
  }

  private static func select(
    _ language: SpokenLanguage, _ settings: SpeechSettings
  ) throws(SpeechFault) {
    let name =
      switch language {
      case .english: settings.voice
      case .mandarin: settings.mandarinVoice
      }
    guard espeak_SetVoiceByName(name) == EE_OK || selectByLanguage(name) else {
      throw .voice(name)
    }
    // The parameters belong to the voice: espeak-ng takes back its own with each.
    _ = espeak_SetParameter(espeakRATE, settings.rateWordsPerMinute, 0)
    _ = espeak_SetParameter(espeakPITCH, settings.pitch, 0)
    _ = espeak_SetParameter(espeakWORDGAP, settings.gapMilliseconds / 10, 0)
  }

  /// `en-gb` is a language of the voice that espeak-ng calls `English_(Great_Britain)`.
  private static func selectByLanguage(_ tag: String) -> Bool {
    tag.withCString { tag in
      var wanted = espeak_VOICE()
      wanted.languages = tag
      return espeak_SetVoiceByProperties(&wanted) == EE_OK
    }
  }

  private static func speak(_ text: String, into collector: Collector) throws(SpeechFault) {
    let owner = Unmanaged.passUnretained(collector).toOpaque()
    // Neither espeakSSML nor espeakPHONEMES: text stays text.
    let answer = withExtendedLifetime(collector) {
      text.withCString { words in
        espeak_Synth(
          words, text.utf8.count + 1, 0, POS_CHARACTER, 0, UInt32(espeakCHARS_UTF8), nil, owner)
      }
    }
    if let fault = collector.fault { throw fault }
    guard answer == EE_OK else { throw .library }
  }
}

/// What espeak-ng has spoken so far of one text.
private final class Collector {
  var samples: [Int16] = []
  var fault: SpeechFault?
  private let limit: Int
  private let deadline: Tick

  init(limit: Int, deadline: Tick) {
    self.limit = limit
    self.deadline = deadline
  }

  /// Takes more; false ends the speech.
  func take(_ more: UnsafeBufferPointer<Int16>) -> Bool {
    if samples.count + more.count > limit {
      fault = .tooLong
    } else if EventLoop.now > deadline {
      fault = .tooSlow
    } else {
      samples.append(contentsOf: more)
    }
    return fault == nil
  }
}

/// Called by espeak-ng with a stretch of samples, and nil at the end.
private func collect(
  _ samples: UnsafeMutablePointer<Int16>?, _ count: Int32,
  _ events: UnsafeMutablePointer<espeak_EVENT>?
) -> Int32 {
  guard let samples, count > 0, let owner = events?.pointee.user_data else { return 0 }
  let collector = Unmanaged<Collector>.fromOpaque(owner).takeUnretainedValue()
  return collector.take(UnsafeBufferPointer(start: samples, count: Int(count))) ? 0 : 1
}
