import Care
import CivilTime
import GlucoseValues
import JSON
import Moments
import TestSupport
import Testing
import Texts

@testable import Glucose

@Suite("Adding, changing and removing readings")
struct GlucoseRequestTests {
  private func typed(_ level: String, _ minutes: Int, id: String = "h1") -> GlucoseReading {
    GlucoseSamples.reading(level, minutes: minutes, id: id, source: .hand)
  }

  @Test("A reading by hand is stored as typed, and alarms as a meter's does")
  func put() throws {
    var home = Home()
    home.wait(until: 10)
    let outcome = home.ask(.put(typed("2.9 mmol/L", 9), revision: 0))
    #expect(outcome.refusal == nil && outcome.reply == ["id": "h1", "revision": 1])
    #expect(home.findings == ["glucose.very-low alarm"])
    let stored = try #require(home.readings["h1"])
    #expect(stored.level.text() == "2.9 mmol/L" && stored.receivedAt == home.now.utc)
    #expect(home.events.first?.facts["by"] == "local:anna")
    // The same again changes nothing.
    let again = home.ask(.put(stored, revision: 1))
    #expect(again.changes.isEmpty && again.events.isEmpty)
    #expect(again.reply == ["id": "h1", "revision": 1])
  }

  @Test(
    "HI and LO that a person reads off are told as a meter's are",
    arguments: [
      ("LO", "glucose.very-low alarm", "The meter shows LO"),
      ("HI", "glucose.high alarm", "The meter shows HI"),
    ])
  func showing(word: String, finding: String, label: String) throws {
    var home = Home()
    home.wait(until: 10)
    let end = try #require(GlucoseLevelFault.End(shown: word))
    let outcome = home.ask(.showing(end, of: "mary", time: home.now.utc, by: "Anna"))
    #expect(outcome.refusal == nil && outcome.reply == ["showing": .string(word), "told": "alarm"])
    #expect(home.findings == [finding])
    #expect(home.readings.isEmpty && home.events.last?.facts["origin"] == "Anna")
    // The same again within minutes is known; a later reading settles it.
    let again = home.ask(.showing(end, of: "mary", time: home.now.utc, by: "Anna"))
    #expect(again.events.isEmpty && again.reply["told"] == "nothing")
    home.measure("5.6 mmol/L", at: 12)
    #expect(home.findings.last == "glucose.settled -")
    let ahead = home.ask(
      .showing(
        end, of: "mary", time: home.now.utc.advanced(byMilliseconds: 3_600_000), by: "Anna"))
    #expect(ahead.refusal?.code == .invalid)
  }

  @Test(
    "What no meter shows is refused when it is typed",
    arguments: ["1000 mg/dL", "601 mg/dL", "33.4 mmol/L", "5.60001 mmol/L", "101.55 mg/dL"])
  func noMeterShows(level: String) {
    var home = Home()
    home.wait(until: 10)
    let outcome = home.ask(.put(typed(level, 9), revision: 0))
    #expect(outcome.refusal?.code == .invalid && home.readings.isEmpty, "\(level)")
    let fine = ["600 mg/dL", "33.3 mmol/L", "5.62 mmol/L", "101 mg/dL", "15 mg/dL"]
    for (number, level) in fine.enumerated() {
      let reading = typed(level, 9, id: "fine-\(number)")
      #expect(home.ask(.put(reading, revision: 0)).refusal == nil, "\(level)")
    }
  }

