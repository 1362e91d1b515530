/// A walk over the local times of a schedule, forwards or backwards: what its rule gives and what was added, without
/// what is left out.
struct WallWalk {
  /// One local time.
  struct Step {
    /// Seconds since 1970-01-01T00:00:00, as if it were UTC.
    var wall: Int64
    /// Whether it was added by hand, and the rule's end does not concern it.
    var isAdded: Bool
  }

  private var rule: RuleWalk?
  private var ruleHead: Int64?
  private let added: [Int64]
  private var addedIndex: Int
  private let excluded: [Int64]
  private let isForward: Bool

  /// A walk from the first local time at or after `bound` forwards, or from the last at or before it backwards.
  init(_ finder: OccurrenceFinder, from bound: Int64, isForward: Bool) {
    self.isForward = isForward
    added = finder.added
    excluded = finder.excluded
    addedIndex =
      isForward
      ? added.firstPlace { $0 >= bound } : added.firstPlace { $0 > bound } - 1
    rule = finder.expander.map { RuleWalk($0, from: bound, step: isForward ? 1 : -1) }
    ruleHead = rule?.next()
  }

  /// The next local time; nil when there is none.
  mutating func next() -> Step? {
    while let step = nextUnfiltered() {
      let place = excluded.firstPlace { $0 >= step.wall }
      if place == excluded.count || excluded[place] != step.wall { return step }
    }
    return nil
  }

  private mutating func nextUnfiltered() -> Step? {
    let addedHead = added.indices.contains(addedIndex) ? added[addedIndex] : nil
    guard let addedHead else { return takeFromRule() }
    if let ruleHead, isForward ? ruleHead < addedHead : ruleHead > addedHead {
      return takeFromRule()
    }
    if ruleHead == addedHead { ruleHead = rule?.next() }
    addedIndex += isForward ? 1 : -1
    return Step(wall: addedHead, isAdded: true)
  }

  private mutating func takeFromRule() -> Step? {
    guard let wall = ruleHead else { return nil }
    ruleHead = rule?.next()
    return Step(wall: wall, isAdded: false)
  }
}

extension [Int64] {
  /// The first index whose element fulfils what all behind it fulfil too; the count where none does.
  func firstPlace(where isReached: (Int64) -> Bool) -> Int {
    var (low, high) = (0, count)
    while low < high {
      let middle = (low + high) / 2
      if isReached(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
