public import Bytes
public import JSON

/// What a plugin did with one event.
public enum EventOutcome: Hashable, Sendable {
  /// The receiver has it.
  case accepted
  /// Not yet; send it again after so many seconds, 1 through 86,400.
  case retry(afterSeconds: Int64, reason: String)
  /// Never; the event itself cannot be taken.
  case refused(reason: String)
}

/// The answer to a batch: one outcome for each event, by ranges.
public struct BatchOutcomes: Hashable, Sendable {
  /// One outcome of events that follow each other.
  public struct Span: Hashable, Sendable {
    /// Positions in the batch, 0-based and inclusive.
    public var positions: ClosedRange<Int>
    /// What became of them.
    public var outcome: EventOutcome

    /// A span from its parts.
    public init(positions: ClosedRange<Int>, outcome: EventOutcome) {
      self.positions = positions
      self.outcome = outcome
    }
  }

  /// The spans, in order and without gaps.
  public let spans: [Span]

  /// Outcomes event by event; neighbours with the same outcome become one span.
  public init(_ outcomes: some Sequence<EventOutcome>) {
    var spans: [Span] = []
    for (position, outcome) in outcomes.enumerated() {
      if let last = spans.last, last.outcome == outcome {
        spans[spans.count - 1].positions = last.positions.lowerBound...position
      } else {
        spans.append(Span(positions: position...position, outcome: outcome))
      }
    }
    self.spans = spans
  }

  /// The same outcome for a whole batch of `count` events.
  public static func all(_ outcome: EventOutcome, count: Int) -> BatchOutcomes {
    BatchOutcomes(repeatElement(outcome, count: count))
  }

  /// Reads an answer and checks that it covers a batch of `count` events exactly.
  ///
  /// - Throws: ``JSON/DecodeError`` naming the span that does not fit; code `outOfRange` when the ranges overlap,
  ///   leave a gap or end too early or too late.
  public init(json: JSONValue, count: Int) throws(DecodeError) {
    let reader = try JSONReader(json)
    guard reader.optional("outcomes") != nil else { throw reader.error(.missingField, "outcomes") }
    var spans: [Span] = []
    var expected = 0
    for (index, element) in try reader.array("outcomes").enumerated() {
      let span = try JSONReader(element, path: "outcomes[\(index)]")
      let (from, to) = (try span.integer("from"), try span.integer("to"))
      guard from == Int64(expected) else { throw span.error(.outOfRange, "from") }
      guard to >= from, to < Int64(count) else { throw span.error(.outOfRange, "to") }
      spans.append(Span(positions: Int(from)...Int(to), outcome: try Self.outcome(span)))
      expected = Int(to) + 1
    }
    guard expected == count else { throw reader.error(.outOfRange, "outcomes") }
    self.spans = spans
  }

  private static func outcome(_ span: JSONReader) throws(DecodeError) -> EventOutcome {
    let reason = try span.optionalString("reason")?.asPluginReason() ?? ""
    switch try span.string("outcome") {
    case "accepted": return .accepted
    case "refused": return .refused(reason: reason)
    case "retry":
      let seconds = try span.optionalInteger("afterSeconds") ?? 30
      guard (1...PluginLimits.retrySeconds).contains(seconds) else {
        throw span.error(.outOfRange, "afterSeconds")
      }
      return .retry(afterSeconds: seconds, reason: reason)
    default: throw span.error(.unknownWord, "outcome")
    }
  }

  /// The outcome of each event, in order.
  public var expanded: [EventOutcome] {
    spans.flatMap { repeatElement($0.outcome, count: $0.positions.count) }
  }

  /// The answer as JSON.
  public var json: JSONValue {
    [
      "outcomes": .array(
        spans.map { span in
          let range: KeyValuePairs<String, JSONValue?> = [
            "from": .integer(Int64(span.positions.lowerBound)),
            "to": .integer(Int64(span.positions.upperBound)),
          ]
          return span.outcome.members.reduce(.object(range)) { $0.setting($1.key, to: $1.value) }
        })
    ]
  }
}

extension EventOutcome {
  fileprivate var members: [JSONMember] {
    switch self {
    case .accepted: [JSONMember(key: "outcome", value: "accepted")]
    case .refused(let reason):
      [
        JSONMember(key: "outcome", value: "refused"),
        JSONMember(key: "reason", value: .string(reason)),
      ]
    case .retry(let seconds, let reason):
      [
        JSONMember(key: "outcome", value: "retry"),
        JSONMember(key: "afterSeconds", value: .integer(seconds)),
        JSONMember(key: "reason", value: .string(reason)),
      ]
    }
  }
}
