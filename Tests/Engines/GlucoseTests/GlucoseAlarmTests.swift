import Care
import CivilTime
import GlucoseValues
import JSON
import Moments
import TestSupport
import Testing
import Texts

@testable import Glucose

@Suite("Readings beyond a limit")
struct GlucoseAlarmTests {
  @Test("Very low is an alarm, low and high a notice, and each is said in the reading's own unit")
  func severities() throws {
    for (level, finding) in [
      ("53 mg/dL", "glucose.very-low alarm"), ("2.9 mmol/L", "glucose.very-low alarm"),
      ("54 mg/dL", "glucose.low notice"), ("3.8 mmol/L", "glucose.low notice"),
      ("301 mg/dL", "glucose.high notice"), ("16.8 mmol/L", "glucose.high notice"),
    ] {
      var home = Home()
      home.measure(level, at: 5)
      #expect(home.findings == [finding], "\(level)")
      let event = try #require(home.events.last)
      #expect(event.facts["value"] == .string(level))
      #expect(event.facts["explanation"]?.stringContent?.contains(level) == true)
      #expect(home.openAlarms == (finding.hasSuffix("alarm") ? 1 : 0))
    }
    for level in ["70 mg/dL", "3.9 mmol/L", "300 mg/dL", "16.7 mmol/L", "110 mg/dL"] {
      var home = Home()
      home.measure(level, at: 5)
      #expect(home.types == ["glucose.recorded"], "\(level)")
    }
  }

  @Test("A later reading within the limits ends the alarm; an earlier or doubtful one does not")
  func settled() {
    var home = Home()
    home.measure("50 mg/dL", at: 30)
    #expect(home.openAlarms == 1)
    home.handle(.received([GlucoseSamples.reading("100 mg/dL", minutes: 20)]))
    home.measure("100 mg/dL", at: 40, doubts: [.meterClock])
    #expect(home.openAlarms == 1 && home.findings.count == 1)
    home.measure("100 mg/dL", at: 50)
    #expect(home.findings == ["glucose.very-low alarm", "glucose.settled -"])
    #expect(home.openAlarms == 0)
    home.measure("101 mg/dL", at: 60)
    #expect(home.findings.count == 2)
  }

  @Test("From low to very low is news, back to low is not, and the same is told again only later")
  func steps() {
    var home = Home(["glucoseLowIs": "alarm"])
    home.measure("65 mg/dL", at: 10)
    home.measure("50 mg/dL", at: 12)
    home.measure("60 mg/dL", at: 14)
    home.measure("66 mg/dL", at: 20)
    #expect(home.findings == ["glucose.low alarm", "glucose.very-low alarm"])
    home.measure("66 mg/dL", at: 27)
    #expect(home.findings.last == "glucose.low alarm" && home.findings.count == 3)
    #expect(home.openAlarms == 1)
    home.measure("310 mg/dL", at: 60)
    #expect(home.findings.last == "glucose.high notice" && home.openAlarms == 1)
    home.measure("200 mg/dL", at: 70)
    #expect(home.findings.last == "glucose.settled -" && home.openAlarms == 0)
  }

  @Test("A sensor must read within the limits for 15 minutes, and is told again after 30")
  func sensors() {
    var home = Home()
    for minutes in stride(from: 0, through: 40, by: 5) {
      home.measure("50 mg/dL", at: minutes, sensor: .continuous)
    }
    #expect(home.findings == ["glucose.very-low alarm", "glucose.very-low alarm"])
    for (minutes, level) in [(45, 80), (50, 80), (55, 50), (60, 80), (65, 80), (70, 80)] {
      home.measure("\(level) mg/dL", at: minutes, sensor: .continuous)
    }
    #expect(home.findings.count == 2 && home.openAlarms == 1)
    home.measure("80 mg/dL", at: 75, sensor: .continuous)
    #expect(home.findings.last == "glucose.settled -" && home.openAlarms == 0)
  }

  @Test("Of what a meter kept only the newest is judged, and old news is a notice or nothing")
  func stored() {
    var home = Home()
    home.wait(until: 3000)
    home.handle(
      .received([
        GlucoseSamples.reading("50 mg/dL", minutes: 2900),
        GlucoseSamples.reading("45 mg/dL", minutes: 100),
        GlucoseSamples.reading("100 mg/dL", minutes: 2990),
      ]))
    #expect(home.findings.isEmpty && home.types.filter { $0 == "glucose.recorded" }.count == 3)

    var late = Home()
    late.wait(until: 3000)
    late.handle(.received([GlucoseSamples.reading("50 mg/dL", minutes: 2879)]))
    #expect(late.findings == ["glucose.very-low notice"] && late.openAlarms == 0)
    var fresh = Home()
    fresh.wait(until: 3000)
    fresh.handle(.received([GlucoseSamples.reading("50 mg/dL", minutes: 2880)]))
    #expect(fresh.findings == ["glucose.very-low alarm"])
    var ancient = Home()
    ancient.wait(until: 3000)
    ancient.handle(.received([GlucoseSamples.reading("50 mg/dL", minutes: 1559)]))
    #expect(ancient.findings.isEmpty)
    // The notice of an old one does not hide the alarm of a new one.
    late.measure("50 mg/dL", at: 3001)
    #expect(late.findings.last == "glucose.very-low alarm" && late.openAlarms == 1)
  }

