import Accounts
import Care
import JSON
import Moments
import Testing

/// A home of Ada and Bob with the accounts of those who care, asked one thing after the other.
struct Home {
  /// Monday, 23 November 2026, 08:00 in Oslo.
  static let start = Moment(
    tick: .seconds(5_000), utc: .seconds(1_795_417_200), quality: .synchronised)

  var engine: AccountEngine
  var now: Moment
  var house: House
  /// What the last request brought about.
  private(set) var events: [EventDraft] = []
  private(set) var changes: [StateChange] = []
  private var number = 0

  init(rows: [EngineRow] = [], at now: Moment = start) {
    house = House(residents: [
      Resident(id: "ada", name: "Ada", timeZone: "Europe/Oslo"),
      Resident(id: "bob", name: "Bob", timeZone: "Europe/Oslo"),
    ])
    self.now = now
    engine = AccountEngine(
      stored: StoredState(engineRows: rows), seed: 0, in: World(now: now, house: house))
  }

  /// The rows that a restart would begin with.
  var rows: [EngineRow] {
    var state = StoredState()
    engine.store(in: &state)
    return state.engineRows
  }

  /// The same home after a restart.
  var restarted: Home {
    var home = Home(rows: rows, at: now)
    home.house = house
    return home
  }

  mutating func pass(seconds: Int64) {
    now = Moment(
      tick: now.tick.advanced(byMilliseconds: seconds * 1000),
      utc: now.utc.advanced(byMilliseconds: seconds * 1000), quality: now.quality)
  }

  /// Asks for something as the page of somebody does, or as a keeper; a wrong password that the refusal tells of counts.
  @discardableResult
  mutating func ask(
    _ request: AccountRequest, _ credentials: Credentials? = nil, as account: String? = "page"
  ) throws(CommandReply.Refusal) -> JSONValue {
    number += 1
    let channel: Principal.Channel = account == nil ? .local : .plugin
    var command = Command(
      id: CommandID("c\(number)"), principal: Principal(channel: channel, name: "console"),
      request: .account(request))
    command.account = account
    command.credentials = credentials
    command.address = account.map { _ in "192.0.2.7" }
    var world = World(now: now, house: house)
    world.identifiers = IdentifierGenerator(seed: UInt64(number))
    (events, changes) = ([], [])
    do throws(CommandReply.Refusal) {
      let outcome = try engine.handle(.asked(command, sent: now.tick), in: world)
      events = outcome?.events ?? []
      changes = outcome?.changes ?? []
      return outcome?.reply ?? .null
    } catch {
      for signal in error.signals {
        let outcome = try engine.handle(.signalled(signal), in: world)
        events += outcome?.events ?? []
        changes += outcome?.changes ?? []
      }
      throw error
    }
  }

  /// Makes an account; answers its id and its session.
  mutating func signUp(
    _ name: String, email: String? = nil, token: String? = nil
  ) throws(CommandReply.Refusal) -> (account: AccountID, session: String) {
    let reply = try ask(
      .signUp(
        email: email ?? "\(name.lowercased())@example.org", UserAccount.Profile(name: name),
        questions: [], AccountRequest.Device(label: "Phone")),
      Credentials(password: "hash of \(name)", token: token ?? "token of \(name)"))
    return (
      AccountID(reply["account"]?.stringContent ?? ""), reply["session"]?.stringContent ?? ""
    )
  }

  mutating func logIn(
    _ name: String, isRight: Bool? = true, token: String = "another token"
  ) throws(CommandReply.Refusal) -> JSONValue {
    try ask(
      .logIn(email: "\(name.lowercased())@example.org", AccountRequest.Device(label: "Tablet")),
      Credentials(isRight: isRight, token: token))
  }

  mutating func erase(_ resident: ResidentID) throws -> [StateChange] {
    house.residents[resident] = nil
    let outcome = try engine.handle(
      .changed(.erased(resident)), in: World(now: now, house: house))
    return outcome?.changes ?? []
  }

  /// Why something is refused; nil when it is done.
  mutating func refusal(
    of request: AccountRequest, _ credentials: Credentials? = nil, as account: String? = "page"
  ) -> CommandReply.Refusal? {
    do throws(CommandReply.Refusal) {
      try ask(request, credentials, as: account)
      return nil
    } catch { return error }
  }

  /// The words of the last events: their type and what changed.
  var told: [String] {
    events.map { event in
      let change = event.facts["change"]?.stringContent ?? event.resident?.rawValue
      return "\(event.type.rawValue) \(change ?? "gateway")"
    }
  }
}
