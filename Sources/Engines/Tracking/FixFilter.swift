import Care
import JSON
import Moments

/// Tells positions that can be believed from those that cannot.
///
/// A fix that would need an impossible speed is held back for one step: the next fix confirms it or refutes it. A
/// receiver's clock that breaks its own time line costs one fix; when the next one follows the new line, that holds.
struct FixFilter: Hashable, Sendable {
  /// The newest believed fix.
  var last: AcceptedFix?
  /// A fix that waits for the next one to confirm it, with its report.
  var held: Held?
  /// Where a new time line of the receiver may have begun.
  var newLine: LinePoint?

  /// A fix held back.
  struct Held: Hashable, Sendable {
    var fix: AcceptedFix
    var speedMetersPerSecond: Double
  }

  /// A point on the receiver's time line.
  struct LinePoint: Hashable, Sendable {
    var receiverTime: Timestamp
    var stamp: Stamp
  }

  /// What became of a fix.
  enum Verdict: Hashable, Sendable {
    case accepted(AcceptedFix)
    case rejected(RejectedFix)
    case held(AcceptedFix)
  }

  /// Judges a report, and with it a fix held before; verdicts come in the order of the fixes.
  mutating func judge(
    _ report: FixReport, at now: Moment, by settings: TrackingSettings
  ) -> [Verdict] {
    let coordinate: Coordinate
    switch position(of: report, settings) {
    case .success(let found): coordinate = found
    case .failure(let rejection): return [.rejected(rejection.fix)]
    }
    let fix = AcceptedFix(report, coordinate, at: now, settings)
    if let rejection = judgeTime(of: fix, report, settings) { return [.rejected(rejection)] }
    return judgeSpeed(of: fix, settings)
  }

  /// Nothing waits for the next fix any more: nobody knows when it comes.
  mutating func forgetHeld() { held = nil }

  /// The receiver was exchanged; the times of the new one are another line.
  mutating func exchangeReceiver() {
    held = nil
    newLine = nil
    last?.receiverTime = nil
  }

  // MARK: Position

  private struct Rejection: Error { var fix: RejectedFix }

  private func position(
    of report: FixReport, _ settings: TrackingSettings
  ) -> Result<Coordinate, Rejection> {
    func rejected(
      _ reason: RejectedFix.Reason, _ numbers: [JSONMember] = []
    ) -> Result<Coordinate, Rejection> {
      .failure(Rejection(fix: RejectedFix(report: report, reason: reason, numbers: numbers)))
    }
    guard report.mode.hasPosition else { return rejected(.noFix) }
    guard report.latitudeDegrees != nil, report.longitudeDegrees != nil else {
      return rejected(.noPosition)
    }
    guard let coordinate = report.coordinate else { return rejected(.outOfRange) }
    guard !coordinate.isNullIsland else { return rejected(.nullIsland) }
    if let accuracy = report.accuracyMeters, accuracy > settings.accuracyLimitMeters {
      return rejected(.inaccurate, [number("limitMeters", settings.accuracyLimitMeters)])
    }
    return .success(coordinate)
  }

  // MARK: Time

  private mutating func judgeTime(
    of fix: AcceptedFix, _ report: FixReport, _ settings: TrackingSettings
  ) -> RejectedFix? {
    guard let reference = held?.fix ?? last else { return nil }
    guard let before = reference.receiverTime, let time = fix.receiverTime else {
      // Without the receiver's time, two reports of one measurement are told by their arrival together.
      let isTogether = fix.stamp.tick.milliseconds(since: reference.stamp.tick) < 100
      guard isTogether, !reference.stamp.isEstimated else { return nil }
      return RejectedFix(report: report, reason: .timeRepeated)
    }
    let step = Step(
      from: LinePoint(receiverTime: before, stamp: reference.stamp),
      to: LinePoint(receiverTime: time, stamp: fix.stamp))
    guard let reason = step.fault(settings) else {
      newLine = nil
      return nil
    }
    if reason != .timeRepeated, continuesNewLine(fix, time, settings) { return nil }
    let numbers = [number("receiverStepSeconds", step.receiver), number("stepSeconds", step.tick)]
    return RejectedFix(report: report, reason: reason, numbers: numbers)
  }

  private mutating func continuesNewLine(
    _ fix: AcceptedFix, _ time: Timestamp, _ settings: TrackingSettings
  ) -> Bool {
    let point = LinePoint(receiverTime: time, stamp: fix.stamp)
    let start = newLine
    newLine = point
    guard let start, Step(from: start, to: point).fault(settings) == nil else { return false }
    newLine = nil
    return true
  }

  /// The time between two fixes, on the receiver's line and on ours, in seconds.
  private struct Step {
    let receiver: Double
    let tick: Double
    let isEstimated: Bool

    init(from: LinePoint, to: LinePoint) {
      receiver = Double(to.receiverTime.milliseconds(since: from.receiverTime)) / 1000
      tick = Double(to.stamp.tick.milliseconds(since: from.stamp.tick)) / 1000
      isEstimated = from.stamp.isEstimated
    }