  @Test("A reading is told as the plugins' specification has it, also when it changes and goes")
  func told() throws {
    var home = Home()
    home.wait(until: 10)
    home.ask(.put(typed("5.60 mmol/L", 9), revision: 0))
    let recorded = try #require(home.events.last { $0.type == .glucoseRecorded }).facts
    let expected: JSONValue = [
      "reading": "h1", "value": "5.60", "unit": "mmol/L", "mgdl": 101, "tag": .null,
      "sensor": "finger-stick", "source": "hand", "meter": .null, "timeDoubt": .null,
      "revision": 1,
    ]
    for member in expected.objectContent ?? [] {
      #expect(recorded[member.key] == member.value, "\(member.key)")
    }
    // With the offset of where she lives, and the same moment.
    let time = try #require(recorded["time"]?.stringContent)
    #expect(try Timestamp(iso8601: time) == home.readings["h1"]?.time)
    #expect(time.wholeMatch(of: #/.*T\d\d:\d\d:\d\d[+-]\d\d:\d\d/#) != nil, "\(time)")
    var changed = typed("5.7 mmol/L", 9)
    changed.tag = .listed(.beforeLunch)
    home.ask(.put(changed, revision: 1))
    let corrected = try #require(home.events.last { $0.type == .glucoseCorrected }).facts
    #expect(corrected["value"] == "5.7" && corrected["tag"] == "before-lunch")
    #expect(corrected["previous"]?["level"] == "5.60" && corrected["revision"] == 2)
    home.ask(.remove("h1", revision: 2))
    let removed = try #require(home.events.last { $0.type == .glucoseRemoved }).facts
    #expect(removed["reading"] == "h1" && removed["value"] == "5.7")
  }

  @Test("Correcting or removing the reading that raised an alarm ends it")
  func corrected() throws {
    var home = Home()
    home.measure("100 mg/dL", at: 1)
    home.wait(until: 10)
    home.ask(.put(typed("50 mg/dL", 9), revision: nil))
    #expect(home.openAlarms == 1)
    home.ask(.put(typed("150 mg/dL", 9), revision: 1))
    #expect(home.findings.last == "glucose.settled -" && home.openAlarms == 0)
    #expect(home.events.contains { $0.type == .glucoseCorrected })
    home.ask(.put(typed("50 mg/dL", 9), revision: 2))
    #expect(home.openAlarms == 1)
    // The correction of a correction that is still low goes on.
    home.ask(.put(typed("51 mg/dL", 9), revision: 3))
    #expect(home.openAlarms == 1)
    home.ask(.remove("h1", revision: 4))
    #expect(home.openAlarms == 0 && home.readings["h1"] == nil)
    #expect(home.events.last?.facts["explanation"]?.stringContent?.contains("corrected") == true)
  }

  @Test("An entry for yesterday neither raises nor ends an alarm of today")
  func backdated() {
    var home = Home()
    home.measure("50 mg/dL", at: 2000)
    home.ask(.put(typed("120 mg/dL", 100), revision: nil))
    home.ask(.put(typed("45 mg/dL", 101, id: "h2"), revision: nil))
    #expect(home.findings == ["glucose.very-low alarm"])
  }

  @Test("What a meter measured keeps its level; its tag and time may change")
  func measured() throws {
    var home = Home()
    home.measure("100 mg/dL", at: 5)
    var reading = try #require(home.readings["r5"])
    reading.level = GlucoseSamples.level("110 mg/dL")
    #expect(home.ask(.put(reading, revision: 1)).refusal?.code == .conflict)
    reading = try #require(home.readings["r5"])
    reading.tag = .own("after the walk")
    #expect(home.ask(.put(reading, revision: 1)).refusal == nil)
    // The meter sends it again: the tag stays.
    home.handle(.received([GlucoseSamples.reading("100 mg/dL", minutes: 5)]))
    #expect(home.readings["r5"]?.tag == .own("after the walk"))
  }

  @Test("What a meter says only later completes its reading, once, and overrules nobody")
  func completed() throws {
    var home = Home()
    home.measure("100 mg/dL", at: 5)
    let late = GlucoseSamples.reading("100 mg/dL", minutes: 5, tag: .afterMeal)
    home.handle(.received([late]))
    #expect(home.readings["r5"]?.tag == .listed(.afterMeal))
    #expect(home.readings["r5"]?.revision == 2)
    #expect(home.types == ["glucose.recorded", "glucose.corrected"])
    home.handle(.received([GlucoseSamples.reading("100 mg/dL", minutes: 5, tag: .fasting)]))
    #expect(home.readings["r5"]?.tag == .listed(.afterMeal))
    #expect(home.types.count == 2)
    // What somebody took away on purpose is not brought back.
    var reading = try #require(home.readings["r5"])
    reading.tag = nil
    #expect(home.ask(.put(reading, revision: 2)).refusal == nil)
    home.handle(.received([late]))
    #expect(home.readings["r5"]?.tag == nil)
  }

