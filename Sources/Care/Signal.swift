public import Moments

/// What an engine tells the others within a step; nothing of it leaves the core.
///
/// Most of it rides with the event that it is the meaning of (``EventDraft/signal``): events are for the world outside,
/// and no engine reads another one's facts.
public enum Signal: Hashable, Sendable {
  /// What a tag at home says of a resident.
  case homeTag(HomeTagVerdict, of: ResidentID)
  /// Where a resident is, as the last position said.
  case located(Location, of: ResidentID)
  /// Something about a resident and their safe zones.
  case zone(ZoneNews, of: ResidentID)
  /// Somebody planned that a resident will be away at these times, the first ones of many.
  case planned(ResidentID, [ClosedRange<Timestamp>])
  /// A planned absence began or ended.
  case absence(AbsenceNews, of: ResidentID)
  /// Something that may call for somebody.
  case found(Finding)
  /// What called for somebody is over.
  case settled(Settlement)
  /// News of everyday life that guardians may hear.
  case news(News, of: ResidentID)
  /// A real alarm about a person began: everything else in the room gives way.
  case alarmBegan
  /// How a part of the gateway does; `isCertain` where it is known to last, so that nothing is waited for.
  case health(HealthReport, isCertain: Bool)
  /// The gateway says that it is there: whoever has something to say says it with the same event.
  case heartbeat
  /// Help was called for with a button of which nobody knows whose it is.
  case calledForNobody(SourceID)
  /// A guardian is told something; what becomes of it is awaited.
  case told(AlarmMessage)
  /// What became of a message that was awaited, from whoever was asked to bring it.
  case reported(DeliveryReport)
  /// The wall clock became trusted, or was set while it was.
  case clockSet
  /// Somebody who made an account is looked after from now on.
  case joins(Resident)
  /// Somebody cares for a resident from now on, and guards them; the id is still to be made.
  case cares(Guardian)
  /// An item of a routine has another picture from now on, or none.
  case pictured(RoutineItemID, PictureID?, of: ResidentID)
  /// Somebody tried a wrong PIN or code, which counts although the request was refused.
  case wrongTry(WrongTry)

  /// A position as alarms tell it.
  public struct Location: Hashable, Sendable {
    /// Where.
    public var coordinate: Coordinate
    /// Half of the width of the doubt, in metres; nil where the receiver did not say.
    public var accuracyMeters: Double?
    /// The charge of what moves with the resident, in percent; nil where nobody knows.
    public var batteryPercent: Int64?

    /// A position from its parts.
    public init(coordinate: Coordinate, accuracyMeters: Double?, batteryPercent: Int64? = nil) {
      self.coordinate = coordinate
      self.accuracyMeters = accuracyMeters
      self.batteryPercent = batteryPercent
    }
  }

  /// What an engine found that an alarm may be made of.
  public struct Finding: Hashable, Sendable {
    /// Whom it is about; nil for the gateway.
    public var resident: ResidentID?
    /// What kind of alarm it makes.
    public var kind: AlarmKind
    /// What it is among the causes of an alarm of that kind, such as `part:gps/car`.
    public var cause: String
    /// What people call the cause; may be empty.
    public var label: String
    /// What was found, in a sentence.
    public var explanation: String

    /// A finding from its parts.
    public init(
      resident: ResidentID?, kind: AlarmKind, cause: String, label: String, explanation: String
    ) {
      self.resident = resident
      self.kind = kind
      self.cause = cause
      self.label = label
      self.explanation = explanation
    }
  }

  /// What is over, and so no cause of an alarm any more.
  public struct Settlement: Hashable, Sendable {
    /// Why it is over.
    public enum Reason: Hashable, Sendable {
      /// The position is known again.
      case located
      /// The part works again.
      case works
      /// The part is not used any more.
      case unused
      /// It was done.
      case done
      /// The level is within the limits again.
      case withinRange
      /// Somebody on the way goes on, or is shown it no longer.
      case goesOn
      /// Somebody on the way has arrived.
      case arrived
    }

    /// Whom it was about; nil for the gateway.
    public var resident: ResidentID?
    /// The kind of alarm that it made.
    public var kind: AlarmKind
    /// The causes that are none any more; each may belong to an alarm of its own.
    public var causes: [String]
    /// Why.
    public var reason: Reason

    /// A settlement from its parts.
    public init(resident: ResidentID?, kind: AlarmKind, causes: [String], reason: Reason) {
      self.resident = resident
      self.kind = kind
      self.causes = causes
      self.reason = reason
    }
  }

  /// A try that was wrong.
  public enum WrongTry: Hashable, Sendable {
    /// A PIN against an alarm.
    case pin(AlarmID)
    /// The code that confirms that emergency services may be called for a resident.
    case code(ResidentID)
    /// The password of an account.
    case password(AccountID)
    /// The code by which an account is linked to a resident.
    case linkCode(AccountID)
    /// The number that a browser shows that waits to be let in.
    case browser(AccountID)
  }

