import Care
import Ports

/// What one commit of `care.db` made of a group of waiting records.
struct GroupResult {
  /// Heads after the commit.
  var heads: LaneHeads
  /// First journal sequence and count of each record's events, by position in the group.
  var journalRanges: [(first: Int64, count: Int64)]
  /// Records that can never be written, by position in the group.
  var refused: [Int: StoreError] = [:]
  /// Residents whose rows were erased.
  var hasErasure = false
  /// The newest event that was written to the journal; nil for none.
  var newest: (sequence: Int64, event: EncodedEvent)?
  /// The number of the last change of the emergency card among the records; nil for none.
  var cardNumber: Int64?

  init(heads: LaneHeads, count: Int) {
    self.heads = heads
    journalRanges = Array(repeating: (0, 0), count: count)
  }
}

/// Writes groups of records to `care.db`, one transaction each.
///
/// Used on the writer's thread only.
struct GroupWriter {
  let care: Connection

  /// Makes the group durable.
  ///
  /// When a record is refused for good, the group is written again with a savepoint around each record, so that one
  /// bad record never holds up the others.
  /// - Throws: failures that may pass; nothing is written then.
  func write(_ group: [Entry], after heads: LaneHeads) throws(SQLiteFailure) -> GroupResult {
    do {
      return try writeTogether(group, after: heads)
    } catch {
      guard !error.isTransient else { throw error }
      return try writeOneByOne(group, after: heads)
    }
  }

  private func writeTogether(
    _ group: [Entry], after heads: LaneHeads
  ) throws(SQLiteFailure) -> GroupResult {
    var result = GroupResult(heads: heads, count: group.count)
    try care.transaction { () throws(SQLiteFailure) in
      for (index, entry) in group.enumerated() { try apply(entry.work, index, &result) }
      try putCardNumber(of: group, &result)
    }
    return result
  }

  private func writeOneByOne(
    _ group: [Entry], after heads: LaneHeads
  ) throws(SQLiteFailure) -> GroupResult {
    var result = GroupResult(heads: heads, count: group.count)
    try care.transaction { () throws(SQLiteFailure) in
      for (index, entry) in group.enumerated() {
        let before = result
        do throws(SQLiteFailure) {
          try care.savepoint { () throws(SQLiteFailure) in try apply(entry.work, index, &result) }
        } catch {
          guard !error.isTransient else { throw error }
          result = before
          result.refused[index] = error.storeError
          try rescueAlarms(of: entry.work, index, &result)
        }
      }
      try putCardNumber(of: group, &result)
    }
    return result
  }

  private func putCardNumber(
    of group: [Entry], _ result: inout GroupResult
  ) throws(SQLiteFailure) {
    guard let number = group.compactMap(\.cardNumber).max() else { return }
    try CardNote(care: care).put(number)
    result.cardNumber = number
  }

  /// Alarms of a refused record are kept one by one where that is possible: better without their state than not at all.
  private func rescueAlarms(
    of work: Work, _ index: Int, _ result: inout GroupResult
  ) throws(SQLiteFailure) {
    guard case .step(let record) = work else { return }
    for event in record.events where event.lane == .alarm {
      let before = result
      do throws(SQLiteFailure) {
        try care.savepoint { () throws(SQLiteFailure) in try append(event, index, &result) }
      } catch {
        guard !error.isTransient else { throw error }
        result = before
      }
    }
  }

  private func apply(
    _ work: Work, _ index: Int, _ result: inout GroupResult
  ) throws(SQLiteFailure) {
    switch work {
    case .step(let record):
      let before = max(result.heads.alarm, result.heads.record)
      for event in record.events where event.lane != .trace {
        try append(event, index, &result)
      }
      for change in record.changes {
        try ChangeWriter(care: care).apply(change, after: before)
        if case .eraseResident = change { result.hasErasure = true }
      }
    case .cursor(let cursor, let letters): try PluginWriter(care: care).save(cursor, letters)
    case .removeDeadLetters(let letters): try PluginWriter(care: care).remove(letters)
    case .run, .upkeep: break
    }
  }

  private func append(
    _ event: EncodedEvent, _ index: Int, _ result: inout GroupResult
  ) throws(SQLiteFailure) {
    let sequence = try EventWriter(care: care).append(event)
    result.heads[event.lane] = sequence
    result.newest = (sequence, event)
    if result.journalRanges[index].count == 0 { result.journalRanges[index].first = sequence }
    result.journalRanges[index].count += 1
  }
}
