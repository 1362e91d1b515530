public import Care
import Moments
import Texts

/// What texts of notes and messages may be: any script, nothing that a program downstream would cut off.
public enum NoteRules {
  /// Characters of a title.
  public static let titleAtMost = 200
  /// Characters of the text of a note.
  public static let textAtMost = 10_000
  /// Characters of a message.
  public static let messageAtMost = 2_000
  /// Tags of a note.
  public static let tagsAtMost = 20
  /// Characters of a tag.
  public static let tagAtMost = 50
  /// Pictures of a note.
  public static let picturesAtMost = 10
  /// Notes on one gateway.
  public static let notesAtMost = 20_000
  /// Recordings that are kept of one resident, sent by them or to them; the oldest gives way.
  public static let recordingsAtMost = 300
  /// Recordings of one resident that wait for their message at once.
  public static let waitingRecordingsAtMost = 10
  /// Pictures on one gateway.
  public static let storedPicturesAtMost = 5_000
  /// How long a picture or a recording may wait for what refers to it, in milliseconds.
  private static let graceMilliseconds: Int64 = 3_600_000

  /// Until when what comes now may wait for what refers to it.
  static func graceEnd(from now: Moment) -> Tick {
    now.tick.advanced(byMilliseconds: graceMilliseconds)
  }

  /// Checks a note but for its resident and its pictures.
  ///
  /// - Throws: what does not fit and what would.
  public static func check(_ note: Note) throws(CommandReply.Refusal) {
    try checkLine(note.title, of: .title, 0...titleAtMost)
    try checkText(note.text, of: .noteText, 0...textAtMost)
    try checkLine(note.author, of: .author, 0...titleAtMost)
    guard note.tags.count <= tagsAtMost else {
      throw CommandReply.Refusal(
        .invalid,
        Message(
          "A note has at most {limit} tags; this one has {count}.",
          ["limit": tagsAtMost, "count": note.tags.count]))
    }
    for tag in note.tags { try checkLine(tag, of: .tag, 1...tagAtMost) }
    guard note.pictures.count <= picturesAtMost else {
      throw CommandReply.Refusal(
        .invalid,
        Message(
          "A note has at most {limit} pictures; this one has {count}.",
          ["limit": picturesAtMost, "count": note.pictures.count]))
    }
    guard isVisible(note.title) || isVisible(note.text) || !note.pictures.isEmpty else {
      throw CommandReply.Refusal(
        .invalid,
        Message("There is nothing in this note: give it a title, a text or a picture."))
    }
  }

  /// Checks who writes a message, and what.
  ///
  /// - Parameter isRecorded: whether a recording says it; words beside it are nobody's duty.
  /// - Throws: what does not fit and what would.
  public static func check(
    sender: String, text: String, isRecorded: Bool = false
  ) throws(CommandReply.Refusal) {
    try checkLine(sender, of: .sender, 1...titleAtMost)
    try checkText(text, of: .message, (isRecorded ? 0 : 1)...messageAtMost)
    guard isVisible(sender), isVisible(text) || (isRecorded && text.isEmpty) else {
      throw CommandReply.Refusal(
        .invalid, Message("A message needs a sender and a text that can be read aloud."))
    }
  }

  /// What a text is.
  private enum Part {
    case title, noteText, author, tag, sender, message

    var name: Message {
      switch self {
      case .title: Message("title")
      case .noteText: Message("text of a note")
      case .author: Message("author")
      case .tag: Message("tag")
      case .sender: Message("sender")
      case .message: Message("message")
      }
    }
  }

  private static func checkText(
    _ text: String, of part: Part, _ length: ClosedRange<Int>
  ) throws(CommandReply.Refusal) {
    let count = text.unicodeScalars.count
    guard length.contains(count) else {
      throw CommandReply.Refusal(
        .invalid,
        Message(
          "The {part} has {least} through {limit} characters; this one has {count}.",
          [
            "part": part.name, "least": length.lowerBound, "limit": length.upperBound,
            "count": count,
          ]))
    }
    guard !text.unicodeScalars.contains("\0") else {
      throw CommandReply.Refusal(
        .invalid,
        Message(
          "The {part} contains the character NUL, at which many programs stop reading. Leave it out.",
          ["part": part.name]))
    }
  }

  private static func checkLine(
    _ text: String, of part: Part, _ length: ClosedRange<Int>
  ) throws(CommandReply.Refusal) {
    try checkText(text, of: part, length)
    guard !text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
      throw CommandReply.Refusal(
        .invalid,
        Message(
          "The {part} is one line, without control characters. Write more into the text.",
          ["part": part.name]))
    }
  }

  private static func isVisible(_ text: String) -> Bool { text.contains { !$0.isWhitespace } }
}
