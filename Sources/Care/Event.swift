import Bytes
public import JSON
public import Moments

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
  /// Somebody took away, changed or gave back what protects a resident, such as an alarm, tracking or the last guardian.
  public static let protectionChanged: EventType = "protection.changed"
  /// A planned absence began: the resident is expected to be out.
  public static let absenceBegan: EventType = "absence.began"
  /// A planned absence is over, or counts no longer; `isOutside` says whether the resident is out all the same.
  public static let absenceEnded: EventType = "absence.ended"
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
  /// An alarm began; its id is the alarm's id.
  public static let alarmRaised: EventType = "alarm.raised"
  /// Somebody asked for help again, or there is more to it, while the alarm was open.
  public static let alarmRepeated: EventType = "alarm.repeated"
  /// An alarm's pre-alarm is over: guardians are being told.
  public static let alarmDispatched: EventType = "alarm.dispatched"
  /// A message to a guardian was sent, delivered or failed.
  public static let alarmDelivery: EventType = "alarm.delivery"
  /// Nobody took charge in time: the next guardians are told.
  public static let alarmEscalated: EventType = "alarm.escalated"
  /// A named guardian or caregiver took charge.
  public static let alarmAcknowledged: EventType = "alarm.acknowledged"
  /// The sound in the room was silenced; nothing else changed.
  public static let alarmSilenced: EventType = "alarm.silenced"
  /// The alarm was cancelled by the resident; every recipient of the alarm receives this.
  public static let alarmCancelled: EventType = "alarm.cancelled"
  /// The alarm was closed with a reason.
  public static let alarmResolved: EventType = "alarm.resolved"
  /// The resident was forced to end the alarm; told to guardians only, never in the room.
  public static let alarmDuress: EventType = "alarm.duress"
  /// Where the resident is while an alarm is open.
  public static let alarmLocation: EventType = "alarm.location"
  /// A photograph was taken for an open alarm.
  public static let alarmPhoto: EventType = "alarm.photo"
  /// The gateway tested sound and channels by itself.
  public static let alarmTested: EventType = "alarm.tested"
  /// The emergency services were contacted, or could not be.
  public static let emergencyContacted: EventType = "emergency.contacted"
  /// Something will be due soon; told before the resident goes out.
  public static let reminderNotice: EventType = "reminder.notice"
  /// Something of the routine is due.
  public static let reminderDue: EventType = "reminder.due"
  /// The resident was reminded, once more.
  public static let reminderPrompted: EventType = "reminder.prompted"
  /// A reminder was put off.
  public static let reminderSnoozed: EventType = "reminder.snoozed"
  /// It was done.
  public static let reminderDone: EventType = "reminder.done"
  /// The resident did not want to.
  public static let reminderNotNow: EventType = "reminder.not-now"
  /// A person decided to leave it out.
  public static let reminderSkipped: EventType = "reminder.skipped"
  /// Nobody answered for so long that caregivers have to know.
  public static let reminderUnanswered: EventType = "reminder.unanswered"
  /// Nobody answered.
  public static let reminderMissed: EventType = "reminder.missed"
  /// A critical medicine was not taken; becomes an alarm.
  public static let medicineMissed: EventType = "medicine.missed"
  /// A critical medicine was taken or left out by decision after all.
  public static let medicineSettled: EventType = "medicine.settled"
  /// The item was changed, switched off or removed while it was due.
  public static let reminderCancelled: EventType = "reminder.cancelled"
  /// Due times passed while the gateway was off or had no clock, and are too many to be told one by one.
  public static let reminderGap: EventType = "reminder.gap"
  /// A medicine will be used up soon.
  public static let stockLow: EventType = "stock.low"
  /// Two people changed one thing at once; holds both versions.
  public static let changeConflict: EventType = "change.conflict"
  /// A message was written.
  public static let messageSent: EventType = "message.sent"
  /// A message was spoken in the house.
  public static let messageSpoken: EventType = "message.spoken"
  /// Somebody said that they heard or read a message.
  public static let messageRead: EventType = "message.read"
  /// A resident, or whoever decides for them, consented to something or refused it.
  public static let consentChanged: EventType = "consent.changed"
  /// A fake call was planned, rang, was answered or ended.
  public static let fakeCallChanged: EventType = "fake-call.changed"
  /// A Bluetooth tag came near, into the room, went away, or nobody can say.
  public static let tagChanged: EventType = "tag.changed"
  /// A tag has not been heard from for long, though somebody listens.
  public static let tagSilent: EventType = "tag.silent"
  /// A tag that was not heard from for long is heard again.
  public static let tagHeardAgain: EventType = "tag.heard-again"
  /// The battery of a tag is nearly empty.
  public static let tagBatteryLow: EventType = "tag.battery-low"
  /// A home tag is heard where positions say that it cannot be.
  public static let tagDoubted: EventType = "tag.doubted"
  /// A tag is heard in another room, or in none.
  public static let tagRoomChanged: EventType = "tag.room-changed"
  /// The resident went out, and what or who should be along stayed.
  public static let leftWithout: EventType = "left.without"
  /// What seemed to have stayed is along after all, or the resident is back with it.
  public static let leftWithoutOver: EventType = "left.without-over"
  /// Somebody who cares came, or went.
  public static let caregiverChanged: EventType = "caregiver.changed"
}

