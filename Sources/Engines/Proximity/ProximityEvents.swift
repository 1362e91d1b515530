public import Care
import JSON
import Moments

extension EventType {
  /// A time in somebody's company is over.
  public static let encounterEnded: EventType = "encounter.ended"
}

extension ProximityEngine {
  /// What is told of Bluetooth tags.
  public static let events: [EventDeclaration] = [
    EventDeclaration(
      .tagChanged, [.record, .trace],
      "A tag came near, came into the room or went away, or nobody can say; in the lane of records when it comes or goes.",
      tag,
      [
        .word("presence", of: TagPresence.self, "Where it is now."),
        .word("before", of: TagPresence.self, "Where it was."),
        .word("withResident", of: TagPresence.self, "Where it is, by what the resident carries."),
        .time("lastHeardAt", "When it was heard last.").optional,
        .whole("lastHeardSeconds", "How long ago that is.").optional,
      ]),
    EventDeclaration(
      .tagRoomChanged, [.trace], "A tag is heard in another room, or in none.", tag,
      .places([
        .text("room", "The room; absent for none.").optional,
        .text("before", "The room before.").optional,
      ])),
    EventDeclaration(
      .tagSilent, [.record], "A tag has not been heard for long, though somebody listens.", tag,
      [
        .whole("silentHours", "For how long."),
        .time("lastHeardAt", "When it was heard last.").optional,
        .whole("batteryPercent", "Its battery then.").optional,
      ]),
    EventDeclaration(
      .tagHeardAgain, [.record], "A tag that was not heard for long is heard again.", tag),
    EventDeclaration(
      .tagBatteryLow, [.record], "The battery of a tag is nearly empty.", tag,
      [
        .whole("batteryPercent", "What is left."),
        .whole("limitPercent", "Below what it is told."),
      ]),
    EventDeclaration(
      .leftWithout, [.alarm], "The resident is out, and what or who should be along stayed.", tag,
      [
        .flag("isHeardAtHome", "Whether it is heard at home."),
        .time("lastHeardAt", "When it was heard last.").optional,
        .whole("lastHeardSeconds", "How long ago that is."),
        .time("wentOutAt", "When the resident went out.").optional,
      ], .places([.text("room", "In which room it is heard.").optional])),
    EventDeclaration(
      .leftWithoutOver, [.alarm],
      "What seemed to have stayed is along after all, or the resident is back with it.", tag,
      [.word("reason", ["home", "along"], "Which of them.")]),
    EventDeclaration(
      .caregiverChanged, [.record], "Somebody who cares came, or went.", tag,
      [.flag("isPresent", "Whether they are there; absent when nobody can say.").optional]),
    EventDeclaration(
      .encounterEnded, [.record], "A time in somebody's company is over.", tag,
      [
        .flag(
          "isHeardByResident", "Whether what the resident carries heard it, or a device at home."),
        .time("began", "When it began."), .time("ended", "When it ended."),
        .word("timeQuality", of: TimeQuality.self, "What vouches for those times."),
        .whole("surelySeconds", "How long they surely were close together."),
        .whole("likelySeconds", "How long they likely were."),
        .whole("possiblySeconds", "How long they were at most."),
        .number("strongestDBm", "The strongest signal."),
      ]),
  ]

  private static let tag: [EventFact] =
    [
      .text("tag", "The id of the tag."), .word("kind", of: Tag.Kind.self, "What it is for."),
    ] + .places([.text("tagName", "What people call it."), .explanation])
}
