import Care
import GlucoseValues

/// The readings of everybody that are in memory.
struct GlucoseLogs: Sendable {
  private var logs: [ResidentID: GlucoseLog]

  /// - Parameter readings: of each resident the newest ``GlucoseLog/atMost``, in any order.
  init(_ readings: [GlucoseReading]) {
    logs = Dictionary(grouping: readings, by: \.resident).mapValues { GlucoseLog($0) }
  }

  /// The log of a resident; an empty one where nothing is in memory.
  subscript(resident: ResidentID) -> GlucoseLog { logs[resident] ?? GlucoseLog() }

  /// Who has readings, in the order of their ids.
  var residents: [ResidentID] {
    logs.keys.sorted().filter { logs[$0]?.readings.isEmpty == false }
  }

  /// Everybody's readings: by resident, then by time.
  var readings: [GlucoseReading] { logs.keys.sorted().flatMap { self[$0].readings } }

  /// The reading of an id, whosever it is; nil when it is not in memory.
  func reading(_ id: GlucoseReadingID) -> GlucoseReading? {
    logs.keys.sorted().lazy.compactMap { logs[$0]?.reading(id) }.first
  }

  /// Adds a reading to its resident's, or puts it in the place of the one with its id.
  mutating func put(_ reading: GlucoseReading) {
    logs[reading.resident, default: GlucoseLog()].put(reading)
  }

  /// Removes a reading, where it is in memory.
  mutating func remove(_ reading: GlucoseReading) { logs[reading.resident]?.remove(reading.id) }

  /// Forgets a resident.
  mutating func erase(_ resident: ResidentID) { logs[resident] = nil }
}
