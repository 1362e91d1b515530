import Care
import JSON
import Moments
import Texts

/// What `homeward status` shows about one resident.
struct TrackerSummary {
  let resident: Resident
  let state: TrackingState
  let zones: ZoneTracker
  /// The receiver that moves with the resident; nil where none is known.
  let source: SourceID?
  /// Whether the resident is outside of all zones that count.
  let isOutside: Bool

  /// The present state for people and programs to look at; times are labels, ages are for the caller to count.
  var json: JSONValue {
    let last = state.filter.last
    return .object([
      "resident": .string(resident.id.rawValue), "name": .string(resident.name),
      "isOn": .bool(state.session.isOn), "position": last.map(position),
      "outside": .bool(isOutside), "isMoving": .bool(state.motion.isMoving),
      "zones": .array(zones.zones.map(zoneSummary)),
      "leftHomeAt": (state.session.leftHome?.utc.iso8601).map(JSONValue.string),
      "leftHomeTick": (state.session.leftHome?.tick.nanoseconds).map(JSONValue.integer),
      "positionUnknown": (state.session.unknown?.rawValue).map(JSONValue.string),
      "positionUnknownSince": state.session.unknown == nil
        ? nil : (last?.stamp.utc.iso8601).map(JSONValue.string),
      "refreshWaiting": .bool(state.session.refresh != nil),
      "lastRecord": state.record.map(recordSummary), "receiver": receiverSummary,
      "fixes": fixSummary,
    ])
  }

  private func position(_ fix: AcceptedFix) -> JSONValue {
    .object([
      "latitude": .number(fix.coordinate.latitudeDegrees),
      "longitude": .number(fix.coordinate.longitudeDegrees),
      "accuracyMeters": fact(fix.accuracyMeters), "time": .string(fix.time.iso8601),
      "timeQuality": .string(fix.timeQuality.rawValue),
      "receivedTick": .integer(fix.stamp.tick.nanoseconds),
      "receivedAt": .string(fix.stamp.utc.iso8601),
      "speedMetersPerSecond": fact(fix.speedMetersPerSecond),
      "isSimulated": fix.isSimulated ? true : nil,
    ])
  }

  private func zoneSummary(_ zone: SafeZone) -> JSONValue {
    let found = zones.states[zone.id] ?? ZoneState(settled: .outside)
    let presence = found.isUncertain ? "uncertain" : found.settled?.rawValue ?? "unknown"
    return .object([
      "zone": .string(zone.id.rawValue), "zoneName": .string(zone.name),
      "presence": .string(presence), "isHome": .bool(zone.isHome),
      "since": (found.since?.utc.iso8601).map(JSONValue.string),
      "hours": (zone.hours?.text).map(JSONValue.string),
      "counts": state.session.counts(zone.id) ? nil : false,
    ])
  }

  private func recordSummary(_ record: LastRecord) -> JSONValue {
    .object([
      "time": .string(record.time.iso8601),
      "latitude": .number(record.coordinate.latitudeDegrees),
      "longitude": .number(record.coordinate.longitudeDegrees),
      "accuracyMeters": fact(record.accuracyMeters), "reason": .string(record.reason.rawValue),
    ])
  }

  private var receiverSummary: JSONValue {
    .object([
      "source": (source?.rawValue).map(JSONValue.string),
      "lastReportAt": (state.receiver.lastReport?.utc.iso8601).map(JSONValue.string),
      "lastReportTick": (state.receiver.lastReport?.tick.nanoseconds).map(JSONValue.integer),
      "faults": .array(state.receiver.faults.map(JSONValue.string)),
      "health": (state.receiver.health?.state.rawValue).map(JSONValue.string),
      "code": (state.receiver.health?.code).map(JSONValue.string),
      "detail": (state.receiver.health?.detail.description).map(JSONValue.string),
    ])
  }

  private var fixSummary: JSONValue {
    let rejected = state.counters.rejectedByReason.map {
      JSONMember(key: $0.0.rawValue, value: .integer($0.1))
    }
    return ["accepted": .integer(state.counters.accepted), "rejected": .object(rejected)]
  }
}
