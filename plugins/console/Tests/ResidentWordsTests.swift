import JSON
import Moments
import PluginKit
import Testing
import Texts

@testable import homeward_plugin_console

@Suite("Times as they are said to somebody who is looked after")
struct ResidentWordsTests {
  /// Sunday, 22 November 2026, 14:31 in Oslo.
  private static let now = Timestamp(milliseconds: 1_795_354_260_000)

  private func words(_ language: Language = .en, at now: Timestamp = Self.now) -> ResidentWords {
    ResidentWords(
      visit: Visit(
        visitor: Visitor(address: "", language: language), path: [], fields: [:], now: now),
      resident: ["id": "mary", "name": "Mary", "timeZone": "Europe/Oslo"])
  }

  @Test("The clock and the day are those of where somebody lives, in words")
  func day() {
    #expect(words().clock == "14:31" && words().day == "Sunday afternoon")
    #expect(words(.zh).day == "周日下午")
    let night = Self.now.advanced(byMilliseconds: 9 * 3_600_000)
    #expect(words(at: night).clock == "23:31" && words(at: night).day == "Sunday night")
    #expect(words().itIs == "It is 2:31 in the afternoon")
  }

  @Test(
    "When something is, is said as people say it",
    arguments: [
      ("2026-11-22T14:00:00.000Z", "3 o’clock in the afternoon", "下午3点"),
      ("2026-11-22T07:05:00.000Z", "8:05 in the morning", "上午8点05分"),
      ("2026-11-22T11:00:00.000Z", "noon", "中午"),
      ("2026-11-22T23:00:00.000Z", "tomorrow, midnight", "明天午夜"),
      ("2026-11-23T19:00:00.000Z", "tomorrow, 8 o’clock in the evening", "明天晚上8点"),
      ("2026-11-21T05:00:00.000Z", "yesterday, 6 o’clock in the morning", "昨天上午6点"),
      ("2026-11-24T02:00:00.000Z", "Tuesday, 3 o’clock at night", "周二夜里3点"),
      ("2026-12-24T02:00:00.000Z", "in 32 days", "32天后"),
      ("2026-11-12T02:00:00.000Z", "10 days ago", "10天前"),
    ])
  func when(iso: String, english: String, chinese: String) {
    #expect(words().when(iso) == english)
    #expect(words(.zh).when(iso) == chinese)
  }

  @Test("What is no time is none, and long words are cut between words")
  func odd() {
    #expect(words().when(nil) == "–" && words().when("soon") == "–")
    #expect(ResidentWords.brief("A walk with Erik and his dog", most: 12) == "A walk with …")
    #expect(ResidentWords.brief("two\nlines", most: 80) == "two lines")
    #expect(ResidentWords.brief("一二三四五六", most: 3) == "一二三 …")
  }
}
