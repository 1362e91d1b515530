public import Bytes
public import JSON
public import Moments

/// What a resident is asked for before it is used (SB-24).
public enum ConsentKind: String, Hashable, Sendable, CaseIterable {
  /// Where they are.
  case location
  /// Photographs for guardians in an emergency.
  case camera
  /// A microphone that listens for their call.
  case microphone
  /// News of everyday life to guardians; alarms are none of these and always go out.
  case notifications
  /// Telephone calls in their name to the emergency services; what guardians are told of an alarm is none of these.
  case calls
  /// Reports about their health: by e-mail, to addresses that somebody names, never without a yes; and on the pages of those who
  /// treat them, who see nothing after a no.
  case reports
}

/// What a resident, or whoever decides for them, answered.
public struct Consent: Hashable, Sendable {
  /// Whom it is about.
  public var resident: ResidentID
  /// What was asked.
  public var kind: ConsentKind
  /// Whether the answer was yes.
  public var isGranted: Bool
  /// Who answered, as people write their name, 1 through 200 characters.
  public var by: String
  /// When it was written down.
  public var at: Timestamp
  /// Which way it came, as `local:anna`.
  public var principal: String

  /// An answer from its parts.
  public init(
    resident: ResidentID, kind: ConsentKind, isGranted: Bool, by: String, at: Timestamp,
    principal: String
  ) {
    self.resident = resident
    self.kind = kind
    self.isGranted = isGranted
    self.by = by
    self.at = at
    self.principal = principal
  }
}

extension Consent: JSONCodable {
  /// Reads an answer.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    self.init(
      resident: ResidentID(try reader.string("resident")),
      kind: try reader.word("kind", as: ConsentKind.self),
      isGranted: try reader.bool("isGranted"), by: try reader.string("by"),
      at: try reader.timestamp("at"), principal: try reader.string("principal"))
  }

  /// The answer as an object.
  public var json: JSONValue {
    [
      "resident": .string(resident.rawValue), "kind": .string(kind.rawValue),
      "isGranted": .bool(isGranted), "by": .string(by), "at": .string(at.iso8601),
      "principal": .string(principal),
    ]
  }
}