extension EventType {
  /// A glucose reading came in.
  public static let glucoseRecorded: EventType = "glucose.recorded"
  /// A glucose reading was changed.
  public static let glucoseCorrected: EventType = "glucose.corrected"
  /// A glucose reading was removed.
  public static let glucoseRemoved: EventType = "glucose.removed"
  /// A fresh reading lies below the resident's limit.
  public static let glucoseLow: EventType = "glucose.low"
  /// A fresh reading lies below the resident's lower limit, or below what the meter can measure.
  public static let glucoseVeryLow: EventType = "glucose.very-low"
  /// A fresh reading lies above the resident's limit, or above what the meter can measure.
  public static let glucoseHigh: EventType = "glucose.high"
  /// After a reading beyond a limit a later one lies within.
  public static let glucoseSettled: EventType = "glucose.settled"
  /// The means of a calendar month, told at the end of each day.
  public static let glucoseMonth: EventType = "glucose.month"
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

extension ResidentID {
  /// How an event that outlives a resident names them: SHA-256 of the event's id, a colon and this id, in hexadecimal.
  ///
  /// An id may be a name. Whoever knows the id can tell that it is meant; nobody can read it off.
  public func digest(in event: EventID) -> String {
    Hexadecimal.text(SHA256.hash(Array("\(event.rawValue):\(rawValue)".utf8)))
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
  /// The identity, where it had to be known before; otherwise the core gives one.
  public var id: EventID?
  /// Whether only guardians may know; see ``Event/isForGuardians``.
  public var isForGuardians: Bool
  /// What it means to other engines; never stored.
  public var signal: Signal?

  /// A draft from its parts.
  public init(
    type: EventType, lane: Lane, resident: ResidentID?, facts: JSONValue, id: EventID? = nil,
    isForGuardians: Bool = false, signal: Signal? = nil
  ) {
    self.signal = signal
    self.id = id
    self.isForGuardians = isForGuardians
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
  /// Whether only guardians may know, by the messages that they get: no plugin is handed the event, and nobody who looks
  /// at the gateway sees it while its alarm seems to be over and is not.
  public var isForGuardians: Bool

  /// An event from its parts.
  public init(
    id: EventID, type: EventType, lane: Lane, resident: ResidentID?, moment: Moment,
    facts: JSONValue, isForGuardians: Bool = false
  ) {
    self.id = id
    self.isForGuardians = isForGuardians
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
  /// CloudEvents integers have 32 bits), and `audience` with the word `guardians` where only they may know.
  ///
  /// - Source: CloudEvents specification 1.0.2, JSON event format 1.0.2.
  public func cloudEvent(gateway: GatewayID, boot: BootID) -> EncodedEvent {
    let envelope: JSONValue = .object([
      "specversion": "1.0", "id": .string(id.rawValue),
      "source": .string("urn:homeward:gateway:\(gateway)"), "type": .string(type.rawValue),
      "subject": .string(subject), "time": .string(moment.utc.iso8601),
      "datacontenttype": "application/json", "lane": .string(lane.rawValue),
      "audience": isForGuardians ? "guardians" : nil,
      "timequality": .string(moment.quality.rawValue), "bootid": .string(boot.rawValue),
      "tick": .string(String(moment.tick.nanoseconds)), "data": facts,
    ])
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

extension EncodedEvent {
  /// Whether only guardians may know; see ``Event/isForGuardians``.
  public var isForGuardians: Bool { Audience.isGuardians(type, body) }
}

/// Whom the bytes of an event are for, without reading them whole.
public enum Audience {
  private static let mark = Array(#","audience":"guardians","#.utf8)
  /// The mark stands before the data, whose words are other people's.
  private static let data = Array(#","data":"#.utf8)

  /// Whether only guardians may know of an event, from its kind and its stored bytes.
  public static func isGuardians(_ type: EventType, _ body: [UInt8]) -> Bool {
    let word = type.rawValue
    guard
      word.hasPrefix("alarm.") || word.hasPrefix("emergency.")
        || type == EventType.deliveryReported
    else { return false }
    return body.withUnsafeBufferPointer { body in
      // Byte by byte, for it is done while an alarm goes out.
      for place in body.indices where body[place] == 0x2C {
        if stands(mark, at: place, in: body) { return true }
        if stands(data, at: place, in: body) { return false }
      }
      return false
    }
  }

  private static func stands(
    _ bytes: [UInt8], at place: Int, in body: UnsafeBufferPointer<UInt8>
  ) -> Bool {
    bytes.count <= body.count - place && bytes.indices.allSatisfy { body[place + $0] == bytes[$0] }
  }
}
