public import Care
import JSON

extension UpkeepEngine {
  /// What is told of the gateway and its parts.
  public static let events: [EventDeclaration] = [
    EventDeclaration(
      .faultRaised, [.record, .alarm], about: .either,
      "A part that is watched works no longer, or in part; in the lane of alarms where the disk takes nothing.",
      fault),
    EventDeclaration(
      .faultCleared, [.record, .alarm], about: .either, "A part that is watched works again.",
      fault),
    EventDeclaration(
      .heartbeat, [.record], about: .gateway,
      "The gateway lives. Whoever is in no later heartbeat is gone.",
      [
        .time("expectedNext", "When the next one is due."),
        .whole("intervalSeconds", "How long after this one that is."),
        .texts("faults", "The parts that do not work."),
        .objects(
          "residents", [.text("id", "Their id."), .text("name", "Their name.")],
          "All residents."
        ).plain,
        .objects(
          "guardians",
          [.text("id", "Their id."), .text("resident", "Whom they guard.")]
            + .contacts([.text("name", "Their name.")]), "All guardians."),
        .objects(
          "reach",
          [
            .text("resident", "Whose guardians."),
            .flag("isReachable", "Whether any of them can be told."),
            .flag("isProven", "Whether a way to one has proved to work lately."),
          ], "Whether guardians can be told; absent while nobody knows."
        ).plain.optional,
        .flag("routineIsComplete", "Whether `routine` holds all of it.").optional,
      ],
      .health([
        .objects(
          "routine", routine,
          "The routine, after each start, when the clock has become trusted, and once a day."
        )
        .optional
      ])),
  ]

  private static let fault: [EventFact] =
    [
      .text("component", "The part, such as `gps/receiver`."),
      .text("code", "What it is, as a word.").optional,
      .word("state", of: HealthState.self, "How the part is now.").optional,
      .flag("namesPeople", "True where the sentences name people.").optional,
    ] + .faultSentence([.text("detail", "What it is, in a sentence.").optional, .explanation])

  private static let routine: [EventFact] = [
    .text("id", "The id of the item."), .text("resident", "Whose it is."),
    .text("title", "What people call it."),
    .word("kind", of: RoutineItem.Kind.self, "What it is."),
    .text("place", "Where.").optional, .flag("isOn", "Whether it counts.").optional,
    .word("state", ["off", "done", "waiting"], "How it is today."),
    .text("occurrence", "How the last due time is.").optional,
    .text("slot", "Its name among those of the item.").optional,
    .time("due", "When it was due.").optional, .time("nextDue", "When it is due next.").optional,
    .time("lastDone", "When it was done last.").optional,
    .text("source", "From which calendar it comes.").optional,
  ]
}
