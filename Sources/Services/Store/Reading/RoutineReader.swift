import Care
import JSON
import Moments
import Ports

/// Reading the routine, its due times, notes, messages and pictures.
extension Connection {
  /// Final due times that a run starts with, of each item.
  private static let finalAtStart = 16
  /// Messages that a run starts with, of each direction.
  private static let unreadAtStart = 200

  func readRoutine(
    into state: inout StoredState, _ unread: inout UnreadRows
  ) throws(SQLiteFailure) {
    try checkedRows(.routineItem, "ORDER BY id", unread: &unread) { row in
      guard let json = try? JSONValue(parsing: row.bytes(5)),
        let item = try? RoutineItem(json: json), item.id.rawValue == row.text(0)
      else { return false }
      state.routineItems.append(item)
      return true
    }
    try readOccurrences(into: &state, &unread)
  }

  /// The open due times, of removed items too; of items that are there also the newest that are over.
  private func readOccurrences(
    into state: inout StoredState, _ unread: inout UnreadRows
  ) throws(SQLiteFailure) {
    let open = "state IN ('pending', 'prompted', 'snoozed')"
    var found: [Occurrence] = []
    func take(_ row: Row) -> Bool {
      guard let occurrence = Occurrence(row) else { return false }
      found.append(occurrence)
      return true
    }
    try checkedRows(
      .occurrence, from: "occurrence INDEXED BY occurrence_open", "WHERE \(open)", unread: &unread,
      take: take)
    // A cross join keeps the order of the tables: a few rows of each item, however many there are in all.
    try checkedRows(
      .occurrence, from: "routine_item CROSS JOIN occurrence",
      """
      ON item = routine_item.id AND slot IN (
          SELECT slot FROM occurrence INDEXED BY occurrence_of_item
            WHERE item = routine_item.id AND NOT \(open)
            ORDER BY due DESC, slot DESC LIMIT \(Self.finalAtStart))
      """, unread: &unread, take: take)
    state.occurrences = found.sorted { ($0.item, $0.slot) < ($1.item, $1.slot) }
  }

  func readNotes(
    into state: inout StoredState, _ unread: inout UnreadRows
  ) throws(SQLiteFailure) {
    try checkedRows(.note, "ORDER BY id", unread: &unread) { row in
      guard let note = Note(row) else { return false }
      state.notes.append(
        NoteHead(id: note.id, resident: note.resident, revision: note.revision, pictures: []))
      return true
    }
    var next = 0
    try checkedRows(.notePicture, "ORDER BY note, position", unread: &unread) { row in
      let note = NoteID(row.text(0))
      while next < state.notes.count, state.notes[next].id < note { next += 1 }
      if next < state.notes.count, state.notes[next].id == note {
        state.notes[next].pictures.append(PictureID(row.text(2)))
      }
      return true
    }
    try readMessages(into: &state, &unread)
    try checkedRows(.picture, "ORDER BY id", unread: &unread) { row in
      state.pictures.append(
        Picture(
          id: PictureID(row.text(0)), resident: ResidentID(row.text(1)), mediaType: row.text(2),
          bytes: row.integer(3), width: row.integer(4), height: row.integer(5)))
      return true
    }
  }

  private func readMessages(
    into state: inout StoredState, _ unread: inout UnreadRows
  ) throws(SQLiteFailure) {
    for direction in ChatMessage.Direction.allCases {
      try checkedRows(
        .message,
        """
        WHERE read_at IS NULL AND direction = ?
          ORDER BY sent_at DESC, id DESC LIMIT \(Self.unreadAtStart)
        """, [.text(direction.rawValue)], unread: &unread
      ) { row in
        guard let message = ChatMessage(row) else { return false }
        state.messages.append(message)
        return true
      }
    }
    state.messages.sort { ($0.sentAt, $0.id) < ($1.sentAt, $1.id) }
  }

  func occurrences(_ query: OccurrenceQuery) throws(SQLiteFailure) -> [Occurrence] {
    var found: [Occurrence] = []
    try soundRows(
      .occurrence,
      """
      WHERE resident = ?1 AND (?2 IS NULL OR item = ?2) AND due >= ?3 AND due < ?4
        ORDER BY due DESC, item, slot LIMIT ?5
      """,
      [
        .text(query.resident.rawValue), .optional(query.item?.rawValue),
        .integer(query.since?.milliseconds ?? .min), .integer(query.until?.milliseconds ?? .max),
        .integer(Int64(max(0, query.limit))),
      ]
    ) { row in
      if let occurrence = Occurrence(row) { found.append(occurrence) }
      return true
    }
    return found
  }

