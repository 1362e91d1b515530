/// The kind of an event, a word such as `zone.left` that never changes its meaning.
public struct EventType: Hashable, Sendable, RawRepresentable, ExpressibleByStringLiteral {
  /// The word.
  public var rawValue: String

  /// A kind by its word.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// A kind by its word.
  public init(stringLiteral rawValue: String) { self.rawValue = rawValue }

  /// A resident came into a safe zone.
  public static let zoneEntered: EventType = "zone.entered"
  /// A resident left a safe zone; confirmed by consecutive fixes.
  public static let zoneLeft: EventType = "zone.left"
  /// It cannot be said whether a resident is in a zone.
  public static let zoneUncertain: EventType = "zone.uncertain"
  /// It can be said again whether a resident is in a zone, and nobody came or went.
  public static let zoneCertain: EventType = "zone.certain"
  /// A resident's path crossed a zone between two fixes.
  public static let zoneCrossed: EventType = "zone.crossed"
  /// Somebody changed where a resident counts as safe: a zone was shrunk, enlarged, moved or removed.
  public static let zoneChanged: EventType = "zone.changed"
  /// A resident is outside and has not been located for too long.
  public static let positionUnknown: EventType = "position.unknown"
  /// A resident who could not be located has been located again.
  public static let positionRegained: EventType = "position.regained"
  /// Somebody asked for a position and none came in time.
  public static let locationUnavailable: EventType = "location.unavailable"
  /// A location record was written (SB-8).
  public static let locationRecorded: EventType = "location.recorded"
  /// An entry of the five-minute series was written (SD-1).
  public static let locationSampled: EventType = "location.sampled"
  /// A raw fix passed the filter.
  public static let fixAccepted: EventType = "fix.accepted"
  /// A raw fix was rejected; the reason is in the data.
  public static let fixRejected: EventType = "fix.rejected"
  /// Tracking of a resident was switched on or off.
  public static let trackingChanged: EventType = "tracking.changed"
  /// A resident, zone, bookmark or setting was changed by a command.
  public static let recordChanged: EventType = "record.changed"
  /// A resident was erased.
  public static let residentErased: EventType = "resident.erased"
  /// A watched part has stopped working or works in part.
  public static let faultRaised: EventType = "fault.raised"
  /// A watched part works again.
  public static let faultCleared: EventType = "fault.cleared"
  /// The wall clock became trusted.
  public static let clockTrusted: EventType = "clock.trusted"
  /// The gateway lives; the data tells when the next sign is due.
  public static let heartbeat: EventType = "gateway.heartbeat"
  /// The gateway started.
  public static let gatewayStarted: EventType = "gateway.started"
  /// A plugin reported what became of an event.
  public static let deliveryReported: EventType = "delivery.reported"
}

/// How an event is kept and forwarded.
public enum Lane: String, Hashable, Sendable, CaseIterable, Comparable {
  /// Never dropped, always first.
  case alarm
  /// Never dropped.
  case record
  /// Thinned by rule when space runs out.
  case trace

  /// The alarm lane comes first, the trace lane last.
  public static func < (left: Lane, right: Lane) -> Bool { left.rank < right.rank }

  private var rank: Int {
    switch self {
    case .alarm: 0
    case .record: 1
    case .trace: 2
    }
  }
}

/// What an engine found, before the core gives it an identity.
public struct EventDraft: Hashable, Sendable {
  /// The kind.
  public var type: EventType
  /// How it is kept and forwarded.
  public var lane: Lane
  /// Whom it is about; nil for the gateway itself.
  public var resident: ResidentID?
  /// The facts, an object. `explanation` holds them in one sentence.
  public var facts: JSONValue

  /// A draft from its parts.
  public init(type: EventType, lane: Lane, resident: ResidentID?, facts: JSONValue) {
    self.type = type
    self.lane = lane
    self.resident = resident
    self.facts = facts
  }
}

/// What something means: a fact with an identity.
public struct Event: Hashable, Sendable {
  /// Unique for ever.
  public var id: EventID
  /// The kind.
  public var type: EventType
  /// How it is kept and forwarded.
  public var lane: Lane
  /// Whom it is about; nil for the gateway itself.
  public var resident: ResidentID?
  /// When the gateway knew it.
  public var moment: Moment
  /// The facts, an object.
  public var facts: JSONValue

  /// An event from its parts.
  public init(
    id: EventID, type: EventType, lane: Lane, resident: ResidentID?, moment: Moment,
    facts: JSONValue
  ) {
    self.id = id
    self.type = type
    self.lane = lane
    self.resident = resident
    self.moment = moment
    self.facts = facts
  }

  /// The subject of the event as CloudEvents has it: `resident/<id>` or `gateway`.
  public var subject: String { resident.map { "resident/\($0)" } ?? "gateway" }

  /// The event as CloudEvents 1.0 JSON, the exact bytes that are stored and that plugins receive.
  ///
  /// Extension attributes: `lane`, `timequality`, `bootid`, `tick` (nanoseconds since boot, as a string because
  /// CloudEvents integers have 32 bits).
  ///
  /// - Source: CloudEvents specification 1.0.2, JSON event format 1.0.2.
  public func cloudEvent(gateway: GatewayID, boot: BootID) -> EncodedEvent {
    let envelope: JSONValue = [
      "specversion": "1.0", "id": .string(id.rawValue),
      "source": .string("urn:homeward:gateway:\(gateway)"), "type": .string(type.rawValue),
      "subject": .string(subject), "time": .string(moment.utc.iso8601),
      "datacontenttype": "application/json", "lane": .string(lane.rawValue),
      "timequality": .string(moment.quality.rawValue), "bootid": .string(boot.rawValue),
      "tick": .string(String(moment.tick.nanoseconds)), "data": facts,
    ]
    return EncodedEvent(
      id: id, type: type, subject: subject, lane: lane, moment: moment, boot: boot,
      body: envelope.serializedBytes)
  }
}

/// An event with the exact bytes that are stored and forwarded.
public struct EncodedEvent: Hashable, Sendable {
  /// Unique for ever.
  public var id: EventID
  /// The kind.
  public var type: EventType
  /// `resident/<id>` or `gateway`.
  public var subject: String
  /// How it is kept and forwarded.
  public var lane: Lane
  /// When the gateway knew it.
  public var moment: Moment
  /// The boot that the tick belongs to.
  public var boot: BootID
  /// CloudEvents 1.0 JSON in UTF-8, one line.
  public var body: [UInt8]

  /// An encoded event from its parts.
  public init(
    id: EventID, type: EventType, subject: String, lane: Lane, moment: Moment, boot: BootID,
    body: [UInt8]
  ) {
    self.id = id
    self.type = type
    self.subject = subject
    self.lane = lane
    self.moment = moment
    self.boot = boot
    self.body = body
  }
}
