import Care
import Moments
import WalkingRoutes

/// Where somebody was in the last minutes, and what their movement says.
///
/// A receiver's own course means nothing at walking pace: a direction counts here once somebody has got away from where
/// they were by more than a receiver wavers.
struct Trail: Hashable, Sendable {
  /// A position that was believed.
  struct Step: Hashable, Sendable {
    var tick: Tick
    var place: Coordinate
    /// Half of the width of the doubt, in metres.
    var doubt: Double
  }

  /// A position older than this says nothing about where somebody is, in milliseconds.
  static let freshMilliseconds: Int64 = 30_000
  /// How long a step is kept.
  static let memoryMilliseconds: Int64 = 300_000
  /// Steps are thinned to one in so many milliseconds.
  static let spacingMilliseconds: Int64 = 2_000
  /// What a receiver that says nothing of it may err by.
  static let assumedDoubtMeters = 15.0
  /// A direction is that of so many metres at least.
  private static let headingMeters = 10.0
  private static let headingMilliseconds: Int64 = 45_000

  private(set) var steps: [Step] = []
  /// Where somebody was when they last got away from somewhere, and since when they have been near it.
  private(set) var rest: Step?
  /// What was before this says where somebody came from, and nothing of how they are.
  private var judgedSince: Tick?

  /// Takes a position; `accuracyMeters` as the receiver states it.
  mutating func take(_ place: Coordinate, accuracyMeters: Double?, at now: Tick) {
    let doubt = min(max(accuracyMeters ?? Self.assumedDoubtMeters, 3), 40)
    let step = Step(tick: now, place: place, doubt: doubt)
    let isResting = rest.map { $0.place.distanceMeters(to: place) <= 12 + min(doubt, 15) } ?? false
    if !isResting { rest = step }
    if let last = steps.last, now.milliseconds(since: last.tick) < Self.spacingMilliseconds {
      steps[steps.count - 1].place = place
      return
    }
    steps.append(step)
    let oldest = now.advanced(byMilliseconds: -Self.memoryMilliseconds)
    steps.removeFirst(steps.firstIndex { $0.tick >= oldest } ?? 0)
  }

  /// Where somebody is, as far as is known.
  var last: Step? { steps.last }

  /// Where somebody is; nil where nobody knows just now.
  func fresh(at now: Tick) -> Step? {
    last.flatMap { now.milliseconds(since: $0.tick) <= Self.freshMilliseconds ? $0 : nil }
  }

  /// The newest step, at the moment at which it is judged.
  func current(at now: Tick) -> Step? {
    guard var step = last else { return nil }
    step.tick = now
    return step
  }

  /// The direction of movement in degrees clockwise from north; nil as long as somebody stands or nobody knows.
  var headingDegrees: Double? {
    guard let last else { return nil }
    let least = max(Self.headingMeters, 1.5 * last.doubt)
    let before = steps.last { step in
      last.tick.milliseconds(since: step.tick) <= Self.headingMilliseconds
        && step.place.distanceMeters(to: last.place) >= least
    }
    return before.map { Angle.bearing(from: $0.place, to: last.place) }
  }

  /// For how long somebody has not got away from where they are, in milliseconds.
  func restMilliseconds(at now: Tick) -> Int64 {
    rest.map { now.milliseconds(since: $0.tick) } ?? 0
  }

  /// Metres a second over the last milliseconds, as the crow flies, and over each half of them at least: a leap of the
  /// receiver is no speed. Nil where there is no step so old.
  func speed(overMilliseconds window: Int64) -> Double? {
    guard let last, let middle = step(before: last, by: window / 2),
      let start = step(before: last, by: window), isJudged(start)
    else { return nil }
    return [(start, last), (start, middle), (middle, last)].map { Self.speed(from: $0.0, to: $0.1) }
      .min()
  }

  private func step(before last: Step, by milliseconds: Int64) -> Step? {
    steps.last { last.tick.milliseconds(since: $0.tick) >= milliseconds }
  }

  private static func speed(from before: Step, to last: Step) -> Double {
    let seconds = Double(last.tick.milliseconds(since: before.tick)) / 1000
    let straight = before.place.distanceMeters(to: last.place)
    return max(0, straight - before.doubt - last.doubt) / max(seconds, 1)
  }

  /// Faster than on foot, in metres a second; a receiver that wavers is slower, too.
  private static let walkingSpeed = 20.0

  /// Metres walked over the last milliseconds, in steps larger than a receiver wavers, and how far that led.
  func walked(overMilliseconds window: Int64) -> (walked: Double, led: Double) {
    guard let last else { return (0, 0) }
    let recent = steps.filter { last.tick.milliseconds(since: $0.tick) <= window && isJudged($0) }
    guard var anchor = recent.first else { return (0, 0) }
    var walked = 0.0
    let begin = anchor
    for (before, step) in zip(recent, recent.dropFirst()) {
      // Faster than anybody walks is a leap of the receiver, or a car.
      let seconds = Double(step.tick.milliseconds(since: before.tick)) / 1000
      let leapMeters = Self.walkingSpeed * max(seconds, 1)
      if before.place.distanceMeters(to: step.place) > leapMeters {
        anchor = step
        continue
      }
      let distance = anchor.place.distanceMeters(to: step.place)
      guard distance > 15 + min(step.doubt, 15) else { continue }
      walked += distance
      anchor = step
    }
    return (walked, begin.place.distanceMeters(to: last.place))
  }

  private func isJudged(_ step: Step) -> Bool { judgedSince.map { step.tick >= $0 } ?? true }

  /// Forgets what was, as after an answer: what follows is judged anew.
  mutating func restart(at now: Tick) {
    guard var last = steps.last else { return }
    last.tick = now
    steps = [last]
    judge(from: now)
  }

  /// What follows is judged, as at the beginning of a way; what was before only says where somebody comes from.
  mutating func judge(from now: Tick) {
    judgedSince = now
    rest = steps.last
    rest?.tick = now
  }
}
