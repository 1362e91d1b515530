import Care
import JSON
import Moments
import Testing

@testable import Alarms

@Suite struct TellingTests {
  private func seconds(_ house: House, _ way: String) -> [Double] {
    house.messages.filter { "\($0.message.guardian)/\($0.message.channel.rawValue)" == way }
      .map(\.second)
  }

  @Test func failedAttemptsAreTriedAgainSoonerThanUnansweredOnes() throws {
    var house = House(guardians: [Guardian(id: "bob", resident: "mary", name: "Bob", push: "p")])
    let alarm = try house.press()
    house.wait(until: 10)
    var expected = [10.0]
    for pause in [3.0, 5, 7, 15, 30, 60, 60, 60] {
      house.report(alarm, "bob", "push", .failed, detail: "no network")
      expected.append((expected.last ?? 0) + pause)
      house.wait(until: expected.last ?? 0)
    }
    #expect(seconds(house, "bob/push") == expected)
    #expect(house.all(.alarmDelivery).count == 1)
  }

  @Test func aTransportThatNeverAnswersCountsAsFailed() throws {
    var house = House()
    try house.press()
    house.wait(until: 39.5)
    #expect(house.all(.alarmDelivery).isEmpty)
    house.wait(until: 40)
    let failed = house.all(.alarmDelivery).map { $0.draft.text("channel") }
    #expect(failed == ["sms", "email"])
    house.wait(until: 43)
    #expect(seconds(house, "anna/sms") == [10, 43])
    house.wait(until: 99)
    #expect(seconds(house, "anna/voice") == [10])
    house.wait(until: 103)
    #expect(seconds(house, "anna/voice") == [10, 103])
  }

  @Test func anAlarmThatIsOpenForAWeekSendsNobodyThousandsOfMessages() throws {
    for outcome in [DeliveryReport.Outcome.delivered, .failed] {
      var house = House(guardians: [House.anna], settings: ["liveSlowSeconds": 3600])
      let alarm = try house.press()
      let week = 604_800.0
      while house.second < week {
        house.wait(until: min(week, house.second + 30))
        for channel in ["sms", "voice", "email"] {
          house.report(alarm, "anna", channel, .sent)
          house.report(alarm, "anna", channel, outcome)
        }
        if house.second > 4000, house.second < 500_000 {
          // Four days are like the others; the pace of one tells that of all.
          house.wait(until: house.second + 900)
        }
      }
      let texts = seconds(house, "anna/sms")
      #expect(texts.filter { $0 < 3600 }.count > 50)
      #expect(texts.count < 800, "\(texts.count)")
      let late = texts.filter { $0 > 3700 }
      #expect(zip(late, late.dropFirst()).allSatisfy { $1 - $0 >= 900 })
    }
  }

  @Test func aReportThatComesLateOrTwiceChangesNothing() throws {
    var house = House()
    let alarm = try house.press()
    house.report(alarm, "anna", "sms", .delivered)
    #expect(house.all(.alarmDelivery).isEmpty)
    house.wait(until: 11)
    house.report(alarm, "anna", "sms", .delivered)
    house.report(alarm, "anna", "sms", .sent)
    house.report(alarm, "anna", "sms", .failed)
    house.report(alarm, "anna", "sms", .delivered)
    house.report(alarm, "anna", "fax", .delivered)
    house.report(alarm, "eve", "sms", .delivered)
    house.report("other", "anna", "sms", .delivered)
    #expect(house.all(.alarmDelivery).map { $0.draft.text("outcome") } == ["delivered"])
    #expect(house.lights == [.stored, .delivered])
  }

  @Test func whenNobodyCanBeReachedTheRoomAndTheLampSaySo() throws {
    var house = House(guardians: [Guardian(id: "bob", resident: "mary", name: "Bob", push: "p")])
    let alarm = try house.press()
    house.wait(until: 10)
    house.report(alarm, "bob", "push", .failed, detail: "no network")
    #expect(house.lights.last == .failed)
    #expect(house.sounds.last?.request.speech.contains("nobody could be reached") == true)
    let count = house.sounds.count
    house.wait(until: 13)
    #expect(house.sounds.count == count)
    house.report(alarm, "bob", "push", .sent)
    #expect(house.lights.last == .sent)
    #expect(house.sounds.last?.request.speech.contains("help is being called") == true)
  }

  @Test func theSirenEndsInSpeechAndTheSpeechInNothingButAnAnswer() throws {
    var house = House()
    try house.press()
    house.wait(until: 249)
    #expect(house.sounds.last?.request.patterns.isEmpty == false)
    house.wait(until: 250)
    #expect(house.sounds.last?.request.patterns == [])
    #expect(house.sounds.last?.request.repetitions == nil)
    #expect(house.sounds.last?.request.pauseMilliseconds == 30_000)
  }

