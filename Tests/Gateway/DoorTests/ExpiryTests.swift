import Care
import Moments
import Testing

@testable import Door

/// Until when a command counts, and of which alarm.
@Suite("Expiry of commands") struct ExpiryTests {
  private static let now = Moment(
    tick: .seconds(100_000), utc: Timestamp(milliseconds: 1_795_000_000_000),
    quality: .synchronised)
  private static let in1970 = Moment(
    tick: .seconds(100_000), utc: Timestamp(milliseconds: 5_000), quality: .untrusted)
  private static let plugin = Principal(channel: .plugin, name: "mqtt/anna")
  private static let local = Principal(channel: .local, name: "ole")
  private static let locate = Command.Request.locate(resident: "mary")
  private static let take = Command.Request.alarm(.acknowledge(alarm: nil, by: nil))
  private static let takeNamed = Command.Request.alarm(.acknowledge(alarm: "A7K2", by: nil))

  private func command(
    _ request: Command.Request, by principal: Principal = plugin, expiresIn: Int64? = nil,
    freshFor: Int64? = nil, sentBefore: Int64? = nil, at now: Moment = now
  ) -> Command {
    Command(
      id: "c", principal: principal,
      expiresAt: expiresIn.map { now.utc.advanced(byMilliseconds: $0 * 1000) },
      freshUntil: freshFor.map { now.tick.advanced(byMilliseconds: $0 * 1000) },
      sentAt: sentBefore.map { now.utc.advanced(byMilliseconds: -$0 * 1000) }, request: request)
  }

  /// Why it does not count; nil when it does.
  private func fault(_ command: Command, at now: Moment = now) -> CommandReply.Refusal.Code? {
    do throws(CommandReply.Refusal) {
      _ = try CommandExpiry.admit(command, at: now)
      return nil
    } catch {
      return error.code
    }
  }

  @Test("An id has 1 through 128 bytes")
  func form() {
    for (id, isFit) in [
      ("", false), ("c", true), (String(repeating: "a", count: 128), true),
      (String(repeating: "a", count: 129), false), (String(repeating: "家", count: 43), false),
    ] {
      let command = Command(id: CommandID(id), principal: Self.local, request: Self.locate)
      if isFit {
        #expect(throws: Never.self) { try CommandExpiry.checkForm(of: command) }
      } else {
        #expect(throws: CommandReply.Refusal.self) { try CommandExpiry.checkForm(of: command) }
      }
    }
  }

  @Test("A plugin's command needs an expiry that has not passed and is no day away")
  func plugins() {
    #expect(fault(command(Self.locate)) == .expired)
    #expect(fault(command(Self.locate, expiresIn: 0)) == .expired)
    #expect(fault(command(Self.locate, expiresIn: 1)) == nil)
    #expect(fault(command(Self.locate, expiresIn: 86_400)) == nil)
    #expect(fault(command(Self.locate, expiresIn: 86_401)) == .invalid)
  }

  @Test("What is said on this machine needs none, and may name one as far away as it likes")
  func local() {
    #expect(fault(command(Self.locate, by: Self.local)) == nil)
    #expect(fault(command(Self.locate, by: Self.local, expiresIn: 1_000_000)) == nil)
    #expect(fault(command(Self.locate, by: Self.local, expiresIn: 0)) == .expired)
  }

  @Test("What was made just now counts whatever the clock shows, for ten minutes at most")
  func fresh() {
    for now in [Self.now, Self.in1970] {
      #expect(fault(command(Self.take, freshFor: 1, at: now), at: now) == nil)
      #expect(fault(command(Self.take, freshFor: 600, at: now), at: now) == nil)
      #expect(fault(command(Self.take, freshFor: 601, at: now), at: now) == .invalid)
      #expect(fault(command(Self.take, freshFor: 0, at: now), at: now) == .expired)
    }
  }

  @Test("Without a clock an expiry cannot be judged; what names its alarm needs none")
  func withoutClock() {
    func fault(_ request: Command.Request) -> CommandReply.Refusal.Code? {
      self.fault(command(request, expiresIn: 600, at: Self.in1970), at: Self.in1970)
    }
    #expect(fault(Self.locate) == .notNow)
    #expect(fault(Self.take) == .notNow)
    #expect(fault(Self.takeNamed) == nil)
  }

  @Test("What names no alarm says when it was sent, and that is at most five minutes ago")
  func unnamed() throws {
    func fault(_ seconds: Int64?) -> CommandReply.Refusal.Code? {
      self.fault(command(Self.take, expiresIn: 600, sentBefore: seconds))
    }
    #expect(fault(nil) == .expired)
    #expect(fault(300) == nil)
    #expect(fault(301) == .expired)
    // A clock that goes five minutes fast is forgiven.
    #expect(fault(-300) == nil)
    #expect(fault(-301) == .invalid)
    #expect(self.fault(command(Self.takeNamed, expiresIn: 600)) == nil)
    #expect(self.fault(command(Self.take, by: Self.local)) == nil)
  }

  @Test("An alarm that is not named is one that was open when the command was made")
  func sent() throws {
    let late = command(Self.take, expiresIn: 600, sentBefore: 60)
    let sent = try CommandExpiry.admit(late, at: Self.now)
    #expect(Self.now.tick.milliseconds(since: sent) == 60_000)
    let early = command(Self.take, expiresIn: 600, sentBefore: -60)
    #expect(try CommandExpiry.admit(early, at: Self.now) == Self.now.tick)
    let named = command(Self.takeNamed, expiresIn: 600, sentBefore: 60)
    #expect(try CommandExpiry.admit(named, at: Self.now) == Self.now.tick)
  }
}