  func notes(_ query: NoteQuery) throws(SQLiteFailure) -> [Note] {
    let (text, tag) = (query.text.map(SearchedText.init), query.tag?.lowercased())
    var found: [Note] = []
    try soundRows(
      .note,
      """
      WHERE resident = ?1 AND (?2 IS NULL OR kind = ?2) AND time >= ?3 AND time < ?4
        ORDER BY time DESC, id DESC
      """,
      [
        .text(query.resident.rawValue), .optional(query.kind?.rawValue),
        .integer(query.since?.milliseconds ?? .min), .integer(query.until?.milliseconds ?? .max),
      ]
    ) { row in
      guard found.count < query.limit else { return false }
      guard let note = Note(row) else { return true }
      if let tag, !note.tags.contains(where: { $0.lowercased() == tag }) { return true }
      if let text, !text.occurs(in: note.title), !text.occurs(in: note.text) { return true }
      found.append(note)
      return true
    }
    for index in found.indices { found[index].pictures = try pictures(of: found[index].id) }
    return found
  }

  func note(_ id: NoteID) throws(SQLiteFailure) -> Note? {
    var found: Note?
    try soundRows(.note, "WHERE id = ?", [.text(id.rawValue)]) { row in
      found = Note(row)
      return false
    }
    found?.pictures = try pictures(of: id)
    return found
  }

  private func pictures(of note: NoteID) throws(SQLiteFailure) -> [PictureID] {
    var pictures: [PictureID] = []
    try soundRows(
      .notePicture, "WHERE note = ? ORDER BY position", [.text(note.rawValue)]
    ) { row in
      pictures.append(PictureID(row.text(2)))
      return true
    }
    return pictures
  }

  func messages(of resident: ResidentID?, limit: Int) throws(SQLiteFailure) -> [ChatMessage] {
    var found: [ChatMessage] = []
    try soundRows(
      .message, "WHERE ?1 IS NULL OR resident = ?1 ORDER BY sent_at DESC, id DESC LIMIT ?2",
      [.optional(resident?.rawValue), .integer(Int64(max(0, limit)))]
    ) { row in
      if let message = ChatMessage(row) { found.append(message) }
      return true
    }
    return found
  }

  func message(_ id: MessageID) throws(SQLiteFailure) -> ChatMessage? {
    var found: ChatMessage?
    try soundRows(.message, "WHERE id = ?", [.text(id.rawValue)]) { row in
      found = ChatMessage(row)
      return false
    }
    return found
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

extension Occurrence {
  /// A row of the table; nil when its state is none that this version knows.
  fileprivate init?(_ row: Row) {
    guard let state = State(rawValue: row.text(4)) else { return nil }
    self.init(
      item: RoutineItemID(row.text(0)), resident: ResidentID(row.text(2)), slot: row.text(1),
      due: Timestamp(milliseconds: row.integer(3)), state: state, prompts: row.integer(5),
      snoozes: row.integer(6), isTold: row.integer(7) != 0,
      changedAt: Timestamp(milliseconds: row.integer(8)), by: row.text(9), reason: row.text(10),
      isLate: row.integer(11) != 0)
  }
}

extension Note {
  /// A row of the table, without its pictures.
  fileprivate init?(_ row: Row) {
    guard let kind = Kind(rawValue: row.text(2)) else { return nil }
    let tags = (try? JSONValue(parsing: row.bytes(5)))?.arrayContent ?? []
    self.init(
      id: NoteID(row.text(0)), resident: ResidentID(row.text(1)), kind: kind, title: row.text(3),
      text: row.text(4), tags: tags.compactMap(\.stringContent),
      time: Timestamp(milliseconds: row.integer(6)), author: row.text(7),
      changedAt: Timestamp(milliseconds: row.integer(8)), revision: row.integer(9))
  }
}

extension ChatMessage {
  /// A row of the table.
  fileprivate init?(_ row: Row) {
    guard let direction = Direction(rawValue: row.text(2)) else { return nil }
    self.init(
      id: MessageID(row.text(0)), resident: ResidentID(row.text(1)), direction: direction,
      sender: row.text(3), text: row.text(4), sentAt: Timestamp(milliseconds: row.integer(5)),
      spokenAt: row.optionalTime(6), readAt: row.optionalTime(7), readBy: row.text(8))
  }
}

extension Row {
  fileprivate func optionalTime(_ column: Int32) -> Timestamp? {
    isNull(column) ? nil : Timestamp(milliseconds: integer(column))
  }
}
