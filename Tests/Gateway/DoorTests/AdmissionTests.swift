import Care
import Door
import JSON
import Moments
import Testing

/// What is asked of a command that the policy allows, and in which order.
@Suite("Admission of commands") struct AdmissionTests {
  private static let now = Moment(
    tick: .seconds(1_000), utc: Timestamp(milliseconds: 1_795_000_000_000), quality: .synchronised)
  private static let kiosk = Principal(channel: .plugin, name: "mqtt/kiosk")
  private static let anna = Principal(channel: .plugin, name: "mqtt/anna")
  private static let gateway = Principal(channel: .gateway, name: "upkeep")
  private static let done = CommandReply.done(["stage": "acknowledged"])

  private static let house: House = {
    var house = House(residents: [Resident(id: "mary", name: "Mary", timeZone: "UTC")])
    house.put(Guardian(id: "anna", resident: "mary", name: "Anna"))
    return house
  }()

  private func take(by principal: Principal, freshFor seconds: Int64 = 60) -> Command {
    command(.acknowledge(alarm: "A7K2", by: nil), by: principal, freshFor: seconds)
  }

  private func command(
    _ request: AlarmRequest, by principal: Principal, freshFor seconds: Int64 = 60
  ) -> Command {
    Command(
      id: "c", principal: principal,
      freshUntil: Self.now.tick.advanced(byMilliseconds: seconds * 1000),
      request: .alarm(request))
  }

  private func admit(
    _ command: Command, after ledger: CommandLedger = CommandLedger(rows: [])
  ) throws(CommandReply.Refusal) -> Admission {
    try Admission.of(command, after: ledger, in: Self.house, at: Self.now)
  }

  private func fault(
    _ command: Command, after ledger: CommandLedger = CommandLedger(rows: [])
  ) -> CommandReply.Refusal.Code? {
    do throws(CommandReply.Refusal) {
      _ = try admit(command, after: ledger)
      return nil
    } catch {
      return error.code
    }
  }

  @Test("What is new and still counts may act")
  func new() throws {
    #expect(try admit(take(by: Self.anna)) == .admitted(sent: Self.now.tick))
    #expect(fault(take(by: Self.anna, freshFor: 0)) == .expired)
  }

  @Test("What came before is answered, also when it counts no more")
  func before() throws {
    var ledger = CommandLedger(rows: [])
    _ = ledger.record(Self.done, to: take(by: Self.anna), at: Self.now)
    #expect(try admit(take(by: Self.anna, freshFor: 0), after: ledger) == .answered(Self.done))
    #expect(fault(command(.silence, by: Self.anna), after: ledger) == .conflict)
  }

  @Test("Whoever has no standing learns nothing of an id, whatever is known of it")
  func standing() {
    for known in [take(by: Self.kiosk), command(.silence, by: Self.kiosk)] {
      var ledger = CommandLedger(rows: [])
      _ = ledger.record(Self.done, to: known, at: Self.now)
      #expect(fault(take(by: Self.kiosk), after: ledger) == .forbidden, "\(known.request.action)")
    }
  }

  @Test("To answer an alarm takes a guardian; to call, calm or end one's own does not")
  func guardians() {
    let answers: [AlarmRequest] = [
      .acknowledge(alarm: "A7K2", by: nil), .resolve(alarm: "A7K2", by: nil, reason: "found"),
    ]
    for request in answers {
      #expect(fault(command(request, by: Self.kiosk)) == .forbidden, "\(request.action)")
      #expect(fault(command(request, by: Self.anna)) == nil, "\(request.action)")
    }
    let others: [AlarmRequest] = [
      .raise(resident: "mary", kind: .sos, trigger: .backend, text: ""), .silence,
      .cancel(resident: "mary", pin: nil, message: nil), .test(resident: "mary"),
      .photograph(resident: "mary"),
    ]
    for request in others {
      #expect(fault(command(request, by: Self.kiosk)) == nil, "\(request.action)")
    }
    #expect(
      Set(CommandRule.all.filter(\.takesGuardian).map(\.action))
        == Set(answers.map(\.action)))
  }

  @Test("The gateway itself may say that an alarm is over, and never that somebody is in charge")
  func gatewayItself() {
    let over = AlarmRequest.resolve(alarm: "A7K2", by: nil, reason: "The disk is back.")
    #expect(fault(command(over, by: Self.gateway)) == nil)
    #expect(fault(take(by: Self.gateway)) == .invalid)
    #expect(
      fault(command(.resolve(alarm: "A7K2", by: "kiosk", reason: "x"), by: Self.gateway))
        == .forbidden)
  }
}
