import Sounds
import Testing

@Suite("Recordings of voices") struct RecordingFileTests {
  private static func fault(_ file: [UInt8]) -> RecordingFault? {
    do throws(RecordingFault) {
      _ = try RecordingFile(checking: file)
      return nil
    } catch { return error }
  }

  private static func little(_ number: Int, _ size: Int) -> [UInt8] {
    (0..<size).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
  }

  @Test("A recording of any rate that is taken tells how long it lasts, and stays as it is")
  func taken() throws {
    for rate in [8_000, 16_000, 22_050, 44_100, 48_000] {
      let file = WAVTests.file(rate: rate, frames: rate * 3 / 2)
      let recording = try RecordingFile(checking: file)
      #expect(recording.bytes == file, "\(rate)")
      #expect(recording.sampleRate == rate && recording.milliseconds == 1_500)
      #expect(try WAVSound(recording.bytes).frameCount == recording.frameCount)
    }
  }

  @Test("What stands beside the sound goes, in each order and form in which programs write it")
  func stripped() throws {
    let list = Array("LIST".utf8) + [5, 0, 0, 0] + Array("Anna!".utf8) + [0]
    let plain = WAVTests.file(rate: 16_000, frames: 8_000)
    let tagged = WAVTests.file(rate: 16_000, frames: 8_000, before: list)
    #expect(try RecordingFile(checking: tagged).bytes == plain)
    let extensible = WAVTests.file(rate: 16_000, frames: 8_000, extensible: true)
    #expect(try RecordingFile(checking: extensible).bytes == plain)
    // Behind the sound, with its last padding or without.
    for tail in [list, Array(list.dropLast())] {
      var file = plain + tail
      file.replaceSubrange(4..<8, with: Self.little(file.count - 8, 4))
      #expect(try RecordingFile(checking: file).bytes == plain)
    }
  }

  @Test("A file that ends anywhere before its end, or goes on behind it, is refused")
  func cut() {
    let file = WAVTests.file(rate: 8_000, frames: 2_500)
    for count in Array(0..<64) + [file.count - 2, file.count - 1] {
      #expect(Self.fault(Array(file.prefix(count))) != nil, "\(count)")
    }
    #expect(Self.fault(file + [0])?.code == .truncated)
    #expect(Self.fault([])?.code == .notASound)
  }

  @Test("Sizes that promise more than is there are not believed")
  func bomb() {
    let file = WAVTests.file(rate: 16_000)
    for offset in [4, 16, 40] {
      for size in [0, 3, 0x7FFF_F000, 0xFFFF_FFFF] {
        var bomb = file
        bomb.replaceSubrange(offset..<offset + 4, with: Self.little(size, 4))
        let code = Self.fault(bomb)?.code
        #expect(code == .truncated || code == .malformed || code == .tooShort, "\(offset) \(size)")
      }
    }
    // Thousands of chunks in which there is nothing.
    let junk: [UInt8] = Array("junk".utf8) + [0, 0, 0, 0]
    let empty = [UInt8]((0..<5_000).map { _ in junk }.joined())
    #expect(Self.fault(WAVTests.file(rate: 16_000, before: empty))?.code == .malformed)
    let twice = Array("fmt ".utf8) + Array(file[16..<36])
    #expect(Self.fault(WAVTests.file(rate: 16_000, before: twice))?.code == .malformed)
  }

  @Test("Other kinds of sound are refused, and it is said what to save instead")
  func unsupported() {
    #expect(
      Self.fault(WAVTests.file(rate: 16_000, channels: 2))?.description.contains("mono") == true)
    #expect(Self.fault(WAVTests.file(rate: 16_000, bits: 8))?.code == .unsupported)
    for rate in [0, 1, 7_999, 48_001, 96_000] {
      var odd = WAVTests.file(rate: 16_000)
      odd.replaceSubrange(24..<28, with: Self.little(rate, 4))
      #expect(Self.fault(odd)?.code == .unsupported, "\(rate)")
    }
    var float = WAVTests.file(rate: 16_000)
    float[20] = 3
    #expect(Self.fault(float)?.code == .unsupported)
    var crooked = WAVTests.file(rate: 16_000)
    crooked[32] = 4
    #expect(Self.fault(crooked)?.code == .malformed)
    #expect(Self.fault(Array("ID3".utf8) + Array(repeating: 0, count: 4_000))?.code == .notASound)
  }

  @Test("Nothing to hear is refused, and so is what is too long or too large")
  func length() throws {
    #expect(Self.fault(WAVTests.file(rate: 16_000, frames: 0))?.code == .tooShort)
    #expect(Self.fault(WAVTests.file(rate: 16_000, frames: 4_799))?.code == .tooShort)
    #expect(Self.fault(WAVTests.file(rate: 16_000, frames: 4_800)) == nil)
    let minute = WAVTests.file(rate: 8_000, frames: 480_000)
    #expect(try RecordingFile(checking: minute).milliseconds == 60_000)
    let longer = WAVTests.file(rate: 8_000, frames: 480_001)
    #expect(Self.fault(longer)?.description.contains("60 seconds") == true)
    let large = WAVTests.file(rate: 48_000, frames: 1_000_000)
    #expect(Self.fault(large)?.description.contains("2 MB") == true)
  }
}
