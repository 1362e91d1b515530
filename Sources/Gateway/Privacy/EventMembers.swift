import Care

/// The members of the events that more than their engine has to know, with what each tells.
///
/// What is not listed leaves towards no plugin. A type that nobody but its engine has to know is declared beside it
/// (``Care/Engine/events``).
enum EventMembers {
  /// The members of a type; nil for a type that is not known.
  static func of(_ type: EventType) -> [String: Disclosure]? { table[type] }

  /// The members of a record of a kind, the first word of an action such as `zone.put`; nil for one that is not known.
  static func ofRecord(_ kind: String) -> [String: Disclosure]? { records[kind] }

  /// Whether events of a type hold nothing that a clearance does not allow, whatever they say.
  static func passesWhole(_ type: EventType, _ clearance: Clearance) -> Bool {
    guard let needed = needed[type] else { return false }
    return clearance.allows(needed)
  }

  /// What one has to be allowed to see all of a type; nil for types of which something never leaves.
  private static let needed: [EventType: Set<DataKind>] = table.compactMapValues { needs($0) }

  private static func needs(_ members: [String: Disclosure]) -> Set<DataKind>? {
    var kinds: Set<DataKind> = []
    for disclosure in members.values {
      switch disclosure {
      case .plain: break
      case .kinds(let own): kinds.formUnion(own)
      case .coordinate, .measure: kinds.insert(.position)
      case .alarmSentence: kinds.formUnion([.position, .health, .contacts])
      case .faultSentence: kinds.insert(.contacts)
      case .settingValue: kinds.insert(.messages)
      case .members(let inner):
        guard let own = needs(inner) else { return nil }
        kinds.formUnion(own)
      case .record, .never: return nil
      }
    }
    return kinds
  }

