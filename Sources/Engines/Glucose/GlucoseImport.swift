import Bytes
public import Care
import CivilTime
public import GlucoseValues
public import Moments

/// What of a table is new to a resident's log, and what the other lines are.
///
/// A reading that is known has the same time and level, whichever of the two names its seconds and in whichever unit:
/// what a meter sent over the air and what its program exported is one reading.
public struct GlucoseImport: Hashable, Sendable {
  /// The new readings, newest first, each with an id made of resident, time and level, so that it is the same every time.
  public private(set) var fresh: [GlucoseReading] = []
  /// Lines whose reading the log has already.
  public private(set) var knownLines: [Int] = []
  /// Lines whose reading an earlier line of the file has.
  public private(set) var repeatedLines: [Int] = []
  /// Lines whose time is still to come.
  public private(set) var futureLines: [Int] = []
  /// Lines of ``fresh`` whose local time the clock jumped over; each counts an hour later.
  public private(set) var gapLines: [Int] = []
  /// Lines of ``fresh`` whose local time the clock showed twice; each counts as the first of the two.
  public private(set) var ambiguousLines: [Int] = []

  /// Sorts the lines of a table.
  ///
  /// - Parameters:
  ///   - sensor: what measured where a line does not say.
  ///   - origin: what the file is called.
  ///   - known: the readings of the log, at least all of the minutes that the table has.
  ///   - now: readings of a later time are not taken.
  public init(
    _ table: GlucoseTable, of resident: ResidentID, sensor: GlucoseReading.Sensor, origin: String,
    known: [GlucoseReading], at now: Timestamp
  ) {
    var minutes = Minutes()
    for reading in known { minutes.insert(reading.time, reading.level) }
    var own = Minutes()
    for row in table.rows {
      if row.time.milliseconds(since: now) > GlucoseRules.aheadMilliseconds {
        futureLines.append(row.line)
      } else if minutes.contains(row.time, row.level) {
        knownLines.append(row.line)
      } else if own.contains(row.time, row.level) {
        repeatedLines.append(row.line)
      } else {
        own.insert(row.time, row.level)
        note(row)
        fresh.append(
          GlucoseReading(
            id: Self.id(resident, row), resident: resident, level: row.level, tag: row.tag,
            time: row.time, receivedAt: now, source: .file, origin: origin,
            sensor: row.sensor ?? sensor))
      }
    }
    fresh.sort { GlucoseReading.isEarlier($1, $0) }
  }

  private mutating func note(_ row: GlucoseTable.Row) {
    switch row.clock {
    case .unique: break
    case .gap: gapLines.append(row.line)
    case .ambiguous: ambiguousLines.append(row.line)
    }
  }

  private static func id(_ resident: ResidentID, _ row: GlucoseTable.Row) -> GlucoseReadingID {
    let parts = [
      resident.rawValue, String(row.time.milliseconds), row.level.digits, row.level.unit.rawValue,
    ]
    return GlucoseReadingID("f" + Fingerprint(parts).hexadecimal.prefix(19))
  }

  /// Levels by the minute in which they were measured.
  private struct Minutes {
    private var levels: [Int64: [(time: Timestamp, level: GlucoseConcentration)]] = [:]

    private static func minute(_ time: Timestamp) -> Int64 {
      time.milliseconds / 60_000
    }

    mutating func insert(_ time: Timestamp, _ level: GlucoseConcentration) {
      levels[Self.minute(time), default: []].append((time, level))
    }

    func contains(_ time: Timestamp, _ level: GlucoseConcentration) -> Bool {
      levels[Self.minute(time)]?.contains { known in
        let isSameTime =
          known.time == time || known.time.milliseconds % 60_000 == 0
          || time.milliseconds % 60_000 == 0
        return isSameTime && known.level.isShown(as: level)
      } ?? false
    }
  }
}

extension GlucoseConcentration {
  /// Whether two levels are one on a meter's display, in the unit of either.
  func isShown(as other: GlucoseConcentration) -> Bool {
    if unit == other.unit { return number == other.number }
    return other.unit.shown(unit.convert(number, to: other.unit)) == other.number
      || unit.shown(other.unit.convert(other.number, to: unit)) == number
  }
}
