import Bytes
import Care
import JSON
import Moments

/// One way to one guardian.
struct GuardianWay: Hashable, Comparable, Sendable {
  var guardian: GuardianID
  var channel: Guardian.Channel

  static func < (left: GuardianWay, right: GuardianWay) -> Bool {
    (left.guardian, left.channel) < (right.guardian, right.channel)
  }
}

/// What is known of one way to one guardian, from what became of the messages that went over it.
struct WayRecord: Hashable, Sendable {
  /// How a way was proved.
  enum Proof: String, Hashable, Sendable {
    /// A transport took a message.
    case sent
    /// A receipt came back.
    case delivered
    /// The guardian answered.
    case answer
  }

  /// The guardian's resident, under whom it is stored.
  let resident: ResidentID
  /// Where it leads; another address has everything to prove.
  let address: String
  /// Since when it is known.
  var known: Stamp
  var proven: Stamp?
  var proof: Proof?
  /// When a test went over it last.
  var tested: Stamp?
  /// Since when nothing gets through; nil while the last attempt did.
  var failing: Stamp?
  /// Why the last attempt failed.
  var detail = ""

  init(resident: ResidentID, address: String, at now: Moment) {
    self.resident = resident
    self.address = address
    known = Stamp(now)
  }

  mutating func prove(_ how: Proof, isTest: Bool, at now: Moment) {
    proven = Stamp(now)
    proof = how
    if isTest { tested = Stamp(now) }
    failing = nil
    detail = ""
  }

  mutating func fail(_ why: String, at now: Moment) {
    if failing == nil { failing = Stamp(now) }
    detail = why
  }

  mutating func mapStamps(_ change: (inout Stamp) -> Void) {
    change(&known)
    for path in [\WayRecord.proven, \.tested, \.failing] {
      guard var stamp = self[keyPath: path] else { continue }
      change(&stamp)
      self[keyPath: path] = stamp
    }
  }
}

extension WayRecord {
  init(resident: ResidentID, json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    self.resident = resident
    address = try reader.string("address")
    known = try reader.stamp("known")
    proven = try reader.optionalStamp("proven")
    proof = try reader.optionalWord("proof", as: Proof.self)
    tested = try reader.optionalStamp("tested")
    failing = try reader.optionalStamp("failing")
    detail = try reader.string("detail")
  }

  var json: JSONValue {
    .object([
      "address": .string(address), "known": known.json, "proven": proven?.json,
      "proof": proof.map { .string($0.rawValue) }, "tested": tested?.json,
      "failing": failing?.json, "detail": .string(detail),
    ])
  }
}
