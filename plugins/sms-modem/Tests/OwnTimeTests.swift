import Care
import Moments
import ShortMessage
import Testing

@testable import homeward_plugin_sms_modem

@Suite("The time of a hub whose clock nobody has set")
struct OwnTimeTests {
  private static let today = Timestamp.seconds(1_800_000_000)
  private static let day: Int64 = 86_400_000

  private func told(at time: Timestamp) -> ToldNumbers {
    var told = ToldNumbers()
    told.note(Self.dispatch, at: time)
    return told
  }

  private static let dispatch = Dispatch(
    AlarmMessage(
      alarm: "alarm-1", tag: "A7K2", notice: .alarm, guardian: "anna", channel: .sms,
      address: "+4791234567", attempt: 1, text: "help", spokenText: "help", language: "en",
      asksForAcknowledgement: true))

  @Test("Who was told in 1970 is still known when network time arrives a minute later")
  func clockIsSet() throws {
    let time = SteadyTime(now: .seconds(60), notBefore: nil, at: .seconds(60))
    let told = told(at: time.time(at: .seconds(60)))
    #expect(told.holder(of: try sender(), at: time.time(at: .seconds(120))) != nil)
    // The state file is read again by a plugin that knows the time.
    let again = ToldNumbers(json: told.json, now: Self.today)
    #expect(again.holder(of: try sender(), at: Self.today) != nil)
  }

  @Test("A power cut that takes the clock back to 1970 forgets nobody either")
  func clockIsLost() throws {
    let kept = told(at: Self.today)
    let again = ToldNumbers(json: kept.json, now: .seconds(5))
    let time = SteadyTime(now: .seconds(5), notBefore: again.newestTime, at: .seconds(5))
    #expect(again.holder(of: try sender(), at: time.time(at: .seconds(65))) != nil)
    let week = Tick.seconds(5).advanced(byMilliseconds: 8 * Self.day)
    #expect(again.holder(of: try sender(), at: time.time(at: week)) == nil)
  }

  @Test("Yesterday's answer is old by what the message centres said, though the clock shows 1970")
  func oldAnswer() {
    var network = NetworkTime()
    let yesterday = Self.today.advanced(byMilliseconds: -Self.day)
    let in1970 = Timestamp.seconds(60)
    #expect(network.age(of: yesterday, at: in1970, isClockKept: false) < 0)
    network.note(Self.today)
    #expect(network.age(of: yesterday, at: in1970, isClockKept: false) == Self.day)
    #expect(network.age(of: Self.today, at: in1970, isClockKept: false) == 0)
    // Where the clock is kept right, no message centre's error makes an answer old.
    #expect(network.age(of: Self.today, at: Self.today, isClockKept: true) == 0)
    network.note(Self.today.advanced(byMilliseconds: 365 * Self.day))
    #expect(network.age(of: Self.today, at: Self.today, isClockKept: true) == 0)
  }

  @Test("A report of delivery tells when the centre took the message")
  func reportTellsTime() throws {
    // Status report for reference 7, to +4791234567, taken 2026-11-20 20:49:05 +1:00, delivered.
    let octets: [UInt8] = [
      0x00, 0x06, 0x07, 0x0A, 0x91, 0x74, 0x19, 0x32, 0x54, 0x76,
      0x62, 0x11, 0x02, 0x02, 0x94, 0x50, 0x40, 0x62, 0x11, 0x02, 0x02, 0x94, 0x60, 0x40, 0x00,
    ]
    guard case .statusReport(let report) = try IncomingFrame(octets: octets) else {
      Issue.record("it is no report")
      return
    }
    #expect(report.takenAt?.iso8601 == "2026-11-20T19:49:05.000Z")
    #expect(report.outcome == .delivered)
  }

  private func sender() throws -> PhoneAddress {
    try #require(PhoneAddress(number: "+4791234567"))
  }
}
