import Bytes
import Foundation
import Sounds
import Testing

@Suite struct WAVTests {
  /// A file of a sine, one frame after the other.
  static func file(
    rate: Int, channels: Int = 1, bits: Int = 16, hertz: Double = 1000, frames: Int = 4000,
    amplitude: Double = 0.5, extensible: Bool = false, before: [UInt8] = []
  ) -> [UInt8] {
    func little(_ number: Int, _ size: Int) -> [UInt8] {
      (0..<size).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }
    var format = little(extensible ? 0xFFFE : 1, 2) + little(channels, 2) + little(rate, 4)
    format += little(rate * channels * bits / 8, 4) + little(channels * bits / 8, 2)
    format += little(bits, 2)
    if extensible { format += little(22, 2) + little(bits, 2) + little(4, 4) + little(1, 16) }
    var samples: [UInt8] = []
    for frame in 0..<frames {
      let height = amplitude * sin(2 * .pi * hertz * Double(frame) / Double(rate))
      for _ in 0..<channels {
        samples += bits == 8 ? [UInt8(128 + Int(127 * height))] : little(Int(32_767 * height), 2)
      }
    }
    let chunks =
      Array("fmt ".utf8) + little(format.count, 4) + format + before + Array("data".utf8)
      + little(samples.count, 4) + samples
    return Array("RIFF".utf8) + little(4 + chunks.count, 4) + Array("WAVE".utf8) + chunks
  }

  static func play(_ sound: WAVSound, rate: Int, block: Int = 480) -> [Float] {
    var player = WAVPlayer(sound, sampleRate: rate)
    var frames: [Float] = []
    while true {
      var part = [Float](repeating: 7, count: block)
      let count = part.withUnsafeMutableBufferPointer { player.render(into: $0) }
      if count == 0 { return frames }
      frames += part.prefix(count)
    }
  }

  @Test(arguments: [8_000, 11_025, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000, 96_000])
  func aToneKeepsItsPitchAndLevelAtTheDevicesRate(rate: Int) throws {
    for (channels, bits) in [(1, 16), (2, 16), (1, 8), (2, 8)] {
      let bytes = Self.file(rate: rate, channels: channels, bits: bits, frames: rate / 5)
      let sound = try WAVSound(bytes)
      #expect(sound.sampleRate == rate && sound.frameCount == rate / 5)
      #expect(sound.durationMilliseconds == 200)
      let frames = Self.play(sound, rate: 48_000)
      #expect(abs(frames.count - 9_600) <= 1)
      let tone = Measurement.amplitude(hertz: 1000, in: frames, rate: 48_000)
      #expect(abs(20 * log10(tone / 0.5)) < 0.2, "\(tone)")
      // Mirror images of the tone lie 50 dB below it, 40 dB with 8 bits.
      let image = abs(Double(rate) - 1000)
      if image < 24_000, rate != 48_000 {
        let mirrored = Measurement.amplitude(hertz: image, in: frames, rate: 48_000)
        #expect(mirrored < tone * (bits == 8 ? 0.01 : 0.0032), "\(mirrored)")
      }
    }
  }

  @Test func aWAVPlaysTheSameInBlocksOfAnySize() throws {
    let sound = try WAVSound(Self.file(rate: 22_050))
    #expect(Self.play(sound, rate: 48_000, block: 1) == Self.play(sound, rate: 48_000, block: 999))
  }

  @Test func unknownChunksAndTheExtensibleFormAreRead() throws {
    let list = Array("LIST".utf8) + [5, 0, 0, 0] + Array("hello".utf8) + [0]
    #expect(try WAVSound(Self.file(rate: 8_000, before: list)).frameCount == 4000)
    #expect(try WAVSound(Self.file(rate: 8_000, extensible: true)).frameCount == 4000)
  }

  @Test func aSpeechEnginesEndlessSizesMeanAsMuchAsThereIs() throws {
    var bytes = Self.file(rate: 22_050, frames: 100)
    for offset in [4, 40] {
      bytes.replaceSubrange(offset..<offset + 4, with: [0, 0xF0, 0xFF, 0x7F])
    }
    #expect(try WAVSound(bytes).frameCount == 100)
  }

  @Test func whatIsNoWAVIsRefusedWithItsPlace() {
    func fault(_ change: (inout [UInt8]) -> Void) -> DecodeError? {
      var bytes = Self.file(rate: 8_000, frames: 4)
      change(&bytes)
      do throws(DecodeError) {
        _ = try WAVSound(bytes)
        return nil
      } catch { return error }
    }
    #expect(fault { $0[0] = 0 } == DecodeError(.unexpectedByte, at: 0, field: "RIFF"))
    #expect(fault { $0[8] = 0 } == DecodeError(.unexpectedByte, at: 8, field: "WAVE"))
    #expect(fault { $0[12] = 0 } == DecodeError(.missingField, at: 36, field: "fmt "))
    #expect(fault { $0[20] = 3 } == DecodeError(.wrongType, at: 20, field: "format"))
    #expect(fault { $0[22] = 3 } == DecodeError(.outOfRange, at: 22, field: "channels"))
    #expect(fault { $0[22] = 0 } == DecodeError(.outOfRange, at: 22, field: "channels"))
    #expect(fault { $0[25] = 0 } == DecodeError(.outOfRange, at: 24, field: "sample rate"))
    #expect(fault { $0[34] = 24 } == DecodeError(.outOfRange, at: 34, field: "bits per sample"))
    #expect(fault { $0[32] = 0 } == DecodeError(.outOfRange, at: 32, field: "block align"))
    #expect(fault { $0[36] = 0 } == DecodeError(.missingField, at: 52, field: "data"))
    #expect(fault { $0 = Array($0.prefix(43)) } == DecodeError(.truncated, at: 43))
    #expect(fault { $0 = [] } == DecodeError(.truncated, at: 0))
  }

  @Test func everyPrefixAndTenThousandDamagedFilesAreReadOrRefusedAndPlayed() {
    let whole = Self.file(rate: 22_050, channels: 2, frames: 40, extensible: true)
    for count in 0...whole.count { tryToPlay(Array(whole.prefix(count))) }
    var random = SplitMix64(seed: 3)
    for _ in 0..<10_000 {
      var bytes = whole
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let place = Int.random(in: 0..<80, using: &random)
        bytes[place] = UInt8.random(in: 0...255, using: &random)
      }
      tryToPlay(bytes)
    }
  }

  private func tryToPlay(_ bytes: [UInt8]) {
    guard let sound = try? WAVSound(bytes) else { return }
    let frames = Self.play(sound, rate: 48_000, block: 4096)
    #expect(frames.allSatisfy { $0.isFinite && abs($0) < 4 })
  }

  @Test func aWrittenPatternIsReadBackAsItSounds() throws {
    let pattern = try #require(SoundPattern.named("medium"))
    let sound = try WAVSound(WAVWriter.file(of: pattern))
    #expect(sound.sampleRate == 48_000)
    #expect(sound.durationMilliseconds == pattern.durationMilliseconds)
    let rendered = Measurement.render(pattern, blocks: [480])
    let read = Self.play(sound, rate: 48_000)
    #expect(zip(rendered, read).allSatisfy { abs($0 - $1) < 1e-4 })
  }

  @Test func samplesBeyondTheRimStayAtTheRim() {
    #expect(WAVWriter.sample(9) == 32_767)
    #expect(WAVWriter.sample(-9) == -32_768)
    #expect(WAVWriter.sample(.nan) == 0)
    #expect(WAVWriter.sample(.infinity) == 0)
    #expect(WAVWriter.sample(0) == 0)
  }
}
