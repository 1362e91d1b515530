import Care
import JSON
import Moments
import Testing

@testable import Protection

/// Until each has it: by every way, for a day, over restarts.
@Suite("Notices that wait to be sent")
struct NoticeDeskTests {
  private static func moment(
    _ seconds: Int64, tick: Int64? = nil, _ quality: TimeQuality = .synchronised
  ) -> Moment {
    Moment(
      tick: .seconds(tick ?? seconds), utc: .seconds(1_800_000_000 + seconds), quality: quality)
  }

  private static func message(
    _ channel: Guardian.Channel = .email, to guardian: GuardianID = "ada", alarm: AlarmID = "e-1"
  ) -> AlarmMessage {
    AlarmMessage(
      alarm: alarm, tag: "", notice: .news, guardian: guardian, channel: channel,
      address: "\(channel.rawValue):\(guardian)", attempt: 0, text: "x", spokenText: "x",
      language: "en", asksForAcknowledgement: false)
  }

  private static func report(
    _ outcome: DeliveryReport.Outcome, _ channel: Guardian.Channel = .email,
    to guardian: String = "ada", event: EventID = "e-1"
  ) -> DeliveryReport {
    DeliveryReport(
      plugin: "p", event: event, recipient: guardian, channel: channel.rawValue, outcome: outcome)
  }

  private var desk = NoticeDesk(rows: [], boot: "b", at: moment(0))

  private mutating func put(_ message: AlarmMessage, isReserve: Bool = false, at seconds: Int64 = 0)
  {
    _ = desk.put(message, isReserve: isReserve, at: Self.moment(seconds))
  }

  /// The attempts that go out at a time.
  private mutating func attempts(at seconds: Int64) -> [Int64] {
    desk.takeDue(at: Self.moment(seconds)).messages.map(\.attempt)
  }

  private mutating func hear(_ report: DeliveryReport, at seconds: Int64) -> Int {
    desk.note(report, at: Self.moment(seconds)).count
  }

  @Test("What fails is tried again after longer and longer pauses")
  mutating func pauses() {
    put(Self.message())
    var now: Int64 = 0
    for (number, pause) in [30, 60, 300, 900, 900, 900].enumerated() {
      #expect(attempts(at: now) == [Int64(number + 1)])
      #expect(attempts(at: now + 1).isEmpty)
      #expect(hear(Self.report(.failed), at: now + 5) == 1)
      now += 5 + Int64(pause)
      #expect(desk.nextWake == .seconds(now))
      #expect(attempts(at: now - 1).isEmpty)
    }
  }

  @Test("Whoever says nothing for ninety seconds has failed")
  mutating func silence() {
    put(Self.message())
    #expect(attempts(at: 0) == [1] && desk.nextWake == .seconds(90))
    #expect(attempts(at: 89).isEmpty)
    #expect(attempts(at: 90).isEmpty && desk.nextWake == .seconds(120))
    #expect(attempts(at: 120) == [2])
  }

  @Test("After a day it is given up, and until then it was tried as often as there was time")
  mutating func life() {
    put(Self.message())
    var tried: [Tick] = []
    while let wake = desk.nextWake, tried.count < 1000 {
      let now = Self.moment(wake.nanoseconds / 1_000_000_000)
      let (messages, changes) = desk.takeDue(at: now)
      if messages.isEmpty {
        #expect(wake == .seconds(86_400) && changes.count == 1)
      } else {
        tried.append(wake)
        _ = desk.note(Self.report(.failed), at: now)
      }
    }
    // At 0, 30, 90 and 390 seconds, and then each quarter of an hour until 85,890.
    #expect(tried.count == 99 && tried.last == .seconds(85_890))
    #expect(desk.rows.isEmpty && desk.nextWake == nil)
  }

  @Test(
    "What was sent is over, what is about something else is not, and a late failure changes nothing"
  )
  mutating func reports() {
    put(Self.message())
    put(Self.message(.push))
    put(Self.message(to: "ole"))
    put(Self.message(alarm: "e-2"))
    #expect(attempts(at: 0) == [1, 1, 1, 1])
    for other in [
      Self.report(.sent, .sms), Self.report(.sent, to: "eve"), Self.report(.sent, event: "e-3"),
    ] {
      #expect(hear(other, at: 1) == 0)
    }
    #expect(hear(Self.report(.sent), at: 1) == 1)
    #expect(hear(Self.report(.failed), at: 2) == 0 && hear(Self.report(.sent), at: 2) == 0)
    #expect(hear(Self.report(.delivered, .push), at: 3) == 1)
    #expect(desk.rows.map(\.name) == ["notice:e-1/ole/email", "notice:e-2/ada/email"])
  }

