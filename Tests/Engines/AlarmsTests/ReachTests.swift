import Care
import CivilTime
import JSON
import Moments
import Testing
import Texts

@testable import Alarms

@Suite("Ways to guardians: offered, proved, failing")
struct ReachTests {
  private func offer(_ channels: Guardian.Channel..., isRunning: Bool = true) -> AlarmInput {
    .ways(
      WaysReport(
        offers: channels.map {
          WaysReport.Offer(channel: $0, plugin: "p-\($0.rawValue)", isRunning: isRunning)
        }))
  }

  private func reach(_ house: House, failed: Set<String> = []) -> Reach {
    let engine = house.engine
    return GuardianReach(
      in: engine.house, by: engine.carriers, engine.state.ways, failed: failed, at: house.now)[
        "mary"]
  }

  private func states(_ house: House, failed: Set<String> = []) -> [String] {
    reach(house, failed: failed).ways.map { "\($0.guardian)/\($0.channel) \($0.state)" }
  }

  // MARK: What does not exist is said once

  @Test("A way that no plugin offers is said once in the life of an alarm, and never tried")
  func missingWayIsSaidOnce() throws {
    var house = House(guardians: [House.anna])
    house.handle(offer(.email))
    let alarm = try house.press()
    house.wait(until: 12)
    house.report(alarm, "anna", "email", .sent)
    house.report(alarm, "anna", "email", .delivered)
    house.wait(until: 3600)
    _ = try house.ask(
      .resolve(alarm: nil, by: nil, reason: "fine"), as: Principal(channel: .gateway, name: "test"))
    house.wait(until: 3 * 3600)
    #expect(house.messages.allSatisfy { $0.message.channel == .email })
    let said = house.all(.alarmDelivery).filter { $0.draft.text("outcome") == "failed" }
      .map { "\($0.draft.text("channel")) \($0.draft.text("notice"))" }
    // The end was handed over by e-mail and never answered.
    #expect(said.filter { !$0.hasPrefix("email") } == ["sms alarm", "voice alarm"])
    let text = house.all(.alarmDelivery).first?.draft.text("explanation") ?? ""
    #expect(text == "The text message to Anna failed: No plugin sends text messages.")
  }

  @Test("The end of an alarm waits for a way that went away, and goes out when it is back")
  func noticeWaitsForItsWay() throws {
    var house = House(guardians: [House.anna])
    house.handle(offer(.sms, .email))
    let alarm = try house.press()
    house.wait(until: 12)
    house.report(alarm, "anna", "sms", .sent)
    house.handle(offer(.email))
    _ = try house.ask(
      .resolve(alarm: nil, by: nil, reason: "fine"), as: Principal(channel: .gateway, name: "test"))
    let before = house.messages.count
    house.wait(until: 900)
    func ends(_ channel: String) -> Int {
      house.messages.dropFirst(before).filter {
        $0.message.notice == .cancelled && $0.message.channel.rawValue == channel
      }.count
    }
    #expect(ends("sms") == 0)
    house.handle(offer(.sms, .email))
    house.wait(until: 901)
    #expect(ends("sms") == 1)
    // News that nobody could be told in its hour is no news any more.
    var late = House(guardians: [House.anna])
    late.handle(offer(.sms))
    let second = try late.press()
    late.wait(until: 12)
    late.report(second, "anna", "sms", .sent)
    late.handle(offer())
    _ = try late.ask(
      .resolve(alarm: nil, by: nil, reason: "fine"), as: Principal(channel: .gateway, name: "test"))
    late.wait(until: 8000)
    late.handle(offer(.sms))
    late.wait(until: 8100)
    #expect(!late.messages.contains { $0.message.notice == .cancelled })
  }

  @Test("The alarm itself goes out as soon as a plugin offers the way, also after a power cut")
  func alarmWaitsForItsWay() throws {
    var house = House(guardians: [House.anna])
    house.handle(offer())
    try house.press()
    house.wait(until: 600)
    #expect(house.messages.isEmpty)
    #expect(house.lights.last == .failed)
    house.cutPower()
    house.handle(offer())
    #expect(house.messages.isEmpty)
    house.handle(offer(.sms))
    house.wait(until: house.second + 1)
    #expect(house.messages.map(\.message.channel) == [.sms])
  }

