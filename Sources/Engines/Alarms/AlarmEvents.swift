import Care
import JSON

/// What is told of alarms, and of what became of what guardians were told.
enum AlarmEvents {
  static let all: [EventDeclaration] = alarms + told + messages

  private static let alarms = [
    EventDeclaration(
      .alarmRaised, [.alarm], about: .either, "An alarm began; the event's id is the alarm's.",
      alarm, ofResident,
      [
        trigger,
        .flag("isSilent", "True where nothing may be heard or seen of it in the room.").optional,
        position.optional,
      ], .alarmSentence(namesGuardians: false, [text])),
    EventDeclaration(
      .alarmRepeated, [.alarm], about: .either,
      "Somebody asked for help again, or there is more to it, while the alarm was open.", alarm,
      ofResident,
      [
        trigger, .whole("raises", "How often it was raised."),
        .flag("isToldAgain", "Whether guardians are told again."),
      ], .alarmSentence(namesGuardians: false, [text])),
    EventDeclaration(
      .alarmDispatched, [.alarm], about: .either,
      "Nobody called the alarm off in time: guardians are being told.", alarm, ofGuardians,
      [
        tier, .flag("isAgain", "True when they are told once more.").optional, position.optional,
      ]),
    EventDeclaration(
      .alarmEscalated, [.alarm], about: .either,
      "Nobody took charge in time: the next guardians are told.", alarm, ofGuardians, [tier]),
    EventDeclaration(
      .alarmAcknowledged, [.alarm], about: .either, "A guardian or caregiver took charge.", alarm,
      ofGuardians, [.flag("isFirst", "Whether nobody did before.")],
      .contacts([
        .text("by", "The id of who took charge."), .text("byName", "Their name."),
        .text("principal", "By which way they said so, as `channel:name`."),
      ])),
    EventDeclaration(
      .alarmSilenced, [.alarm], about: .either,
      "The sound in the room was silenced; nothing else is different.", alarm, ofGuardians),
    EventDeclaration(
      .alarmCancelled, [.alarm], about: .either,
      "The resident called the alarm off; whoever was told of it is told of this.", alarm, ended),
    EventDeclaration(
      .alarmResolved, [.alarm], about: .either, "The alarm was ended, with a reason.", alarm, ended),
    EventDeclaration(
      .alarmDuress, [.alarm], about: .either,
      "Somebody forced the resident to call the alarm off; told to guardians alone, never in the room.",
      alarm, ofGuardians, [position.optional]),
    EventDeclaration(
      .alarmLocation, [.alarm], "Where the resident is while an alarm is open.", alarm, ofResident,
      .position,
      [
        .whole("ageSeconds", "How old the position is."),
        .flag("isStale", "Whether it is too old to be where they are."), battery,
      ]),
    EventDeclaration(
      .alarmPhoto, [.alarm], about: .either,
      "A photograph was taken for an open alarm, or could not be.", alarm, ofResident,
      [
        .flag("isTaken", "Whether there is one."),
        .text("detail", "Why there is none.").optional,
        .text("path", "Its file on the gateway's computer.").optional,
      ]),
  ]

  private static let told = [
    EventDeclaration(
      .alarmTested, [.alarm], about: .either,
      "The gateway tested the sound in the room by itself, or no way to a guardian has proved to work for a week.",
      [
        .word("test", ["sound", "guardians"], "What was tested."),
        .flag("isHeard", "Whether the sound was played.").optional,
        .flag("isProven", "Whether a way has proved to work.").optional, .explanation,
      ]),
    EventDeclaration(
      .emergencyContacted, [.alarm], about: .either,
      "The emergency services were contacted, or could not be.", alarm, ofResident,
      [
        .text("contact", "What this attempt is called."),
        .word("mode", of: EmergencyContact.Mode.self, "How."),
        .text("number", "Which number."),
        .word("outcome", ["asked", "sent", "delivered", "failed"], "How far it is."),
      ]),
  ]

  private static let messages = [
    EventDeclaration(
      .alarmDelivery, [.alarm], about: .either,
      "A message to a guardian was sent, was delivered or failed.", alarm, ofGuardians, message,
      .contacts([
        .text("recipient", "The guardian's id."), .text("detail", "Why it failed.").optional,
      ])),
    EventDeclaration(
      .deliveryReported, [.record], about: .gateway,
      "A plugin reported what became of a message to somebody.",
      [
        .text("plugin", "Which plugin."), .text("event", "The id of the alarm, or of the event."),
        .text("channel", "The way it went."),
        .word("outcome", of: DeliveryReport.Outcome.self, "What became of it."),
        .word("notice", of: AlarmNotice.self, "What the message was about.").optional,
        .whole("attempt", "Which attempt it was.").optional,
      ],
      .contacts([
        .text("recipient", "For whom it was."), .text("detail", "Why it failed."), .explanation,
      ])),
  ]

  // MARK: What several have

  private static let alarm: [EventFact] = [
    .text("alarm", "The id of the alarm."), .text("tag", "Its name for people, such as `A7K2`."),
    .word("kind", of: AlarmKind.self, "What it is about."),
    .word("priority", of: AlarmPriority.self, "How urgent it is.").optional,
    .word("stage", of: AlarmStage.self, "How far it is after this."),
    .word("sound", of: RoomSound.self, "What is to be heard in the room.").optional,
    .text("residentName", "Whom it is about.").optional,
  ]

  private static let ofResident: [EventFact] = .alarmSentence(
    namesGuardians: false, [.explanation])
  private static let ofGuardians: [EventFact] = .alarmSentence(namesGuardians: true, [.explanation])

  /// Why an alarm was ended is what somebody wrote.
  private static let ended: [EventFact] =
    .contacts([.text("by", "Who ended it: a guardian's id, `resident` or `engine`.").optional])
    + .messages([.text("reason", "Why, in their words.").optional])
    + .kinds([.contacts, .messages], [.explanation])

  private static let battery = EventFact.whole(
    "batteryPercent", "The battery of what told the position."
  ).optional

  private static let position = EventFact.object(
    "position", .position + [.whole("ageSeconds", "How old it is."), battery],
    "Where the resident was last.")

  private static let trigger = EventFact.word(
    "trigger", of: AlarmTrigger.self, "What raised it.")
  private static let text = EventFact.text(
    "text", "What was said with it, or what it is about, in a few words.")
  private static let tier = EventFact.whole(
    "tier", "Which guardians: 1 are told first, then 2, then 3.")

  private static let message: [EventFact] = [
    .word("channel", of: Guardian.Channel.self, "The way it went."),
    .word("notice", of: AlarmNotice.self, "What the message was about."),
    .whole("attempt", "Which attempt it was."),
    .word("outcome", of: DeliveryReport.Outcome.self, "What became of it."),
  ]
}