  @Test("Two who change one reading at once are told, and both versions are in the events")
  func conflicts() {
    var home = Home()
    home.wait(until: 10)
    home.ask(.put(typed("100 mg/dL", 9), revision: nil))
    home.ask(.put(typed("101 mg/dL", 9), revision: 1))
    let late = home.ask(.put(typed("102 mg/dL", 9), revision: 1))
    #expect(late.refusal?.code == .conflict && late.changes.isEmpty)
    #expect(late.events.map(\.type) == [.changeConflict])
    #expect(late.events.first?.facts["stored"]?["level"] == "101")
    #expect(late.events.first?.facts["refused"]?["level"] == "102")
    #expect(home.ask(.remove("h1", revision: 1)).refusal?.code == .conflict)
    #expect(home.ask(.remove("h1", revision: nil)).refusal == nil)
    #expect(home.ask(.put(typed("102 mg/dL", 9), revision: 2)).refusal?.code == .conflict)
  }

  @Test("What cannot be is refused with what would fit, and changes nothing")
  func refusals() throws {
    var home = Home()
    home.wait(until: 10)
    var foreign = typed("100 mg/dL", 9)
    foreign.resident = "nobody"
    var tagged = typed("100 mg/dL", 9)
    tagged.tag = .own("a\nb")
    var unnamed = typed("100 mg/dL", 9)
    unnamed.id = ""
    var ancient = typed("100 mg/dL", 9)
    ancient.time = .seconds(0)
    for (reading, code) in [
      (foreign, CommandReply.Refusal.Code.unknownTarget), (tagged, .invalid), (unnamed, .invalid),
      (ancient, .invalid), (typed("100 mg/dL", 21), .invalid),
    ] {
      let outcome = home.ask(.put(reading, revision: nil))
      #expect(outcome.refusal?.code == code && outcome.changes.isEmpty)
      #expect(outcome.refusal?.message.text(in: .en).contains("{") == false)
    }
    #expect(home.ask(.put(typed("100 mg/dL", 20), revision: nil)).refusal == nil)
    #expect(home.ask(.remove("h9", revision: nil)).refusal?.code == .unknownTarget)
    // What is in the store alone can be removed as well.
    let old = typed("100 mg/dL", -500_000, id: "old")
    #expect(home.ask(.remove("old", revision: 1), stored: old).refusal == nil)
    var moved = typed("100 mg/dL", 9)
    moved.resident = "bob"
    #expect(home.ask(.put(typed("100 mg/dL", 9), revision: nil), stored: moved).refusal == nil)
    #expect(
      home.ask(.put(typed("9 mmol/L", 9, id: "o2"), revision: nil), stored: nil).refusal == nil)
  }

  @Test("Nobody's readings and an erased resident's leave nothing behind")
  func erased() {
    var home = Home()
    var foreign = GlucoseSamples.reading("50 mg/dL", minutes: 1)
    foreign.resident = "nobody"
    home.handle(.received([foreign]))
    #expect(home.events.isEmpty && home.readings.isEmpty)
    home.measure("50 mg/dL", at: 5)
    home.erase()
    #expect(home.engine.rows.isEmpty && home.engine.log(of: "mary").readings.isEmpty)
    home.wait(until: 3000)
    #expect(!home.types.contains("glucose.month"))
  }

  // MARK: Months

  @Test("At the end of each local day the month's means are told, up to that day")
  func months() throws {
    var home = Home()
    home.measure("90 mg/dL", at: 60)
    home.measure("5.6 mmol/L", at: 70)
    home.wait(until: 24 * 60 - 1)
    #expect(!home.types.contains("glucose.month"))
    home.wait(until: 24 * 60)
    let first = try #require(home.events.last { $0.type == .glucoseMonth })
    #expect(first.facts["month"] == "2026-11" && first.facts["through"] == "2026-11-01")
    #expect(first.facts["all"]?["count"] == 2 && first.facts["beforeMeals"] == .null)
    #expect(first.facts["isOver"] == false)
    home.restart()
    home.handle(.circumstancesChanged)
    home.wait(until: 3 * 24 * 60)
    #expect(home.types.filter { $0 == "glucose.month" }.count == 3)
    home.wait(until: 31 * 24 * 60)
    let over = home.events.filter { $0.type == .glucoseMonth && $0.facts["isOver"] == true }
    #expect(over.map { $0.facts["through"] } == ["2026-11-30"])
    #expect(home.events.last { $0.type == .glucoseMonth }?.facts["all"] == .null)
  }

  @Test("A gateway that was off tells the months it missed, and a changed month again")
  func missed() {
    var home = Home()
    home.measure("90 mg/dL", at: 60)
    home.wait(until: 24 * 60)
    let told = home.events.count
    home.now = Home.start.advanced(byMilliseconds: 70 * 86_400_000)
    home.restart()
    home.handle(.circumstancesChanged)
    let months = home.events.dropFirst(told).map { $0.facts["month"]?.stringContent }
    #expect(months == ["2026-11", "2026-12", "2027-01"])
    let before = home.events.count
    home.ask(.put(typed("120 mg/dL", 120), revision: nil))
    home.wait(until: 71 * 24 * 60)
    let again = home.events.dropFirst(before).filter { $0.type == .glucoseMonth }
    #expect(again.map { $0.facts["month"] } == ["2026-11", "2027-01"])
    #expect(again.first?.facts["all"]?["count"] == 2)
  }

  @Test("Where the log no longer holds the whole month, no mean is invented")
  func incomplete() throws {
    var home = Home()
    home.wait(until: 12_000)
    let many = (0..<GlucoseLog.atMost + 10).map { GlucoseSamples.reading("100 mg/dL", minutes: $0) }
    home.handle(.received(many))
    home.wait(until: 9 * 24 * 60)
    let month = try #require(home.events.last { $0.type == .glucoseMonth })
    #expect(month.facts["isComplete"] == false && month.facts["all"] == .null)
  }

  @Test("The same inputs give the same outcome, moved in time as well")
  func deterministic() {
    func run() -> [EventDraft] {
      var home = Home()
      for (index, level) in [100, 50, 60, 90, 310, 120].enumerated() {
        home.measure("\(level) mg/dL", at: index * 40)
      }
      home.wait(until: 5000)
      return home.events
    }
    #expect(run() == run() && run().count > 10)
  }
}

