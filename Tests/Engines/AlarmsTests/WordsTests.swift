import Care
import JSON
import Moments
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
        + "https://osm.org/?mlat=52.09012&mlon=5.12130&zoom=17 Reply 1 = I am going #A7K2")
    #expect(text.count <= 160)
  }

  @Test("An e-mail says how this guardian can answer, and what to do where they cannot")
  func mails() {
    var mail = facts()
    mail.hasRoom = true
    mail.why = "Fell in the bath"
    mail.answer = .phone
    #expect(
      MessageText.text(mail)
        == "SOS Mary Smith 14:32 needs help. Fell in the bath. 52.09012,5.12130 batt 64% +-8m 12s ago "
        + "https://osm.org/?mlat=52.09012&mlon=5.12130&zoom=17 Answer 1 to the text message, or "
        + "press 1 in the call, to say that you are going. #A7K2")
    mail.answer = .inPerson("anna")
    #expect(
      MessageText.text(mail).hasSuffix(
        "What to do: call Mary Smith, or go there. To say that you are going, at the gateway: "
          + "homeward sos acknowledge A7K2 --by anna #A7K2"))
    #expect(!MessageText.text(mail).contains("text message"))
    mail.notice = .duress
    #expect(MessageText.text(mail).contains("Do not phone."))
    #expect(!MessageText.text(mail).contains("call Mary"))
    mail.notice = .alarm
    mail.kind = .fault
    #expect(MessageText.text(mail).contains("What to do: homeward status."))
  }

  @Test("Why help was asked for is in every message, as far as there is room")
  func reasons() {
    var sms = facts()
    sms.why = "Fell in the bath"
    let text = MessageText.text(sms)
    #expect(text.hasPrefix("SOS Mary Smith 14:32 needs help. Fell in the bath. "))
    #expect(text.count <= 160 && text.hasSuffix("Reply 1 = I am going #A7K2"))
    sms.why = String(repeating: "very long ", count: 50)
    let long = MessageText.text(sms)
    #expect(long.contains("needs help. very long very long") && long.count <= 160)
    #expect(long.hasSuffix("Reply 1 = I am going #A7K2"))
    #expect(Sentences.spoken(sms).contains("very long"))
    sms.why = "Fell in the bath."
    #expect(Sentences.spoken(sms).contains("needs help: Fell in the bath."))
    sms.hasRoom = true
    sms.why = "摔倒了"
    #expect(MessageText.text(sms).contains("needs help. 摔倒了."))
  }

  @Test(
    "The map that the link opens is a setting",
    arguments: [
      (MapLink.openStreetMap, "https://osm.org/?mlat=52.09012&mlon=5.12130&zoom=17"),
      (.geo, "geo:52.09012,5.12130"), (.google, "https://maps.google.com/?q=52.09012,5.12130"),
    ])
  func maps(map: MapLink, link: String) throws {
    var house = House(settings: ["mapLink": .string(map.rawValue)])
    house.fix()
    try house.press()
    house.wait(until: 15)
    #expect(!house.messages.isEmpty)
    #expect(house.messages.allSatisfy { $0.message.text.contains(link) })
    var settings = AlarmSettings()
    #expect(settings.value("mapLink") == "openstreetmap")
    #expect(throws: CommandReply.Refusal.self) { try settings.set("mapLink", to: "paper") }
  }

  @Test("A guardian without a phone is not told to text, and one whose texts all fail no more")
  func answers() throws {
    let carol = Guardian(
      id: "carol", resident: "mary", name: "Carol", email: "carol@example.org")
    var house = House(guardians: [House.anna, carol])
    let alarm = try house.press()
    house.wait(until: 15)
    func mail(_ id: GuardianID) -> String {
      house.messages.last { $0.message.guardian == id && $0.message.channel == .email }?.message
        .text ?? ""
    }
    #expect(mail("anna").contains("Answer 1 to the text message"))
    #expect(mail("carol").contains("--by carol") && !mail("carol").contains("text message"))
    house.report(alarm, "anna", "sms", .failed, detail: "no modem")
    house.report(alarm, "anna", "voice", .failed, detail: "no modem")
    house.wait(until: 90)
    #expect(mail("anna").contains("--by anna") && !mail("anna").contains("text message"))
  }

  @Test("An open alarm is told in the language of whoever reads, else in the resident's own")
  func readers() throws {
    var house = House(settings: ["language": "zh"])
    try house.press()
    house.wait(until: 15)
    let told = [nil, Language.en].map {
      house.engine.summaries(in: $0).first?["explanation"]?.stringContent
    }
    #expect(told == ["Mary Smith请求帮助。", "Mary Smith asked for help."])
    let alarm = try #require(house.engine.alarms(toldTo: House.anna).first)
    let linked = [nil, Language.en].map {
      house.engine.alarm(alarm, toldTo: House.anna, in: $0)?["explanation"]?.stringContent
    }
    #expect(linked == told)
  }

  @Test("What became of a message is told by its kind, and never by a word for programs")
  func deliveries() {
    for language in [Language.en, .zh] {
      var told: Set<String> = []
      for channel in Guardian.Channel.allCases.map(Optional.some) + [nil] {
        for outcome in DeliveryReport.Outcome.allCases {
          for reason in ["", "The line is busy."] {
            let words = DeliveryWords.sentence(outcome, channel, to: "Anna", reason: reason)
            told.insert(words.text(in: language))
          }
        }
      }
      // A reason is told of what failed alone.
      #expect(told.count == 5 * 4)
      let codes = ["sms", "email", "voice"]
      #expect(!told.contains { words in codes.contains(where: words.contains) })
      let lacking = Guardian.Channel.allCases.map { DeliveryWords.noWay($0).text(in: language) }
      #expect(Set(lacking).count == 4)
    }
  }

  @Test("Who calls again is told how, in words")
  func again() throws {
    var house = House()
    try house.press()
    try house.ask(.raise(resident: "mary", kind: .sos, trigger: .keyword, text: ""))
    #expect(
      house.all(.alarmRepeated).last?.draft.explanation
        == "Mary Smith: raised 2 times, the last time by the spoken word.")
  }

  @Test("Two guardians with one name are told apart by their ids")
  func namesakes() throws {
    let other = Guardian(
      id: "anna-2", resident: "mary", name: "Anna", email: "anna2@example.org")
    var house = House(guardians: [House.anna, other, House.bob])
    let alarm = try house.press()
    house.wait(until: 15)
    let told = house.all(.alarmDispatched).first?.draft.explanation
    #expect(told == "Being told: Anna (anna), Anna (anna-2).")
    house.report(alarm, "anna-2", "email", .sent)
    #expect(
      house.all(.alarmDelivery).last?.draft.explanation
        == "The e-mail to Anna (anna-2) was sent.")
    try house.ask(.acknowledge(alarm: nil, by: "anna-2"))
    #expect(
      house.all(.alarmAcknowledged).last?.draft.explanation
        == "Anna (anna-2) takes charge, says root at the gateway.")
  }

  @Test("A test that somebody asked for is not called the monthly one")
  func tests() {
    var test = facts()
    test.notice = .test
    test.kind = .test
    #expect(!MessageText.text(test).contains("monthly"))
    test.isScheduled = true
    #expect(MessageText.text(test).contains("monthly"))
  }

  @Test func theChineseTextFitsTwoParts() {
    let text = MessageText.text(facts("王秀英", language: "zh"))
    #expect(
      text == "【求助】王秀英 14:32 需要帮助。 52.09012,5.12130 电量64% ±8米 12秒前 "
        + "https://osm.org/?mlat=52.09012&mlon=5.12130&zoom=17 回复1=我去 #A7K2")
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
            #expect(text.contains("https://osm.org/?mlat=-52.09012&mlon=-135.12130"), "\(text)")
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
      test.isScheduled = true
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
