public import JSON

/// What follows from one input of an engine.
public struct Outcome: Hashable, Sendable {
  /// What happened, in order.
  public var events: [EventDraft] = []
  /// What must be stored in the same transaction.
  public var changes: [StateChange] = []
  /// What to do outside now.
  public var actions: [Action] = []
  /// What other engines hear of it in the same step, in order, beside what rides with the events.
  public var signals: [Signal] = []
  /// What of the house is another from now on; only of the engine that keeps it.
  public var changed: [HouseChange] = []
  /// The event with which a signal came, where something refers to it from now on.
  public var event: EventID?
  /// The identities of the world, where any were drawn.
  public var identifiers: IdentifierGenerator?
  /// The answer to a request; of an engine that was only signalled, what is to be added to the answer.
  public var reply: JSONValue = .object([])

  /// An outcome in which nothing happened.
  public init() {}

  /// This and then another one; the answer is the later one's where this has none.
  public func followed(by next: Outcome) -> Outcome {
    var both = self
    both.events += next.events
    both.changes += next.changes
    both.actions += next.actions
    both.signals += next.signals
    both.changed += next.changed
    both.identifiers = next.identifiers ?? identifiers
    if both.reply == .object([]) { both.reply = next.reply }
    return both
  }
}
