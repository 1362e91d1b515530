public import Care
public import Moments
public import Texts

/// Why a calibration found no thresholds.
public enum CalibrationFault: Error, Hashable, Sendable {
  /// The tag was not heard at all.
  case notHeard
  /// It advertises too rarely, or is too far away; so many readings came.
  case tooFewReadings(Int)
  /// The signal wavered too much in one place; by so many dB.
  case tooNoisy(Double)
  /// Near and far are not told apart; so many dB lie between them.
  case notSeparable(Double)
  /// The device that listens has stopped.
  case notListening
  /// Nobody went on for ten minutes.
  case abandoned
  /// Somebody ended it.
  case cancelled

  /// What happened and what to do, in one or two sentences.
  public var explanation: Message {
    switch self {
    case .notHeard:
      Message("The tag was not heard. Check its battery and bring it closer, then begin again.")
    case .tooFewReadings(let count):
      Message(
        "The tag was heard only once. Move it a little, so that it wakes, and begin again.",
        plural:
          "The tag was heard only {n} times. Move it a little, so that it wakes, and begin again.",
        count)
    case .tooNoisy(let decibels):
      Message(
        "The signal wavered by {decibels} dB. Leave the tag where it is, keep away from it, and "
          + "begin again.", ["decibels": Int(clamping: Int64(decibels.rounded()))])
    case .notSeparable(let decibels):
      Message(
        "Near and far look alike: only {decibels} dB lie between them. Use a tag that is not in a "
          + "metal case, or let it tell only whether it is there.",
        ["decibels": Int(clamping: Int64(max(0, decibels).rounded()))])
    case .notListening:
      Message("Nothing listens for tags any more. Check that Bluetooth is on, then begin again.")
    case .abandoned: Message("Nobody went on for ten minutes. Begin again when you have time.")
    case .cancelled: Message("The calibration was ended; nothing was changed.")
    }
  }
}

/// The guided calibration of one tag: near, then at the far end of the room, then thresholds or why there are none.
///
///     .near ──12 readings in at least 15 s──▶ .moveAway ──proceed()──▶ .far ──12 readings──▶ .finished
///
/// Ninety seconds are the most for a place. Levels are those of the filter that judges later, so that its way of rising
/// fast and falling slowly is in the thresholds. Not kept over restarts: somebody stands there and begins again.
public struct TagCalibrator: Hashable, Sendable {
  /// Where the procedure is.
  public enum Phase: Hashable, Sendable {
    /// The tag lies where it should count as near; its signal is measured.
    case near
    /// The person carries the tag to the far end of the room and then says so.
    case moveAway
    /// The tag lies at the far end; its signal is measured.
    case far
    /// Over, with thresholds or a reason.
    case finished(Result<TagThresholds, CalibrationFault>)
  }

  static let readingsNeeded = 12
  static let leastMilliseconds: Int64 = 15_000
  static let settleMilliseconds: Int64 = 3_000
  static let patienceMilliseconds: Int64 = 90_000
  static let moveMilliseconds: Int64 = 600_000
  static let readingLimit = 200
  static let widestDB = 25.0
  static let leastSeparationDB = 6.0

  /// The tag.
  public let tag: TagID
  /// The device whose hearing is calibrated.
  public let hearer: SourceID
  /// Where the procedure is.
  public private(set) var phase = Phase.near
  private var phaseBegan: Tick
  private var filter = SignalFilter()
  private var levels: [Double] = []
  private var near = Spread([])

  /// Begins; the tag should lie where it counts as near.
  public init(tag: TagID, hearer: SourceID, at now: Moment) {
    self.tag = tag
    self.hearer = hearer
    phaseBegan = now.tick
  }

  /// What the person should do now, or what came of it.
  public var instruction: Message {
    switch phase {
    case .near:
      Message(
        "Put the tag where it should count as near, such as beside the device, and wait. "
          + "{count} of {needed} readings.",
        ["count": min(levels.count, Self.readingsNeeded), "needed": Self.readingsNeeded])
    case .moveAway:
      Message("Now put the tag at the far end of the room, step back, and go on.")
    case .far:
      Message(
        "Leave the tag there and wait. {count} of {needed} readings.",
        ["count": min(levels.count, Self.readingsNeeded), "needed": Self.readingsNeeded])
    case .finished(.success): Message("Done: near and far are told apart now.")
    case .finished(.failure(let fault)): fault.explanation
    }
  }

