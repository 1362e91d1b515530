public import Care
import Loop
public import Moments

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
  /// Only what comes behind this place; nil for the list from its beginning.
  public var after: ListPlace?

  /// A query; by default the 100 newest of both kinds.
  public init(
    resident: ResidentID, kind: Note.Kind? = nil, text: String? = nil, tag: String? = nil,
    since: Timestamp? = nil, until: Timestamp? = nil, limit: Int = 100, after: ListPlace? = nil
  ) {
    self.resident = resident
    self.kind = kind
    self.text = text
    self.tag = tag
    self.since = since
    self.until = until
    self.limit = limit
    self.after = after
  }
}

/// What a query for messages asks for.
public struct MessageQuery: Hashable, Sendable {
  /// Whose; nil for everybody's.
  public var resident: ResidentID?
  /// At most so many, the newest first.
  public var limit: Int
  /// Only what comes behind this place; nil for the list from its beginning.
  public var after: ListPlace?

  /// A query; by default the 100 newest.
  public init(resident: ResidentID? = nil, limit: Int = 100, after: ListPlace? = nil) {
    self.resident = resident
    self.limit = limit
    self.after = after
  }
}

/// Questions about memos, the diary and messages.
public protocol NoteQueries: Sendable {
  /// Memos and entries of the diary, the newest first.
  func notes(
    _ query: NoteQuery,
    completion: @escaping @LoopActor @Sendable (Result<ListPage<Note>, StoreError>) -> Void)
  /// One memo or entry of the diary; nil when there is none.
  func note(
    _ id: NoteID, completion: @escaping @LoopActor @Sendable (Result<Note?, StoreError>) -> Void)
  /// Messages, the newest first.
  func messages(
    _ query: MessageQuery,
    completion: @escaping @LoopActor @Sendable (Result<ListPage<ChatMessage>, StoreError>) -> Void)
  /// One message; nil when there is none.
  func message(
    _ id: MessageID,
    completion: @escaping @LoopActor @Sendable (Result<ChatMessage?, StoreError>) -> Void)
}
