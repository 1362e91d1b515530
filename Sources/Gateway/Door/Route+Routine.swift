import Care
import JSON

extension Route {
  /// The items of the routine of all, or `{resident?}`: what is due first, then by the next due time.
  ///
  /// - Result: `[item + {state: done | waiting | off, isDue: bool, due?, slot?, occurrence?, nextDue?, nextDueLocal?,
  ///   nextInsteadOf?, quietHours?, inQuietHours?, lastDone?, daysLeft?}]`; `occurrence` is the state of the due time that
  ///   `slot` names, *done* is offered while `isDue`, and `nextInsteadOf` is the item's own time where quiet hours moved it.
  public static let routineList = Route(
    "routine.list", [.text("resident").optional], needs: [.routine], of: .residents,
    gives: .list(
      RoutineItem.shape.with(
        [
          Member("state", .words(["done", "waiting", "off"])), Member("isDue", .flag),
          Member("due", .time).optional, Member("slot", .text).optional,
          Member("nextDue", .time).optional, Member("lastDone", .time).optional,
        ], as: "RoutineItemNow")))
  /// Due times of the routine, the latest first: `{resident, item?, since?, until?, limit?, cursor?}`; at most 1,000 without
  /// a limit, 100,000 with one.
  ///
  /// - Result: `[occurrence]`.
  public static let occurrencesQuery = Route(
    "occurrences.query", [.text("resident"), .text("item").optional] + .period, needs: [.routine],
    of: .resident, gives: .list(Occurrence.shape))

  static let routineRoutes: [Route] = [.routineList, .occurrencesQuery]
}
