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
    completion: @escaping @LoopActor @Sendable (Result<[Occurrence], StoreError>) -> Void
  ) {
    answer(completion) { reader throws(SQLiteFailure) in try reader.care().occurrences(query) }
  }
}

extension Connection {
  /// Final due times that a run starts with, of each item.
  private static let finalAtStart = 16

  func readRoutine(
    into state: inout StoredState, _ unread: inout UnreadRows
  ) throws(SQLiteFailure) {
    state.routineItems = try read(.routineItem, "ORDER BY id", unread: &unread)
    state.occurrences = try readOccurrences(&unread)
  }

  /// The open due times, of removed items too; of items that are there also the newest that are over.
  private func readOccurrences(
    _ unread: inout UnreadRows
  ) throws(SQLiteFailure) -> [Occurrence] {
    let open = "state IN ('pending', 'prompted', 'snoozed')"
    var found: [Occurrence] = try read(
      .occurrence, from: "occurrence INDEXED BY occurrence_open", "WHERE \(open)", unread: &unread)
    // A cross join keeps the order of the tables: a few rows of each item, however many there are in all.
    found += try read(
      .occurrence, from: "routine_item CROSS JOIN occurrence",
      """
      ON item = routine_item.id AND slot IN (
          SELECT slot FROM occurrence INDEXED BY occurrence_of_item
            WHERE item = routine_item.id AND NOT \(open)
            ORDER BY due DESC, slot DESC LIMIT \(Self.finalAtStart))
      """, unread: &unread)
    return found.sorted { ($0.item, $0.slot) < ($1.item, $1.slot) }
  }

  func occurrences(_ query: OccurrenceQuery) throws(SQLiteFailure) -> [Occurrence] {
    try find(
      .occurrence,
      """
      WHERE resident = ?1 AND (?2 IS NULL OR item = ?2) AND due >= ?3 AND due < ?4
        ORDER BY due DESC, item, slot LIMIT ?5
      """,
      [
        .text(query.resident.rawValue), .optional(query.item?.rawValue),
        .integer(query.since?.milliseconds ?? .min), .integer(query.until?.milliseconds ?? .max),
        .integer(Int64(max(0, query.limit))),
      ])
  }
}
