public import Bytes
public import Care
import CivilTime
public import JSON
import Moments
import Texts

/// Which reports go by e-mail to whom, as long as whoever they are about agrees; each is kept in a row of its own.
///
/// It sends none itself: whoever does so asks what is due, and says what became of it.
public struct ReportEngine: Engine {
  private static let name = "reports"
  private static let rowName = "order:"
  /// So many of one resident.
  private static let atMost = 10

  private var orders: [String: ReportOrder] = [:]
  private var unreadable: [EngineRow] = []

  /// What people ask, and what is erased.
  public static var hears: InputKinds { [.asked, .changed] }

  /// That somebody's data went to an address, or is to go there, is told and kept.
  public static let events: [EventDeclaration] = [
    EventDeclaration(
      .reportChanged, [.record], "A report by e-mail was ordered, cancelled or sent, or failed.",
      [
        .word("change", ["ordered", "cancelled", "sent", "failed"], "What became of it."),
        .text("order", "The id of the order."),
        .word("kind", of: ReportOrder.Kind.self, "Which report."),
        .word("every", of: ReportOrder.Recurrence.self, "How often."),
      ], .contacts([.by, .text("email", "To whom it goes.")]), .health([.explanation]))
  ]

  /// An engine over the rows of engine `reports`.
  public init(stored: StoredState, seed: UInt64, in world: World) {
    for row in stored.engineRows where row.engine == Self.name {
      if row.name.hasPrefix(Self.rowName), let order = try? ReportOrder(json: row.content) {
        orders[order.id] = order
      } else {
        unreadable.append(row)
      }
    }
  }

  /// A request that came as JSON, as this engine knows it.
  public static func understood(
    _ value: FeatureValue, at place: FeatureValue.Place
  ) throws(DecodeError) -> FeatureValue? {
    guard case .request(let action) = place, ReportOrderRequest.actions.contains(action) else {
      return nil
    }
    return FeatureValue(try value.value(as: ReportOrderRequest.self))
  }

  /// Takes one input; nil where it is none of its business.
  ///
  /// - Throws: why a report cannot go there; nothing changed then.
  public mutating func handle(
    _ input: Input, in world: World
  ) throws(CommandReply.Refusal) -> Outcome? {
    switch input {
    case .asked(let command, _): return try perform(command, in: world)
    case .changed(.erased(let resident)):
      unreadable.removeAll { $0.subject == resident.rawValue }
      let count = orders.count
      orders = orders.filter { $0.value.resident != resident }
      return orders.count < count ? Outcome() : nil
    default: return nil
    }
  }

  private mutating func perform(
    _ command: Command, in world: World
  ) throws(CommandReply.Refusal) -> Outcome? {
    let asked: ReportOrderRequest?
    do throws(DecodeError) { asked = try ReportOrderRequest(command.request) } catch {
      throw CommandReply.Refusal(
        .invalid, Message("The request does not fit: {error}.", ["error": error]))
    }
    switch asked {
    case .order(let order): return try take(order, by: command.principal, in: world)
    case .cancel(let id): return try cancel(id, by: command.principal, in: world)
    case .settle(let id, let fault): return try settle(id, fault, command.principal, in: world)
    case nil: return nil
    }
  }

  private mutating func take(
    _ asked: ReportOrder, by principal: Principal, in world: World
  ) throws(CommandReply.Refusal) -> Outcome {
    try world.house.requireResident(asked.resident)
    let name = world.people[asked.resident]?.name ?? asked.resident.rawValue
    guard world.house.consent(.reports, of: asked.resident)?.isGranted == true else {
      throw CommandReply.Refusal(
        .forbidden,
        Message(
          "{name} has not agreed that reports go out by e-mail. Write down that {name} agrees, under Settings, and order it then.",
          ["name": name]))
    }
    guard EmailAddress(asked.email) != nil else {
      throw CommandReply.Refusal(
        .invalid,
        Message(
          "{email} is no e-mail address, such as practice@example.org.", ["email": asked.email]))
    }
    guard (1...64).contains(asked.id.utf8.count) else {
      throw CommandReply.Refusal(
        .invalid, Message("What a report is known by has 1 to 64 characters."))
    }
    guard world.now.quality.isTrusted || asked.every == .once else {
      throw CommandReply.Refusal(
        .notNow,
        Message("The gateway does not know yet how late it is. Try again in a few minutes."))
    }
    let others = orders.values.filter { $0.resident == asked.resident && $0.id != asked.id }
    guard others.count < Self.atMost,
      orders[asked.id].map({ $0.resident == asked.resident }) ?? true
    else {
      throw CommandReply.Refusal(
        .conflict,
        Message("At most {limit} reports go out for one person.", ["limit": Self.atMost]))
    }
    var order = asked
    (order.by, order.sentAt, order.fault) = (principal.description, orders[asked.id]?.sentAt, nil)
    order.next = order.following(world.now.utc, in: zone(of: asked.resident, world))
    return keep(
      order,
      told("ordered", order, principal, in: world) { resident in
        Message(
          "Reports about {name} go to {email} by e-mail.",
          ["name": resident, "email": order.email])
      })
  }

