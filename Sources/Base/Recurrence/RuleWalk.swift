/// A walk over the local times of a rule, forwards or backwards.
struct RuleWalk {
  private let expander: RuleExpander
  private let step: Int64
  private let bound: Int64
  private var upcoming: Int64
  private var times = RuleExpander.Times()
  private var index = 0
  private var count = 0
  private var isFirst = true

  /// A walk that begins with the first time at or after `bound` (step 1), or the last at or before it (step -1).
  init(_ expander: RuleExpander, from bound: Int64, step: Int64) {
    self.expander = expander
    self.step = step
    self.bound = step > 0 ? max(bound, expander.first) : min(bound, expander.last)
    upcoming = expander.period(of: self.bound)
  }

  /// The next time; nil when there is none, or none within the bounds of a search.
  mutating func next() -> Int64? {
    while true {
      while index < count {
        let wall = expander.wall(times, at: step > 0 ? index : count - 1 - index)
        index += 1
        if step > 0 {
          if wall > expander.last { return nil }
          if wall >= bound { return wall }
        } else {
          if wall < expander.first { return nil }
          if wall <= bound { return wall }
        }
      }
      guard let found = nextPeriod() else { return nil }
      times = found
      count = expander.count(found)
      index = isFirst ? firstIndex() : 0
      isFirst = false
    }
  }

  /// The index of the first time that is not before the bound, in the direction of the walk.
  private func firstIndex() -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      let wall = expander.wall(times, at: step > 0 ? middle : count - 1 - middle)
      if step > 0 ? wall < bound : wall > bound { low = middle + 1 } else { high = middle }
    }
    return low
  }

  /// The next period that has times; nil behind the last one.
  mutating func nextPeriod() -> RuleExpander.Times? {
    for _ in 0..<RuleExpander.maximumEmptyPeriods {
      guard (0...expander.lastPeriod).contains(upcoming) else { return nil }
      let found = expander.times(ofPeriod: upcoming, step: step)
      upcoming = found.next
      if expander.count(found.times) > 0 { return found.times }
    }
    return nil
  }
}
