import Bytes
import Care
import Moments

@testable import Tracking

/// A random life around home: staying, walking out, wandering, coming back, with noise, loss of fixes and single lies.
struct Walk {
  /// One second's truth and what the receiver says.
  struct Sample {
    var second: Double
    var trueDistance: Double
    var report: FixReport?
    var isLie: Bool
  }

  var samples: [Sample] = []
  private var random: SplitMix64
  private let receiverTime: Timestamp

  /// A walk of some hours; with `interval` 1 the receiver reports each second.
  init(
    seed: UInt64, start: Timestamp, seconds: Int = 5400, noise: Double = 3,
    hasFaults: Bool = true
  ) {
    random = SplitMix64(seed: seed)
    receiverTime = start
    var east = 0.0
    var north = 0.0
    var goal = (0.0, 0.0)
    var rest = Int(random.number(60...300))
    var lost = 0
    var lastLie = -100
    for second in 0..<seconds {
      if rest > 0 {
        rest -= 1
      } else if reach(&east, &north, goal) {
        rest = Int(random.number(0...400))
        let isHomeward = random.number(0...1) < 0.5
        let far = isHomeward ? 12.0 : 400.0
        goal = (random.number(-far...far), random.number(-far...far))
      }
      if hasFaults, lost == 0, random.number(0...1) < 0.001 { lost = Int(random.number(5...300)) }
      lost = max(0, lost - 1)
      let isLie = hasFaults && second - lastLie > 20 && random.number(0...1) < 0.003
      if isLie { lastLie = second }
      append(second, east, north, noise, isLie: isLie, isLost: lost > 0)
    }
  }

  private func reach(_ east: inout Double, _ north: inout Double, _ goal: (Double, Double)) -> Bool
  {
    let (dx, dy) = (goal.0 - east, goal.1 - north)
    let length = (dx * dx + dy * dy).squareRoot()
    if length < 1.5 { return true }
    east += dx / length * 1.4
    north += dy / length * 1.4
    return false
  }

  private mutating func append(
    _ second: Int, _ east: Double, _ north: Double, _ noise: Double, isLie: Bool, isLost: Bool
  ) {
    let trueDistance = (east * east + north * north).squareRoot()
    var (x, y) = (east + random.number(-noise...noise), north + random.number(-noise...noise))
    if isLie { (x, y) = (x + 300, y) }
    let position = Scene.home.moved(meters: x, bearingDegrees: 90).moved(
      meters: y, bearingDegrees: 0)
    var report = Scene.report(
      position, accuracy: random.number(3...9),
      time: receiverTime.advanced(byMilliseconds: Int64(second) * 1000))
    if isLost { report = FixReport(source: "gps", mode: .none) }
    samples.append(
      Sample(
        second: Double(second), trueDistance: trueDistance, report: report,
        isLie: isLie && !isLost))
  }

  /// What a receiver gives that samples rarely but at once when asked for a burst.
  func run(
    interval: Int, canBurst: Bool, in scene: inout Scene,
    before: (inout Scene, Sample) -> Void = { _, _ in }
  ) {
    var burstUntil = Tick(nanoseconds: .min)
    var next = 0
    for sample in samples {
      let tick = scene.origin.tick.advanced(byMilliseconds: Int64(sample.second) * 1000)
      guard Int(sample.second) >= next || (canBurst && tick <= burstUntil) else { continue }
      if Int(sample.second) >= next { next = Int(sample.second) + interval }
      before(&scene, sample)
      if let report = sample.report { scene.report(sample.second, report) }
      for case .sampleBurst(_, let until) in scene.actions { burstUntil = max(burstUntil, until) }
      scene.actions = []
    }
  }
}
