public import Care

extension EventType {
  /// The resident's time zone changed, and somebody has to say what becomes of the routine's times.
  public static let routineZoneAsked: EventType = "routine.zone-asked"
}

extension ReminderEngine {
  /// What nobody else has to know.
  public static let events: [EventDeclaration] = [
    EventDeclaration(
      .routineZoneAsked, .plain(["from", "to"]) + .health(["items", "explanation"]))
  ]
}