  /// News of everyday life.
  public enum News: Hashable, Sendable {
    /// The resident wrote, or said something that was recorded.
    case message(sender: String, text: String, recordedSeconds: Int64? = nil)
    /// The resident heard what somebody wrote.
    case receipt(sender: String)
    /// Nobody answered a reminder.
    case unanswered(title: String)
    /// A medicine will be used up soon.
    case stock(title: String, daysLeft: Int64?)
    /// The resident arrived where they were shown the way to, in a sentence.
    case arrival(sentence: String)
    /// Something was left behind, or a tag needs looking after, in a sentence.
    case tag(sentence: String)
    /// Somebody tries to get into an account that sees the resident, in a sentence.
    case intrusion(sentence: String)
  }
}

/// What happened about a resident's safe zones.
public struct ZoneNews: Hashable, Sendable {
  /// The zone that something happened to.
  public struct Zone: Hashable, Sendable {
    /// Its id.
    public var id: ZoneID
    /// What people call it.
    public var name: String
    /// Whether it is a home of the resident.
    public var isHome: Bool
    /// Whether leaving it is an alarm of its own.
    public var alarmsOnLeaving: Bool

    /// A zone as others need to know it.
    public init(_ zone: SafeZone) {
      id = zone.id
      name = zone.name
      isHome = zone.isHome
      alarmsOnLeaving = zone.alarmsOnLeaving
    }
  }

  /// What happened.
  public enum Change: Hashable, Sendable {
    /// The resident left it; `isExpected` where a planned absence explains that they are out.
    case left(Zone, isExpected: Bool)
    /// The resident came into it.
    case entered(Zone)
    /// It is certain again whether the resident is in it.
    case certain(Zone, isInside: Bool)
    /// Somebody changed or removed it.
    case changed(Zone, isRemoved: Bool, zonesLeft: Int)
    /// Its hours began or are over; whether the resident is in it, and whether a planned absence explains that they are
    /// out.
    case turned(Zone, counts: Bool, isInside: Bool, isExpected: Bool)
    /// A record says in which zones the resident is, by their names.
    case recorded(inside: [String])
  }

  /// What happened.
  public var change: Change
  /// Whether the resident is outside of all safe zones once all of it is settled.
  public var isOutside: Bool
  /// What happened, in a sentence.
  public var explanation: String

  /// News from their parts.
  public init(_ change: Change, isOutside: Bool, explanation: String = "") {
    self.change = change
    self.isOutside = isOutside
    self.explanation = explanation
  }

  /// The home that the resident left; nil for any other news.
  public var leftHome: Zone? {
    if case .left(let zone, _) = change, zone.isHome { zone } else { nil }
  }

  /// The home that the resident came into; nil for any other news.
  public var enteredHome: Zone? {
    if case .entered(let zone) = change, zone.isHome { zone } else { nil }
  }

  /// Whether it may have moved the resident, or the border beside them.
  public var mayMove: Bool {
    if case .recorded = change { false } else { true }
  }
}

/// What happened about a planned absence.
public struct AbsenceNews: Hashable, Sendable {
  /// What happened.
  public enum Change: Hashable, Sendable {
    /// It began; `isAsked` where somebody said so just now.
    case began(isAsked: Bool)
    /// It ended; `isOverdue` where the resident was to be back by now.
    case ended(isOverdue: Bool)
  }

  /// Its id.
  public var absence: AbsenceID
  /// What people call it.
  public var name: String
  /// Until when the resident is expected to be out, as the resident's clocks show it.
  public var untilLocal: String
  /// What happened.
  public var change: Change
  /// Whether the resident is outside of all safe zones.
  public var isOutside: Bool
  /// What happened, in a sentence.
  public var explanation: String

  /// News from their parts.
  public init(
    _ change: Change, absence: AbsenceID, name: String, untilLocal: String, isOutside: Bool,
    explanation: String
  ) {
    self.change = change
    self.absence = absence
    self.name = name
    self.untilLocal = untilLocal
    self.isOutside = isOutside
    self.explanation = explanation
  }
}

extension Signal {
  /// What alarms hear of a part that fails, or does so no more; nil where it is nothing that somebody must be told.
  ///
  /// - Parameters:
  ///   - state: how the part does now.
  ///   - resident: whose part it is; nil for the gateway's.
  public static func fault(
    _ component: ComponentID, _ state: HealthState, of resident: ResidentID?, _ explanation: String
  ) -> Signal? {
    let part = component.rawValue
    // A battery that runs down is a kind of its own, which a household may want to hear of otherwise.
    let kind: AlarmKind = part.hasPrefix("power/") ? .battery : .fault
    let cause = "part:\(part)"
    func over(_ reason: Settlement.Reason) -> Signal {
      .settled(Settlement(resident: resident, kind: kind, causes: [cause], reason: reason))
    }
    switch state {
    case .failed:
      return .found(
        Finding(
          resident: resident, kind: kind, cause: cause, label: part, explanation: explanation))
    case .working: return over(.works)
    case .unused: return over(.unused)
    case .degraded, .starting: return nil
    }
  }
}
