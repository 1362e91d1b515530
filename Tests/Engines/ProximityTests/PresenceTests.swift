import Care
import Moments
import Testing

@testable import Proximity

@Suite("Presence of one tag")
struct PresenceTests {
  @Test("One advertisement is none: a tag appears with the second")
  func appears() {
    var house = House(tags: [House.tag(.keys)])
    house.hear("keys", -80)
    #expect(house.presences(of: "keys") == [])
    house.wait(until: 1)
    house.hear("keys", -80)
    #expect(house.presences(of: "keys") == ["room@1"])
    #expect(house.engine.presence(of: "keys") == .room)
  }

  @Test("The same advertisement on another channel does not confirm itself")
  func channelsAreOne() {
    var house = House(tags: [House.tag(.keys)])
    for step in 0..<5 {
      house.wait(until: Double(step) * 0.015)
      house.hear("keys", -60)
    }
    #expect(house.presences(of: "keys") == [])
  }

  @Test("Approach is told within two seconds, retreat only when it lasts")
  func asymmetry() {
    var house = House(tags: [House.tag(.keys)])
    house.hear("keys", -85, from: 0, through: 20)
    house.hear("keys", -62, from: 21, through: 40)
    house.hear("keys", -85, from: 41, through: 90)
    #expect(house.presences(of: "keys") == ["room@1", "near@22", "room@65"])
  }

  @Test(
    "Thresholds of coming and going are apart",
    arguments: [
      // Between leaving and entering nothing changes, in either direction.
      (-62, -72, ["near@1"]), (-80, -72, ["room@1"]),
      // Enter −68, leave −76, room −96 and −102.
      (-80, -68, ["room@1", "near@62"]), (-62, -77, ["near@1", "room@84"]),
      (-90, -101, ["room@1"]), (-90, -103, ["room@1", "away@82"]),
    ])
  func hysteresis(first: Int, second: Int, story: [String]) {
    var house = House(tags: [House.tag(.keys)])
    house.hear("keys", first, from: 0, through: 59)
    // The last step of an approach is only reached in the limit; one decibel more reaches it.
    house.hear("keys", second == -68 ? -66 : second, from: 60, through: 160)
    #expect(house.presences(of: "keys").map(word) == story.map(word))
    let last = house.presences(of: "keys").last.map(word)
    #expect(last == story.last.map(word))
  }

  private func word(_ told: String) -> String { String(told.prefix { $0 != "@" }) }