  private static let table: [EventType: [String: Disclosure]] = [
    .zoneEntered: zone + .plain(["outsideSeconds", "awaySeconds"]),
    .zoneLeft: zone
      + .plain([
        "confirmedAfterSeconds", "insideSeconds", "awaySeconds", "isExpected", "absence", "until",
        "untilLocal",
      ]) + .places(["absenceName"]),
    .zoneUncertain: zone + .plain(["doubtSeconds", "lastFixAgeSeconds", "lastPresence"]),
    .zoneCertain: zone + .plain(["tag"]) + .places(["tagName"]),
    .zoneCrossed: zone + .exact(["closestMeters"]),
    .zoneChanged: .plain([
      "severity", "zone", "change", "isRemote", "isOutside", "zonesLeft", "alarmOnLeaving",
    ]) + .places(["zoneName"]) + .contacts(["by"])
      + .kinds([.places, .contacts], ["explanation"]),
    .protectionChanged: .plain(["protection", "isOn", "undo"]) + .contacts(["by"])
      + .kinds([.places, .contacts], ["explanation"]),
    .absenceBegan: absence + .plain(["isAsked"]),
    .absenceEnded: absence + .plain(["reason"]),
    .positionUnknown: .position
      + .plain([
        "severity", "unknownSeconds", "limitSeconds", "since", "awayFromHomeSeconds",
        "batteryPercent", "explanation",
      ]),
    .positionRegained: .position
      + .plain(["severity", "time", "basis", "tag", "unknownSeconds", "batteryPercent"])
      + .places(["tagName", "explanation"]),
    .locationUnavailable: .plain(["waitedSeconds", "isOn", "lastAgeSeconds"])
      + .contacts(["requestedBy", "explanation"])
      + .exact(["lastLatitude", "lastLongitude"]),
    .locationRecorded: .position
      + .plain([
        "reason", "time", "timeQuality", "zoneIds", "isOutside", "awayFromHomeSeconds",
        "minutesAtLocation", "batteryPercent", "isSimulated",
      ]) + .places(["zones"]) + .contacts(["requestedBy"])
      + .exact(["distanceFromLastRecordMeters", "explanation"]),
    .locationSampled: .position
      + .plain(["time", "timeQuality", "minutesAtLocation", "batteryPercent", "isSimulated"]),
    .fixAccepted: .position
      + .plain(["source", "time", "timeQuality", "receiverTime", "isSimulated", "batteryPercent"]),
    .fixRejected: .position
      + .plain([
        "source", "reason", "mode", "receiverTime", "receiverStepSeconds", "stepSeconds",
      ])
      + .exact([
        "limitMeters", "speedThereMetersPerSecond", "speedBackMetersPerSecond",
        "limitMetersPerSecond", "explanation",
      ]),
    .trackingChanged: .plain(["isOn"]) + .contacts(["by", "explanation"]),
    .recordChanged: .plain(["action", "target", "nextDue"]) + .contacts(["by"])
      + ["content": .record, "previous": .record],
    .changeConflict: .plain([
      "action", "target", "changedAt", "seenRevision", "storedRevision",
    ]) + .contacts(["by", "changedBy"])
      + .kinds([.contacts, .health, .notes], ["explanation"])
      + ["held": .record, "stored": .record, "refused": .record],
    .residentErased: .plain(["erased", "explanation"]) + .contacts(["by"]),
    .faultRaised: fault, .faultCleared: fault,
    .clockTrusted: .plain(["boot", "tick", "utc", "quality", "explanation"]),
    .heartbeat: .plain([
      "expectedNext", "intervalSeconds", "faults", "residents", "routineIsComplete", "reach",
    ]) + .health(["routine"])
      + ["guardians": .members(.plain(["id", "resident"]) + .contacts(["name"]))],
    .gatewayStarted: .plain(["version", "residents", "explanation"]),
    .deliveryReported: .plain(["plugin", "event", "channel", "outcome", "notice", "attempt"])
      + .contacts(["recipient", "detail", "explanation"]),
    .alarmRaised: alarm + .plain(["trigger", "isSilent"])
      + ["text": .alarmSentence(namesGuardians: false)],
    .alarmRepeated: alarm + .plain(["raises", "trigger", "isToldAgain"])
      + ["text": .alarmSentence(namesGuardians: false)],
    .alarmDispatched: alarmOfGuardians + .plain(["tier", "isAgain"]),
    .alarmDelivery: alarmOfGuardians
      + .plain(["channel", "notice", "attempt", "outcome"])
      + .contacts(["recipient", "detail"]),
    .alarmEscalated: alarmOfGuardians + .plain(["tier"]),
    .alarmAcknowledged: alarmOfGuardians + .plain(["isFirst"])
      + .contacts(["by", "byName", "principal"]),
    .alarmSilenced: alarmOfGuardians, .alarmCancelled: ended, .alarmResolved: ended,
    .alarmDuress: alarmOfGuardians,
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
    .messageSent: message, .messageSpoken: message, .messageRead: message,
    .consentChanged: .plain(["resident", "kind", "isGranted", "at"])
      + .contacts(["by", "principal", "explanation"]),
    .fakeCallChanged: .plain(["stage", "reason", "explanation"]),
    .tagChanged: tag
      + .plain(["presence", "before", "withResident", "lastHeardAt", "lastHeardSeconds"]),
    .tagSilent: tag + .plain(["silentHours", "lastHeardAt", "batteryPercent"]),
    .tagHeardAgain: tag,
    .tagBatteryLow: tag + .plain(["batteryPercent", "limitPercent"]),
    .tagDoubted: tag + .plain(["zone", "heardSeconds"]) + .places(["zoneName"]),
    .tagRoomChanged: tag + .places(["room", "before"]),
    .leftWithout: tag
      + .plain(["isHeardAtHome", "lastHeardAt", "lastHeardSeconds", "wentOutAt"])
      + .places(["room"]),
    .leftWithoutOver: tag + .plain(["reason"]),
    .caregiverChanged: tag + .plain(["isPresent"]),
    .glucoseRecorded: reading, .glucoseCorrected: reading, .glucoseRemoved: reading,
    .glucoseLow: glucoseAlarm, .glucoseVeryLow: glucoseAlarm, .glucoseHigh: glucoseAlarm,
    .glucoseSettled: .plain(["was", "reading"]) + .health(["value", "explanation"]),
    .glucoseMonth: .plain(["month", "isOver", "through", "isComplete"])
      + .health(["all", "beforeMeals", "afterMeals", "explanation"]),
  ]

