import Texts

/// The tables of everything that is no telephone.
///
/// Alarm tones have C5 as their fundamental and its next four harmonics: old ears and sleepers hear 520 Hz with harmonics
/// where they miss 3 kHz, and IEC 60601-1-8 wants four harmonics within 15 dB. Loudness rises with the need, pitch does
/// not. The three long beeps of a fire alarm (ISO 8201) are avoided: people would run out into the street.
///
/// - Source: timings of NXP AN10875 inside the ranges of IEC 60601-1-8; see `hardware/sounds`.
enum CarePatterns {
  static let all = [
    sos, high, medium, low, cancel, acknowledged, reminder, chime, selfTest,
  ]

  private enum Pitch {
    static let c5 = 523.25
    static let e5 = 659.26
    static let g5 = 783.99
  }

  private static let piercing = Timbre.harmonics(of: Pitch.c5, [0, -1, -2, -3, -4])
  private static let alarm = Timbre.harmonics(of: Pitch.c5, [0, -3, -6, -8, -10])

  private static func soft(_ hertz: Double) -> Timbre {
    .harmonics(of: hertz, [0, -12, -20])
  }

  /// Beginnings of the five pulses of a high-priority burst, three and two.
  private static let highStarts = [0, 223, 446, 834, 1057]

  private static func pulse(
    at start: Int, lasting duration: Int, rise: Int, level: Double, _ timbre: Timbre
  ) -> Note {
    Note(
      startMilliseconds: start, durationMilliseconds: duration, riseMilliseconds: rise,
      fallMilliseconds: rise, levelDecibels: level, timbre: timbre)
  }

  /// Six bursts of three and two pulses fill ten seconds.
  private static let sos = SoundPattern(
    "sos", Message("the loud ten seconds before help is called"), repeatPauseMilliseconds: 0,
    lasts: 10_000,
    notes: (0..<6).flatMap { burst in
      highStarts.map {
        pulse(at: burst * 1750 + $0, lasting: 144, rise: 20, level: -1, piercing)
      }
    })

  private static let high = SoundPattern(
    "high", Message("an alarm of high priority"), repeatPauseMilliseconds: 2600,
    notes: [0, 1750].flatMap { burst in
      highStarts.map { pulse(at: burst + $0, lasting: 144, rise: 20, level: -1, alarm) }
    })

  private static let medium = SoundPattern(
    "medium", Message("an alarm of medium priority"), repeatPauseMilliseconds: 3000,
    notes: [0, 440, 880].map { pulse(at: $0, lasting: 220, rise: 40, level: -5, alarm) })

  private static let low = SoundPattern(
    "low", Message("an alarm of low priority"), repeatPauseMilliseconds: 16_000,
    notes: [0, 465].map { pulse(at: $0, lasting: 240, rise: 45, level: -9, alarm) })

  private static let cancel = SoundPattern(
    "cancel", Message("all is well again"), repeatPauseMilliseconds: 2000,
    notes: [Pitch.g5, Pitch.e5, Pitch.c5].enumerated().map { index, hertz in
      pulse(at: index * 350, lasting: 350, rise: 60, level: -12, soft(hertz))
    })

  private static let acknowledged = SoundPattern(
    "acknowledged", Message("somebody is coming"), repeatPauseMilliseconds: 2000,
    notes: [Pitch.c5, Pitch.e5, Pitch.g5].enumerated().map { index, hertz in
      pulse(at: index * 250, lasting: 250, rise: 30, level: -9, soft(hertz))
    })

  private static let reminder = SoundPattern(
    "reminder", Message("something to listen to follows"), repeatPauseMilliseconds: 1000,
    notes: [
      struck(at: 0, lasting: 600, decay: 260, level: -12, soft(Pitch.e5)),
      struck(at: 400, lasting: 600, decay: 260, level: -12, soft(Pitch.c5)),
    ])

  private static let chime = SoundPattern(
    "chime", Message("a small sign that something was heard"), repeatPauseMilliseconds: 1000,
    notes: [struck(at: 0, lasting: 600, decay: 200, level: -14, soft(Pitch.c5))])

  private static let selfTest = SoundPattern(
    "self-test", Message("a quiet tone that shows that the speaker is there"),
    repeatPauseMilliseconds: 1000,
    notes: [pulse(at: 0, lasting: 300, rise: 60, level: -36, soft(Pitch.c5))])

  private static func struck(
    at start: Int, lasting duration: Int, decay: Int, level: Double, _ timbre: Timbre
  ) -> Note {
    Note(
      startMilliseconds: start, durationMilliseconds: duration, riseMilliseconds: 12,
      fallMilliseconds: 80, decayMilliseconds: decay, levelDecibels: level, timbre: timbre)
  }
}
