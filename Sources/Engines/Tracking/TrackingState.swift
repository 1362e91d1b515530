import Care
import Moments

/// Everything but zones that the tracking of one resident remembers, in groups that become rows.
struct TrackingState: Hashable, Sendable {
  var session: Session
  var filter = FixFilter()
  var motion = Motion()
  var receiver = Receiver()
  var record: LastRecord?
  var counters = Counters()
  var homeTags = HomeTags()

  mutating func mapStamps(_ change: (inout Stamp) -> Void) {
    session.mapStamps(change)
    filter.last?.stamp.map(change)
    filter.held?.fix.stamp.map(change)
    filter.newLine?.stamp.map(change)
    motion.mapStamps(change)
    receiver.mapStamps(change)
    record?.stamp.map(change)
    homeTags.mapStamps(change)
  }
}

/// What was asked for and told so far.
struct Session: Hashable, Sendable {
  /// Whether tracking is on.
  var isOn = true
  /// Since when it is on or off.
  var switched: Stamp
  /// Whether the record due at switching on (SD-4) still waits for a position.
  var awaitsFirstRecord = true
  /// When a record was last considered (SB-8).
  var lastCheck: Stamp
  /// Whether a due check waits for a fresh position.
  var awaitsCheck = false
  /// When the series (SD-1) was last considered.
  var lastSample: Stamp
  /// An unanswered request for a position.
  var refresh: Refresh?
  /// When the resident left home; nil while there or when it was not seen.
  var leftHome: Stamp?
  /// How badly the position is unknown.
  var unknown: UnknownSeverity?
  /// Whether a zone without a row is settled as outside, instead of never looked at.
  var areZonesSettled = false
  /// The zones that count now, by their hours; nil where all do. The others are followed and not spoken of, so that it is
  /// known who is in them when their hours begin.
  var counting: Set<ZoneID>?

  /// A request for a position that waits for a fix.
  struct Refresh: Hashable, Sendable {
    var asked: Stamp
    /// Who asks, in the order of asking, each once.
    var principals: [String]
    /// Whether it was said that no position came in time.
    var isOverdue = false
  }

  /// Switches tracking on or off; everything is considered anew from now on.
  mutating func switchTracking(_ isOn: Bool, at now: Moment) {
    self.isOn = isOn
    switched = Stamp(now)
    lastCheck = Stamp(now)
    lastSample = Stamp(now)
    awaitsFirstRecord = isOn
    awaitsCheck = false
  }

  /// Somebody asks for a position.
  mutating func ask(by principal: Principal, at now: Moment) {
    var request = refresh ?? Refresh(asked: Stamp(now), principals: [])
    if request.isOverdue { request.asked = Stamp(now) }
    request.isOverdue = false
    // Sixteen names are enough to answer everybody who asks for one person at one time.
    if !request.principals.contains(principal.description), request.principals.count < 16 {
      request.principals.append(principal.description)
    }
    refresh = request
  }

  /// When it is said that no position came in time; nil where nobody waits, or it was said.
  func refreshDeadline(by settings: TrackingSettings) -> Tick? {
    guard let refresh, !refresh.isOverdue else { return nil }
    return refresh.asked.tick(after: settings.refreshTimeoutSeconds)
  }

  /// A record was written, which answers whatever waited for one.
  mutating func noteRecord() {
    awaitsFirstRecord = false
    awaitsCheck = false
    refresh = nil
  }

  /// When it is told, or told as an alarm, that the position has been unknown since a moment; nil where it was.
  func unknownDeadline(since basis: Stamp, by settings: TrackingSettings) -> Tick? {
    switch unknown {
    case nil:
      return min(
        basis.tick(after: settings.unknownNoticeSeconds),
        basis.tick(after: settings.unknownAlarmSeconds))
    case .notice: return basis.tick(after: settings.unknownAlarmSeconds)
    case .alarm: return nil
    }
  }

  /// Whether a zone counts now.
  func counts(_ zone: ZoneID) -> Bool { counting?.contains(zone) ?? true }

  init(at now: Moment) {
    switched = Stamp(now)
    lastCheck = switched
    lastSample = switched
  }

  mutating func mapStamps(_ change: (inout Stamp) -> Void) {
    change(&switched)
    change(&lastCheck)
    change(&lastSample)
    refresh?.asked.map(change)
    leftHome?.map(change)
  }
}

/// How badly a position is unknown while the resident is outside.
enum UnknownSeverity: String, Hashable, Sendable {
  case notice
  case alarm
}

/// How many fixes were believed, and how many not, by reason.
struct Counters: Hashable, Sendable {
  var accepted: Int64 = 0
  /// Counts in the order of the reasons' declaration.
  var rejected = [Int64](repeating: 0, count: RejectedFix.Reason.allCases.count)

  mutating func count(_ reason: RejectedFix.Reason) {
    guard let index = RejectedFix.Reason.allCases.firstIndex(of: reason) else { return }
    rejected[index] &+= 1
  }

  /// Reasons that occurred, with their counts.
  var rejectedByReason: [(RejectedFix.Reason, Int64)] {
    zip(RejectedFix.Reason.allCases, rejected).filter { $0.1 > 0 }.map { ($0.0, $0.1) }
  }
}
