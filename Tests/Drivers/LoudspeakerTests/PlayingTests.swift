import Care
import Foundation
import Loudspeaker
import Sounds
import TestSupport
import Testing

/// What a pattern sounds like, as 16 bits make it.
private func rendered(_ name: String) throws -> [Float] {
  var synthesizer = PatternSynthesizer(try #require(SoundPattern.named(name)), sampleRate: 48_000)
  var frames = [Float](repeating: 0, count: synthesizer.totalFrames)
  _ = frames.withUnsafeMutableBufferPointer { synthesizer.render(into: $0) }
  return frames.map { ($0 * 32_767).rounded() / 32_767 }
}

/// The place where `needle` begins in `frames`, judged by its first audible 2,000 frames.
private func place(of needle: [Float], in frames: [Float], from start: Int = 0) -> Int? {
  let lead = needle.firstIndex { abs($0) > 0.001 } ?? 0
  let probe = Array(needle[lead..<min(needle.count, lead + 2000)])
  guard frames.count >= start + probe.count else { return nil }
  return (start...frames.count - probe.count).first { index in
    abs(frames[index] - probe[0]) < 1e-3
      && probe.indices.allSatisfy { abs(frames[index + $0] - probe[$0]) < 1e-3 }
  }.map { $0 - lead }
}

private func loudness(_ frames: some Collection<Float>) -> Double {
  10 * log10(frames.reduce(1e-12) { $0 + Double($1 * $1) } / Double(max(1, frames.count)))
}

@Suite struct PlayingTests {
  @Test func aPatternArrivesWholeThroughAlsasOwnFilePlugin() async throws {
    let directory = try TemporaryDirectory()
    let file = directory.path(of: "out.raw")
    let room = try await Room("recorder:'\(file)'")
    await room.play(.pattern("medium"))
    #expect(room.hears(.finished, "it"))
    await room.stop()
    let expected = try rendered("medium")
    #expect(
      Eventually.holds(withinSeconds: 20) {
        let bytes = (try? Data(contentsOf: URL(fileURLWithPath: file))) ?? Data()
        guard bytes.count >= 2 * expected.count else { return false }
        return expected.indices.allSatisfy { index in
          let sample = UInt16(bytes[2 * index]) | UInt16(bytes[2 * index + 1]) << 8
          return abs(Float(Int16(bitPattern: sample)) / 32_767 - expected[index]) < 1e-4
        }
      })
    #expect(room.reports.map(\.outcome) == [.started, .finished])
    #expect(room.health.map(\.state) == [.starting, .working])
  }

  @Test func theSelfTestIsHeardAndNotReportedAsASound() async throws {
    let card = try TestCard()
    card.allow()
    let room = try await Room(card.device, selfTest: true)
    let expected = try rendered("self-test")
    #expect(Eventually.holds(withinSeconds: 30) { place(of: expected, in: card.heard) != nil })
    await room.play(.pattern("chime"))
    #expect(room.hears(.finished, "it"))
    #expect(Set(room.reports.map(\.sound)) == ["it"])
    await room.stop()
  }

  @Test func anEmergencyGoesFirstWithinPeriodsAndTheCallRingsOnAfterIt() async throws {
    let card = try TestCard()
    let room = try await Room(card.device)
    await room.play(.pattern("ring-gb", id: "call", priority: .call, repetitions: nil))
    card.allow(4_800)
    #expect(room.hears(.started, "call"))
    // The card has heard 4,800 frames and its buffer is full.
    #expect(Eventually.holds(withinSeconds: 30) { card.written == 4_800 + 1_920 })
    let before = card.written
    await room.play(.pattern("medium", id: "alarm", priority: .emergency))
    card.allow()
    #expect(room.hears(.finished, "alarm"))
    #expect(room.hears(.started, "alarm"))
    let alarm = try rendered("medium")
    let start = try #require(place(of: alarm, in: card.heard))
    // A period that was on its way, a period that fades, and then the alarm.
    #expect(start == before + 2 * 480)
    let ring = try rendered("ring-gb")
    #expect(
      Eventually.holds(withinSeconds: 30) {
        place(of: ring, in: card.heard, from: start + alarm.count) != nil
      })
    #expect(room.reports.filter { $0.sound == "call" }.map(\.outcome) == [.started])
    await room.stop()
  }

  @Test func whatIsCutShortFadesWithoutAClick() async throws {
    let card = try TestCard()
    let room = try await Room(card.device)
    await room.play(.pattern("ring-us", id: "call", priority: .call))
    card.allow(9_600)
    #expect(room.hears(.started, "call"))
    await room.stopSound("call")
    #expect(room.hears(.stopped, "call"))
    card.allow()
    #expect(Eventually.holds(withinSeconds: 30) { card.heard.suffix(960).allSatisfy { $0 == 0 } })
    let frames = card.heard
    let turn = 2 * Float.pi * 3560 / 48_000
    let bends = (2..<frames.count).map { index -> Float in
      let neighbours: Float = frames[index - 2] + frames[index]
      return abs(neighbours - 2 * frames[index - 1])
    }
    let sharpest = bends.max() ?? 1
    #expect(sharpest < 0.75 * turn * turn)
    #expect(try rendered("ring-us").count > frames.count)
    await room.stop()
  }

  @Test func aNewSoundOfTheSameIdTakesTheOldOnesPlace() async throws {
    let card = try TestCard()
    let room = try await Room(card.device)
    await room.play(.pattern("ring-us", repetitions: nil))
    card.allow(4_800)
    #expect(room.hears(.started, "it"))
    await room.play(.pattern("cancel"))
    card.allow()
    #expect(room.hears(.finished, "it"))
    #expect(room.reports.map(\.outcome) == [.started, .stopped, .started, .finished])
    #expect(place(of: try rendered("cancel"), in: card.heard) != nil)
    await room.stop()
  }

  @Test func twoEndlessAlarmsTakeTurns() async throws {
    let card = try TestCard()
    let room = try await Room(card.device)
    await room.play(.pattern("medium", id: "a", priority: .emergency, repetitions: nil))
    await room.play(.pattern("cancel", id: "b", priority: .emergency, repetitions: nil))
    card.allow(48_000 * 12)
    let (medium, cancel) = (try rendered("medium"), try rendered("cancel"))
    #expect(
      Eventually.holds(withinSeconds: 60) {
        let heard = card.heard
        guard let first = place(of: medium, in: heard),
          let second = place(of: cancel, in: heard, from: first + medium.count),
          let third = place(of: medium, in: heard, from: second + cancel.count)
        else { return false }
        return place(of: cancel, in: heard, from: third + medium.count) != nil
      })
    await room.stop()
  }

  @Test func aSoundRisesStepByStepWithoutAJump() async throws {
    let card = try TestCard()
    card.allow()
    let room = try await Room(card.device)
    let directory = try TemporaryDirectory()
    let path = directory.path(of: "steady.wav")
    let steady = (0..<48_000 * 4).map { frame in
      Int16(16_000 * sin(2 * Double.pi * 500 * Double(frame) / 48_000))
    }
    var file = Data(WAVWriter.header(frames: steady.count, sampleRate: 48_000))
    for sample in steady {
      withUnsafeBytes(of: sample.littleEndian) { file.append(contentsOf: $0) }
    }
    try file.write(to: URL(fileURLWithPath: path))
    await room.play(
      SoundRequest(
        id: "it", priority: .emergency, parts: [.file(path)], levelsDecibels: [-18, -12, -6, 0],
        levelStepSeconds: 1))
    #expect(room.hears(.finished, "it"))
    let heard = card.heard
    let start = try #require(heard.firstIndex { abs($0) > 0 })
    let full = loudness(steady.map { Float($0) / 32_768 })
    for (second, decibels) in [-18.0, -12, -6, 0].enumerated() {
      let end = start + (second + 1) * 48_000 - 4_800
      #expect(abs(loudness(heard[(end - 9_600)..<end]) - full - decibels) < 0.2, "\(second)")
    }
    // In a hundredth of a second it never rises by more than 1 dB.
    let levels = (2..<398).map { loudness(heard[start + 480 * $0..<start + 480 * ($0 + 1)]) }
    #expect(zip(levels, levels.dropFirst()).allSatisfy { $1 - $0 < 1 })
    await room.stop()
  }

  @Test func whatCannotBeReadIsLeftOutAndTheRestSounds() async throws {
    let card = try TestCard()
    card.allow()
    let room = try await Room(card.device)
    let directory = try TemporaryDirectory()
    let bad = directory.path(of: "bad.wav")
    try "RIFF, but no WAV".write(toFile: bad, atomically: true, encoding: .utf8)
    let good = directory.path(of: "good.wav")
    let pattern = try #require(SoundPattern.named("cancel"))
    try Data(WAVWriter.file(of: pattern)).write(to: URL(fileURLWithPath: good))
    await room.play(
      SoundRequest(
        id: "it", priority: .reminder,
        parts: [
          .file(bad), .file("/nowhere/x.wav"), .file("/dev/zero"), .pattern("no-such-pattern"),
          .speech(Sentence("not mine", language: "en")), .file(good), .pattern("chime"),
        ]))
    #expect(room.hears(.finished, "it"))
    let start = try #require(place(of: Array(try rendered("cancel")[2_000...]), in: card.heard))
    #expect(place(of: try rendered("chime"), in: card.heard, from: start) != nil)
    await room.stop()
  }

  @Test func anEmergencyOfWhichNothingCanBeReadSoundsAsAHighAlarm() async throws {
    let card = try TestCard()
    card.allow()
    let room = try await Room(card.device)
    await room.play(
      SoundRequest(
        id: "it", priority: .emergency, parts: [.file("/nowhere/x.wav"), .pause(milliseconds: 20)]))
    #expect(room.hears(.finished, "it"))
    #expect(place(of: try rendered("high"), in: card.heard) != nil)
    await room.stop()
  }

  @Test func aReminderOfWhichNothingCanBeReadFails() async throws {
    let card = try TestCard()
    card.allow()
    let room = try await Room(card.device)
    await room.play(
      SoundRequest(
        id: "it", priority: .reminder, parts: [.file("/nowhere/x.wav"), .pause(milliseconds: 20)],
        repetitions: nil))
    #expect(room.hears(.failed, "it"))
    await room.play(SoundRequest(id: "none", priority: .emergency, parts: []))
    #expect(room.hears(.failed, "none"))
    await room.stop()
  }

  @Test func aCardRestsWhenNothingSoundsAndStartsAgainAtOnce() async throws {
    let card = try TestCard()
    card.allow()
    let room = try await Room(card.device)
    await room.play(.pattern("chime", id: "one"))
    #expect(room.hears(.finished, "one"))
    let chime = try rendered("chime")
    // All of it, the card's own buffer and one period of silence, and nothing more.
    #expect(Eventually.holds(withinSeconds: 30) { card.heard.count >= chime.count + 2_400 })
    let rested = card.heard.count
    #expect(rested < chime.count + 4_000)
    await room.play(.pattern("chime", id: "two"))
    #expect(room.hears(.finished, "two"))
    #expect(place(of: chime, in: card.heard, from: rested) == rested)
    await room.stop()
  }
}
