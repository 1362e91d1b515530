import Glibc

/// One sine of a timbre.
public struct Partial: Hashable, Sendable {
  /// Its frequency in hertz.
  public var hertz: Double
  /// Its level in dB beside the timbre's strongest partial.
  public var levelDecibels: Double
  /// Where in its turn it starts, 0..<1; chosen so that the sum stays flat and loud.
  public var phaseTurns: Double

  /// A partial from its parts.
  public init(hertz: Double, levelDecibels: Double, phaseTurns: Double = 0) {
    self.hertz = hertz
    self.levelDecibels = levelDecibels
    self.phaseTurns = phaseTurns
  }

  /// Its amplitude beside that of a partial of 0 dB.
  var amplitude: Double { pow(10, levelDecibels / 20) }
}

/// What a note sounds like: the sum of a few sines.
public struct Timbre: Hashable, Sendable {
  /// The sines.
  public let partials: [Partial]
  /// A bound of the sum's amplitude, by which a note is scaled to its own level.
  let peak: Double

  /// The lowest frequency, which the ear takes for the tone's pitch.
  public var fundamentalHertz: Double { partials.map(\.hertz).min() ?? 0 }

  /// Multiples of one frequency at these levels, the first for the fundamental itself.
  ///
  /// The phases follow Schroeder's rule, so that five harmonics are little higher than one, and so louder at one height.
  static func harmonics(of hertz: Double, _ levels: [Double]) -> Timbre {
    let partials = levels.enumerated().map { index, level in
      let turns = Double(index * (index + 1)) / Double(2 * levels.count)
      return Partial(
        hertz: hertz * Double(index + 1), levelDecibels: level,
        phaseTurns: turns - turns.rounded(.down))
    }
    return Timbre(partials: partials, peak: periodicPeak(of: partials))
  }

  /// A struck body whose partials are no multiples of each other.
  static func struck(_ partials: [Partial]) -> Timbre {
    Timbre(partials: partials, peak: partials.reduce(0) { $0 + $1.amplitude })
  }

  private init(partials: [Partial], peak: Double) {
    self.partials = partials
    self.peak = peak
  }

  /// The highest point of one period of harmonics, with a little on top for what lies between the points looked at.
  private static func periodicPeak(of partials: [Partial]) -> Double {
    let points = 512
    let highest = (0..<points).map { point in
      abs(
        partials.enumerated().reduce(0) { sum, entry in
          let turns = Double(point * (entry.offset + 1)) / Double(points) + entry.element.phaseTurns
          return sum + entry.element.amplitude * sin(2 * .pi * turns)
        })
    }
    return (highest.max() ?? 1) * 1.01
  }
}
