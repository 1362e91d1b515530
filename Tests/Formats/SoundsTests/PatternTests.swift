import Foundation
import Sounds
import Testing

@Suite struct PatternTests {
  private static func measured(_ name: String) throws -> Measurement {
    Measurement(try #require(SoundPattern.named(name)))
  }

  @Test func everyNameIsUniqueAndFindsItsPattern() throws {
    #expect(Set(SoundPattern.allNames).count == SoundPattern.allNames.count)
    for name in SoundPattern.allNames { #expect(SoundPattern.named(name)?.name == name) }
    #expect(SoundPattern.named("") == nil)
    #expect(SoundPattern.named("SOS") == nil)
    let wanted = [
      "sos", "high", "medium", "low", "cancel", "reminder", "chime", "self-test", "acknowledged",
    ]
    #expect(Set(wanted).isSubset(of: SoundPattern.allNames))
    #expect(SoundPattern.allNames.count { $0.hasPrefix("ring-") } >= 10)
  }

  @Test(arguments: SoundPattern.all)
  func noSoundClipsAndNoneIsEmptyAtAnyRate(pattern: SoundPattern) {
    for rate in [8_000, 44_100] {
      let frames = Measurement.render(pattern, rate: rate, blocks: [rate / 100])
      let peak = frames.map(abs).max() ?? 0
      #expect(peak < 0.9, "\(rate): \(peak)")
      #expect(peak > 0.01, "\(rate): \(peak)")
      let expected = (pattern.durationMilliseconds * rate + 500) / 1000
      #expect(frames.count == expected)
    }
  }

  @Test(arguments: SoundPattern.all)
  func framesDoNotDependOnHowManyAreAskedForAtATime(pattern: SoundPattern) {
    let whole = Measurement.render(pattern, rate: 16_000, blocks: [1 << 20])
    #expect(Measurement.render(pattern, rate: 16_000, blocks: [160]) == whole)
    #expect(Measurement.render(pattern, rate: 16_000, blocks: [1, 7, 1023, 64]) == whole)
  }

  /// A click is a step that the sines themselves could not make: the second difference of a band-limited sum is bounded by
  /// its amplitude and its highest frequency.
  @Test(arguments: SoundPattern.all)
  func noSoundClicks(pattern: SoundPattern) {
    let frames = Measurement.render(pattern, blocks: [480])
    let highest = pattern.notes.flatMap { $0.timbre.partials.map(\.hertz) }.max() ?? 0
    let peak = Double(frames.map(abs).max() ?? 0)
    let turn = 2 * Double.pi * highest / Double(Measurement.rate)
    let padded = [0, 0] + frames + [0, 0]
    let sharpest = padded.withUnsafeBufferPointer { padded in
      var sharpest: Float = 0
      var index = 2
      while index < padded.count {
        sharpest = max(sharpest, abs(padded[index] - 2 * padded[index - 1] + padded[index - 2]))
        index += 1
      }
      return sharpest
    }
    #expect(Double(sharpest) <= peak * turn * turn)
  }

  @Test(arguments: ["sos", "high", "medium", "low"])
  func alarmsHaveFourHarmonicsWithin15DecibelsOfC5(name: String) throws {
    let measurement = try Self.measured(name)
    let partials = measurement.partials
    #expect(partials.count == 5)
    for (index, partial) in partials.enumerated() {
      #expect(abs(partial.hertz - 523.25 * Double(index + 1)) < 2, "\(partial)")
      #expect(abs(partial.decibels - (partials.first?.decibels ?? 0)) <= 15, "\(partial)")
    }
    #expect((150...1000).contains(partials.first?.hertz ?? 0))
    #expect(partials.filter { (300...4000).contains($0.hertz) }.count >= 4)
  }

  @Test func aHighBurstIsThreeAndTwoPulsesTwice() throws {
    let measurement = try Self.measured("high")
    #expect(measurement.pulses.count == 10)
    for pulse in measurement.pulses {
      #expect((75...200).contains(pulse.duration))
      #expect(((0.1 * 144)...(0.4 * 144)).contains(pulse.rise / 0.59))
    }
    for (index, gap) in measurement.gaps.enumerated() {
      switch index % 5 {
      case 2: #expect((230...260).contains(gap))
      case 4: #expect((350...1300).contains(gap))
      default: #expect((50...125).contains(gap))
      }
    }
    let pause = try #require(SoundPattern.named("high")).repeatPauseMilliseconds
    #expect((2_550...3_800).contains(pause))
  }

  @Test(arguments: [("medium", 3, 2_500...30_000), ("low", 2, 15_001...60_000)])
  func calmerBurstsKeepTheirRanges(name: String, count: Int, pause: ClosedRange<Int>) throws {
    let measurement = try Self.measured(name)
    #expect(measurement.pulses.count == count)
    for pulse in measurement.pulses { #expect((125...250).contains(pulse.duration)) }
    for gap in measurement.gaps { #expect((125...252).contains(gap)) }
    #expect(pause.contains(try #require(SoundPattern.named(name)).repeatPauseMilliseconds))
  }

  @Test func theSOSLastsTenSecondsAndIsTheLoudest() throws {
    let sos = try Self.measured("sos")
    #expect(sos.milliseconds == 10_000)
    #expect(sos.pulses.count == 30)
    // The next repetition follows after the pause that belongs between two groups.
    let rest = 10_000 - (sos.pulses.last?.end ?? 0)
    #expect((20...130).contains(rest))
    for name in ["high", "medium", "low", "reminder", "ring-gb"] {
      #expect(try Self.measured(name).levelDecibels < sos.levelDecibels, "\(name)")
    }
  }

  @Test func anAlarmIsLouderTheHigherItsPriority() throws {
    let levels = try ["high", "medium", "low"].map { try Self.measured($0).levelDecibels }
    #expect(levels == levels.sorted(by: >))
  }

  @Test func theCancelToneFallsSoftlyFromG5OverE5ToC5() throws {
    let frames = try Self.measured("cancel").frames
    let perNote = 350 * 48
    for (index, hertz) in [783.99, 659.26, 523.25].enumerated() {
      let note = Array(frames[index * perNote..<(index + 1) * perNote])
      let own = Measurement.amplitude(hertz: hertz, in: note, rate: 48_000)
      for other in [783.99, 659.26, 523.25] where other != hertz {
        #expect(Measurement.amplitude(hertz: other, in: note, rate: 48_000) < own / 100)
      }
    }
    #expect(abs(try Self.measured("cancel").peakDecibels - -12) < 0.5)
    #expect(abs((try Self.measured("cancel").pulses.first?.rise ?? 0) - 0.59 * 60) < 4)
  }

  @Test func theSelfTestIsQuiet() throws {
    #expect(try Self.measured("self-test").peakDecibels < -30)
  }

  @Test(arguments: RingCadence.all)
  func telephonesRingInTheirCountrysCadenceLikeABellAndNotLikeAnEarpiece(cadence: RingCadence)
    throws
  {
    let pattern = try #require(SoundPattern.named("ring-\(cadence.country)"))
    let measurement = Measurement(pattern)
    let rings = stride(from: 0, to: cadence.milliseconds.count, by: 2).map {
      Double(cadence.milliseconds[$0])
    }
    #expect(measurement.pulses.count == rings.count)
    for (pulse, ring) in zip(measurement.pulses, rings) { #expect(abs(pulse.duration - ring) < 10) }
    if cadence.milliseconds.count == 4 {
      #expect(abs((measurement.gaps.first ?? 0) - Double(cadence.milliseconds[1])) < 15)
    }
    #expect(pattern.repeatPauseMilliseconds == cadence.milliseconds.last)
    let bell = measurement.amplitude(hertz: 740) + measurement.amplitude(hertz: 930)
    for earpiece in [400.0, 413, 425, 438, 440, 450, 480] {
      #expect(measurement.amplitude(hertz: earpiece) < bell / 10)
    }
  }

  @Test func aBellWarbles() throws {
    // Between two gongs struck in turn the level swells and fades twenty times a second.
    let frames = Measurement(try #require(SoundPattern.named("ring-us"))).frames
    let levels = stride(from: 4_800, to: 48_000, by: 240).map { start in
      frames[start..<start + 240].reduce(0.0) { $0 + Double($1 * $1) }
    }
    let mean = levels.reduce(0, +) / Double(levels.count)
    func strength(_ hertz: Double) -> Double {
      let turned = levels.enumerated().map { index, level -> (Double, Double) in
        let angle = 2 * Double.pi * hertz * Double(index) / 200
        return ((level - mean) * cos(angle), (level - mean) * sin(angle))
      }
      return hypot(turned.reduce(0) { $0 + $1.0 }, turned.reduce(0) { $0 + $1.1 })
    }
    #expect(strength(20) > 3 * strength(7))
    #expect(strength(20) > 3 * strength(13))
  }
}
