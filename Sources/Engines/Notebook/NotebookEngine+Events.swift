public import Care
import JSON

extension NotebookEngine {
  /// What is told of messages between a resident and those who care.
  public static let events: [EventDeclaration] = [
    EventDeclaration(.messageSent, [.record], "A message was written, or recorded.", message),
    EventDeclaration(
      .messageSpoken, [.record], "A message was spoken, or played, in the house.", message),
    EventDeclaration(
      .messageRead, [.record], "Somebody said that they heard or read a message.", message),
  ]

  private static let message: [EventFact] =
    [
      .text("message", "The id of the message."),
      .word("direction", of: ChatMessage.Direction.self, "For whom it is."),
      .time("sentAt", "When it was written."),
      .time("spokenAt", "When it was spoken first.").optional,
      .time("readAt", "When somebody said that they read it.").optional,
    ] + .contacts([.by.optional])
    + .messages([
      .text("sender", "Who wrote it."), .text("text", "What it says; empty for a recording."),
      .text("recording", "The id of a recording.").optional,
      .whole("recordingSeconds", "How long that is.").optional, .explanation,
    ])
}
