import CareModel
import Testing
import Texts

@testable import Alarms

@Suite struct WordsTests {
  private func facts(_ name: String = "Mary Smith", language: String = "en") -> MessageFacts {
    var facts = MessageFacts(
      language: Language(language), notice: .alarm, kind: .sos, tag: "A7K2", name: name,
      plainName: "mary-smith")
    facts.localTime = "14:32"
    facts.position = Coordinate(latitudeDegrees: 52.09012, longitudeDegrees: 5.1213).map {
      KnownPosition(
        coordinate: $0, accuracyMeters: 8, stamp: Stamp(House.start), batteryPercent: 64)
    }
    facts.positionAgeSeconds = 12
    return facts
  }

  @Test func theUsualTextSaysWhoWhenWhereAndWhatToAnswer() {
    let text = MessageText.text(facts())
    #expect(
      text == "SOS Mary Smith 14:32 needs help. 52.09012,5.12130 batt 64% +-8m 12s ago "
        + "https://maps.google.com/?q=52.09012,5.12130 Reply 1 = I am going #A7K2")
    #expect(text.count <= 160)
  }

  @Test(arguments: ["en", "zh"]) func whereNobodyReadsAnswersNoneIsAskedFor(language: String) {
    var unanswerable = facts(language: language)
    unanswerable.takesReply = false
    #expect(MessageText.text(unanswerable).hasSuffix("/?q=52.09012,5.12130 #A7K2"))
  }

  @Test func theChineseTextFitsTwoParts() {
    let text = MessageText.text(facts("王秀英", language: "zh"))
    #expect(
      text == "【求助】王秀英 14:32 需要帮助。 52.09012,5.12130 电量64% ±8米 12秒前 "
        + "https://maps.google.com/?q=52.09012,5.12130 回复1=我去 #A7K2")
    #expect(text.utf16.count <= 134)
  }

  static let names = [
    "M", "Mary Smith", String(repeating: "Maximilian ", count: 18), "王秀英", "Łukasz Żółć",
    "Mária Ňuňková", "🌸🌸🌸", String(repeating: "𠀋", count: 200), "Αλέξανδρος", "", "[]{}^|~\\",
    "Ольга Николаевна",
  ]

  @Test(arguments: names) func noNameCostsLinkOrTag(name: String) {
    for language in ["en", "zh"] {
      for notice in AlarmNotice.allCases {
        for kind in AlarmKind.allCases {
          var facts = facts(name, language: language)
          facts.notice = notice
          facts.kind = kind
          facts.label = name
          facts.helper = name
          facts.emergencyNumber = "112"
          facts.positionAgeSeconds = 10_000_000
          facts.position = Coordinate(latitudeDegrees: -52.09012, longitudeDegrees: -135.1213).map {
            KnownPosition(
              coordinate: $0, accuracyMeters: 99_998.3, stamp: Stamp(House.start),
              batteryPercent: 100)
          }
          let text = MessageText.text(facts)
          #expect(text.hasSuffix(" #A7K2"), "\(text)")
          if notice == .alarm || notice == .duress, kind != .fault, kind != .battery {
            #expect(text.contains("https://maps.google.com/?q=-52.09012,-135.12130 "), "\(text)")
          }
          if language == "en" {
            #expect(text.count <= 160 && TextAlphabet.folded(text) == text, "\(text)")
          } else {
            #expect(text.utf16.count <= 134, "\(text)")
          }
        }
      }
    }
  }

  @Test func namesOfOtherScriptsBecomeWhatAPhoneCanSpell() {
    #expect(MessageText.text(facts("Łukasz Żółć")).hasPrefix("SOS Lukasz Zolc 14:32"))
    #expect(MessageText.text(facts("王秀英")).hasPrefix("SOS mary-smith 14:32"))
    #expect(MessageText.text(facts("Bjørn Åse")).hasPrefix("SOS Bjørn Åse 14:32"))
  }

  @Test func wordsOfACancelStayTheResidentsOwn() {
    var own = facts()
    own.notice = .cancelled
    own.closing = "我没事"
    #expect(MessageText.text(own).contains("我没事"))
    own.closing = String(repeating: "好", count: 100)
    #expect(MessageText.text(own).utf16.count <= 134)
    own.closing = nil
    #expect(MessageText.text(own).hasPrefix("OVER: Mary Smith 14:32. The alarm is over."))
  }

  @Test func aTestCannotBeMistakenForTheRealThing() {
    for language in ["en", "zh"] {
      var test = facts("Mary", language: language)
      test.notice = .test
      test.kind = .test
      let text = MessageText.text(test)
      #expect(text.hasPrefix(language == "en" ? "TEST ONLY, nobody needs help" : "【仅测试】无人需要帮助"))
      #expect(!text.contains("SOS") && !text.contains("求助"))
    }
  }

  @Test func withoutClockOrPositionTheTextSaysSo() {
    var bare = facts()
    bare.position = nil
    bare.localTime = nil
    #expect(
      MessageText.text(bare)
        == "SOS Mary Smith needs help. Position unknown. Reply 1 = I am going #A7K2")
  }

  @Test func degreesAreWrittenToTheMetreOnBothSidesOfZero() {
    for (degrees, text) in [
      (0.0, "0.00000"), (-0.5, "-0.50000"), (5.1213, "5.12130"), (179.999999, "180.00000"),
      (-0.000001, "0.00000"), (-90, "-90.00000"),
    ] { #expect(decimals(degrees) == text) }
  }

  @Test func everySentenceThatAnSOSSpeaksWasAskedForBeforehand() throws {
    for language in ["en", "zh"] {
      var house = House(settings: ["language": .string(language)])
      let alarm = try house.press()
      house.wait(until: 400)
      try house.ask(.acknowledge(alarm: nil, by: "bob"))
      try house.ask(.raise(resident: "mary", kind: .sos, trigger: .button, text: ""))
      house.wait(until: 500)
      try house.ask(.resolve(alarm: alarm.rawValue, by: "bob", reason: "found"))
      try house.press()
      try house.ask(.cancel(resident: "mary", pin: nil, message: nil))
      var spoken = 0
      for (_, request) in house.sounds {
        for part in request.parts {
          guard case .speech(let sentence) = part else { continue }
          spoken += 1
          #expect(house.engine.emergencySentences.contains(sentence), "\(sentence.text)")
        }
      }
      #expect(spoken > 6)
    }
  }
}
