public import Care
import JSON

extension HouseholdsEngine {
  /// What is told of the people of the house and of what is known of them.
  public static let events: [EventDeclaration] = [
    EventDeclaration(
      .recordChanged, [.record], about: .either,
      "Somebody changed what is kept of a resident: a zone, a guardian, a note, an item of the routine, a setting.",
      [
        .text(
          "action", "The command, such as `zone.put`; its first word names the kind of record."),
        .text("target", "The id of the record."),
        .time("nextDue", "Of an item of the routine, when it is due next.").optional,
        .record("content", "What is kept now, or was last where it was removed."),
        .record("previous", "What was kept before.").optional,
      ], .contacts([.by])),
    EventDeclaration(
      .changeConflict, [.record],
      "Two people changed one thing at once; it holds both versions, so that nothing is lost.",
      [
        .text("action", "The command that came too late."),
        .text("target", "The id of the record."),
        .time("changedAt", "When the earlier change was made.").optional,
        .whole("seenRevision", "The revision that whoever was late had seen.").optional,
        .whole("storedRevision", "The revision that is kept.").optional,
        .record("held", "What is kept.").optional, .record("stored", "What is kept.").optional,
        .record("refused", "What was refused.").optional,
      ],
      .contacts([.by, .text("changedBy", "Who was earlier.").optional]),
      .kinds([.contacts, .health, .notes], [.explanation])),
    EventDeclaration(
      .residentErased, [.record], about: .gateway,
      "A resident was erased. Take away everything of theirs.",
      [
        EventFact(
          "erased",
          .text(
            JSONShape.Writing(
              pattern: "^[0-9a-f]{64}$", example: String(repeating: "4f", count: 32))),
          "SHA-256 in hexadecimal of the event's id, a colon and the resident's id: compute it for each resident that you know."
        ), .explanation,
      ], .contacts([.by])),
    EventDeclaration(
      .consentChanged, [.record],
      "A resident, or whoever decides for them, consented to something or refused it. With `location` refused, stop showing where they are or were.",
      [
        .text("resident", "Whose consent it is."),
        .word("kind", of: ConsentKind.self, "To what."), .flag("isGranted", "Whether they agree."),
        .time("at", "When they said so."),
      ],
      .contacts([
        .text("by", "Who said so."), .text("principal", "Who wrote it down, as `channel:name`."),
        .explanation,
      ])),
  ]
}
