public import Care
import Loop
import Moments
public import Ports
import Reminders

/// Reading the routine and its due times.
extension SQLiteStore {
  /// Due times of the routine, the latest first.
  public func occurrences(
    _ query: OccurrenceQuery,
    completion: @escaping @LoopActor @Sendable (Result<ListPage<Occurrence>, StoreError>) -> Void
  ) {
    answer(completion) { reader throws(SQLiteFailure) in
      try RoutineReader(care: reader.care()).occurrences(query)
    }
  }
}

/// The routine and its due times as they are stored.
struct RoutineReader {
  let care: Connection

  /// Final due times that a run starts with, of each item.
  private static let finalAtStart = 16

  /// What a run starts with.
  func read(
    into state: inout StoredState, _ unread: inout UnreadRows
  ) throws(SQLiteFailure) {
    state.routineItems = try care.read(.routineItem, "ORDER BY id", unread: &unread)
    state.occurrences = try readOccurrences(&unread)
  }

  /// The open due times, of removed items too; of items that are there also the newest that are over.
  private func readOccurrences(
    _ unread: inout UnreadRows
  ) throws(SQLiteFailure) -> [Occurrence] {
    let open = "state IN ('pending', 'prompted', 'snoozed')"
    var found: [Occurrence] = try care.read(
      .occurrence, from: "occurrence INDEXED BY occurrence_open", "WHERE \(open)", unread: &unread)
    // A cross join keeps the order of the tables: a few rows of each item, however many there are in all.
    found += try care.read(
      .occurrence, from: "routine_item CROSS JOIN occurrence",
      """
      ON item = routine_item.id AND slot IN (
          SELECT slot FROM occurrence INDEXED BY occurrence_of_item
            WHERE item = routine_item.id AND NOT \(open)
            ORDER BY due DESC, slot DESC LIMIT \(Self.finalAtStart))
      """, unread: &unread)
    return found.sorted { ($0.item, $0.slot) < ($1.item, $1.slot) }
  }

  func occurrences(_ query: OccurrenceQuery) throws(SQLiteFailure) -> ListPage<Occurrence> {
    let span = PageSpan(since: query.since, until: query.until, after: query.after)
    let item: [Binding] = query.item.map { [.text($0.rawValue)] } ?? []
    return try care.page(
      of: .occurrence,
      from: "occurrence INDEXED BY \(item.isEmpty ? "occurrence_by_due" : "occurrence_of_item")",
      """
      WHERE resident = ? \(item.isEmpty ? "" : "AND item = ?") AND due BETWEEN ? AND ?
        AND (due < ? OR (item, slot) > (?, ?)) ORDER BY due DESC, item, slot
      """,
      [.text(query.resident.rawValue)] + item + span.bindings + [
        span.given, span.text(0), span.text(1),
      ], limit: query.limit
    ) { (due: Occurrence) in
      ListPlace([due.due.milliseconds], [due.item.rawValue, due.slot])
    }
  }
}
