public import Care
import Loop
public import Ports

/// Reading due times, notes, messages and glucose readings; every answer comes on the event loop.
extension SQLiteStore {
  /// Due times of the routine, the latest first.
  public func occurrences(
    _ query: OccurrenceQuery,
    completion: @escaping @LoopActor @Sendable (Result<[Occurrence], StoreError>) -> Void
  ) {
    answer(completion) { reader throws(SQLiteFailure) in try reader.care().occurrences(query) }
  }

  /// Memos and entries of the diary, the newest first.
  public func notes(
    _ query: NoteQuery,
    completion: @escaping @LoopActor @Sendable (Result<[Note], StoreError>) -> Void
  ) {
    answer(completion) { reader throws(SQLiteFailure) in try reader.care().notes(query) }
  }

  /// One memo or entry of the diary; nil when there is none.
  public func note(
    _ id: NoteID, completion: @escaping @LoopActor @Sendable (Result<Note?, StoreError>) -> Void
  ) {
    answer(completion) { reader throws(SQLiteFailure) in try reader.care().note(id) }
  }

  /// Messages of a resident, or of all, the newest first.
  public func messages(
    resident: ResidentID?, limit: Int,
    completion: @escaping @LoopActor @Sendable (Result<[ChatMessage], StoreError>) -> Void
  ) {
    answer(completion) { reader throws(SQLiteFailure) in
      try reader.care().messages(of: resident, limit: limit)
    }
  }

  /// Glucose readings of a resident, the newest first.
  public func glucoseReadings(
    _ query: GlucoseQuery,
    completion: @escaping @LoopActor @Sendable (Result<[GlucoseReading], StoreError>) -> Void
  ) {
    answer(completion) { reader throws(SQLiteFailure) in
      try reader.care().glucoseReadings(query)
    }
  }

  /// One glucose reading; nil when there is none.
  public func glucoseReading(
    _ id: GlucoseReadingID,
    completion: @escaping @LoopActor @Sendable (Result<GlucoseReading?, StoreError>) -> Void
  ) {
    answer(completion) { reader throws(SQLiteFailure) in try reader.care().glucoseReading(id) }
  }

  /// One message; nil when there is none.
  public func message(
    _ id: MessageID,
    completion: @escaping @LoopActor @Sendable (Result<ChatMessage?, StoreError>) -> Void
  ) {
    answer(completion) { reader throws(SQLiteFailure) in try reader.care().message(id) }
  }
}