  @Test("A reserve goes out after ten minutes, and not at all when a quieter way brought it")
  mutating func reserves() {
    put(Self.message())
    put(Self.message(.sms), isReserve: true)
    #expect(attempts(at: 0) == [1])
    desk.tryAgain([.sms], at: Self.moment(10))
    #expect(attempts(at: 10).isEmpty)
    var sent = self
    #expect(sent.hear(Self.report(.sent), at: 20) == 2)
    #expect(sent.desk.rows.isEmpty)
    // Nobody brought it: the text goes out, and is no reserve any more.
    #expect(hear(Self.report(.failed), at: 599) == 1)
    #expect(desk.nextWake == .seconds(600))
    let messages = desk.takeDue(at: Self.moment(600)).messages
    #expect(messages.map(\.channel) == [.sms])
    #expect(hear(Self.report(.sent), at: 601) == 1)
    #expect(desk.rows.map(\.name) == ["notice:e-1/ada/sms"])
  }

  @Test("Another guardian's reserve, and that of another event, still goes out")
  mutating func othersReserves() {
    put(Self.message())
    put(Self.message(.sms, to: "ole"), isReserve: true)
    put(Self.message(.sms, alarm: "e-2"), isReserve: true)
    #expect(hear(Self.report(.sent), at: 1) == 1)
    #expect(desk.takeDue(at: Self.moment(600)).messages.map(\.guardian) == ["ole", "ada"])
  }

  @Test("When another way is offered, what waits for its next attempt goes out at once")
  mutating func tryAgain() {
    put(Self.message())
    put(Self.message(.push))
    #expect(attempts(at: 0) == [1, 1])
    _ = hear(Self.report(.failed), at: 1)
    _ = hear(Self.report(.failed, .push), at: 1)
    desk.tryAgain([.email], at: Self.moment(5))
    #expect(desk.nextWake == .seconds(5))
    #expect(desk.takeDue(at: Self.moment(5)).messages.map(\.channel) == [.email])
    // Who has one is not handed it twice.
    desk.tryAgain([.email], at: Self.moment(6))
    #expect(attempts(at: 6).isEmpty && desk.nextWake == .seconds(31))
  }

  @Test("After a restart it is handed out again as the same attempt, and waits anew for an answer")
  mutating func restart() {
    put(Self.message())
    put(Self.message(.sms), isReserve: true)
    #expect(attempts(at: 0) == [1])
    var next = NoticeDesk(rows: desk.rows, boot: "b", at: Self.moment(50))
    #expect(next == desk)
    #expect(next.resume(at: Self.moment(50)).map(\.attempt) == [1])
    #expect(next.nextWake == .seconds(140))
  }

  @Test("The day that it is tried goes on over another boot, by the clock where that is trusted")
  mutating func boots() {
    put(Self.message())
    _ = attempts(at: 0)
    _ = hear(Self.report(.failed), at: 0)
    // An hour before its end, on a machine that has just started.
    let known = Self.moment(82_800, tick: 10)
    var next = NoticeDesk(rows: desk.rows, boot: "c", at: known)
    #expect(next.takeDue(at: known).messages.map(\.attempt) == [2])
    let end = Self.moment(86_400, tick: 3610)
    #expect(next.takeDue(at: end).messages.isEmpty && next.rows.isEmpty)
    // Nobody knows how long it was off: it has its whole day again.
    let unknown = Self.moment(82_800, tick: 10, .untrusted)
    next = NoticeDesk(rows: desk.rows, boot: "c", at: unknown)
    #expect(next.nextWake == .seconds(40))
    #expect(next.takeDue(at: Self.moment(0, tick: 3610, .untrusted)).messages.count == 1)
  }

  @Test("The oldest makes room for one more than there is room for, and its row goes")
  mutating func most() {
    for number in 0..<128 { put(Self.message(alarm: AlarmID("e-\(number)"))) }
    let changes = desk.put(Self.message(alarm: "more"), at: Self.moment(1))
    #expect(
      changes.first
        == .removeEngineRow(engine: "guards", subject: "gateway", name: "notice:e-0/ada/email"))
    #expect(changes.count == 2 && desk.rows.count == 128)
    #expect(desk.rows.last?.name == "notice:more/ada/email")
  }

  @Test("Rows that cannot be read are no notices")
  func damaged() {
    let row = EngineRow(engine: "guards", subject: "gateway", name: "notice:x", content: ["a": 1])
    #expect(NoticeDesk(rows: [row], boot: "b", at: Self.moment(0)).rows.isEmpty)
  }
}