  private mutating func cancel(
    _ id: String, by principal: Principal, in world: World
  ) throws(CommandReply.Refusal) -> Outcome {
    let order = try known(id)
    return drop(
      order,
      told("cancelled", order, principal, in: world) { resident in
        Message(
          "Reports about {name} go to {email} no more.",
          ["name": resident, "email": order.email])
      })
  }

  private mutating func drop(_ order: ReportOrder, _ event: EventDraft) -> Outcome {
    orders[order.id] = nil
    var outcome = Outcome()
    outcome.changes = [Self.row(order).removal]
    outcome.events = [event]
    return outcome
  }

  private mutating func settle(
    _ id: String, _ fault: String?, _ principal: Principal, in world: World
  ) throws(CommandReply.Refusal) -> Outcome {
    var order = try known(id)
    if let fault = fault.map({ String($0.prefix(500)) }) {
      guard order.fault != fault else { return Outcome() }
      order.fault = fault
      return keep(
        order,
        told("failed", order, principal, in: world) { resident in
          Message(
            "The report about {name} could not be sent to {email}: {reason}",
            ["name": resident, "email": order.email, "reason": fault])
        })
    }
    (order.sentAt, order.fault) = (world.now.utc, nil)
    let event = told("sent", order, principal, in: world) { resident in
      Message(
        "The report about {name} was sent to {email}.",
        ["name": resident, "email": order.email])
    }
    if order.every == .once { return drop(order, event) }
    order.next = order.following(world.now.utc, in: zone(of: order.resident, world))
    return keep(order, event)
  }

  private mutating func keep(_ order: ReportOrder, _ event: EventDraft) -> Outcome {
    orders[order.id] = order
    var outcome = Outcome()
    outcome.changes = [.putEngineRow(Self.row(order))]
    outcome.events = [event]
    outcome.reply = order.json
    return outcome
  }

  private func known(_ id: String) throws(CommandReply.Refusal) -> ReportOrder {
    guard let order = orders[id] else {
      throw CommandReply.Refusal(
        .unknownTarget, Message("There is no such report by e-mail any more."))
    }
    return order
  }

  private func zone(of resident: ResidentID, _ world: World) -> CivilTimeZone {
    world.people[resident]?.zone ?? .utc
  }

  private func told(
    _ change: String, _ order: ReportOrder, _ principal: Principal, in world: World,
    _ words: (String) -> Message
  ) -> EventDraft {
    let name = world.people[order.resident]?.name ?? order.resident.rawValue
    return EventDraft(
      type: .reportChanged, lane: .record, resident: order.resident,
      facts: [
        "change": .string(change), "order": .string(order.id),
        "kind": .string(order.kind.rawValue), "every": .string(order.every.rawValue),
        "email": .string(order.email), "by": .string(principal.description),
        "explanation": .string(words(name).text(in: world.language(of: order.resident))),
      ])
  }

  /// Adds the orders, a row each.
  public func store(in state: inout StoredState) {
    state.engineRows += orders.keys.sorted().compactMap { id in orders[id].map(Self.row) }
    state.engineRows += unreadable
  }

  private static func row(_ order: ReportOrder) -> EngineRow {
    EngineRow(
      engine: name, subject: order.resident.rawValue, name: rowName + order.id,
      content: order.json)
  }

  /// Whom a request about a report concerns.
  public func resident(concernedBy request: Command.Request) -> ResidentID? {
    switch try? ReportOrderRequest(request) {
    case .order(let order): order.resident
    case .cancel(let id), .settle(let id, _): orders[id]?.resident
    case nil: nil
    }
  }

  /// All of them, or those of one resident; each says whether the person agrees as things are.
  public func listed(of resident: ResidentID?, in house: House) -> [JSONValue] {
    orders.values.filter { resident == nil || $0.resident == resident }
      .sorted { ($0.resident.rawValue, $0.id) < ($1.resident.rawValue, $1.id) }
      .map { order in
        let consent = house.consent(.reports, of: order.resident)
        return order.json.setting("isAllowed", to: .bool(consent?.isGranted == true))
      }
  }
}

extension EventType {
  /// A report by e-mail was ordered or cancelled, or was sent, or could not be.
  public static let reportChanged: EventType = "report.changed"
}
