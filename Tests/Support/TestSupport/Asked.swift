public import Care

/// What came of a request to an engine: what follows, or why it was refused.
@dynamicMemberLookup public struct Asked: Sendable {
  /// What follows; of a refusal, what is told all the same.
  public var outcome = Outcome()
  /// Why it was refused; nil when it was not.
  public var refusal: CommandReply.Refusal?

  /// Asks, once.
  public init(_ ask: () throws(CommandReply.Refusal) -> Outcome) {
    do throws(CommandReply.Refusal) { outcome = try ask() } catch {
      refusal = error
      outcome.events = error.events
    }
  }

  /// Offers an engine an input; nil where it is none of the engine's business.
  public init?<Plug: Engine>(offering input: Input, to engine: inout Plug, in world: World) {
    var taken: Outcome?
    self.init { () throws(CommandReply.Refusal) in
      taken = try engine.handle(input, in: world)
      return taken ?? Outcome()
    }
    if taken == nil, refusal == nil { return nil }
  }

  /// A member of the outcome.
  public subscript<Member>(dynamicMember member: KeyPath<Outcome, Member>) -> Member {
    outcome[keyPath: member]
  }
}
