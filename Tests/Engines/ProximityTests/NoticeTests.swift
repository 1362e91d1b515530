import Care
import JSON
import Moments
import Testing

@testable import Proximity

@Suite("Batteries, silence and company")
struct NoticeTests {
  @Test("A low battery is told once, and again only after a new one")
  func battery() {
    var house = House(tags: [House.tag(.keys)])
    let readings = [(0, 40), (10, 16), (20, 15), (30, 3), (40, 20), (50, 9), (60, 35), (70, 15)]
    for (second, percent) in readings {
      house.wait(until: Double(second))
      house.hear("keys", -60, battery: percent)
    }
    #expect(
      house.story([.tagBatteryLow]) == ["tag.battery-low keys@20", "tag.battery-low keys@70"])
    #expect(house.engine.summary["tags"]?.arrayContent?.first?["batteryPercent"] == 15)
  }

  @Test("Silence is told once, and its end")
  func silence() {
    var house = House(tags: [House.tag(.keys)])
    house.hear("keys", -60, from: 0, through: 5)
    house.wait(until: 400_000)
    #expect(house.story([.tagSilent]) == ["tag.silent keys@\(5 + 48 * 3600)"])
    house.hear("keys", -60, from: 400_001, through: 400_003)
    #expect(house.story([.tagHeardAgain]) == ["tag.heard-again keys@400001"])
  }

  @Test("A tag that was never heard is told too, in other words")
  func neverHeard() {
    var house = House(tags: [House.tag(.home)])
    house.wait(until: 90_000)
    #expect(house.story([.tagSilent]) == ["tag.silent home@86400"])
    #expect(
      house.all(.tagSilent).first?.draft.explanation.contains("has not been heard yet") == true)
  }

  @Test("People may stay away as long as they like")
  func people() {
    var house = House(tags: [House.tag(.caregiver), House.tag(.companion), House.tag(.person)])
    house.wait(until: 40 * 86_400)
    #expect(house.story([.tagSilent]) == [])
  }

  @Test("Nobody who is out blames the home tag, and no deaf device blames any")
  func blameless() {
    var house = House(tags: [House.tag(.home), House.tag(.thing, "radio")])
    house.hear("home", -60, from: 0, through: 5)
    house.handle(.outing(isOut: true))
    house.wait(until: 200_000)
    #expect(house.story([.tagSilent]) == [])
    house.handle(.outing(isOut: false))
    house.handle(.listening("phone", isListening: false))
    house.wait(until: 2_000_000)
    #expect(house.story([.tagSilent]) == [])
    house.handle(.listening("phone", isListening: true))
    house.wait(until: 2_100_000)
    #expect(house.story([.tagSilent]) == ["tag.silent home@\(2_000_000 + 86_400)"])
  }

  @Test("A caregiver comes and goes, and the engine knows while they are there")
  func caregiver() {
    var house = House(tags: [House.tag(.caregiver)], hearers: [House.carried, House.kitchen])
    #expect(house.engine.isCaregiverPresent == nil)
    house.hear("caregiver", -80, from: 10, through: 100, by: "kitchen")
    #expect(house.engine.isCaregiverPresent == true)
    house.wait(until: 500)
    #expect(house.engine.isCaregiverPresent == false)
    #expect(
      house.all(.caregiverChanged).map { $0.draft.explanation } == [
        "the caregiver is with Mary.", "the caregiver is not with Mary any more.",
      ])
    #expect(house.all(.caregiverChanged).map { $0.second } == [11, 280])
  }

  @Test("A time in company has three durations, and ends with the last time close")
  func encounter() throws {
    var house = House(tags: [House.tag(.person)])
    // Close for two minutes, at arm's length for one, in the room for one, and gone.
    house.hear("person", -60, from: 0, through: 120)
    house.hear("person", -72, from: 121, through: 180)
    house.hear("person", -80, from: 181, through: 240)
    house.wait(until: 2000)
    let draft = try #require(house.all(.encounterEnded).first).draft
    let met = try Encounter(json: draft.facts)
    #expect(met.tag == "person")
    #expect(met.isHeardByResident)
    #expect(met.began == House.start.utc.advanced(byMilliseconds: 1000))
    #expect((185...205).contains(met.likelySeconds))
    #expect((118...122).contains(met.surelySeconds))
    #expect(met.possiblySeconds == 239)
    #expect(met.surelySeconds <= met.likelySeconds && met.likelySeconds <= met.possiblySeconds)
    #expect(draft.explanation.hasSuffix("This is judged by signal strength, which errs often."))
    let ended = Double(met.ended.milliseconds(since: House.start.utc)) / 1000
    #expect(house.all(.encounterEnded).first?.second == ended + 300)
  }

  @Test("Passing by is no company, and nobody knows what happened in a long gap")
  func passing() {
    var house = House(tags: [House.tag(.person), House.tag(.companion)])
    house.hear("person", -55, from: 0, through: 40)
    house.hear("companion", -55, from: 100, through: 140)
    house.hear("companion", -55, from: 190, through: 200)
    house.wait(until: 2000)
    #expect(house.story([.encounterEnded]) == [])
  }

  @Test("Where a device moves with the resident, only that one hears company")
  func whoHears() {
    var house = House(tags: [House.tag(.person)], hearers: [House.carried, House.kitchen])
    house.hear("person", -50, from: 0, through: 300, by: "kitchen")
    house.wait(until: 2000)
    #expect(house.story([.encounterEnded]) == [])
    var home = House(tags: [House.tag(.person)], hearers: [House.kitchen])
    home.hear("person", -50, from: 0, through: 300, by: "kitchen")
    home.wait(until: 2000)
    #expect(home.all(.encounterEnded).first?.draft.facts["isHeardByResident"] == false)
  }

  @Test("Past contacts are summed by person, newest first, and short ones are left out")
  func contacts() {
    func met(_ tag: TagID, _ begin: Int64, likely: Int64) -> Encounter {
      Encounter(
        tag: tag, isHeardByResident: true, began: .seconds(begin), ended: .seconds(begin + 600),
        timeQuality: .synchronised, surelySeconds: likely / 2, likelySeconds: likely,
        possiblySeconds: likely * 2, strongestDBm: -60)
    }
    let all = [
      met("ann", 1000, likely: 500), met("ann", 5000, likely: 500), met("bob", 3000, likely: 899),
      met("cid", 8000, likely: 1000), met("dan", 90_000, likely: 5000),
      met("eve", 100, likely: 9000),
    ]
    let found = Encounter.contacts(among: all, from: .seconds(900), to: .seconds(10_000))
    #expect(found.map(\.tag) == ["cid", "ann"])
    #expect(found.map(\.count) == [1, 2])
    #expect(found.map(\.likelySeconds) == [1000, 1000])
    #expect(found.map(\.surelySeconds) == [500, 500])
    #expect(found.map(\.possiblySeconds) == [2000, 2000])
  }

  @Test("Settings keep to their ranges and say what would fit")
  func settings() throws {
    var settings = ProximitySettings()
    for name in ProximitySettings.names {
      let usual = try #require(settings.value(name))
      #expect(throws: CommandReply.Refusal.self) { try settings.set(name, to: 1_000_000) }
      #expect(throws: CommandReply.Refusal.self) { try settings.set(name, to: "soon") }
      try settings.set(name, to: .integer((usual.integerContent ?? 0) + 1))
      #expect(settings.value(name) != usual)
      try settings.set(name, to: .null)
      #expect(settings.value(name) == usual)
    }
    #expect(throws: CommandReply.Refusal.self) { try settings.set("meters", to: 2) }
    #expect(settings == ProximitySettings())
  }
}
