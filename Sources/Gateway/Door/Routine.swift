import Care

extension Route {
  /// The items of the routine of all, or `{resident?}`: what is due first, then by the next due time.
  ///
  /// - Result: `[item + {state: done | waiting | off, isDue: bool, due?, slot?, occurrence?, nextDue?, nextDueLocal?,
  ///   nextInsteadOf?, quietHours?, inQuietHours?, lastDone?, daysLeft?}]`; `occurrence` is the state of the due time that
  ///   `slot` names, *done* is offered while `isDue`, and `nextInsteadOf` is the item's own time where quiet hours moved it.
  public static let routineList = Route(
    "routine.list", [.text("resident").optional], needs: [.routine], of: .residents)
  /// Due times of the routine, the latest first: `{resident, item?, since?, until?, limit?}`; at most 1,000 without a limit,
  /// 100,000 with one.
  ///
  /// - Result: `[occurrence]`.
  public static let occurrencesQuery = Route(
    "occurrences.query", [.text("resident"), .text("item").optional] + .period, needs: [.routine],
    of: .resident)

  static let routineRoutes: [Route] = [.routineList, .occurrencesQuery]
}
