public import Care
import JSON

extension EventType {
  /// The resident's time zone changed, and somebody has to say what becomes of the routine's times.
  public static let routineZoneAsked: EventType = "routine.zone-asked"
}

extension ReminderEngine {
  /// What is told of the routine: that something is due, and what became of it.
  public static let events = ReminderNews.declared
}

extension ReminderNews {
  /// Each kind of event, with what it holds.
  static let declared: [EventDeclaration] = due + told + [zoneAsked]

  private static let due = [
    EventDeclaration(
      .reminderNotice, [.record],
      "Something will be due soon; told before a resident goes out, or early.", item,
      [
        slot, dueTime, dueLocal, .whole("inMinutes", "In how many minutes it is due."),
        .flag("isLeaving", "Whether the resident is leaving home."),
      ]),
    EventDeclaration(.reminderDue, [.record], "Something of the routine is due.", item, occurrence),
    EventDeclaration(
      .reminderPrompted, [.record], "The resident was reminded, once more.", item, occurrence,
      [.flag("isSilent", "Whether nothing could be heard of it.")]),
    EventDeclaration(.reminderSnoozed, [.record], "A reminder was put off.", item, occurrence),
    EventDeclaration(.reminderDone, [.record], "It was done.", item, occurrence),
    EventDeclaration(
      .reminderNotNow, [.record], "The resident did not want to.", item, occurrence),
    EventDeclaration(
      .reminderSkipped, [.record], "A person decided to leave it out.", item, occurrence),
    EventDeclaration(
      .reminderCancelled, [.record],
      "The item was changed, switched off or removed while it was due.", item, occurrence),
  ]

  private static let told = [
    EventDeclaration(
      .reminderUnanswered, [.alarm],
      "Nobody answered for so long that those who care have to know.", item, occurrence, severity),
    EventDeclaration(
      .reminderMissed, [.record, .alarm],
      "Nobody answered; in the lane of alarms where nobody was told of it before.", item,
      occurrence, severity.optional),
    EventDeclaration(
      .medicineMissed, [.alarm], "A critical medicine was not taken: an alarm comes of it.", item,
      occurrence, severity),
    EventDeclaration(
      .medicineSettled, [.record],
      "A critical medicine was taken, or left out by decision, after all.", item, occurrence),
    EventDeclaration(
      .reminderGap, [.alarm],
      "Due times passed while the gateway was off or had no clock, and are too many to be told one by one.",
      item, severity,
      [
        .whole("count", "How many."), .flag("isMore", "Whether there are more than those."),
        .time("since", "From when."), .time("until", "Until when."),
      ]),
    EventDeclaration(
      .stockLow, [.alarm], "A medicine will be used up soon.", item, severity,
      [
        .number("units", "How much of it is left."),
        .whole("daysLeft", "For how many days that is enough."),
      ]),
  ]

  private static let zoneAsked = EventDeclaration(
    .routineZoneAsked, [.record],
    "A resident lives by another clock now, and somebody has to say what becomes of the routine's times.",
    [.text("from", "The time zone before."), .text("to", "The time zone now.")],
    .health([.whole("items", "How many items it is about."), .explanation]))

  // MARK: What several have

  private static let item: [EventFact] =
    [
      .text("item", "The id of the item."), .word("kind", of: RoutineItem.Kind.self, "What it is."),
      .text("residentName", "Whose it is."), .flag("isCritical", "Whether missing it is an alarm."),
      .time("nextDue", "When it is due next.").optional,
    ] + .health([.text("title", "What people call it."), .explanation])

  private static let slot = EventFact.text(
    "slot",
    "The time at which it is due, by the clock of the item; names it among those of the item.")
  private static let dueTime = EventFact.time("due", "When it is due.")
  private static let dueLocal = EventFact(
    "dueLocal", .text, "The same, by the clock of the resident."
  ).optional

  private static let occurrence: [EventFact] =
    [
      slot.optional, dueTime.optional, dueLocal,
      .word("state", of: Occurrence.State.self, "What became of it.").optional,
      .whole("prompts", "How often the resident was reminded.").optional,
      .flag("isLate", "Whether it was answered late.").optional,
      .flag("isEarly", "True for what was answered before it was due.").optional,
    ] + .health([.text("reason", "Why, in somebody's words.").optional])
    + .contacts([.text("by", "Who answered; empty while nobody did.").optional])

  private static let severity: [EventFact] =
    [.word("severity", ["notice", "alarm"], "How urgent it is.")]
    + .health([.text("label", "What it is about, in a few words.")])
}
