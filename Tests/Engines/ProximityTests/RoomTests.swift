import Bytes
import Care
import JSON
import Moments
import Testing

@testable import Proximity

@Suite("Rooms")
struct RoomTests {
  static func level(_ room: String, _ strength: Double, _ second: Int64 = 1000) -> RoomMerge.Level {
    RoomMerge.Level(room: room, strengthDBm: strength, heard: .seconds(second))
  }

  /// Judges the same levels once a second; answers the rooms after each.
  static func judge(
    _ merge: inout RoomMerge, _ levels: [(String, Double)], seconds: ClosedRange<Int64>
  ) -> [String?] {
    seconds.map { second in
      let now = House.start.advanced(byMilliseconds: second * 1000)
      _ = merge.judge(
        levels.map { RoomMerge.Level(room: $0.0, strengthDBm: $0.1, heard: now.tick) },
        marginDB: 6, freshMilliseconds: 20_000, at: now)
      return merge.room
    }
  }

  @Test("The loudest room has it at first; equals go by name")
  func first() {
    var merge = RoomMerge()
    #expect(
      Self.judge(&merge, [("b", -70), ("a", -70), ("c", -71)], seconds: 0...0) == ["a"])
    var other = RoomMerge()
    #expect(
      Self.judge(&other, [("c", -71), ("a", -70), ("b", -70)], seconds: 0...0) == ["a"])
  }

  @Test("A challenger needs the margin, three wins, and five seconds")
  func challenger() {
    var merge = RoomMerge()
    _ = Self.judge(&merge, [("hall", -70)], seconds: 0...0)
    #expect(
      Self.judge(&merge, [("hall", -70), ("bath", -64.5)], seconds: 1...60).allSatisfy {
        $0 == "hall"
      })
    let taken = Self.judge(&merge, [("hall", -70), ("bath", -64)], seconds: 61...70)
    #expect(taken.firstIndex(of: "bath") == 5)
    #expect(taken.last == "bath")
  }

  @Test("One bad judgement begins the wins anew")
  func interrupted() {
    var merge = RoomMerge()
    _ = Self.judge(&merge, [("hall", -70)], seconds: 0...0)
    for round in 0..<10 as Range<Int64> {
      let start = 1 + round * 5
      _ = Self.judge(&merge, [("hall", -70), ("bath", -60)], seconds: start...start + 3)
      _ = Self.judge(&merge, [("hall", -62), ("bath", -60)], seconds: start + 4...start + 4)
    }
    #expect(merge.room == "hall")
  }

  @Test("A room that has not heard it lately is out at once")
  func stale() {
    var merge = RoomMerge()
    _ = Self.judge(&merge, [("hall", -50)], seconds: 0...0)
    let now = House.start.advanced(byMilliseconds: 21_000)
    let levels = [
      RoomMerge.Level(room: "hall", strengthDBm: -50, heard: House.start.tick),
      RoomMerge.Level(room: "bath", strengthDBm: -90, heard: now.tick),
    ]
    let isChanged = merge.judge(levels, marginDB: 6, freshMilliseconds: 20_000, at: now)
    #expect(isChanged)
    #expect(merge.room == "bath")
    let later = now.advanced(byMilliseconds: 60_000)
    let isGone = merge.judge(levels, marginDB: 6, freshMilliseconds: 20_000, at: later)
    #expect(isGone)
    #expect(merge.room == nil)
  }

  @Test("Levels that are no numbers count for nothing")
  func noNumbers() {
    var merge = RoomMerge()
    let levels = [Self.level("a", .nan), Self.level("b", .infinity)]
    let isChanged = merge.judge(levels, marginDB: 6, freshMilliseconds: 1000, at: House.start)
    #expect(!isChanged)
    #expect(merge.room == nil)
  }

  @Test("The state survives its JSON")
  func json() throws {
    var merge = RoomMerge()
    _ = Self.judge(&merge, [("hall", -70)], seconds: 0...0)
    _ = Self.judge(&merge, [("hall", -70), ("bath", -60)], seconds: 1...3)
    #expect(try RoomMerge(json: JSONValue(parsing: merge.json.serialized)) == merge)
  }

  @Test("A worn tag is told from room to room, and into none when a gateway dies")
  func engine() {
    var house = House(
      tags: [House.tag(.thing, "mary")], hearers: [House.kitchen, House.bedroom])
    for second in 0...60 {
      house.wait(until: Double(second))
      house.hear("mary", second < 30 ? -60 : -85, by: "kitchen")
      house.hear("mary", second < 30 ? -85 : -60, by: "bedroom")
    }
    let rooms = house.all(.tagRoomChanged).map { $0.draft.text("room") }
    #expect(rooms == ["kitchen", "bedroom"])
    house.handle(.listening("bedroom", isListening: false))
    #expect(house.all(.tagRoomChanged).last?.draft.text("room") == "kitchen")
    house.handle(.listening("kitchen", isListening: false))
    #expect(house.all(.tagRoomChanged).last?.draft.facts["room"] == nil)
    #expect(house.all(.tagRoomChanged).count == 4)
  }

  @Test(
    "Standing between two rooms with all the scatter of radio, it changes rarely", arguments: 1...5)
  func steady(seed: UInt64) {
    var random = SplitMix64(seed: seed)
    var house = House(
      tags: [House.tag(.thing, "mary")], hearers: [House.kitchen, House.bedroom])
    for second in 0..<1800 {
      house.wait(until: Double(second))
      house.hear("mary", Int(-72 + random.scatter(5)), by: "kitchen")
      house.hear("mary", Int(-72 + random.scatter(5)), by: "bedroom")
    }
    let changes = house.all(.tagRoomChanged).map { $0.second }
    #expect(changes.count < 30)
    // Never faster than a challenger's five seconds.
    #expect(zip(changes, changes.dropFirst()).allSatisfy { $1 - $0 >= 5 })
  }
}
