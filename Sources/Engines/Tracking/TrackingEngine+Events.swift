public import Care
import JSON
import Moments

extension TrackingEngine {
  /// What is told of positions, of zones, and of the receivers that see them.
  public static let events: [EventDeclaration] = zones + positions + fixes

  private static let zones = [
    EventDeclaration(
      .zoneEntered, [.alarm], "A resident came into a safe zone.", zone, judged.optional,
      [
        .whole("outsideSeconds", "How long they were outside of it.").optional,
        .whole("awaySeconds", "How long they were away from home.").optional,
        .word("basis", ["home-tag"], "Absent for a position; else what is known instead.").optional,
        .text("tag", "The id of the tag that is heard at home.").optional,
      ], .places([.text("tagName", "What people call that tag.").optional])),
    EventDeclaration(
      .zoneLeft, [.alarm], "A resident left a safe zone; several positions in a row say so.", zone,
      judged,
      [
        .whole("confirmedAfterSeconds", "From the first position outside to the last.").optional,
        .whole("insideSeconds", "How long they were inside.").optional,
        .whole("awaySeconds", "How long they have been away from home.").optional,
        .flag("isExpected", "True while a planned absence explains it: no alarm comes of it.")
          .optional,
        .text("absence", "The id of that absence.").optional,
        .time("until", "When that absence ends.").optional,
        EventFact("untilLocal", .timeOfDay, "The same, by the clock of the resident.").optional,
      ], .places([.text("absenceName", "What people call that absence.").optional])),
    EventDeclaration(
      .zoneUncertain, [.alarm], "It cannot be said whether a resident is in a zone.", zone,
      distance,
      [
        .word("basis", ["unconfirmed-exit", "near-border"], "Why nobody can say."),
        .whole("doubtSeconds", "For how long nobody can say."),
        .whole("lastFixAgeSeconds", "How old the last position is.").optional,
        .word("lastPresence", ["inside", "outside"], "What was certain last.").optional,
      ]),
    EventDeclaration(
      .zoneCertain, [.alarm],
      "It can be said again whether a resident is in a zone; nobody came or went.", zone, distance,
      [
        .word(
          "basis", ["doubt-over", "zone-changed", "home-tag"],
          "What made it certain: the doubt is over, the zone was changed, or a tag that stays with them is heard at home."
        ),
        .text("tag", "The id of that tag.").optional,
      ], .exact([fixesUsed.optional]),
      .places([.text("tagName", "What people call that tag.").optional])),
    EventDeclaration(
      .zoneCrossed, [.alarm], "A resident's path crossed a zone between two positions.", zone,
      distance,
      .exact([fixesUsed, .number("closestMeters", "How near the path came to its middle.")])),
    EventDeclaration(
      .zoneChanged, [.alarm, .record],
      "Where a resident counts as safe is different: somebody changed a zone, or its hours began or ended. In the lane of alarms unless it only adds to what is safe.",
      [
        .word("severity", ["notice"], "How urgent it is."), .text("zone", "The id of the zone."),
        .word(
          "change",
          ZoneEdit.Change.allCases.map(\.rawValue) + ["hours-began", "hours-over"],
          "What became of it."),
        .flag("isRemote", "Whether it was changed by a program or from elsewhere."),
        .flag("isOutside", outsideWords),
        .whole("zonesLeft", "How many zones the resident has now.").optional,
        .flag("alarmOnLeaving", "Whether every leaving of it is an alarm."),
      ], .places([.text("zoneName", "What people call the zone.")]), .contacts([.by.optional]),
      .kinds([.places, .contacts], [.explanation])),
  ]

  private static let positions = [
    EventDeclaration(
      .positionUnknown, [.alarm],
      "A resident is outside and has not been located for too long.", .position,
      [
        .word("severity", ["notice", "alarm"], "How urgent it is."),
        .whole("unknownSeconds", "For how long."),
        .whole("limitSeconds", "After how long it is told."),
        .time("since", "Since when nobody knows."),
        .whole("awayFromHomeSeconds", "How long they have been away from home.").optional,
        .explanation,
      ]),
    EventDeclaration(
      .positionRegained, [.alarm], "A resident who could not be located is located again.",
      [EventFact].position.optional,
      [
        .word("severity", ["notice", "alarm"], "How urgent it was."),
        .time("time", "When they were there.").optional,
        .word("basis", ["home-tag"], "Absent for a position; else what is known instead.").optional,
        .text("tag", "The id of the tag that is heard at home.").optional,
      ],
      .places([.text("tagName", "What people call that tag.").optional, .explanation])),
    EventDeclaration(
      .locationUnavailable, [.record], "Somebody asked where a resident is, and nobody knows.",
      [
        .whole("waitedSeconds", "How long a position was waited for."),
        .flag("isOn", "Whether tracking is on."),
        .whole("lastAgeSeconds", "How old the last position is.").optional,
      ], .contacts([.texts("requestedBy", "Who asked."), .explanation]),
      .exact([
        EventFact("lastLatitude", .number(-90...90), "The last position, degrees north.").optional,
        EventFact("lastLongitude", .number(-180...180), "The same, degrees east.").optional,
      ])),
    EventDeclaration(
      .locationRecorded, [.record], "A position was written down.", .position, timed, [speed],
      [
        .word("reason", of: RecordReason.self, "Why."),
        .texts("zoneIds", "The ids of the zones that they are in."),
        .flag("isOutside", outsideWords),
        .whole("awayFromHomeSeconds", "How long they have been away from home.").optional,
        .whole("minutesAtLocation", "For how many minutes they have been there."),
      ], .places([.texts("zones", "What people call the zones that they are in.")]),
      .contacts([.texts("requestedBy", "Who asked for it.").optional]),
      .exact([
        .number("distanceFromLastRecordMeters", "From where the last one was written.").optional,
        .explanation,
      ])),
    EventDeclaration(
      .locationSampled, [.trace], "An entry of the series of one every five minutes.", .position,
      timed, [.whole("minutesAtLocation", "For how many minutes they have been there.")]),
    EventDeclaration(
      .trackingChanged, [.record], "Tracking of a resident was switched on or off.",
      [.flag("isOn", "Whether it is on.")], .contacts([.explanation])),
    EventDeclaration(
      .tagDoubted, [.record], "A tag at home is heard where positions say that nobody can be.",
      [
        .text("tag", "The id of the tag."), .text("zone", "The id of the zone."),
        .whole("heardSeconds", "How long ago it was heard.").optional,
      ],
      .places([
        .text("tagName", "What people call the tag."),
        .text("zoneName", "What people call the zone."), .explanation,
      ])),
  ]