@Suite("Settings of glucose")
struct GlucoseSettingsTests {
  @Test("Each setting has a default, takes what fits and says what would")
  func slots() throws {
    var settings = GlucoseSettings()
    #expect(GlucoseSettings.names.count == 8)
    for name in GlucoseSettings.names {
      let usual = try #require(settings.value(name))
      try settings.set(name, to: usual)
      #expect(settings == GlucoseSettings(), "\(name)")
      for wrong: JSONValue in [70, true, "70", "low", []]
      where !(name.hasSuffix("Minutes") && wrong == 70) {
        #expect(throws: CommandReply.Refusal.self, "\(name) \(wrong)") {
          try settings.set(name, to: wrong)
        }
      }
      try settings.set(name, to: .null)
    }
    #expect(settings.value("nothing") == nil)
    #expect(throws: CommandReply.Refusal.self) { try settings.set("nothing", to: 1) }
    #expect(throws: CommandReply.Refusal.self) { try settings.set("glucoseFreshMinutes", to: 9) }
  }

  @Test("Limits stay in order, and keep the unit that they were given in")
  func order() throws {
    var settings = GlucoseSettings()
    #expect(throws: CommandReply.Refusal.self) {
      try settings.set("glucoseLow", to: "54 mg/dL")
    }
    try settings.set("glucoseLow", to: "4.4 mmol/L")
    #expect(settings.value("glucoseLow") == "4.4 mmol/L")
    #expect(throws: CommandReply.Refusal.self) {
      try settings.set("glucoseVeryLow", to: "80 mg/dL")
    }
    #expect(settings.value("glucoseVeryLow") == "54 mg/dL")
    let stored = GlucoseSettings(["glucoseLow": "400 mg/dL", "glucoseUnit": "mmol/L", "odd": 1])
    #expect(stored.value("glucoseLow") == "70 mg/dL" && stored.unit == .millimolesPerLitre)
  }
}