  @Test("A doubtful time never hides a low reading, and says that it is uncertain")
  func doubtful() throws {
    var home = Home()
    home.wait(until: 100)
    var reading = GlucoseSamples.reading("50 mg/dL", minutes: 500_000)
    reading.receivedAt = home.now.utc
    home.handle(.received([reading]))
    #expect(home.findings == ["glucose.very-low alarm"])
    #expect(home.events.last?.facts["isTimeCertain"] == false)
    #expect(home.readings["r500000"]?.timeDoubts == [.future])
    let sentence = try #require(home.events.last?.facts["explanation"]?.stringContent)
    #expect(sentence.contains("The time is uncertain."))

    var clockless = Home(
      at: Moment(tick: .seconds(5), utc: GlucoseSamples.start, quality: .untrusted))
    clockless.handle(.received([GlucoseSamples.reading("50 mg/dL", minutes: 0)]))
    #expect(clockless.findings == ["glucose.very-low alarm"])
    #expect(clockless.readings["r0"]?.timeDoubts == [.gatewayClock])
    #expect(clockless.engine.nextWake == nil)
  }

  @Test("HI and LO are no readings and alarms all the same")
  func beyondRange() {
    var home = Home()
    home.wait(until: 10)
    home.handle(.beyondRange(.low, "mary", time: home.now.utc))
    #expect(home.findings == ["glucose.very-low alarm"] && home.readings.isEmpty)
    #expect(home.events.last?.facts["value"] == "LO on the meter" && home.openAlarms == 1)
    home.measure("100 mg/dL", at: 20)
    #expect(home.openAlarms == 0)
    home.wait(until: 30)
    home.handle(.beyondRange(.high, "mary", time: home.now.utc))
    #expect(home.findings.last == "glucose.high alarm")
    home.handle(.beyondRange(.high, "nobody", time: home.now.utc))
    #expect(home.findings.count == 3)

    // What a later reading overrules is a notice; a time that cannot be is the present.
    var overruled = Home()
    overruled.measure("100 mg/dL", at: 30)
    overruled.handle(.beyondRange(.low, "mary", time: GlucoseSamples.start))
    overruled.handle(.beyondRange(.low, "mary", time: .seconds(0)))
    #expect(overruled.findings == ["glucose.very-low notice", "glucose.very-low alarm"])
    var quiet = Home(["glucoseHighIs": "off"])
    quiet.handle(.beyondRange(.high, "mary", time: GlucoseSamples.start))
    #expect(quiet.findings.isEmpty)
  }

  @Test("Limits are the resident's own, in the unit that they were given in")
  func limits() {
    var home = Home(["glucoseLow": "5.0 mmol/L", "glucoseHigh": "200 mg/dL"])
    home.measure("4.9 mmol/L", at: 1)
    home.measure("5.0 mmol/L", at: 2)
    home.measure("201 mg/dL", at: 3)
    home.handle(.settingsChanged(["glucoseHigh": "250 mg/dL", "glucoseLowIs": "off"]))
    home.measure("201 mg/dL", at: 4)
    home.measure("60 mg/dL", at: 5)
    #expect(
      home.findings == [
        "glucose.low notice", "glucose.settled -", "glucose.high notice", "glucose.settled -",
      ])
  }

  @Test("A restart forgets no open finding and tells nothing twice")
  func restart() {
    var home = Home()
    home.measure("50 mg/dL", at: 10)
    home.restart()
    home.handle(.received([GlucoseSamples.reading("50 mg/dL", minutes: 10)]))
    home.measure("51 mg/dL", at: 12)
    #expect(home.findings == ["glucose.very-low alarm"])
    home.restart()
    home.measure("100 mg/dL", at: 20)
    #expect(home.findings.last == "glucose.settled -" && home.openAlarms == 0)
    home.store["mary/state"] = EngineRow(
      engine: "glucose", subject: "mary", name: "state", content: ["beyond": 7])
    home.restart()
    #expect(home.engine.nextWake == home.now.tick && home.engine.rows.count == 1)
    home.handle(.time)
    #expect(home.engine.nextWake != home.now.tick)
    #expect(home.store.values.allSatisfy { (try? GlucoseState(json: $0.content)) != nil })
  }

  @Test("No sentence advises a treatment, in any language, and none leaves a place open")
  func wording() {
    let advice = ["insulin", "eat", "drink", "juice", "dose", "inject"]
    let chineseAdvice = ["胰岛素", "吃", "喝", "注射", "剂量"]
    for language in Language.allCases {
      var home = Home()
      home.language = language
      home.measure("65 mg/dL", at: 1)
      home.measure("50 mg/dL", at: 2, doubts: [.meterFault])
      home.measure("100 mg/dL", at: 3)
      home.measure("310 mg/dL", at: 4)
      home.handle(.beyondRange(.low, "mary", time: home.now.utc))
      home.ask(.remove("r4", revision: nil))
      home.wait(until: 1500)
      let texts = home.events.flatMap { draft in
        ["explanation", "label", "value"].compactMap { draft.facts[$0]?.stringContent }
      }
      #expect(texts.count > 10)
      for text in texts {
        let words = text.lowercased().split { !$0.isLetter }.map(String.init)
        #expect(advice.allSatisfy { !words.contains($0) }, "\(text)")
        #expect(chineseAdvice.allSatisfy { !text.contains($0) }, "\(text)")
        #expect(!text.contains("{") && text.count <= 160, "\(text)")
      }
    }
  }
}