  /// When ``time(at:)`` is due; nil when it is over.
  public var nextWake: Tick? {
    switch phase {
    case .near, .far: phaseBegan.advanced(byMilliseconds: Self.patienceMilliseconds)
    case .moveAway: phaseBegan.advanced(byMilliseconds: Self.moveMilliseconds)
    case .finished: nil
    }
  }

  /// Takes a sighting; those of other tags and devices are ignored.
  public mutating func take(_ sighting: TagSighting, offsetDB: Double = 0, at now: Moment) {
    time(at: now)
    guard phase == .near || phase == .far, sighting.tag == tag, sighting.hearer == hearer else {
      return
    }
    let heard = sighting.moment.tick < now.tick ? sighting.moment : now
    guard heard.tick >= phaseBegan,
      filter.take(Double(sighting.strengthDBm) + offsetDB, at: heard) == .believed,
      let level = filter.levelDBm
    else { return }
    let passed = heard.tick.milliseconds(since: phaseBegan)
    if passed >= Self.settleMilliseconds, levels.count < Self.readingLimit {
      levels.append(level)
    }
    guard levels.count >= Self.readingsNeeded, passed >= Self.leastMilliseconds else { return }
    finishPlace(at: now)
  }

  /// The person has put the tag at the far end; harmless at any other time.
  public mutating func proceed(at now: Moment) {
    time(at: now)
    guard phase == .moveAway else { return }
    begin(.far, at: now)
  }

  /// Lets time pass.
  public mutating func time(at now: Moment) {
    guard let due = nextWake, due <= now.tick else { return }
    guard phase != .moveAway else { return finish(.failure(.abandoned)) }
    finish(.failure(levels.isEmpty ? .notHeard : .tooFewReadings(levels.count)))
  }

  /// The device no longer listens.
  public mutating func stopListening() { finish(.failure(.notListening)) }

  /// Somebody ends it.
  public mutating func cancel() { finish(.failure(.cancelled)) }

  // MARK: Parts

  private mutating func begin(_ phase: Phase, at now: Moment) {
    self.phase = phase
    phaseBegan = now.tick
    filter = SignalFilter()
    levels = []
  }

  private mutating func finish(_ result: Result<TagThresholds, CalibrationFault>) {
    if case .finished = phase { return }
    phase = .finished(result)
    levels = []
  }

  private mutating func finishPlace(at now: Moment) {
    let found = Spread(levels)
    guard found.widthDB <= Self.widestDB else {
      return finish(.failure(.tooNoisy(found.widthDB)))
    }
    guard phase == .far else {
      near = found
      return begin(.moveAway, at: now)
    }
    let separation = near.low - found.high
    guard separation >= Self.leastSeparationDB,
      let thresholds = Self.thresholds(near: near, far: found)
    else { return finish(.failure(.notSeparable(separation))) }
    finish(.success(thresholds))
  }

  /// A quarter of the gap on either side stays clear; the room ends a little below what was measured at its far end.
  private static func thresholds(near: Spread, far: Spread) -> TagThresholds? {
    let quarter = (near.low - far.high) / 4
    let nearLeave = far.high + quarter
    let roomEnter = max(-120, min(far.low - 4, nearLeave))
    return TagThresholds(
      nearEnterDBm: near.low - quarter, nearLeaveDBm: nearLeave, roomEnterDBm: roomEnter,
      roomLeaveDBm: roomEnter - 6)
  }

  /// The tenth and the ninetieth percentile of levels.
  private struct Spread: Hashable, Sendable {
    var low = 0.0
    var high = 0.0
    var widthDB: Double { high - low }

    init(_ levels: [Double]) {
      let sorted = levels.sorted()
      guard !sorted.isEmpty else { return }
      let tenth = sorted.count / 10
      low = sorted[tenth]
      high = sorted[sorted.count - 1 - tenth]
    }
  }
}