    func fault(_ settings: TrackingSettings) -> RejectedFix.Reason? {
      if receiver == 0 { return .timeRepeated }
      if receiver < 0 { return .timeBack }
      if isEstimated { return nil }
      return abs(receiver - tick) > Double(settings.timeLeapSeconds) ? .timeLeap : nil
    }
  }

  // MARK: Speed

  private mutating func judgeSpeed(
    of fix: AcceptedFix, _ settings: TrackingSettings
  ) -> [Verdict] {
    guard let last else { return accept(fix) }
    let speed = speed(from: last, to: fix, settings)
    guard let held else {
      if speed <= settings.maximumSpeedMetersPerSecond { return accept(fix) }
      self.held = Held(fix: fix, speedMetersPerSecond: speed)
      return [.held(fix)]
    }
    self.held = nil
    let isBackInTime = speed <= settings.maximumSpeedMetersPerSecond
    let onward = self.speed(from: held.fix, to: fix, settings)
    if onward <= settings.maximumSpeedMetersPerSecond,
      !isBackInTime || isNearer(fix, to: held.fix, than: last)
    {
      return [.accepted(held.fix)] + accept(fix)
    }
    let refuted = Verdict.rejected(refutation(of: held, onward, settings))
    if isBackInTime { return [refuted] + accept(fix) }
    self.held = Held(fix: fix, speedMetersPerSecond: speed)
    return [refuted, .held(fix)]
  }

  private mutating func accept(_ fix: AcceptedFix) -> [Verdict] {
    last = fix
    return [.accepted(fix)]
  }

  private func isNearer(
    _ fix: AcceptedFix, to near: AcceptedFix, than far: AcceptedFix
  ) -> Bool {
    near.coordinate.distanceMeters(to: fix.coordinate)
      < far.coordinate.distanceMeters(to: fix.coordinate)
  }

  private func refutation(
    of held: Held, _ onward: Double, _ settings: TrackingSettings
  ) -> RejectedFix {
    RejectedFix(
      report: FixReport(held.fix), reason: .impossibleSpeed,
      numbers: [
        number("speedThereMetersPerSecond", held.speedMetersPerSecond),
        number("speedBackMetersPerSecond", onward),
        number("limitMetersPerSecond", settings.maximumSpeedMetersPerSecond),
      ])
  }

  /// The least speed that leads from one fix to another, both errors granted.
  private func speed(
    from: AcceptedFix, to: AcceptedFix, _ settings: TrackingSettings
  ) -> Double {
    let granted = from.doubtMeters(settings) + to.doubtMeters(settings)
    let meters = max(0, from.coordinate.distanceMeters(to: to.coordinate) - granted)
    return meters / max(0.1, seconds(from: from, to: to, settings))
  }

  private func seconds(
    from: AcceptedFix, to: AcceptedFix, _ settings: TrackingSettings
  ) -> Double {
    let ticks = Double(to.stamp.tick.milliseconds(since: from.stamp.tick)) / 1000
    guard let start = from.receiverTime, let end = to.receiverTime else { return ticks }
    let step = Step(
      from: LinePoint(receiverTime: start, stamp: from.stamp),
      to: LinePoint(receiverTime: end, stamp: to.stamp))
    return step.fault(settings) == nil ? step.receiver : ticks
  }

  private func number(_ name: String, _ content: Double) -> JSONMember {
    JSONMember(key: name, value: fact(content) ?? .null)
  }
}

extension AcceptedFix {
  /// A fix from a report whose position has been judged; error 0, negative or no number means unknown.
  init(
    _ report: FixReport, _ coordinate: Coordinate, at now: Moment, _ settings: TrackingSettings
  ) {
    source = report.source
    stamp = Stamp(now)
    self.coordinate = coordinate
    accuracyMeters = report.accuracyMeters.flatMap { $0 > 0 ? $0 : nil }
    speedMetersPerSecond = report.speedMetersPerSecond.flatMap {
      $0 >= 0 && $0.isFinite ? $0 : nil
    }
    receiverTime = report.receiverTime
    isSimulated = report.isSimulated
    let isAgreed = ReceiverClock.agrees(report.receiverTime, now, settings)
    time = isAgreed ? report.receiverTime ?? now.utc : now.utc
    timeQuality = now.quality
  }
}

extension FixReport {
  /// The report that a fix was made of, as far as it was kept.
  init(_ fix: AcceptedFix) {
    self.init(
      source: fix.source, mode: .twoDimensional,
      latitudeDegrees: fix.coordinate.latitudeDegrees,
      longitudeDegrees: fix.coordinate.longitudeDegrees, accuracyMeters: fix.accuracyMeters,
      speedMetersPerSecond: fix.speedMetersPerSecond, receiverTime: fix.receiverTime,
      isSimulated: fix.isSimulated)
  }
}
