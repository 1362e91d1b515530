import Care
import Moments

/// The newest due times of an item that are closed, by due time.
struct ClosedDues: Sendable {
  /// The newest last.
  private(set) var all: [Occurrence] = []

  /// How many are remembered.
  private static let limit = 16

  /// The newest, which may lie in the future.
  var newest: Occurrence? { all.last }
  /// The newest that was done.
  var newestDone: Occurrence? { all.last { $0.state == .done } }

  /// The due time that is known by a key.
  subscript(slot: String) -> Occurrence? { all.last { $0.slot == slot } }

  /// The newest that is not in the future.
  func newest(at utc: Timestamp) -> Occurrence? { all.last { $0.due <= utc } }

  /// The newest that something was said of before it came; of a slot, or of any when nil.
  func newestAhead(_ slot: String? = nil, at now: Moment) -> Occurrence? {
    all.last { $0.isAhead(at: now) && (slot == nil || slot == $0.slot) }
  }

  /// The newest beside one that was taken back.
  func newest(beside occurrence: Occurrence) -> Occurrence? {
    all.last { $0.slot != occurrence.slot && $0.reason != Occurrence.undoneReason }
  }

  /// Up to when due times were judged, by what is known of them; nil where that says nothing.
  func judged(at utc: Timestamp) -> Timestamp? {
    var judged: Timestamp?
    // What was taken back is to be asked again.
    for occurrence in all
    where occurrence.due <= utc && occurrence.reason != Occurrence.undoneReason {
      judged = max(judged ?? occurrence.due, occurrence.due)
    }
    return judged
  }

  /// Those that hold by a clock that was set back.
  ///
  /// What was said of them by a clock that was ahead was said of something else, unless they are near.
  func holding(at utc: Timestamp, by window: EarlyWindow) -> [Occurrence] {
    var window = window
    window.closed.all.removeAll { $0.due > utc }
    return all.filter { occurrence in
      guard occurrence.due > utc else { return true }
      let slot = DueSlot(key: occurrence.slot, instant: occurrence.due)
      return !occurrence.by.isEmpty
        && (occurrence.changedAt <= utc || window.start(of: slot) <= utc)
    }
  }

  /// Remembers one; what lies in the future, by a clock that was ahead, never crowds out the rest.
  mutating func remember(_ occurrence: Occurrence, at utc: Timestamp) {
    forget(occurrence.slot)
    let place = all.lastIndex { $0.due <= occurrence.due }.map { $0 + 1 } ?? 0
    all.insert(occurrence, at: place)
    guard all.count > Self.limit else { return }
    let future = all.count { $0.due > utc }
    if future > Self.limit / 4 { all.removeLast() } else { all.removeFirst() }
  }

  mutating func forget(_ slot: String) { all.removeAll { $0.slot == slot } }

  /// Keeps only those.
  mutating func keep(_ valid: [Occurrence]) { all.removeAll { !valid.contains($0) } }
}

extension Occurrence {
  /// Why a due time is not asked any more: it lies in the future since the clock was set back.
  static let clockReason = "clock-set-back"
  /// Why a due time was not asked: nothing is said in quiet hours.
  static let quietReason = "quiet-hours"
  /// Why a due time stands open again: somebody took back what was said of it.
  static let undoneReason = "undone"

  /// Whether something was said of a due time that has not come yet.
  func isAhead(at now: Moment) -> Bool {
    (state == .done || state == .skipped) && due > now.utc
  }

  /// Whether what is over can be answered still.
  func takes(_ answer: RoutineRequest.Answer) -> Bool {
    switch (state, answer) {
    case (.cancelled, .done), (.cancelled, .skip): reason == Self.quietReason
    case (.missed, .done), (.missed, .skip), (.notNow, .done), (.notNow, .skip), (.skipped, .done):
      true
    default: false
    }
  }
}