  private static let fixes = [
    EventDeclaration(
      .fixAccepted, [.trace], "A position that a receiver told is believed.", .position, timed,
      [
        speed, .text("source", "Which receiver."),
        .time("receiverTime", "The time that it gave.").optional,
        .flag("isSimulated", "True for a receiver that plays a recording.").optional,
      ]),
    EventDeclaration(
      .fixRejected, [.trace], "A position that a receiver told is not believed.",
      [
        EventFact("latitude", raw, "Degrees north, as told.", disclosure: .coordinate).optional,
        EventFact("longitude", raw, "Degrees east, as told.", disclosure: .coordinate).optional,
        EventFact("accuracyMeters", raw, "The error, as told.", disclosure: .measure).optional,
        .text("source", "Which receiver."), .word("reason", of: RejectedFix.Reason.self, "Why."),
        .word("mode", of: FixMode.self, "What kind of position the receiver says it has."),
        .time("receiverTime", "The time that it gave.").optional,
        EventFact("receiverStepSeconds", raw, "By its clock, since the one before.").optional,
        EventFact("stepSeconds", raw, "By the gateway's clock, since the one before.").optional,
      ],
      .exact([
        EventFact("limitMeters", raw, "The error up to which it would be believed.").optional,
        EventFact("speedThereMetersPerSecond", raw, "How fast one gets there.").optional,
        EventFact("speedBackMetersPerSecond", raw, "How fast one gets back.").optional,
        EventFact("limitMetersPerSecond", raw, "How fast one can be.").optional, .explanation,
      ])),
  ]

  // MARK: What several have

  private static let outsideWords =
    "Whether the resident is outside of all safe zones, which is what an alarm is about."

  /// A number as a receiver gave it: one that is none is written as a text, such as `nan`.
  private static let raw = JSONShape.either([.number, .text])

  private static let speed = EventFact(
    "speedMetersPerSecond", .number, "How fast they move.", disclosure: .measure
  ).optional

  private static let timed: [EventFact] = [
    .time("time", "When they were there."),
    .word("timeQuality", of: TimeQuality.self, "What vouches for that time."),
  ]

  private static let fixesUsed = EventFact.objects(
    "fixes",
    timed + .position + [.number("distanceMeters", "From the middle of the zone, or its border.")],
    "The positions that say so.")

  private static let distance: [EventFact] = .exact([
    .number("distanceMeters", "From the middle of the zone, or its border.").optional
  ])

  private static let judged: [EventFact] = .exact([
    .number("distanceMeters", "From the middle of the zone, or its border.").optional,
    .number("thresholdMeters", "The distance beyond which they count as outside."),
    .number("accuracyUsedMeters", "How much doubt was allowed for.").optional,
    .number("accuracyCapMeters", "How much doubt is allowed for at most.").optional, fixesUsed,
  ])

  private static let zone: [EventFact] =
    [EventFact].position.optional + [
      .text("zone", "The id of the zone."),
      .word(
        "presence", ["inside", "outside", "uncertain"], "Where the resident is, as seen from it."),
      .flag("isHome", "Whether it is a home."), .flag("isOutside", outsideWords),
      .flag("alarmOnLeaving", "True for a zone whose every leaving is an alarm.").optional,
      .word("shape", ["polygon"], "Absent for a circle.").optional,
      .time("fixTime", "When the resident was at the position.").optional,
    ] + .places([.text("zoneName", "What people call the zone.")])
    + .exact([
      .number("assumedAccuracyMeters", "The error that is assumed where the receiver says none.")
        .optional,
      .number("radiusMeters", "The radius of the zone."),
      .number("exitMarginMeters", "How far beyond its border one still counts as inside."),
      .explanation,
    ])
}
