import Bytes
import Care
import Glibc
import JSON
import Moments

/// Reads the JSON lines of gpsd; reports of one epoch that follow each other are merged.
///
/// - Source: gpsd_json(5), class TPV.
struct GPSDReader {
  private(set) var fixes: [TimedFix] = []
  private(set) var skippedCount = 0

  mutating func take(_ line: ArraySlice<UInt8>) {
    let trimmed = line.drop { Lines.isBlank($0) || Lines.byteOrderMark($0) }
    guard trimmed.first == UInt8(ascii: "{") else { return }
    do {
      let reader = try JSONReader(JSONValue(parsing: trimmed))
      guard reader.optional("class")?.stringContent == "TPV" else { return }
      append(try fix(reader))
    } catch {
      skippedCount += 1
    }
  }

  private mutating func append(_ fix: TimedFix) {
    guard let last = fixes.last, let time = fix.time, last.time == time,
      last.report.source == fix.report.source
    else { return fixes.append(fix) }
    fixes[fixes.count - 1].report = last.report.updated(with: fix.report)
  }

  private func fix(_ reader: JSONReader) throws(DecodeError) -> TimedFix {
    let time = try reader.optionalTimestamp("time")
    let status = try reader.optionalInteger("status")
    let altitude = try reader.optionalDouble("altMSL")
    let olderAltitude = try reader.optionalDouble("alt")
    let report = FixReport(
      source: try reader.optionalString("device").map { SourceID($0) } ?? TrackFile.source,
      mode: mode(try reader.optionalInteger("mode")),
      latitudeDegrees: try reader.optionalDouble("lat"),
      longitudeDegrees: try reader.optionalDouble("lon"),
      accuracyMeters: try accuracy(reader),
      altitudeMeters: altitude ?? olderAltitude,
      speedMetersPerSecond: try reader.optionalDouble("speed"),
      courseDegrees: try reader.optionalDouble("track"), receiverTime: time,
      isSimulated: status == 8)
    return TimedFix(time: time, report: report)
  }

  private func accuracy(_ reader: JSONReader) throws(DecodeError) -> Double? {
    if let horizontal = try reader.optionalDouble("eph") { return horizontal }
    guard let east = try reader.optionalDouble("epx"), let north = try reader.optionalDouble("epy")
    else { return nil }
    return hypot(east, north)
  }

  private func mode(_ number: Int64?) -> FixMode {
    switch number {
    case 1: .none
    case 2: .twoDimensional
    case 3: .threeDimensional
    default: .unknown
    }
  }
}

extension FixReport {
  /// This report with everything that a later one of the same epoch knows.
  func updated(with later: FixReport) -> FixReport {
    var merged = self
    if later.mode != .unknown { merged.mode = later.mode }
    merged.latitudeDegrees = later.latitudeDegrees ?? latitudeDegrees
    merged.longitudeDegrees = later.longitudeDegrees ?? longitudeDegrees
    merged.accuracyMeters = later.accuracyMeters ?? accuracyMeters
    merged.altitudeMeters = later.altitudeMeters ?? altitudeMeters
    merged.speedMetersPerSecond = later.speedMetersPerSecond ?? speedMetersPerSecond
    merged.courseDegrees = later.courseDegrees ?? courseDegrees
    merged.isSimulated = later.isSimulated || isSimulated
    return merged
  }
}
