import Care
public import JSON

/// How many may ask at a time, a share for each, and places kept free for what is urgent.
///
/// Nobody takes them all: beside the ordinary places there are a few in which only help can be called and alarms be
/// answered. So whoever fills the others, by mistake or not, keeps nobody from that, themselves included.
public struct Quota: Hashable, Sendable {
  /// What one can be in.
  public enum Place: Hashable, Sendable {
    /// Everything may be asked.
    case ordinary
    /// Only what is urgent may be asked.
    case keptFree
  }

  /// A place that is taken.
  public struct Taken<Holder: Hashable & Comparable & Sendable>: Hashable, Sendable {
    /// Who has it.
    public var holder: Holder
    /// Which it is.
    public var place: Place
    /// Whether nothing is asked, awaited or waiting to be sent: an ordinary place is taken from whoever is idle.
    public var isIdle: Bool
    /// Whether something that was asked is not answered yet: a place that is kept free is taken from whoever has no work.
    public var isAtWork: Bool

    /// A place from its parts.
    public init(holder: Holder, place: Place, isIdle: Bool, isAtWork: Bool) {
      self.holder = holder
      self.place = place
      self.isIdle = isIdle
      self.isAtWork = isAtWork
    }
  }

  /// What a newcomer gets.
  public struct Room: Hashable, Sendable {
    /// The place; nil where there is none.
    public var place: Place?
    /// Which of those that are taken ends for it, counted from 0; nil for none.
    public var ended: Int?

    /// Room from its parts.
    public init(_ place: Place?, ended: Int? = nil) {
      self.place = place
      self.ended = ended
    }
  }

  /// Ordinary places.
  public var ordinary: Int
  /// Of these, how many one may have.
  public var share: Int
  /// Places beside those, for what is urgent.
  public var keptFree: Int

  /// A quota from its parts.
  public init(ordinary: Int, share: Int, keptFree: Int) {
    self.ordinary = ordinary
    self.share = share
    self.keptFree = keptFree
  }

  /// Makes room for a newcomer.
  ///
  /// - Parameter taken: the places that are taken, those of longest first.
  public func room<Holder>(for holder: Holder, beside taken: [Taken<Holder>]) -> Room {
    let ordinary = taken.indices.filter { taken[$0].place == .ordinary }
    let own = ordinary.filter { taken[$0].holder == holder }
    if own.count < share, ordinary.count < self.ordinary { return Room(.ordinary) }
    // Who has a full share makes room for themselves, and else whoever has most.
    let candidates = own.count >= share ? own : Self.fullest(ordinary, of: taken)
    if let idle = candidates.first(where: { taken[$0].isIdle }) {
      return Room(.ordinary, ended: idle)
    }
    let kept = taken.indices.filter { taken[$0].place == .keptFree }
    guard kept.count >= keptFree else { return Room(.keptFree) }
    let ended = Self.fullest(kept, of: taken).first { !taken[$0].isAtWork }
    return Room(kept.count - (ended == nil ? 0 : 1) < keptFree ? .keptFree : nil, ended: ended)
  }

  /// Those of whoever has most of them, those of longest first.
  private static func fullest<Holder>(_ indices: [Int], of taken: [Taken<Holder>]) -> [Int] {
    Dictionary(grouping: indices) { taken[$0].holder }
      .max { ($0.value.count, $1.key) < ($1.value.count, $0.key) }?.value ?? []
  }
}

extension Route {
  /// Whether it may be asked in a place that is kept free: it calls help or answers an alarm, or looks up for whom.
  public func isUrgent(with params: JSONValue) -> Bool {
    guard self == .command else { return isUrgent }
    let action = params["command"]?["request"]?["action"]?.stringContent
    return action.flatMap(CommandRule.of)?.isUrgent ?? false
  }
}
