public import JSON
public import Moments

/// How regularly what is due was done.
///
/// - Source: the share of done among done and missed, over 7 and over 30 days; late ones count as done and are shown.
public struct Adherence: Hashable, Sendable {
  /// Due times that were done, late ones included.
  public var done = 0
  /// Those of them that were done after a snooze or after caregivers had been told.
  public var late = 0
  /// Due times that nobody answered.
  public var missed = 0
  /// Due times that the resident did not want, or that were left out by decision; they count for nothing.
  public var declined = 0

  /// Done among done and missed, 0 through 1; nil when there was neither.
  public var share: Double? {
    done + missed == 0 ? nil : Double(done) / Double(done + missed)
  }

  /// The adherence over the days before a moment.
  ///
  /// - Parameters:
  ///   - occurrences: due times in any order; those outside of the days are passed over.
  ///   - asNeeded: items that are never due and so never missed; they are left out.
  public init(
    _ occurrences: some Sequence<Occurrence>, days: Int64, before now: Timestamp,
    asNeeded: Set<RoutineItemID> = []
  ) {
    let since = now.advanced(byMilliseconds: -days.multipliedClamped(by: 86_400_000))
    for occurrence in occurrences {
      guard occurrence.due > since, occurrence.due <= now, !asNeeded.contains(occurrence.item)
      else { continue }
      switch occurrence.state {
      case .done:
        done += 1
        if occurrence.isLate { late += 1 }
      case .missed: missed += 1
      case .notNow, .skipped: declined += 1
      case .pending, .prompted, .snoozed, .cancelled: break
      }
    }
  }
}

extension Adherence {
  /// The figures as an object: `done`, `late`, `missed`, `declined` and, where there is one, `share`.
  public var json: JSONValue {
    .object([
      "done": .integer(Int64(done)), "late": .integer(Int64(late)),
      "missed": .integer(Int64(missed)), "declined": .integer(Int64(declined)),
      "share": share.map { .number($0) },
    ])
  }
}
