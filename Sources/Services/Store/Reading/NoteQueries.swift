public import Care
import Loop
import Moments
import Notebook
public import Ports

/// Reading memos, the diary, messages, pictures and recordings.
extension SQLiteStore {
  /// Memos and entries of the diary, the newest first.
  public func notes(
    _ query: NoteQuery,
    completion: @escaping @LoopActor @Sendable (Result<ListPage<Note>, StoreError>) -> Void
  ) {
    answer(completion) { reader throws(SQLiteFailure) in
      try NoteReader(care: reader.care()).notes(query)
    }
  }

  /// One memo or entry of the diary; nil when there is none.
  public func note(
    _ id: NoteID, completion: @escaping @LoopActor @Sendable (Result<Note?, StoreError>) -> Void
  ) {
    answer(completion) { reader throws(SQLiteFailure) in
      try NoteReader(care: reader.care()).note(id)
    }
  }

  /// Messages of a resident, or of all, the newest first.
  public func messages(
    _ query: MessageQuery,
    completion: @escaping @LoopActor @Sendable (Result<ListPage<ChatMessage>, StoreError>) -> Void
  ) {
    answer(completion) { reader throws(SQLiteFailure) in
      try NoteReader(care: reader.care()).messages(query)
    }
  }

  /// One message; nil when there is none.
  public func message(
    _ id: MessageID,
    completion: @escaping @LoopActor @Sendable (Result<ChatMessage?, StoreError>) -> Void
  ) {
    answer(completion) { reader throws(SQLiteFailure) in
      try NoteReader(care: reader.care()).message(id)
    }
  }
}

/// Memos, the diary, messages, pictures and recordings as they are stored.
struct NoteReader {
  let care: Connection

  /// Messages that a run starts with, of each direction.
  private static let unreadAtStart = 200

  /// What a run starts with.
  func read(
    into state: inout StoredState, _ unread: inout UnreadRows
  ) throws(SQLiteFailure) {
    // Heads alone: the texts of years would only be in the way.
    try care.checkedRows(.note, "ORDER BY id", unread: &unread) { row in
      guard let note = Note(row) else { return false }
      state.notes.append(
        NoteHead(id: note.id, resident: note.resident, revision: note.revision, pictures: []))
      return true
    }
    var next = 0
    try care.checkedRows(.notePicture, "ORDER BY note, position", unread: &unread) { row in
      let note = NoteID(row.text(0))
      while next < state.notes.count, state.notes[next].id < note { next += 1 }
      if next < state.notes.count, state.notes[next].id == note {
        state.notes[next].pictures.append(PictureID(row.text(2)))
      }
      return true
    }
    state.messages = try readMessages(&unread)
    state.pictures = try care.read(.picture, "ORDER BY id", unread: &unread)
    state.recordings = try care.read(.recording, "ORDER BY id", unread: &unread)
  }

  private func readMessages(
    _ unread: inout UnreadRows
  ) throws(SQLiteFailure) -> [ChatMessage] {
    var found: [ChatMessage] = []
    for direction in ChatMessage.Direction.allCases {
      found += try care.read(
        .message,
        """
        WHERE read_at IS NULL AND direction = ?
          ORDER BY sent_at DESC, id DESC LIMIT \(Self.unreadAtStart)
        """, [.text(direction.rawValue)], unread: &unread)
    }
    return found.sorted { ($0.sentAt, $0.id) < ($1.sentAt, $1.id) }
  }

  func notes(_ query: NoteQuery) throws(SQLiteFailure) -> ListPage<Note> {
    let (text, tag) = (query.text.map(SearchedText.init), query.tag?.lowercased())
    let span = PageSpan(since: query.since, until: query.until, after: query.after)
    var found = PageOfRows<Note>(limit: query.limit)
    let kind: [Binding] = query.kind.map { [.text($0.rawValue)] } ?? []
    try care.soundRows(
      .note,
      """
      WHERE resident = ? \(kind.isEmpty ? "" : "AND kind = ?") AND time BETWEEN ? AND ?
        AND (time < ? OR id < ?) ORDER BY time DESC, id DESC
      """, [.text(query.resident.rawValue)] + kind + span.bindings + [span.given, span.text(0)]
    ) { row in
      guard let note = Note(row) else { return true }
      if let tag, !note.tags.contains(where: { $0.lowercased() == tag }) { return true }
      if let text, !text.occurs(in: note.title), !text.occurs(in: note.text) { return true }
      return found.take(note, at: ListPlace([note.time.milliseconds], [note.id.rawValue]))
    }
    var page = found.page
    for index in page.elements.indices {
      page.elements[index].pictures = try pictures(of: page.elements[index].id)
    }
    return page
  }

  func note(_ id: NoteID) throws(SQLiteFailure) -> Note? {
    var found: Note? = try care.find(.note, id: id.rawValue)
    found?.pictures = try pictures(of: id)
    return found
  }

  private func pictures(of note: NoteID) throws(SQLiteFailure) -> [PictureID] {
    var pictures: [PictureID] = []
    try care.soundRows(
      .notePicture, "WHERE note = ? ORDER BY position", [.text(note.rawValue)]
    ) { row in
      pictures.append(PictureID(row.text(2)))
      return true
    }
    return pictures
  }

  func messages(_ query: MessageQuery) throws(SQLiteFailure) -> ListPage<ChatMessage> {
    let span = PageSpan(since: nil, until: nil, after: query.after)
    let resident: [Binding] = query.resident.map { [.text($0.rawValue)] } ?? []
    return try care.page(
      of: .message,
      """
      WHERE \(resident.isEmpty ? "" : "resident = ? AND ") sent_at BETWEEN ? AND ?
        AND (sent_at < ? OR id < ?) ORDER BY sent_at DESC, id DESC
      """, resident + span.bindings + [span.given, span.text(0)], limit: query.limit
    ) { (message: ChatMessage) in
      message.place(behind: nil)
    }
  }

  func message(_ id: MessageID) throws(SQLiteFailure) -> ChatMessage? {
    try care.find(.message, id: id.rawValue)
  }
}

/// A text that is looked for in others, in upper or lower case.
struct SearchedText {
  private let bytes: [UInt8]

  init(_ text: String) { bytes = Array(text.lowercased().utf8) }

  func occurs(in text: String) -> Bool {
    guard let first = bytes.first else { return true }
    let text = Array(text.lowercased().utf8)
    guard text.count >= bytes.count else { return false }
    return (0...text.count - bytes.count).contains { start in
      text[start] == first && text[start..<start + bytes.count].elementsEqual(bytes)
    }
  }
}
