import CivilTime
import JSON
import Testing

@testable import homeward

@Suite("Events and the life of an alarm, line by line")
struct EventTextTests {
  private let times = TimeDisplay(zone: .utc)

  private static func event(
    _ type: String, _ time: String, _ facts: JSONValue = ["explanation": "x"]
  ) -> JSONValue {
    [
      "id": "e", "type": .string(type), "time": .string("2026-11-20T\(time)Z"),
      "subject": "resident/mary", "data": facts,
    ]
  }

  @Test("A line has time, type, person and sentence; whatever stands in them moves no cursor")
  func line() {
    let plain = Self.event("zone.left", "10:00:00", ["explanation": "Mary left Home."])
    #expect(
      EventText.line(plain, times) == "2026-11-20 10:00:00 UTC  zone.left  mary  Mary left Home.")
    let hostile: JSONValue = [
      "type": "a\u{1B}[2Jb", "time": "soon\u{7}", "subject": "gateway\n",
      "data": ["explanation": "c\u{1B}[31md"],
    ]
    #expect(EventText.line(hostile, times) == "soon   a [2Jb  gateway   c [31md")
    #expect(EventText.line([:], times) == "-  -  -  ")
  }

  @Test("What has no words of its own is told by its numbers and texts, without its lists")
  func members() {
    let facts: JSONValue = [
      "zone": "home", "meters": 83.5, "isHome": true, "fixes": [1], "more": [:], "none": .null,
    ]
    #expect(
      EventText.sentence(Self.event("new.type", "10:00:00", facts), times)
        == "zone home, meters 83.5, isHome true")
  }

  /// The cells of a story's lines, behind its heading and the names of the columns.
  private func lines(_ events: [JSONValue], allPositions: Bool = false) -> [[String]] {
    AlarmStory(events: events, times: times, allPositions: allPositions).text
      .split(separator: "\n").dropFirst(3).map { line in
        line.split(separator: "  ").map { $0.trimmingPrefix(" ") }.map(String.init)
      }
  }

  private static func positions(_ count: Int) -> [JSONValue] {
    (0..<count).map { event("alarm.location", "10:00:0\($0)") }
  }

  @Test("Where the clock was set back meanwhile no time since the beginning is claimed")
  func clockSetBack() {
    let story = lines([
      Self.event("alarm.raised", "10:00:00"), Self.event("alarm.resolved", "09:00:00"),
    ])
    #expect(story.map { $0[1] == "-" } == [false, true])
  }

  @Test("More than three positions in a row are two lines with how many were left out between")
  func positions() {
    let raised = Self.event("alarm.raised", "10:00:00")
    for (count, shown) in [(0, 1), (1, 2), (3, 4), (4, 4), (9, 4)] {
      #expect(lines([raised] + Self.positions(count)).count == shown, "\(count)")
      #expect(lines([raised] + Self.positions(count), allPositions: true).count == count + 1)
    }
    let two = Self.positions(5) + [raised] + Self.positions(5)
    #expect(lines(two).count == 7, "each row of positions by itself")
    #expect(lines(two).filter { $0.joined().contains("3") && $0.joined().contains("…") }.count == 2)
  }

  @Test("An alarm whose events were forgotten has no heading made of nothing")
  func none() {
    let text = AlarmStory(events: [], times: times, allPositions: false).text
    #expect(text.split(separator: "\n").count == 1 && !text.isEmpty)
  }
}
