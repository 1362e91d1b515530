import Moments

/// What worries about somebody on the way, by where they were in the last minutes and what they heard.
struct Worries {
  /// Without a position for so long somebody is told so, in milliseconds.
  private static let blindMilliseconds: Int64 = 60_000
  /// Without a word that could be spoken for so long guardians are told so, in milliseconds.
  private static let unheardMilliseconds: Int64 = 60_000
  /// Faster than on foot, in metres a second.
  private static let vehicleSpeed = 5.5
  private static let vehicleMilliseconds: Int64 = 20_000
  /// Back and forth: so much was walked in so long, and led nearly nowhere.
  private static let pacingMilliseconds: Int64 = 240_000
  private static let pacingMeters = 150.0
  /// A worry is over once somebody went on for so long.
  private static let easeMilliseconds: Int64 = 45_000

  let now: Tick
  let trail: Trail?
  /// When a position came last, or else might have begun to.
  let located: Tick
  /// Since when nothing could be spoken; nil while words are heard.
  let unheardSince: Tick?
  /// How long somebody may stand still, in milliseconds.
  let stillMilliseconds: Int64

  /// Whether nobody sees where they are.
  var isBlind: Bool { now.milliseconds(since: located) >= Self.blindMilliseconds }

  /// What worries now; nil for nothing.
  var kind: Trouble.Kind? {
    if now.milliseconds(since: unheardSince ?? now) >= Self.unheardMilliseconds {
      return .unheard
    }
    guard let trail, !isBlind else { return nil }
    if let speed = trail.speed(overMilliseconds: Self.vehicleMilliseconds),
      speed >= Self.vehicleSpeed
    {
      return .vehicle
    }
    if trail.restMilliseconds(at: now) >= stillMilliseconds { return .still }
    let (walked, led) = trail.walked(overMilliseconds: Self.pacingMilliseconds)
    return walked >= Self.pacingMeters && led <= walked / 3 ? .pacing : nil
  }

  /// Whether what worried is over.
  func isEased(_ trouble: Trouble) -> Bool {
    let asked = now.milliseconds(since: trouble.asked)
    switch trouble.kind {
    case .still: return trail?.restMilliseconds(at: now) ?? 0 < min(asked, Self.easeMilliseconds)
    case .vehicle: return asked >= Self.easeMilliseconds && kind != .vehicle
    case .pacing:
      let (walked, led) = trail?.walked(overMilliseconds: Self.pacingMilliseconds) ?? (0, 0)
      return asked >= Self.easeMilliseconds && led > walked / 2
    case .unheard: return unheardSince == nil
    case .tooFar, .dark, .noWay: return false
    }
  }
}
