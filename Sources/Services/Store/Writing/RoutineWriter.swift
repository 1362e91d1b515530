import Care
import Glucose
import JSON
import Moments
import Notebook
import Reminders

/// Writing the routine, its due times, notes, messages and pictures, inside the transaction of a step.
extension Connection {
  func put(_ item: RoutineItem) throws(SQLiteFailure) {
    try put(
      .routineItem, .text(item.id.rawValue), .text(item.resident.rawValue),
      .text(item.kind.rawValue),
      .text(item.title), .integer(item.isOn ? 1 : 0), .textBytes(item.json.serializedBytes))
  }

  func put(_ occurrence: Occurrence) throws(SQLiteFailure) {
    try put(
      .occurrence, .text(occurrence.item.rawValue), .text(occurrence.slot),
      .text(occurrence.resident.rawValue), .integer(occurrence.due.milliseconds),
      .text(occurrence.state.rawValue), .integer(occurrence.prompts),
      .integer(occurrence.snoozes), .integer(occurrence.isTold ? 1 : 0),
      .integer(occurrence.changedAt.milliseconds), .text(occurrence.by),
      .text(occurrence.reason), .integer(occurrence.isLate ? 1 : 0))
  }

  func put(_ note: Note) throws(SQLiteFailure) {
    let tags = JSONValue.array(note.tags.map { .string($0) })
    try put(
      .note, .text(note.id.rawValue), .text(note.resident.rawValue), .text(note.kind.rawValue),
      .text(note.title), .text(note.text), .textBytes(tags.serializedBytes),
      .integer(note.time.milliseconds), .text(note.author),
      .integer(note.changedAt.milliseconds), .integer(note.revision))
    try run("DELETE FROM note_picture WHERE note = ?", .text(note.id.rawValue))
    for (position, picture) in note.pictures.enumerated() {
      try put(
        .notePicture, .text(note.id.rawValue), .integer(Int64(position)), .text(picture.rawValue))
    }
  }

  func remove(_ note: NoteID) throws(SQLiteFailure) {
    try run("DELETE FROM note_picture WHERE note = ?", .text(note.rawValue))
    try run("DELETE FROM note WHERE id = ?", .text(note.rawValue))
  }

  func put(_ message: ChatMessage) throws(SQLiteFailure) {
    try put(
      .message, .text(message.id.rawValue), .text(message.resident.rawValue),
      .text(message.direction.rawValue), .text(message.sender), .text(message.text),
      .integer(message.sentAt.milliseconds), .optional(message.spokenAt),
      .optional(message.readAt), .text(message.readBy))
  }

  func put(_ picture: Picture) throws(SQLiteFailure) {
    try put(
      .picture, .text(picture.id.rawValue), .text(picture.resident.rawValue),
      .text(picture.mediaType), .integer(picture.bytes), .integer(picture.width),
      .integer(picture.height))
  }
}

extension Connection {
  func put(_ reading: GlucoseReading) throws(SQLiteFailure) {
    try put(.glucoseReading, reading.columnValues)
  }
}