  private static let zone: [String: Disclosure] =
    .position
    + .plain([
      "zone", "presence", "isHome", "isOutside", "alarmOnLeaving", "shape", "fixTime", "basis",
    ])
    + .places(["zoneName"])
    + .exact([
      "assumedAccuracyMeters", "radiusMeters", "exitMarginMeters", "distanceMeters",
      "thresholdMeters", "accuracyUsedMeters", "accuracyCapMeters", "fixes", "explanation",
    ])

  private static let absence: [String: Disclosure] =
    .plain(["absence", "from", "until", "untilLocal", "zone", "isOutside"])
    + .places(["absenceName", "explanation"])

  private static let alarm: [String: Disclosure] =
    .plain(["alarm", "tag", "kind", "priority", "stage", "sound", "residentName"])
    + [
      "explanation": .alarmSentence(namesGuardians: false),
      "position": .members(.position + .plain(["ageSeconds", "batteryPercent"])),
    ]

  private static let alarmOfGuardians: [String: Disclosure] =
    alarm + ["explanation": .alarmSentence(namesGuardians: true)]

  /// Why an alarm was ended is what somebody wrote.
  private static let ended: [String: Disclosure] =
    alarm + .contacts(["by"]) + .messages(["reason"])
    + .kinds([.contacts, .messages], ["explanation"])

  private static let fault: [String: Disclosure] =
    .plain(["component", "code", "state", "namesPeople"])
    + ["detail": .faultSentence, "explanation": .faultSentence]

  private static let item: [String: Disclosure] =
    .plain([
      "item", "kind", "residentName", "isCritical", "nextDue", "slot", "due", "dueLocal", "state",
      "prompts", "isLate", "isEarly", "severity",
    ]) + .health(["title", "reason", "label", "explanation"])
    + .contacts(["by"])

  private static let message: [String: Disclosure] =
    .plain(["message", "direction", "sentAt", "spokenAt", "readAt"])
    + .contacts(["by"])
    + .messages(["sender", "text", "recording", "recordingSeconds", "explanation"])

  private static let tag: [String: Disclosure] =
    .plain(["tag", "kind"]) + .places(["tagName", "explanation"])

  private static let reading: [String: Disclosure] =
    .plain([
      "reading", "time", "sensor", "source", "meter", "timeDoubt", "revision",
    ])
    + .health([
      "value", "unit", "mgdl", "tag", "band", "clinicalBand", "previous", "explanation",
    ])
    + .contacts(["by"])

  private static let glucoseAlarm: [String: Disclosure] =
    .plain(["severity", "reading", "time", "isTimeCertain", "origin"])
    + .health(["value", "label", "mgPerDl", "limit", "explanation"])

  private static let records: [String: [String: Disclosure]] = [
    "resident": .plain(["id", "name", "timeZone", "gpsSource"]),
    "zone": .plain(["id", "resident", "isHome", "alarmOnLeaving", "hours"]) + .places(["name"])
      + .exact(["center", "radiusMeters", "border", "exitMarginMeters"]),
    "absence": .plain([
      "id", "resident", "days", "on", "from", "until", "graceMinutes", "zone",
    ]) + .places(["name"]),
    "bookmark": .plain(["id", "resident"]) + .places(["name"]) + .exact(["address"])
      + ["coordinate": .members(.position)],
    "guardian": .plain([
      "id", "resident", "tier", "isCaregiver", "withoutChannels", "language",
    ]) + .contacts(["name", "phone", "email"]) + ["push": .never],
    "setting": .plain(["name"]) + ["value": .settingValue],
    "tag": .plain([
      "id", "resident", "kind", "zone", "awaySeconds", "silentHours", "isTakenAlong",
      "calibration",
    ]) + .places(["name", "room"]),
    "meter": .plain(["address", "resident"]) + .places(["name"]),
    "note": .plain(["id", "resident", "kind", "time", "pictures", "changedAt", "revision"])
      + .contacts(["author"]) + .notes(["title", "text", "tags"]),
    "routine": .plain([
      "id", "resident", "kind", "isOn", "isCritical", "schedule", "timing", "picture", "source",
      "event", "revision",
    ]) + .health(["title", "details", "dose", "recording", "stock"]) + .places(["place"]),
    "glucose": .plain([
      "id", "resident", "time", "receivedAt", "source", "origin", "timeDoubts", "sensor",
      "sample", "meterTime", "revision",
    ]) + .health(["level", "unit", "tag"]),
  ]
}
