public import Care
import JSON
import Texts

extension Table {
  /// Memos and entries of the diary; `tags` is an array as JSON, times are milliseconds since 1970-01-01T00:00:00Z.
  public static let note = Table(
    "note", key: [.text("id")],
    [
      .text("resident"), .text("kind"), .text("title"), .text("text"), .text("tags"),
      .integer("time"), .text("author"), .integer("changed_at"), .integer("revision"),
    ],
    of: .resident("resident"), part: Part(.notePicture, by: ["note": .key(after: "")])
  ) { _ in Message("a note") }

  /// Which pictures a note has, in their order.
  public static let notePicture = Table(
    "note_picture", key: [.text("note"), .integer("position")], [.text("picture")],
    of: .row(of: "note", by: "note")
  ) { _ in Message("a note") }

  /// Pictures; their files are named by `id`, the SHA-256 of their content.
  public static let picture = Table(
    "picture", key: [.text("id")],
    [
      .text("resident"), .text("media_type"), .integer("bytes"), .integer("width"),
      .integer("height"),
    ],
    of: .resident("resident")
  ) { _ in Message("a picture") }

  /// Recordings of voices; their files are named by `id`.
  public static let recording = Table(
    "recording", key: [.text("id")],
    [
      .text("resident"), .integer("bytes"), .integer("milliseconds"), .integer("kept_at"),
      .integer("is_sent"),
    ],
    of: .resident("resident")
  ) { _ in Message("a recording") }

  /// Messages between residents and those who care.
  public static let message = Table(
    "message", key: [.text("id")],
    [
      .text("resident"), .text("direction"), .text("sender"), .text("text"), .integer("sent_at"),
      .integer("spoken_at", isOptional: true), .integer("read_at", isOptional: true),
      .text("read_by"), .text("recording", isOptional: true),
      .integer("recording_seconds", isOptional: true),
    ],
    of: .resident("resident")
  ) { _ in Message("a message") }

  /// The tables of the notebook.
  public static let notebook: [Table] = [.note, .notePicture, .picture, .message, .recording]
}

extension Note: ReadableRow {
  /// A row of ``Care/Table/note``.
  public var columnValues: [ColumnValue] {
    [
      .text(id.rawValue), .text(resident.rawValue), .text(kind.rawValue), .text(title),
      .text(text), .json(.array(tags.map { .string($0) })), .time(time), .text(author),
      .time(changedAt), .integer(revision),
    ]
  }

  /// The rows of ``Care/Table/notePicture``.
  public var partValues: [[ColumnValue]] {
    pictures.enumerated().map { position, picture in
      [.text(id.rawValue), .integer(Int64(position)), .text(picture.rawValue)]
    }
  }

  /// Reads a row of ``Care/Table/note``, as one without pictures; nil for a kind that this version does not know.
  public init?(_ row: some ColumnReader) {
    guard let kind = Kind(rawValue: row.text(2)) else { return nil }
    self.init(
      id: NoteID(row.text(0)), resident: ResidentID(row.text(1)), kind: kind, title: row.text(3),
      text: row.text(4), tags: (row.json(5)?.arrayContent ?? []).compactMap(\.stringContent),
      time: row.time(6), author: row.text(7), changedAt: row.time(8), revision: row.integer(9))
  }
}

extension Picture: ReadableRow {
  /// A row of ``Care/Table/picture``.
  public var columnValues: [ColumnValue] {
    [
      .text(id.rawValue), .text(resident.rawValue), .text(mediaType), .integer(bytes),
      .integer(width), .integer(height),
    ]
  }

  /// Reads a row of ``Care/Table/picture``.
  public init?(_ row: some ColumnReader) {
    self.init(
      id: PictureID(row.text(0)), resident: ResidentID(row.text(1)), mediaType: row.text(2),
      bytes: row.integer(3), width: row.integer(4), height: row.integer(5))
  }
}

extension ChatMessage: ReadableRow {
  /// A row of ``Care/Table/message``.
  public var columnValues: [ColumnValue] {
    [
      .text(id.rawValue), .text(resident.rawValue), .text(direction.rawValue), .text(sender),
      .text(text), .time(sentAt), .optional(spokenAt), .optional(readAt), .text(readBy),
      .optional(recording?.id.rawValue), recording.map { .integer($0.seconds) } ?? .null,
    ]
  }

  /// Reads a row of ``Care/Table/message``; nil for a direction that this version does not know.
  public init?(_ row: some ColumnReader) {
    guard let direction = Direction(rawValue: row.text(2)) else { return nil }
    self.init(
      id: MessageID(row.text(0)), resident: ResidentID(row.text(1)), direction: direction,
      sender: row.text(3), text: row.text(4),
      recording: row.optionalText(9).map {
        Attachment(id: RecordingID($0), seconds: row.integer(10))
      },
      sentAt: row.time(5), spokenAt: row.optionalTime(6), readAt: row.optionalTime(7),
      readBy: row.text(8))
  }
}

extension Recording: ReadableRow {
  /// A row of ``Care/Table/recording``.
  public var columnValues: [ColumnValue] {
    [
      .text(id.rawValue), .text(resident.rawValue), .integer(bytes), .integer(milliseconds),
      .time(keptAt), .bool(isSent),
    ]
  }

  /// Reads a row of ``Care/Table/recording``.
  public init?(_ row: some ColumnReader) {
    self.init(
      id: RecordingID(row.text(0)), resident: ResidentID(row.text(1)), bytes: row.integer(2),
      milliseconds: row.integer(3), keptAt: row.time(4), isSent: row.bool(5))
  }
}

extension StateChange {
  /// Insert or replace a memo or an entry of the diary.
  public static func putNote(_ note: Note) -> StateChange { .put(note, in: .note) }

  /// Remove a memo or an entry of the diary.
  public static func removeNote(_ id: NoteID) -> StateChange { .remove(id.rawValue, from: .note) }

  /// Insert or replace a message.
  public static func putMessage(_ message: ChatMessage) -> StateChange {
    .put(message, in: .message)
  }

  /// Note that a picture is stored.
  public static func putPicture(_ picture: Picture) -> StateChange { .put(picture, in: .picture) }

  /// Forget a picture that nobody refers to any more; its file is removed after the commit.
  public static func removePicture(_ id: PictureID) -> StateChange {
    .remove(id.rawValue, from: .picture)
  }

  /// Note that a recording is stored.
  public static func putRecording(_ recording: Recording) -> StateChange {
    .put(recording, in: .recording)
  }

  /// Forget a recording that is not kept any more; its file is removed after the commit.
  public static func removeRecording(_ id: RecordingID) -> StateChange {
    .remove(id.rawValue, from: .recording)
  }

  /// The recording that is not kept any more; nil for any other change.
  public var removedRecording: RecordingID? {
    removedKey(from: .recording)?.first.map { RecordingID($0) }
  }

  /// The picture that nobody refers to any more; nil for any other change.
  public var removedPicture: PictureID? {
    removedKey(from: .picture)?.first.map { PictureID($0) }
  }
}