  @Test func aGuardianWhoIsAddedDuringAnAlarmIsToldAtOnce() throws {
    var house = House(guardians: [])
    try house.press()
    house.wait(until: 100)
    #expect(house.messages.isEmpty)
    #expect(house.lights.last == .failed)
    house.handle(.guardiansChanged([House.bob]))
    #expect(house.messages.map(\.message.guardian) == ["bob", "bob"])
    house.handle(.guardiansChanged([]))
    let count = house.messages.count
    house.wait(until: 400)
    #expect(house.messages.count == count)
  }

  @Test func everyoneReadsTheirOwnLanguage() throws {
    var bob = House.bob
    (bob.tier, bob.language) = (1, "zh")
    var house = House(guardians: [House.anna, bob])
    try house.press()
    house.wait(until: 60)
    let anna = try #require(house.messages.first { $0.message.guardian == "anna" }?.message)
    let heard = try #require(house.messages.first { $0.message.guardian == "bob" }?.message)
    #expect(anna.language == "en")
    #expect(anna.text.hasPrefix("SOS Mary Smith"))
    #expect(heard.language == "zh")
    #expect(heard.text.hasPrefix("【求助】Mary Smith"))
  }

  @Test func emptyTiersAreSkipped() throws {
    var late = House.bob
    late.tier = 3
    var house = House(guardians: [House.anna, late])
    try house.press()
    house.wait(until: 190)
    #expect(house.all(.alarmEscalated).map(\.draft.facts["tier"]) == [3])
  }

  @Test func livePositionsComeOftenThenSeldomThenNotAtAll() throws {
    var house = House()
    try house.press()
    for second in stride(from: 0.0, through: 700, by: 1) {
      house.wait(until: second)
      house.fix()
    }
    let times = house.all(.alarmLocation).map(\.second)
    #expect(times.first == 10)
    let fast = times.filter { $0 <= 300 }
    #expect(zip(fast, fast.dropFirst()).allSatisfy { $1 - $0 == 10 })
    let slow = times.filter { $0 >= 320 }
    #expect(zip(slow, slow.dropFirst()).allSatisfy { $1 - $0 == 30 })
    #expect(house.all(.alarmLocation).allSatisfy { $0.draft.facts["isStale"] == false })
    house.wait(until: 800)
    #expect(house.all(.alarmLocation).last?.draft.facts["isStale"] == true)
    try house.ask(.resolve(alarm: nil, by: "bob", reason: "found"))
    let count = house.all(.alarmLocation).count
    house.wait(until: 2000)
    #expect(house.all(.alarmLocation).count == count)
    let bursts = house.actions.filter { if case .sampleBurst = $0.action { true } else { false } }
    #expect(bursts.count > 30)
  }

  @Test func aPictureLeavesTheHouseOnlyAfterThePrealarmAndOnlyWhereItCan() throws {
    var house = House()
    let alarm = try house.press()
    #expect(house.actions.contains { $0.action == .photograph(alarm: alarm, resident: "mary") })
    house.handle(.photo(PhotoReport(alarm: alarm, path: "/photos/1.jpg")))
    #expect(house.all(.alarmPhoto).isEmpty)
    house.wait(until: 10)
    let photos = house.messages.map(\.message).filter { $0.notice == .photo }
    #expect(photos.map(\.channel) == [.email])
    #expect(photos.first?.attachment == "/photos/1.jpg")
    try house.ask(.photograph(resident: "mary"))
    house.report(alarm, "anna", "email", .sent, notice: .photo)
    house.handle(.photo(PhotoReport(alarm: alarm, path: nil, detail: "The camera is unplugged.")))
    #expect(house.all(.alarmPhoto).last?.draft.explanation.contains("unplugged") == true)
    house.handle(.photo(PhotoReport(alarm: alarm, path: "/photos/2.jpg")))
    let second = house.messages.map(\.message).last { $0.notice == .photo }
    #expect(second?.attachment == "/photos/2.jpg")
    #expect(second?.attempt == 2)
    var calm = House()
    #expect(calm.refusal(.photograph(resident: "mary"))?.code == .conflict)
  }

  @Test func theLampFollowsFromThePressToThePersonWhoComes() throws {
    var house = House()
    house.handle(.button(ButtonReport(button: "b", gesture: .down, edge: house.now.tick), "mary"))
    let alarm = try house.press()
    house.wait(until: 11)
    house.report(alarm, "anna", "sms", .sent)
    house.report(alarm, "anna", "sms", .delivered)
    try house.ask(.acknowledge(alarm: nil, by: "anna"))
    try house.ask(.resolve(alarm: nil, by: "bob", reason: "found"))
    #expect(house.lights == [.pressed, .stored, .sent, .delivered, .acknowledged, .off])
    house.handle(.button(ButtonReport(button: "b", gesture: .down, edge: house.now.tick), "mary"))
    house.wait(until: 20)
    #expect(house.lights.suffix(2) == [.pressed, .off])
  }
}

extension EventDraft {
  var explanation: String { text("explanation") }
}
