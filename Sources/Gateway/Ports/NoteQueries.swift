public import Care
public import Moments

/// What a query for due times asks for.
public struct OccurrenceQuery: Hashable, Sendable {
  /// Whose.
  public var resident: ResidentID
  /// Only of this item; nil for all.
  public var item: RoutineItemID?
  /// Only those due at or after this time.
  public var since: Timestamp?
  /// Only those due before this time.
  public var until: Timestamp?
  /// At most so many, the latest first.
  public var limit: Int

  /// A query; by default the 1,000 latest of all items.
  public init(
    resident: ResidentID, item: RoutineItemID? = nil, since: Timestamp? = nil,
    until: Timestamp? = nil, limit: Int = 1000
  ) {
    self.resident = resident
    self.item = item
    self.since = since
    self.until = until
    self.limit = limit
  }
}

/// What a query for memos and entries of the diary asks for.
public struct NoteQuery: Hashable, Sendable {
  /// Whose.
  public var resident: ResidentID
  /// Only memos, or only the diary; nil for both.
  public var kind: Note.Kind?
  /// Only notes whose title or text contains this, in upper or lower case; nil for all.
  public var text: String?
  /// Only notes with this tag, in upper or lower case; nil for all.
  public var tag: String?
  /// Only notes about this time or later.
  public var since: Timestamp?
  /// Only notes about a time before this.
  public var until: Timestamp?
  /// At most so many, the newest first.
  public var limit: Int

  /// A query; by default the 100 newest of both kinds.
  public init(
    resident: ResidentID, kind: Note.Kind? = nil, text: String? = nil, tag: String? = nil,
    since: Timestamp? = nil, until: Timestamp? = nil, limit: Int = 100
  ) {
    self.resident = resident
    self.kind = kind
    self.text = text
    self.tag = tag
    self.since = since
    self.until = until
    self.limit = limit
  }
}
