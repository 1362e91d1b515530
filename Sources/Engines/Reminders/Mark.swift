import Bytes
import JSON
import Moments

/// A moment that waits count from, over clock steps and power cuts.
///
/// Of a moment of this boot the tick is the truth, and its label in UTC follows the clock; of one of an earlier boot the
/// label is the truth, and the tick follows.
struct Mark: Hashable, Sendable {
  private(set) var stamp: Stamp
  private var isOfEarlierBoot = false

  /// A moment of this boot.
  init(_ moment: Moment) { stamp = Stamp(moment) }

  /// A moment of which only the label is known.
  init(utc: Timestamp, at now: Moment) {
    stamp = Stamp(Moment(tick: now.tick, utc: utc, quality: .synchronised))
    rebase(to: now)
  }

  var tick: Tick { stamp.tick }
  var utc: Timestamp { stamp.utc }
  /// Whether it cannot be said yet how long ago it was.
  var isEstimated: Bool { stamp.isEstimated }

  /// The tick so many minutes later.
  func tick(afterMinutes minutes: Int64) -> Tick {
    stamp.tick(after: minutes.multipliedClamped(by: 60))
  }

  /// Moves a mark of another boot onto the ticks of this one; one that lies ahead of a trusted clock counts from now on.
  mutating func rebase(to now: Moment) {
    isOfEarlierBoot = true
    stamp.rebase(to: now)
    if now.quality.isTrusted, stamp.quality.isTrusted, stamp.utc > now.utc { self = Mark(now) }
  }

  /// Follows a clock that was set while nobody looked: between two runs within one boot.
  mutating func resume(at now: Moment) {
    guard now.quality.isTrusted else { return }
    let passed = isOfEarlierBoot ? 0 : stamp.age(at: now)
    let label = now.utc.advanced(byMilliseconds: -passed)
    let isWrong =
      isOfEarlierBoot ? utc > now.utc : label.milliseconds(since: utc).magnitude > 1_000
    if isWrong { follow(clockAt: now) }
  }

  /// Follows a clock that was set or became trusted; what nobody can place any more counts from now on.
  mutating func follow(clockAt now: Moment) {
    guard now.quality.isTrusted else { return }
    if !isOfEarlierBoot {
      self = Mark(now.advanced(byMilliseconds: -stamp.age(at: now)))
    } else if stamp.quality.isTrusted, stamp.utc <= now.utc {
      stamp.rebase(to: now)
    } else {
      self = Mark(now)
    }
  }
}

extension Mark: JSONCodable {
  init(json: JSONValue) throws(DecodeError) {
    stamp = try Stamp(json: json)
    isOfEarlierBoot = json["earlier"]?.boolContent ?? false
  }

  var json: JSONValue {
    isOfEarlierBoot ? stamp.json.setting("earlier", to: true) : stamp.json
  }
}
