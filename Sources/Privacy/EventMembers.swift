import CareModel

/// The members of every event that the gateway makes, with what each tells: the one place where it is decided.
///
/// What is not listed leaves only towards a plugin that may see everything. A new type, or a new member, is added here
/// together with the code that makes it.
enum EventMembers {
  /// The members of a type; nil for a type that is not known.
  static func of(_ type: EventType) -> [String: Disclosure]? { table[type] }

  /// The members of a record of a kind, the first word of an action such as `zone.put`; nil for one that is not known.
  static func ofRecord(_ kind: String) -> [String: Disclosure]? { records[kind] }

  /// Whether events of a type may hold words of people.
  static func holdsWords(_ type: EventType) -> Bool { withWords.contains(type) }

  private static let withWords = Set(
    table.filter { $0.value.values.contains { $0 == .words || $0 == .record } }.keys)

  private static let table: [EventType: [String: Disclosure]] = [
    .zoneEntered: zone + .plain(["outsideSeconds", "awaySeconds"]),
    .zoneLeft: zone
      + .plain([
        "confirmedAfterSeconds", "insideSeconds", "awaySeconds", "isExpected", "absence",
        "absenceName", "until", "untilLocal",
      ]),
    .zoneUncertain: zone + .plain(["doubtSeconds", "lastFixAgeSeconds", "lastPresence"]),
    .zoneCertain: zone + .plain(["tag", "tagName"]),
    .zoneCrossed: zone + .place(["closestMeters"]),
    .zoneChanged: .plain([
      "severity", "zone", "zoneName", "change", "by", "isRemote", "isOutside", "zonesLeft",
      "alarmOnLeaving", "explanation",
    ]),
    .absenceBegan: absence + .plain(["isAsked"]),
    .absenceEnded: absence + .plain(["reason"]),
    .positionUnknown: .position
      + .plain([
        "severity", "unknownSeconds", "limitSeconds", "since", "awayFromHomeSeconds",
        "batteryPercent", "explanation",
      ]),
    .positionRegained: .position
      + .plain([
        "severity", "time", "basis", "tag", "tagName", "unknownSeconds", "batteryPercent",
        "explanation",
      ]),
    .locationUnavailable: .plain([
      "requestedBy", "waitedSeconds", "isOn", "lastAgeSeconds", "explanation",
    ]) + .place(["lastLatitude", "lastLongitude"]),
    .locationRecorded: .position
      + .plain([
        "reason", "time", "timeQuality", "zones", "zoneIds", "isOutside", "awayFromHomeSeconds",
        "minutesAtLocation", "requestedBy", "batteryPercent", "isSimulated",
      ]) + .place(["distanceFromLastRecordMeters", "explanation"]),
    .locationSampled: .position
      + .plain(["time", "timeQuality", "minutesAtLocation", "batteryPercent", "isSimulated"]),
    .fixAccepted: .position
      + .plain(["source", "time", "timeQuality", "receiverTime", "isSimulated", "batteryPercent"]),
    .fixRejected: .position
      + .plain([
        "source", "reason", "mode", "receiverTime", "receiverStepSeconds", "stepSeconds",
      ])
      + .place([
        "limitMeters", "speedThereMetersPerSecond", "speedBackMetersPerSecond",
        "limitMetersPerSecond", "explanation",
      ]),
    .trackingChanged: .plain(["isOn", "by", "explanation"]),
    .recordChanged: .plain(["action", "target", "by", "nextDue"])
      + ["content": .record, "previous": .record],
    .changeConflict: .plain([
      "action", "target", "by", "changedBy", "changedAt", "seenRevision", "storedRevision",
      "explanation",
    ]) + ["held": .record, "stored": .record, "refused": .record],
    .residentErased: .plain(["erased", "by", "explanation"]),
    .faultRaised: fault, .faultCleared: fault,
    .clockTrusted: .plain(["boot", "tick", "utc", "quality", "explanation"]),
    .heartbeat: .plain([
      "expectedNext", "intervalSeconds", "faults", "residents", "guardians", "routine",
      "routineIsComplete", "reach",
    ]),
    .gatewayStarted: .plain(["version", "residents", "explanation"]),
    .deliveryReported: .plain([
      "plugin", "event", "recipient", "channel", "outcome", "detail", "notice", "explanation",
    ]),
    .alarmRaised: alarm + .plain(["trigger", "isSilent"])
      + ["text": .alarmSentence],
    .alarmRepeated: alarm + .plain(["raises", "trigger", "isToldAgain"])
      + ["text": .alarmSentence],
    .alarmDispatched: alarm + .plain(["tier", "isAgain"]),
    .alarmDelivery: alarm
      + .plain(["recipient", "channel", "notice", "attempt", "outcome", "detail"]),
    .alarmEscalated: alarm + .plain(["tier"]),
    .alarmAcknowledged: alarm + .plain(["by", "byName", "isFirst"]),
    .alarmSilenced: alarm, .alarmCancelled: alarm + .plain(["by", "reason"]),
    .alarmResolved: alarm + .plain(["by", "reason"]), .alarmDuress: alarm,
    .alarmLocation: alarm + .position
      + .plain(["ageSeconds", "isStale", "batteryPercent"]),
    .alarmPhoto: alarm + .plain(["isTaken", "detail", "path"]),
    .alarmTested: .plain(["test", "isHeard", "isProven", "explanation"]),
    .emergencyContacted: alarm + .plain(["contact", "mode", "number", "outcome"]),
    .reminderNotice: item + .plain(["inMinutes", "isLeaving"]),
    .reminderDue: item, .reminderPrompted: item + .plain(["isSilent"]), .reminderSnoozed: item,
    .reminderDone: item, .reminderNotNow: item, .reminderSkipped: item,
    .reminderUnanswered: item, .reminderMissed: item, .reminderCancelled: item,
    .reminderGap: item + .plain(["count", "isMore", "since", "until"]),
    .medicineMissed: item, .medicineSettled: item,
    .stockLow: item + .plain(["units", "daysLeft"]),
    .routineZoneAsked: .plain(["from", "to", "items", "explanation"]),
    .messageSent: message, .messageSpoken: message, .messageRead: message,
    .consentChanged: .plain([
      "resident", "kind", "isGranted", "by", "at", "principal", "explanation",
    ]),
    .fakeCallChanged: .plain(["stage", "reason", "explanation"]),
    .tagChanged: tag
      + .plain(["presence", "before", "withResident", "lastHeardAt", "lastHeardSeconds"]),
    .tagSilent: tag + .plain(["silentHours", "lastHeardAt", "batteryPercent"]),
    .tagHeardAgain: tag,
    .tagBatteryLow: tag + .plain(["batteryPercent", "limitPercent"]),
    .tagDoubted: tag + .plain(["zone", "zoneName", "heardSeconds"]),
    .tagRoomChanged: tag + .plain(["room", "before"]),
    .leftWithout: tag
      + .plain(["isHeardAtHome", "room", "lastHeardAt", "lastHeardSeconds", "wentOutAt"]),
    .leftWithoutOver: tag + .plain(["reason"]),
    .caregiverChanged: tag + .plain(["isPresent"]),
    .encounterEnded: tag
      + .plain([
        "isHeardByResident", "began", "ended", "timeQuality", "surelySeconds", "likelySeconds",
        "possiblySeconds", "strongestDBm",
      ]),
    .glucoseRecorded: reading, .glucoseCorrected: reading, .glucoseRemoved: reading,
    .glucoseLow: glucoseAlarm, .glucoseVeryLow: glucoseAlarm, .glucoseHigh: glucoseAlarm,
    .glucoseSettled: .plain(["was", "reading", "value", "explanation"]),
    .glucoseMonth: .plain([
      "month", "isOver", "all", "beforeMeals", "afterMeals", "through", "isComplete", "explanation",
    ]),
  ]

