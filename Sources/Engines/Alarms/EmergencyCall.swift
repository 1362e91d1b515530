import Bytes
import Care
import JSON
import Moments
import Texts

/// A contact with the emergency services.
struct EmergencyCall: Hashable, Sendable {
  /// Whoever was asked has so long to say what became of it.
  private static let answerSeconds: Int64 = 60

  let id: String
  let mode: EmergencyContact.Mode
  let number: String
  /// When it was asked for, or when something was last heard of it.
  private(set) var since: Stamp
  /// What is known of it; nil while nothing was heard.
  private(set) var outcome: DeliveryReport.Outcome?
  /// Who was asked to do it.
  let asked: Asked

  /// One that is asked for now.
  init(
    id: String, mode: EmergencyContact.Mode, number: String, asked: Asked, at now: Moment
  ) {
    self.id = id
    self.mode = mode
    self.number = number
    self.asked = asked
    since = Stamp(now)
  }

  /// When nothing was heard for too long; nil where something was.
  var deadline: Tick? { outcome == nil ? since.tick(after: Self.answerSeconds) : nil }

  /// Whether it would be too early to contact them again.
  func isUnderWay(at now: Moment) -> Bool {
    outcome != .failed && since.age(at: now) < Self.answerSeconds * 1000
  }

  /// Whether such an outcome can still follow.
  func expects(_ next: DeliveryReport.Outcome) -> Bool {
    outcome != next && outcome != .delivered
  }

  /// Takes what became of it; answers whether that is news.
  mutating func note(_ next: DeliveryReport.Outcome, at now: Moment) -> Bool {
    guard outcome != next else { return false }
    outcome = next
    since = Stamp(now)
    return true
  }

  mutating func mapStamps(_ change: (inout Stamp) -> Void) { change(&since) }

  /// What is said when it is asked for.
  var words: Message {
    Message("{number} is being contacted by {mode}.", ["number": number, "mode": mode.rawValue])
  }

  /// What is said of it now that something was heard.
  func words(_ outcome: DeliveryReport.Outcome, detail: String) -> Message {
    switch outcome {
    // A receipt says that a machine has it, not that somebody reads it.
    case .sent, .delivered:
      Message(
        "{number} was contacted; it is not known whether anybody read it.", ["number": number])
    case .failed:
      Message(
        "{number} could not be contacted: {detail} Call it yourself.",
        ["number": number, "detail": detail])
    }
  }
}

extension EmergencyCall {
  /// As the facts of an event that tells what became of it.
  func facts(_ outcome: String) -> KeyValuePairs<String, JSONValue?> {
    [
      "contact": .string(id), "mode": .string(mode.rawValue), "number": .string(number),
      "outcome": .string(outcome),
    ]
  }
}

extension EmergencyCall {
  init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    id = try reader.string("id")
    mode = try reader.word("mode", as: EmergencyContact.Mode.self)
    number = try reader.string("number")
    since = try reader.stamp("since")
    outcome = try reader.optionalWord("outcome", as: DeliveryReport.Outcome.self)
    asked = Asked(stored: try reader.optionalString("asked"))
  }

  var json: JSONValue {
    .object([
      "id": .string(id), "mode": .string(mode.rawValue), "number": .string(number),
      "since": since.json, "outcome": outcome.map { .string($0.rawValue) },
      "asked": asked.stored.map { .string($0) },
    ])
  }
}
