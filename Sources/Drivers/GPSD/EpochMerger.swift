import Care

/// Merges the several reports that gpsd sends for one epoch of a receiver into one fix.
///
/// A receiver tells an epoch in several sentences, and gpsd may report after each of them, more complete each time.
/// Two reports are of one epoch when they come from one device and carry the same time; a report without a time also
/// belongs to its neighbour when it does not contradict it. The latest field that says something wins, the mode too:
/// in every recorded log a later report of an epoch is the better informed one.
struct EpochMerger {
  private let source: SourceID
  private var open: PositionReport?
  private var lastClosed: PositionReport?
  private var satellites: (used: Int, device: String)?

  init(source: SourceID) { self.source = source }

  /// Whether an epoch waits for more reports.
  var isOpen: Bool { open != nil }

  /// Takes the next report; answers the epoch that it brought to an end, if any.
  mutating func take(_ report: PositionReport) -> FixReport? {
    if let current = open, current.isOfSameEpoch(as: report) {
      open = current.merged(with: report)
      return nil
    }
    let ended = close()
    if !isStraggler(report) { open = report }
    return ended
  }

  /// Notes how many satellites a device uses, for its epochs from now on.
  mutating func noteSatellites(used: Int, device: String) { satellites = (used, device) }

  /// Ends the open epoch: nothing more came in time.
  mutating func close() -> FixReport? {
    guard let ended = open else { return nil }
    open = nil
    lastClosed = ended
    return fix(of: ended)
  }

  /// Forgets everything; a new connection starts anew.
  mutating func reset() { self = EpochMerger(source: source) }

  /// A late report of the epoch that is handed in already: counted again it would pass for a second measurement.
  private func isStraggler(_ report: PositionReport) -> Bool {
    guard let lastClosed, let time = report.time, time == lastClosed.time,
      report.device == lastClosed.device
    else { return false }
    return lastClosed.mode.hasPosition || !report.mode.hasPosition
  }

  private func fix(of epoch: PositionReport) -> FixReport {
    let hasPosition = epoch.mode.hasPosition
    let used = satellites.flatMap { $0.device == epoch.device ? $0.used : nil }
    return FixReport(
      source: source, mode: epoch.mode,
      latitudeDegrees: hasPosition ? epoch.latitudeDegrees : nil,
      longitudeDegrees: hasPosition ? epoch.longitudeDegrees : nil,
      accuracyMeters: hasPosition ? epoch.accuracyMeters : nil,
      altitudeMeters: hasPosition ? epoch.altitudeMeters : nil,
      speedMetersPerSecond: hasPosition ? epoch.speedMetersPerSecond : nil,
      courseDegrees: hasPosition ? epoch.courseDegrees : nil, receiverTime: epoch.time,
      satellitesUsed: used, isSimulated: epoch.isSimulated)
  }
}

extension PositionReport {
  fileprivate func isOfSameEpoch(as next: PositionReport) -> Bool {
    guard device == next.device else { return false }
    if let time, let nextTime = next.time { return time == nextTime }
    return mode.hasPosition == next.mode.hasPosition && latitudeDegrees == next.latitudeDegrees
      && longitudeDegrees == next.longitudeDegrees
  }

  fileprivate func merged(with next: PositionReport) -> PositionReport {
    PositionReport(
      device: device, mode: next.mode == .unknown ? mode : next.mode, time: next.time ?? time,
      latitudeDegrees: next.latitudeDegrees ?? latitudeDegrees,
      longitudeDegrees: next.longitudeDegrees ?? longitudeDegrees,
      accuracyMeters: next.accuracyMeters ?? accuracyMeters,
      altitudeMeters: next.altitudeMeters ?? altitudeMeters,
      speedMetersPerSecond: next.speedMetersPerSecond ?? speedMetersPerSecond,
      courseDegrees: next.courseDegrees ?? courseDegrees,
      isSimulated: isSimulated || next.isSimulated)
  }
}
