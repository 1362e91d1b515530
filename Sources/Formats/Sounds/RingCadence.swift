import Texts

/// How telephones ring in a country: when, from its exchanges' cadence; what they sound like, as a bell with two gongs.
///
/// The tones of the same tables (425 Hz and the like) are what a *caller* hears: they would sound like an earpiece, not
/// like a telephone in the room.
///
/// - Source: cadences of Asterisk's `indications.conf`, on and off in milliseconds.
public struct RingCadence: Hashable, Sendable {
  /// ISO 3166 code of the country, in lower case.
  public let country: String
  /// Ringing and silence in turn, from the first ring to the pause before the next one.
  public let milliseconds: [Int]

  /// All countries, by their codes.
  public static let all = [
    RingCadence("at", [1000, 5000]), RingCadence("au", [400, 200, 400, 2000]),
    RingCadence("be", [1000, 3000]), RingCadence("ch", [1000, 4000]),
    RingCadence("cn", [1000, 4000]), RingCadence("cz", [1000, 4000]),
    RingCadence("de", [1000, 4000]), RingCadence("dk", [1000, 4000]),
    RingCadence("es", [1500, 3000]), RingCadence("fi", [1000, 4000]),
    RingCadence("fr", [1500, 3500]), RingCadence("gb", [400, 200, 400, 2000]),
    RingCadence("gr", [1000, 4000]), RingCadence("it", [1000, 4000]),
    RingCadence("jp", [1000, 2000]), RingCadence("nl", [1000, 4000]),
    RingCadence("us", [2000, 4000]),
  ]

  private init(_ country: String, _ milliseconds: [Int]) {
    self.country = country
    self.milliseconds = milliseconds
  }

  /// The pattern `ring-` and the country.
  var pattern: SoundPattern {
    var notes: [Note] = []
    var start = 0
    for (index, milliseconds) in milliseconds.dropLast().enumerated() {
      if index.isMultiple(of: 2) { notes += Self.ring(from: start, lasting: milliseconds) }
      start += milliseconds
    }
    return SoundPattern(
      "ring-\(country)", Message("a telephone in {country}", ["country": country.uppercased()]),
      repeatPauseMilliseconds: milliseconds.last ?? 0, notes: notes)
  }

  /// A clapper swings between two gongs and strikes one of them every 50 ms; each dies down until it is struck again.
  private static func ring(from start: Int, lasting duration: Int) -> [Note] {
    stride(from: 0, to: duration, by: 50).enumerated().map { index, time in
      let isLast = time + 108 >= duration
      return Note(
        startMilliseconds: start + time, durationMilliseconds: min(108, duration - time),
        riseMilliseconds: 3, fallMilliseconds: isLast ? 12 : 8, decayMilliseconds: 120,
        levelDecibels: index.isMultiple(of: 2) ? -4 : -5,
        timbre: index.isMultiple(of: 2) ? lowGong : highGong)
    }
  }

  private static let lowGong = Timbre.struck([
    Partial(hertz: 740, levelDecibels: 0), Partial(hertz: 1480, levelDecibels: -4),
    Partial(hertz: 1990, levelDecibels: -7), Partial(hertz: 2870, levelDecibels: -13),
  ])
  private static let highGong = Timbre.struck([
    Partial(hertz: 930, levelDecibels: 0), Partial(hertz: 1860, levelDecibels: -4),
    Partial(hertz: 2490, levelDecibels: -7), Partial(hertz: 3560, levelDecibels: -13),
  ])
}
