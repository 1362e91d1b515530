public import JSON

/// What follows from one input of an engine.
public struct Outcome: Hashable, Sendable {
  /// What happened, in order.
  public var events: [EventDraft] = []
  /// What must be stored in the same transaction.
  public var changes: [StateChange] = []
  /// What to do outside now.
  public var actions: [Action] = []
  /// What other engines hear of it in the same step, in order.
  public var signals: [Signal] = []
  /// The answer to a request.
  public var reply: JSONValue = .object([])

  /// An outcome in which nothing happened.
  public init() {}
}