  @Test("Where no plugin reaches the first, the reserve is told at once")
  func reserveIsToldAtOnce() throws {
    var house = House(guardians: [
      Guardian(id: "anna", resident: "mary", name: "Anna", email: "anna@example.org"), House.bob,
    ])
    house.handle(offer(.sms))
    try house.press()
    house.wait(until: 11)
    #expect(house.messages.map { $0.message.guardian.rawValue } == ["bob"])
    let words = house.all(.alarmDispatched).first?.draft.text("explanation")
    #expect(words == "Nobody can be told: no plugin reaches Anna. Call somebody yourself.")
  }

  // MARK: What is known

  @Test("Nothing is judged before it is known what plugins offer")
  func unknown() {
    let house = House(guardians: [])
    #expect(reach(house).isReachable && !reach(house).isKnown)
  }

  @Test(
    "No guardian, no plugin, a dead plugin, failing attempts: nobody can be told, and each says why"
  )
  func nobody() throws {
    var house = House(guardians: [])
    house.handle(offer(.sms))
    #expect(!reach(house).isReachable)
    #expect(reach(house).explanation.description.contains("homeward guardians add"))

    house = House(guardians: [House.anna])
    house.handle(offer(.push))
    #expect(states(house) == ["anna/sms missing", "anna/voice missing", "anna/email missing"])
    #expect(!reach(house).isReachable)
    #expect(reach(house).explanation.description.contains("no plugin offers sms"))

    house.handle(offer(.sms, isRunning: false))
    #expect(states(house).first == "anna/sms down" && !reach(house).isReachable)
    house.handle(offer(.sms))
    #expect(states(house).first == "anna/sms untried" && reach(house).isReachable)
    #expect(states(house, failed: ["p-sms"]).first == "anna/sms down")

    let alarm = try house.press()
    house.wait(until: 12)
    house.report(alarm, "anna", "sms", .failed, detail: "no network")
    #expect(states(house).first == "anna/sms failing" && !reach(house).isReachable)
    #expect(reach(house).explanation.description.contains("no network"))
    house.wait(until: 30)
    house.report(alarm, "anna", "sms", .sent)
    #expect(states(house).first == "anna/sms proven" && reach(house).isReachable)
  }

  @Test("What is proved survives a power cut, and grows old")
  func proofSurvives() throws {
    var house = House(guardians: [House.anna])
    house.handle(offer(.sms))
    let alarm = try house.press()
    house.wait(until: 12)
    house.report(alarm, "anna", "sms", .sent)
    house.report(alarm, "anna", "sms", .delivered)
    let proven = reach(house).ways.first?.proven?.utc
    house.cutPower(seconds: 86_400)
    house.handle(offer(.sms))
    #expect(reach(house).ways.first?.proven?.utc == proven)
    #expect(reach(house).ways.first?.proof == "delivered")
    #expect(reach(house).isProvenNow)
    house.cutPower(seconds: 7 * 86_400)
    house.handle(offer(.sms))
    #expect(!reach(house).isProvenNow && !reach(house).isFresh && reach(house).isReachable)
  }

  @Test("What was never tried is fresh for its first week only")
  func neverTried() {
    var house = House(guardians: [House.anna])
    house.handle(offer(.sms))
    #expect(reach(house).isFresh && !reach(house).isProvenNow)
    house.cutPower(seconds: 8 * 86_400)
    house.handle(offer(.sms))
    #expect(!reach(house).isFresh)
  }

  private func notices(_ house: House) -> [String] {
    house.messages.filter { $0.message.notice == .news }.map {
      "\(Int64($0.second) / 86_400) \($0.message.guardian)/\($0.message.channel.rawValue)"
    }
  }