  private static let zone: [String: Disclosure] =
    .position
    + .plain([
      "zone", "zoneName", "presence", "isHome", "isOutside", "alarmOnLeaving", "fixTime", "basis",
    ])
    + .place([
      "assumedAccuracyMeters", "radiusMeters", "exitMarginMeters", "distanceMeters",
      "thresholdMeters", "accuracyUsedMeters", "accuracyCapMeters", "fixes", "explanation",
    ])

  private static let absence: [String: Disclosure] = .plain([
    "absence", "absenceName", "from", "until", "untilLocal", "zone", "isOutside", "explanation",
  ])

  private static let alarm: [String: Disclosure] =
    .plain(["alarm", "tag", "kind", "priority", "stage", "sound", "residentName"])
    + [
      "explanation": .alarmSentence,
      "position": .members(.position + .plain(["ageSeconds", "batteryPercent"])),
    ]

  private static let fault: [String: Disclosure] = .plain([
    "component", "code", "state", "detail", "explanation",
  ])

  private static let item: [String: Disclosure] = .plain([
    "item", "title", "kind", "residentName", "isCritical", "nextDue", "slot", "due", "dueLocal",
    "state", "prompts", "by", "isLate", "isEarly", "reason", "severity", "label", "explanation",
  ])

  private static let message: [String: Disclosure] =
    .plain(["message", "direction", "sender", "sentAt", "spokenAt", "readAt", "by", "explanation"])
    + .words(["text"])

  private static let tag: [String: Disclosure] = .plain(["tag", "tagName", "kind", "explanation"])

  private static let reading: [String: Disclosure] = .plain([
    "reading", "value", "unit", "mgdl", "time", "tag", "sensor", "source", "meter", "timeDoubt",
    "band", "clinicalBand", "revision", "previous", "by", "explanation",
  ])

  private static let glucoseAlarm: [String: Disclosure] = .plain([
    "severity", "value", "label", "reading", "mgPerDl", "limit", "time", "isTimeCertain", "origin",
    "explanation",
  ])

  private static let records: [String: [String: Disclosure]] = [
    "resident": .plain(["id", "name", "timeZone", "gpsSource"]),
    "zone": .plain(["id", "resident", "name", "isHome", "alarmOnLeaving"])
      + .place(["center", "radiusMeters", "exitMarginMeters"]),
    "absence": .plain([
      "id", "resident", "name", "days", "on", "from", "until", "graceMinutes", "zone",
    ]),
    "bookmark": .plain(["id", "resident", "name"]) + .place(["address"])
      + ["coordinate": .members(.position)],
    "guardian": .plain([
      "id", "resident", "name", "tier", "isCaregiver", "withoutChannels", "language",
    ])
      + .words(["phone", "email", "push"]),
    "setting": .plain(["name", "value"]),
    "tag": .plain([
      "id", "resident", "name", "kind", "zone", "room", "awaySeconds", "silentHours",
      "isTakenAlong", "calibration",
    ]),
    "meter": .plain(["address", "resident", "name"]),
    "note": .plain([
      "id", "resident", "kind", "time", "pictures", "author", "changedAt", "revision",
    ])
      + .words(["title", "text", "tags"]),
    "routine": .plain([
      "id", "resident", "kind", "title", "place", "isOn", "isCritical", "schedule", "timing",
      "stock", "source", "event", "revision",
    ]) + .words(["details", "dose", "recording"]),
    "glucose": .plain([
      "id", "resident", "level", "unit", "tag", "time", "receivedAt", "source", "origin",
      "timeDoubts", "sensor", "sample", "meterTime", "revision",
    ]),
  ]
}