  @Test(
    "Silence makes away after the time of its kind",
    arguments: [
      (Care.Tag.Kind.home, Int64(60)), (.room, 60), (.companion, 90), (.person, 90),
      (.keys, 120),
      (.wallet, 120), (.thing, 120), (.caregiver, 180),
    ])
  func timeouts(kind: Care.Tag.Kind, seconds: Int64) {
    var house = House(tags: [House.tag(kind)])
    house.hear(TagID(kind.rawValue), -60, from: 0, through: 10)
    house.wait(until: 1000)
    #expect(
      house.presences(of: TagID(kind.rawValue)) == ["near@1", "away@\(10 + seconds)"])
  }

  @Test("A tag's own time to be away holds instead of its kind's")
  func ownTimeout() {
    var tag = House.tag(.keys)
    tag.awaySeconds = 600
    var house = House(tags: [tag])
    house.hear("keys", -60, from: 0, through: 10)
    house.wait(until: 2000)
    #expect(house.presences(of: "keys") == ["near@1", "away@610"])
  }

  @Test("Heard exactly at the deadline still counts")
  func deadline() {
    var house = House(tags: [House.tag(.keys)])
    house.hear("keys", -60, from: 0, through: 10)
    house.hear("keys", -60, from: 130, through: 130)
    #expect(house.presences(of: "keys") == ["near@1"])
  }

  @Test("Where nothing listens nothing is said to be away")
  func unknown() {
    var house = House(tags: [House.tag(.keys)])
    house.hear("keys", -60, from: 0, through: 10)
    house.at(11, .listening("phone", isListening: false))
    house.wait(until: 1000)
    #expect(house.presences(of: "keys") == ["near@1", "unknown@130"])
    house.at(2000, .listening("phone", isListening: true))
    house.wait(until: 3000)
    #expect(house.presences(of: "keys") == ["near@1", "unknown@130", "away@2120"])
  }

  @Test("What is away becomes unknown when the device stops to listen")
  func awayBecomesUnknown() {
    var house = House(tags: [House.tag(.keys)])
    house.hear("keys", -60, from: 0, through: 10)
    house.at(300, .listening("phone", isListening: false))
    #expect(house.presences(of: "keys") == ["near@1", "away@130", "unknown@300"])
  }

  @Test("A tag that was never heard is unknown, not away")
  func neverHeard() {
    var house = House(tags: [House.tag(.keys)])
    house.wait(until: 10_000)
    #expect(house.presences(of: "keys") == [])
    #expect(house.engine.presence(of: "keys") == .unknown)
  }

  @Test("A jump no step explains waits for a second reading; a lone one is dropped")
  func jumps() {
    var house = House(tags: [House.tag(.keys)])
    house.hear("keys", -95, from: 0, through: 10)
    house.hear("keys", -40, from: 11, through: 11)
    #expect(house.presences(of: "keys") == ["room@1"])
    house.hear("keys", -95, from: 12, through: 20)
    house.hear("keys", -40, from: 21, through: 21)
    #expect(house.presences(of: "keys").count == 1)
    house.hear("keys", -40, from: 22, through: 22)
    #expect(house.presences(of: "keys").last == "near@22")
  }

  @Test("Calibrated thresholds hold for that tag alone")
  func calibrated() {
    var tag = House.tag(.keys)
    tag.calibration = TagThresholds(
      nearEnterDBm: -85, nearLeaveDBm: -90, roomEnterDBm: -95, roomLeaveDBm: -100)
    var house = House(tags: [tag, House.tag(.wallet)])
    house.hear("keys", -84, from: 0, through: 3)
    house.hear("wallet", -84, from: 4, through: 7)
    #expect(house.presences(of: "keys") == ["near@1"])
    #expect(house.presences(of: "wallet") == ["room@5"])
  }

  @Test("The antenna's offset is added before anything is judged")
  func offset() {
    let loud = TagHearer(id: "phone", place: .withResident, offsetDB: 20)
    var house = House(tags: [House.tag(.keys)], hearers: [loud])
    house.hear("keys", -84, from: 0, through: 3)
    #expect(house.presences(of: "keys") == ["near@1"])
  }

  @Test("Sightings by strangers, of strangers, stale, or out of order change nothing")
  func strangers() throws {
    var house = House(tags: [House.tag(.keys)])
    house.wait(until: 500)
    let rows = house.engine.rows
    house.hear("purse", -60)
    house.hear("keys", -60, by: "neighbour")
    let old = House.start.advanced(byMilliseconds: 100_000)
    let stale = try #require(
      TagSighting(tag: "keys", hearer: "phone", strengthDBm: -60, moment: old))
    house.handle(.sighting(stale))
    #expect(house.engine.rows == rows)
    house.hear("keys", -60, from: 501, through: 503)
    let signal = house.engine.records["keys"]?.links["phone"]?.signal
    let late = try #require(
      TagSighting(
        tag: "keys", hearer: "phone", strengthDBm: -20,
        moment: House.start.advanced(byMilliseconds: 502_000)))
    house.handle(.sighting(late))
    #expect(house.engine.records["keys"]?.links["phone"]?.signal == signal)
  }

  @Test("A sighting from the future counts as heard now")
  func future() throws {
    var house = House(tags: [House.tag(.keys)])
    for second in 0...2 {
      house.wait(until: Double(second))
      let ahead = house.now.advanced(byMilliseconds: 3_600_000)
      house.handle(
        .sighting(
          try #require(
            TagSighting(tag: "keys", hearer: "phone", strengthDBm: -60, moment: ahead))))
    }
    house.wait(until: 300)
    #expect(house.presences(of: "keys") == ["near@1", "away@122"])
  }

  @Test("No more tags and devices count than the limits allow")
  func limits() {
    let tags = (100..<300).map { House.tag(.thing, TagID("tag-\($0)")) }
    let hearers = (100..<200).map { TagHearer(id: SourceID("h-\($0)"), place: .room("r\($0)")) }
    let house = House(tags: tags, hearers: hearers)
    #expect(house.engine.records.count == TagWatch.tagLimit)
    #expect(house.engine.hearers.count == TagWatch.hearerLimit)
  }

  @Test("A tag that is removed takes its row along")
  func removed() {
    var house = House(tags: [House.tag(.keys), House.tag(.wallet)])
    house.hear("keys", -60, from: 0, through: 3)
    #expect(house.storedRows.map(\.name) == ["session", "tag:keys", "tag:wallet"])
    house.handle(.tagsChanged([House.tag(.wallet)]))
    #expect(house.storedRows.map(\.name) == ["session", "tag:wallet"])
    #expect(house.engine.presence(of: "keys") == .unknown)
  }
}
