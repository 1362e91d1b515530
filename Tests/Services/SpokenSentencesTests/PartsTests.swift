import Care
import CivilTime
import Moments
import Testing

@testable import SpokenSentences

@Suite("Check of WAV files")
struct WaveCheckTests {
  @Test("A good file is accepted with its length")
  func good() throws {
    #expect(try WaveCheck.check(TestWave.file()) == 1000)
    #expect(try WaveCheck.check(TestWave.file(rate: 8000, samples: 4000)) == 500)
  }

  @Test("No beginning of a good file is accepted")
  func prefixes() {
    let file = TestWave.file(rate: 8000, samples: 400)
    for count in 0..<file.count {
      #expect(throws: WaveCheck.Fault.self) { try WaveCheck.check(Array(file.prefix(count))) }
    }
  }

  @Test(
    "A header with another format is refused",
    arguments: [(0, 0x52 + 1), (8, 0), (20, 3), (22, 2), (25, 0), (32, 4), (34, 8), (36, 0)])
  func formats(offset: Int, byte: Int) {
    let file = TestWave.file(changing: [offset: UInt8(byte)])
    #expect(throws: WaveCheck.Fault.self) { try WaveCheck.check(file) }
  }

  @Test("Sizes that lie are refused, whatever they say")
  func lyingSizes() {
    for offset in 16..<20 {
      let file = TestWave.file(changing: [offset: 0xFF])
      #expect(throws: WaveCheck.Fault.self) { try WaveCheck.check(file) }
    }
    for offset in [42, 43] {
      let file = TestWave.file(changing: [offset: 0xFF])
      #expect(throws: WaveCheck.Fault.truncated) { try WaveCheck.check(file) }
    }
  }

  @Test("Any byte of the header may be any byte")
  func flips() {
    let good = TestWave.file(rate: 8000, samples: 400)
    var accepted = 0
    for offset in 0..<44 {
      for byte in UInt8.min ... .max {
        var file = good
        file[offset] = byte
        if (try? WaveCheck.check(file)) != nil { accepted += 1 }
      }
    }
    // Every byte as it was, and the size of the whole, which nobody needs.
    #expect(accepted >= 44 && accepted < 44 * 256 / 5)
  }

  @Test("Speech of a moment or of an hour is refused")
  func lengths() {
    #expect(throws: WaveCheck.Fault.length(milliseconds: 4)) {
      try WaveCheck.check(TestWave.file(samples: 100))
    }
    #expect(throws: WaveCheck.Fault.length(milliseconds: 301_000)) {
      try WaveCheck.check(TestWave.file(rate: 8000, samples: 301 * 8000))
    }
  }
}

@Suite("The spoken time of day")
struct SpokenClockTests {
  @Test(
    "In English",
    arguments: [
      (0, 0, "It is midnight."), (0, 1, "It is twelve oh one at night."),
      (3, 0, "It is three o'clock at night."), (4, 59, "It is four fifty-nine at night."),
      (5, 0, "It is five o'clock in the morning."),
      (11, 30, "It is eleven thirty in the morning."), (12, 0, "It is noon."),
      (12, 10, "It is twelve ten in the afternoon."),
      (15, 15, "It is three fifteen in the afternoon."),
      (18, 45, "It is six forty-five in the evening."), (21, 20, "It is nine twenty at night."),
      (23, 19, "It is eleven nineteen at night."),
    ])
  func english(hour: Int, minute: Int, expected: String) {
    let sentence = SpokenClock.sentence(hour: hour, minute: minute, language: "en")
    #expect(sentence == Sentence(expected, language: "en"))
  }

  @Test(
    "In Chinese",
    arguments: [
      (0, 0, "现在是午夜十二点。"), (0, 15, "现在是凌晨零点十五分。"), (2, 5, "现在是凌晨两点零五分。"),
      (3, 0, "现在是凌晨三点整。"), (8, 20, "现在是早上八点二十分。"), (10, 10, "现在是上午十点十分。"),
      (12, 0, "现在是中午十二点整。"), (14, 2, "现在是下午两点零二分。"),
      (15, 15, "现在是下午三点十五分。"), (23, 59, "现在是晚上十一点五十九分。"),
    ])
  func chinese(hour: Int, minute: Int, expected: String) {
    let sentence = SpokenClock.sentence(hour: hour, minute: minute, language: "zh-CN")
    #expect(sentence == Sentence(expected, language: "zh"))
  }

  @Test("Every minute of the day has a sentence of its own in both languages")
  func allDifferent() {
    for language in ["en", "zh"] {
      let all = (0..<1440).map {
        SpokenClock.sentence(hour: $0 / 60, minute: $0 % 60, language: language).text
      }
      #expect(Set(all).count == 1440)
    }
  }

  @Test("Numbers beyond a day are read within it")
  func outOfRange() {
    let usual = SpokenClock.sentence(hour: 23, minute: 59, language: "en")
    #expect(SpokenClock.sentence(hour: -1, minute: -1, language: "en") == usual)
    #expect(SpokenClock.sentence(hour: 47, minute: 119, language: "en") == usual)
  }

  @Test("It follows the zone through the change to summer time")
  func zone() throws {
    func spoken(_ time: String) throws -> String {
      try SpokenClock.sentence(
        at: Timestamp(iso8601: time), timeZone: "Europe/Madrid", language: "en"
      ).text
    }
    #expect(try spoken("2026-03-29T00:59:59Z") == "It is one fifty-nine at night.")
    #expect(try spoken("2026-03-29T01:00:00Z") == "It is three o'clock at night.")
    #expect(try spoken("2026-10-25T01:30:00Z") == "It is two thirty at night.")
  }

  @Test("A zone that does not exist says so, and no time", arguments: ["Mars/Base", "../etc", ""])
  func unknownZone(name: String) {
    #expect(throws: TimeZoneFileError.self) {
      try SpokenClock.sentence(at: Timestamp(milliseconds: 0), timeZone: name, language: "en")
    }
  }
}
