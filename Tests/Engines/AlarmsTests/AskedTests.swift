import Care
import JSON
import Testing

@testable import Alarms

/// What became of a message says the plugin that was asked to carry it, of the attempt that it was asked for, and nobody
/// else.
@Suite("Who may say what became of a message")
struct AskedTests {
  private func house() throws -> (House, AlarmID) {
    var house = House()
    house.offer([.sms, .email], by: "carrier")
    let alarm = try house.press()
    house.wait(until: 12)
    return (house, alarm)
  }

  private func progress(_ house: House, _ channel: Guardian.Channel = .sms) -> String? {
    house.engine.state.alarms.first?.messages.first {
      $0.guardian == "anna" && $0.channel == channel && $0.notice == .alarm
    }?.progress.rawValue
  }

  private func proof(_ house: House) -> WayRecord.Proof? {
    house.engine.state.ways[GuardianWay(guardian: "anna", channel: .sms)]?.proof
  }

  @Test("Another plugin's word changes nothing and proves nothing; the word of the one asked does")
  func onlyTheAsked() throws {
    var (house, alarm) = try house()
    #expect(progress(house) == "handed")
    for outcome in DeliveryReport.Outcome.allCases {
      house.report(alarm, "anna", "sms", outcome, by: "liar")
    }
    #expect(progress(house) == "handed")
    #expect(proof(house) == nil)
    #expect(house.all(.alarmDelivery).allSatisfy { $0.draft.facts["channel"] != "sms" })
    house.report(alarm, "anna", "sms", .delivered)
    #expect(progress(house) == "delivered")
    #expect(proof(house) == .delivered)
  }

  @Test("Where no plugin took the message, none can say that it arrived")
  func nobodyAsked() throws {
    var house = House()
    house.offer([], by: "carrier")
    let alarm = try house.press()
    house.wait(until: 12)
    #expect(progress(house) == "no-way")
    house.report(alarm, "anna", "sms", .delivered, by: "liar")
    #expect(progress(house) == "no-way")
    #expect(house.all(.alarmDelivery).allSatisfy { $0.draft.text("outcome") == "failed" })
  }

  @Test(
    "Before it is known what plugins offer, the gateway's own failure closes the door to others")
  func notKnownYet() throws {
    var house = House()
    let alarm = try house.press()
    house.wait(until: 12)
    house.report(alarm, "anna", "sms", .failed, detail: "no plugin runs", by: "")
    house.report(alarm, "anna", "sms", .delivered, by: "liar")
    #expect(progress(house) == "failed")
  }

  @Test("A report of another attempt than the newest is too late")
  func otherAttempt() throws {
    var (house, alarm) = try house()
    house.report(alarm, "anna", "sms", .failed, attempt: 1)
    house.wait(until: 20)
    #expect(progress(house) == "handed")
    house.report(alarm, "anna", "sms", .delivered, attempt: 1)
    #expect(progress(house) == "handed")
    house.report(alarm, "anna", "sms", .delivered, attempt: 2)
    #expect(progress(house) == "delivered")
  }

  @Test("What was said once is not awaited a second time")
  func onlyOnce() throws {
    var (house, alarm) = try house()
    house.report(alarm, "anna", "sms", .delivered)
    let again = DeliveryReport(
      plugin: "carrier", event: EventID(alarm.rawValue), recipient: "anna", channel: "sms",
      outcome: .delivered, notice: .alarm)
    #expect(!house.engine.register.isAwaited(again))
    #expect(
      house.engine.register.isAwaited(
        DeliveryReport(
          plugin: "carrier", event: EventID(alarm.rawValue), recipient: "anna", channel: "email",
          outcome: .delivered, notice: .alarm)))
  }

  @Test("Who was asked is known after a power cut as well")
  func kept() throws {
    var (house, alarm) = try house()
    house.report(alarm, "anna", "sms", .sent)
    house.cutPower()
    house.report(alarm, "anna", "sms", .delivered, by: "liar")
    #expect(progress(house) == "sent")
    house.report(alarm, "anna", "sms", .delivered, by: "carrier")
    #expect(progress(house) == "delivered")
  }

  @Test("Of news, too, only the plugin that was asked may speak")
  func news() {
    var house = House()
    house.offer([.email], by: "carrier")
    let message = AlarmMessage(
      alarm: "news-1", tag: "", notice: .news, guardian: "anna", channel: .email,
      address: "anna@example.org", attempt: 1, text: "", spokenText: "", language: "en",
      asksForAcknowledgement: false)
    house.handle(.signalled(.told(message)))
    let way = GuardianWay(guardian: "anna", channel: .email)
    house.report("news-1", "anna", "email", .sent, notice: .news, by: "liar")
    house.report("news-2", "anna", "email", .sent, notice: .news)
    #expect(house.engine.state.ways[way]?.proof == nil)
    house.report("news-1", "anna", "email", .sent, notice: .news)
    house.report("news-1", "anna", "email", .delivered, notice: .news)
    #expect(house.engine.state.ways[way]?.proof == .delivered)
    house.report("news-1", "anna", "email", .failed, notice: .news)
    #expect(house.engine.state.ways[way]?.failing == nil, "it is settled")
    for number in 0..<1000 {
      var other = message
      other.alarm = AlarmID("other-\(number)")
      house.handle(.signalled(.told(other)))
    }
    house.report("other-743", "anna", "email", .failed, notice: .news)
    #expect(house.engine.state.ways[way]?.failing == nil, "256 are remembered")
    house.report("other-744", "anna", "email", .failed, notice: .news)
    #expect(house.engine.state.ways[way]?.failing != nil)
  }
}
