import Care
import JSON
import Testing

@testable import Proximity

@Suite("Going out without")
struct OutingTests {
  static let told: [EventType] = [.leftWithout, .leftWithoutOver]
  static let both = [House.carried, House.kitchen]

  @Test("What the carried device still hears is along, and nothing is said")
  func along() {
    var house = House(tags: [House.tag(.keys), House.tag(.wallet)])
    for second in 0...600 {
      house.wait(until: Double(second))
      if second == 100 { house.handle(.outing(isOut: true)) }
      house.hear("keys", -60)
      house.hear("wallet", -65)
    }
    #expect(house.story(Self.told) == [])
    #expect(house.engine.summary["tags"]?.arrayContent?.map { $0["outing"] } == ["along", "along"])
  }

  @Test("What the carried device hears no more was left, and is told once")
  func leftWithCarriedDevice() throws {
    var house = House(tags: [House.tag(.keys), House.tag(.wallet)])
    for second in 0...1000 {
      house.wait(until: Double(second))
      if second == 100 { house.handle(.outing(isOut: true)) }
      house.hear("keys", -60)
      if second <= 90 { house.hear("wallet", -65) }
    }
    #expect(house.story(Self.told) == ["left.without wallet@210"])
    let draft = try #require(house.all(.leftWithout).first).draft
    #expect(draft.lane == .alarm)
    #expect(draft.facts["isHeardAtHome"] == false)
    #expect(draft.number("lastHeardSeconds") == 120)
    #expect(
      draft.explanation == "Mary is out without the wallet, which was last with them 2 min ago. "
        + "Bring it after them, or be there when they come back.")
  }

  @Test("What the device at home hears after the outing began was left")
  func leftWithFixedDevice() throws {
    var house = House(tags: [House.tag(.keys)], hearers: [House.kitchen])
    for second in 0...400 {
      house.wait(until: Double(second))
      if second == 100 { house.handle(.outing(isOut: true)) }
      house.hear("keys", -80, by: "kitchen")
    }
    #expect(house.story(Self.told) == ["left.without keys@160"])
    let draft = try #require(house.all(.leftWithout).first).draft
    #expect(draft.text("room") == "kitchen")
    #expect(
      draft.explanation == "Mary went out and left the keys at home. "
        + "Bring it after them, or be there when they come back.")
  }

  @Test("What the device at home hears no more may be along: nothing is said")
  func nobodyKnows() {
    var house = House(tags: [House.tag(.keys)], hearers: [House.kitchen])
    house.hear("keys", -80, from: 0, through: 105, by: "kitchen")
    house.handle(.outing(isOut: true))
    house.hear("keys", -90, from: 106, through: 112, by: "kitchen")
    house.wait(until: 5000)
    #expect(house.story(Self.told) == [])
  }

  @Test("Both devices agree within the patience of the carried one")
  func bothDevices() {
    var house = House(tags: [House.tag(.companion)], hearers: Self.both)
    for second in 0...400 {
      house.wait(until: Double(second))
      if second == 100 { house.handle(.outing(isOut: true)) }
      if second <= 95 { house.hear("companion", -60) }
      house.hear("companion", -75, by: "kitchen")
    }
    #expect(house.story(Self.told) == ["left.without companion@160"])
    let words = "Mary went out and the companion stayed at home."
    #expect(house.all(.leftWithout).first?.draft.explanation.hasPrefix(words) == true)
  }

  @Test("What seemed left and is heard along after all is taken back")
  func takenBack() {
    var house = House(tags: [House.tag(.keys)])
    house.hear("keys", -60, from: 0, through: 100)
    house.handle(.outing(isOut: true))
    house.hear("keys", -60, from: 400, through: 402)
    house.wait(until: 450)
    #expect(house.story(Self.told) == ["left.without keys@220", "left.without-over keys@401"])
  }

  @Test("What is lost on the way is told, and coming home ends it")
  func lostOnTheWay() {
    var house = House(tags: [House.tag(.wallet)])
    house.hear("wallet", -60, from: 0, through: 900)
    house.handle(.outing(isOut: true))
    house.hear("wallet", -60, from: 901, through: 1500)
    house.at(2000, .outing(isOut: false))
    #expect(
      house.story(Self.told) == ["left.without wallet@1620", "left.without-over wallet@2000"])
    #expect(house.all(.leftWithoutOver).first?.draft.text("reason") == "home")
  }

  @Test("Coming back within the delay says nothing")
  func shortOuting() {
    var house = House(tags: [House.tag(.keys)], hearers: [House.kitchen])
    for second in 0...400 {
      house.wait(until: Double(second))
      if second == 100 { house.handle(.outing(isOut: true)) }
      if second == 150 { house.handle(.outing(isOut: false)) }
      house.hear("keys", -80, by: "kitchen")
    }
    #expect(house.story(Self.told) == [])
  }

  @Test("A tag not heard for longer than a day before is not missed on an outing")
  func longGone() {
    var house = House(tags: [House.tag(.keys)])
    house.hear("keys", -60, from: 0, through: 5)
    house.at(90_000, .outing(isOut: true))
    house.wait(until: 95_000)
    #expect(house.story(Self.told) == [])
  }

  @Test("Nothing is judged where nothing listens")
  func deaf() {
    var house = House(tags: [House.tag(.keys)])
    house.hear("keys", -60, from: 0, through: 5)
    house.handle(.listening("phone", isListening: false))
    house.handle(.outing(isOut: true))
    house.wait(until: 5000)
    #expect(house.story(Self.told) == [])
  }

  @Test("Only what belongs along is missed; a tag's own word outweighs its kind's")
  func whatBelongsAlong() {
    var stick = House.tag(.thing, "stick")
    stick.isTakenAlong = true
    var spare = House.tag(.keys, "spare")
    spare.isTakenAlong = false
    let tags = [stick, spare, House.tag(.caregiver), House.tag(.person), House.tag(.home)]
    var house = House(tags: tags)
    for second in 0...10 {
      house.wait(until: Double(second))
      for tag in tags { house.hear(tag.id, -60) }
    }
    house.handle(.outing(isOut: true))
    house.wait(until: 5000)
    #expect(house.story(Self.told) == ["left.without stick@130"])
  }

  @Test(
    "A restart in the middle neither repeats nor forgets", arguments: [100.5, 159, 205, 211, 300])
  func restart(second: Double) {
    var house = House(tags: [House.tag(.keys), House.tag(.wallet)])
    var restarted = false
    for step in 0...1000 {
      if !restarted, Double(step) > second {
        house.wait(until: second)
        house.restart(rows: house.storedRows)
        restarted = true
      }
      house.wait(until: Double(step))
      if step == 100 { house.handle(.outing(isOut: true)) }
      house.hear("keys", -60)
      if step <= 90 { house.hear("wallet", -65) }
    }
    let story = house.story(Self.told)
    #expect(story.count == 1)
    #expect(story.first?.hasPrefix("left.without wallet@") == true)
  }
}