  @Test(
    "That no way has been proved for a week is told each week to whoever can be reached, until one is"
  )
  func weeklyNotice() throws {
    var anna = House.anna
    anna.language = "zh"
    var house = House(guardians: [anna, House.bob], settings: ["monthlyTest": false])
    house.handle(offer(.sms, .email))
    house.wait(until: 6.9 * 86_400)
    #expect(notices(house).isEmpty)
    house.wait(until: 21.9 * 86_400)
    let each = ["anna/sms", "anna/email", "bob/sms"]
    #expect(notices(house) == [7, 14, 21].flatMap { day in each.map { "\(day) \($0)" } })
    let texts = house.messages.map(\.message).filter { $0.notice == .news }
    #expect(texts.allSatisfy { !$0.asksForAcknowledgement && !$0.text.isEmpty })
    #expect(texts.last?.text.contains("homeward alarm test") == true)
    #expect(texts.first?.language == "zh" && texts.last?.language == "en")
    let told = house.all(.alarmTested).filter { $0.draft.text("test") == "guardians" }
    #expect(told.map { Int64($0.second) / 86_400 } == [7, 14, 21])
    #expect(told.allSatisfy { $0.draft.resident == "mary" && $0.draft.facts["isProven"] == false })
    // Such a notice that gets through is a proof itself.
    house.report(
      AlarmID(texts.last?.alarm.rawValue ?? ""), "bob", "sms", .sent, notice: .news)
    #expect(reach(house).isProvenNow)
    house.wait(until: 27.9 * 86_400)
    #expect(notices(house).count == 9)
    house.wait(until: 29.5 * 86_400)
    #expect(notices(house).count == 12, "and a week after that one it begins again")
  }

  @Test(
    "The weekly notice waits for a fit hour, keeps its week over a power cut, and goes nowhere that leads nowhere"
  )
  func weeklyNoticeHours() {
    var house = House(guardians: [House.anna], settings: ["monthlyTest": false])
    house.zone = .utc
    house.handle(offer(.sms))
    house.wait(until: 8.5 * 86_400)
    let hours = house.messages.map { entry in
      CivilDateTime(utc: House.start.utc.advanced(byMilliseconds: Int64(entry.second) * 1000)).hour
    }
    #expect(hours.count == 1 && hours.allSatisfy { (10..<18).contains($0) }, "\(hours)")
    house.cutPower()
    house.handle(offer(.sms))
    house.wait(until: house.second + 3 * 86_400)
    #expect(notices(house).count == 1)
    house.handle(offer())
    house.wait(until: house.second + 14 * 86_400)
    #expect(notices(house).count == 1, "nobody can be reached, which is a fault of its own")
  }

  @Test("A test proves the way and is remembered as one; an answer proves it as well")
  func testsAndAnswers() throws {
    var house = House(guardians: [House.anna])
    house.handle(offer(.sms))
    let reply = try house.ask(.test(resident: "mary"))
    let test = AlarmID(reply["alarm"]?.stringContent ?? "")
    house.wait(until: 1)
    house.report(test, "anna", "sms", .sent, notice: .test)
    #expect(reach(house).ways.first?.tested != nil)
    #expect(reach(house).ways.first?.proof == "sent")
    house.wait(until: 60)
    let alarm = try house.press()
    house.wait(until: 75)
    house.report(alarm, "anna", "sms", .sent)
    _ = try house.ask(
      .acknowledge(alarm: nil, by: "+4791234567"),
      as: Principal(channel: .plugin, name: "p-sms/anna"))
    #expect(reach(house).ways.first?.proof == "answer")
    #expect(states(house).first == "anna/sms proven")
  }

  @Test("A new number has everything to prove, and a guardian who left leaves nothing behind")
  func changes() throws {
    var house = House(guardians: [House.anna])
    house.handle(offer(.sms))
    let alarm = try house.press()
    house.wait(until: 12)
    house.report(alarm, "anna", "sms", .sent)
    var moved = House.anna
    moved.phone = "+4799999999"
    house.guardians = [moved]
    house.handle(.guardiansChanged([moved]))
    #expect(states(house).first == "anna/sms untried")
    house.guardians = []
    house.handle(.guardiansChanged([]))
    #expect(!house.store.keys.contains { $0.contains("way:") })
  }
}
