import Care
import JSON

extension Route {
  /// Memos, entries of the diary and what somebody looks like, the newest first: `{resident, kind?: memo, diary or portrait,
  /// text?, tag?, since?, until?, limit?, cursor?}`; `text` occurs in title or text, and neither it nor `tag` minds capital letters. At most 100 without a limit,
  /// 10,000 with one.
  ///
  /// - Result: `[note]`.
  public static let notesQuery = Route(
    "notes.query",
    [.text("resident"), .text("kind").optional, .text("text").optional, .text("tag").optional]
      + .period, needs: [.notes], of: .resident, gives: .list(Note.shape))
  /// One memo or entry of the diary: `{id}`.
  ///
  /// - Result: `note`; error 1001, kind `unknown-target`, when there is none.
  public static let noteGet = Route(
    "note.get", [.text("id")], needs: [.notes], of: .found, gives: Note.shape)
  /// Messages, the newest first: `{resident?, limit?, cursor?}`; at most 100 without a limit, 10,000 with one.
  ///
  /// - Result: `[message]`; `spokenAt` and `readAt` are missing until then. `recording` and `recordingSeconds` are there where
  ///   somebody said it; its `text` may be empty then, and ``recordingGet`` has the sound.
  public static let messagesQuery = Route(
    "messages.query", [.text("resident").optional] + .part, needs: [.messages],
    of: .residents, gives: .list(ChatMessage.shape))
  /// What a screen in the house shows of a resident: `{resident}`.
  ///
  /// - Result: `{resident, lastMemo?: note, lastDone?: occurrence, due: [occurrence], unread: [message], caregivers:
  ///   [{id, name, phone?}], call?: planned, ringing, talking or unanswered}`; `unread` are messages to the resident, the oldest
  ///   first, `call` is what a fake call is doing.
  public static let homeGet = Route(
    "home.get", [.text("resident")], needs: [.notes, .messages, .routine, .contacts],
    of: .resident,
    gives: .object(
      name: "ResidentHome",
      [
        Member("resident", Resident.shape), Member("lastMemo", Note.shape).optional,
        Member("lastDone", Occurrence.shape).optional, Member("due", .list(Occurrence.shape)),
        Member("unread", .list(ChatMessage.shape)),
        Member(
          "caregivers",
          .list(
            .object([Member("id", .text), Member("name", .text), Member("phone", .text).optional]))),
        Member("call", .words(["planned", "ringing", "talking", "unanswered"])).optional,
      ]))
  /// Brings a picture in pieces: `{resident, upload, offset, data, isLast, keepPosition?: bool}`; `data` is Base64 of at most
  /// 512 KiB, `upload` a name that the caller chooses, the first piece at 0. JPEG or PNG, at most 10 MB and 50 million
  /// pixels; position and texts are taken out of the file, the position stays with `keepPosition`. A picture that no note
  /// refers to within an hour is removed.
  ///
  /// - Result: `{received: bytes}`, after the last piece `picture`.
  public static let pictureAdd = Route(
    "picture.add",
    [
      .text("resident"), .text("upload"), .whole("offset"), .text("data"), .flag("isLast"),
      .flag("keepPosition").optional,
    ], needs: [.changeNotes], of: .resident,
    gives: .object([
      Member("received", .whole).optional, Member("id", .text).optional,
    ]), brings: true,
    answer: .plain(["received", "id", "resident", "mediaType", "bytes", "width", "height"]))
  /// Part of a picture: `{id, offset?}`.
  ///
  /// - Result: `picture + {offset, data: Base64, isLast}`; error 1001, kind `unknown-target`, when it is not there.
  public static let pictureGet = Route(
    "picture.get", [.text("id"), .whole("offset").optional], needs: [.notes], of: .found,
    gives: Picture.shape.with(
      [Member("offset", .whole), Member("data", .text), Member("isLast", .flag)],
      as: "PictureContent"),
    answer: .plain(["id", "resident", "mediaType", "bytes", "width", "height", "offset", "isLast"])
      + .notes(["data"]))

  /// Brings a recording in pieces, which a message may carry then: `{resident, upload, offset, data, isLast}`; `data` is
  /// Base64 of at most 512 KiB, `upload` a name that the caller chooses, the first piece at 0. WAV: PCM of 16 bits, one
  /// channel, 8,000 through 48,000 samples a second, at most 60 seconds and 2 MB; texts are taken out of the file. A recording that
  /// no message carries within an hour is removed.
  ///
  /// - Result: `{received: bytes}`, after the last piece `recording`.
  public static let recordingAdd = Route(
    "recording.add",
    [.text("resident"), .text("upload"), .whole("offset"), .text("data"), .flag("isLast")],
    needs: [.sendMessages], of: .resident,
    gives: .object([
      Member("received", .whole).optional, Member("id", .text).optional,
      Member("milliseconds", .whole).optional,
    ]), brings: true,
    answer: .plain(["received", "id", "resident", "bytes", "milliseconds", "keptAt", "isSent"]))
  /// Part of a recording, a WAV file: `{id, offset?}`.
  ///
  /// - Result: `recording + {offset, data: Base64, isLast}`; error 1001, kind `unknown-target`, when it is not there, or not
  ///   any more: of each resident the last 300 are kept.
  public static let recordingGet = Route(
    "recording.get", [.text("id"), .whole("offset").optional], needs: [.messages], of: .found,
    gives: Recording.shape.with(
      [Member("offset", .whole), Member("data", .text), Member("isLast", .flag)],
      as: "RecordingContent"),
    answer: .plain([
      "id", "resident", "bytes", "milliseconds", "keptAt", "isSent", "offset", "isLast",
    ]) + .messages(["data"]))

  static let noteRoutes: [Route] = [
    .notesQuery, .noteGet, .messagesQuery, .homeGet, .pictureAdd, .pictureGet, .recordingAdd,
    .recordingGet,
  ]
}
