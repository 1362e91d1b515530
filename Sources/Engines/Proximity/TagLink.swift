import Bytes
import Care
import JSON
import Moments

/// What a tag's presence is judged by.
struct LinkRules: Hashable, Sendable {
  /// Signal strengths of coming and leaving.
  var thresholds: TagThresholds
  /// Seconds without a sign after which it is away.
  var awaySeconds: Int64
  /// Seconds that a signal must stay weak before a tag counts as farther.
  var holdSeconds: Int64
}

/// One tag as one device hears it.
///
///     level   ── roomLeave ── roomEnter ── nearLeave ── nearEnter ──▶
///     away    away                       │ room        │ near           after two advertisements
///     room    away, when it lasts │ room               │ near           at once
///     near    farther, when it lasts                   │ near
///
/// Farther takes ``LinkRules/holdSeconds`` of weak signal, or ``LinkRules/awaySeconds`` of silence while the device
/// listens. Silence of a device that does not listen makes unknown, never away.
struct TagLink: Hashable, Sendable {
  var signal = SignalFilter()
  var presence = TagPresence.unknown
  /// A first advertisement of a tag that was not heard, which the next one confirms.
  var candidate: Stamp?
  /// Since when the signal is too weak for ``presence``.
  var weakSince: Stamp?

  static let candidateSeconds: Int64 = 30

  /// Takes one reading; true when it counts as a sign of life.
  mutating func take(_ strengthDBm: Double, at now: Moment, by rules: LinkRules) -> Bool {
    switch signal.take(strengthDBm, at: now) {
    case .held: return false
    case .repeated:
      if presence.isHeard { judge(at: now, by: rules) }
      return true
    case .believed: break
    }
    if presence.isHeard { judge(at: now, by: rules) } else { appear(at: now, by: rules) }
    return true
  }

  private mutating func appear(at now: Moment, by rules: LinkRules) {
    guard let level = signal.levelDBm, level >= rules.thresholds.roomEnterDBm else { return }
    let patience = max(Self.candidateSeconds, rules.awaySeconds)
    guard let first = candidate, !first.isEstimated, first.tick(after: patience) >= now.tick else {
      candidate = Stamp(now)
      return
    }
    candidate = nil
    presence = level >= rules.thresholds.nearEnterDBm ? .near : .room
  }

  private mutating func judge(at now: Moment, by rules: LinkRules) {
    guard let level = signal.levelDBm else { return }
    if presence == .room, level >= rules.thresholds.nearEnterDBm {
      presence = .near
      weakSince = nil
      return
    }
    let isWeak = level < leaveLine(rules)
    weakSince = isWeak ? weakSince ?? Stamp(now) : nil
    if let weakSince, weakSince.tick(after: rules.holdSeconds) <= now.tick { recede(by: rules) }
  }

  private func leaveLine(_ rules: LinkRules) -> Double {
    presence == .near ? rules.thresholds.nearLeaveDBm : rules.thresholds.roomLeaveDBm
  }

  private mutating func recede(by rules: LinkRules) {
    weakSince = nil
    guard presence == .near, let level = signal.levelDBm, level >= rules.thresholds.roomLeaveDBm
    else { return fade(to: .away) }
    presence = .room
  }

  private mutating func fade(to presence: TagPresence) {
    self.presence = presence
    candidate = nil
    weakSince = nil
    signal.held = nil
  }

  // MARK: Time

  /// When something changes without another reading; nil when nothing does.
  ///
  /// - Parameters:
  ///   - listening: since when the device listens; nil while it does not.
  ///   - start: when this run of the gateway began; before it nobody could hear.
  func deadline(_ rules: LinkRules, listening: Stamp?, start: Tick) -> Tick? {
    guard let silent = silenceDeadline(rules, listening, start) else { return nil }
    guard presence.isHeard, let weakSince else { return silent }
    return min(silent, weakSince.tick(after: rules.holdSeconds))
  }

  /// Lets time pass up to a tick.
  mutating func pass(
    until limit: Tick, by rules: LinkRules, listening: Stamp?, start: Tick
  ) {
    if presence.isHeard, let weakSince, weakSince.tick(after: rules.holdSeconds) <= limit {
      recede(by: rules)
    }
    guard let silent = silenceDeadline(rules, listening, start), silent <= limit else { return }
    fade(to: listening == nil ? .unknown : .away)
  }

  private func silenceDeadline(
    _ rules: LinkRules, _ listening: Stamp?, _ start: Tick
  ) -> Tick? {
    guard let heard = signal.heard, presence != .away else { return nil }
    if listening == nil, presence == .unknown { return nil }
    // What the device could not hear before it listened is nobody's silence.
    let basis = max(listening?.tick ?? start, heard.tick)
    return basis.advanced(byMilliseconds: rules.awaySeconds.multipliedClamped(by: 1000))
  }

  /// The device no longer listens: what is away becomes unknown at once, what is heard when its time is over.
  mutating func stopListening() {
    if presence == .away { fade(to: .unknown) }
  }

  /// After a restart a weak signal must last anew, because what was heard since is not known.
  mutating func resume() { weakSince = nil }

  mutating func mapStamps(_ change: (inout Stamp) -> Void) {
    signal.mapStamps(change)
    candidate?.map(change)
    weakSince?.map(change)
  }
}

extension TagLink {
  init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    presence = try reader.word("presence", as: TagPresence.self)
    signal.levelDBm = try reader.optionalDouble("levelDBm")
    signal.heard = try reader.optionalStamp("heard")
    if let stamp = try reader.optionalStamp("heldAt") {
      signal.held = SignalFilter.Held(strengthDBm: try reader.double("heldDBm"), stamp: stamp)
    }
    candidate = try reader.optionalStamp("candidate")
    weakSince = try reader.optionalStamp("weakSince")
  }

  var json: JSONValue {
    .object([
      "presence": .string(presence.rawValue), "levelDBm": signal.levelDBm.map(JSONValue.number),
      "heard": signal.heard?.json, "heldDBm": signal.held.map { .number($0.strengthDBm) },
      "heldAt": signal.held?.stamp.json, "candidate": candidate?.json,
      "weakSince": weakSince?.json,
    ])
  }
}
