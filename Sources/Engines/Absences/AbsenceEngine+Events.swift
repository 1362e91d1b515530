public import Care
import JSON

extension AbsenceEngine {
  /// What is told of planned absences.
  public static let events: [EventDeclaration] = [
    EventDeclaration(
      .absenceBegan, [.record],
      "A planned absence began: the resident is expected to be out.", absence,
      [.flag("isAsked", "Whether somebody asked for it just now.")]),
    EventDeclaration(
      .absenceEnded, [.record, .alarm],
      "A planned absence is over, or counts no longer; in the lane of alarms where the resident is outside all the same.",
      absence, [.word("reason", of: AbsenceEnd.self, "Why.")]),
  ]

  private static let absence: [EventFact] =
    [
      .text("absence", "The id of the absence."), .time("from", "When it begins."),
      .time("until", "When it ends."),
      EventFact("untilLocal", .timeOfDay, "The same, by the clock of the resident."),
      .text("zone", "The id of the zone that it is about; absent for all.").optional,
      .flag("isOutside", "Whether the resident is outside of all safe zones."),
    ] + .places([.text("absenceName", "What people call it."), .explanation])
}
