import Care

/// The members of those answers that have records or parts in common with events or other answers, with what each tells; as
/// ``EventDeclaration`` for events.
///
/// What is not listed leaves towards no plugin. Of a question that shares nothing the route says it itself.
enum AnswerMembers {
  /// What the members of an answer tell.
  enum Kind {
    /// An object, or a list of objects, with these members.
    case members([String: Disclosure])
    /// An object whose members are all of one kind, whatever they are called.
    case each(Disclosure)
    /// It was filtered before, event by event.
    case events
  }

  /// The members of the answer to a question; nil for one that plugins are not answered.
  static func of(_ route: String) -> Kind? { table[route] }

  private static let table: [String: Kind] = [
    "residents.list": .members(resident),
    "guardians.list": .members(record("guardian") + ["ways": .members(way)]),
    "zones.list": .members(record("zone")),
    "absences.list": .members(record("absence") + .plain(["isOn", "nextFrom", "nextUntil"])),
    "bookmarks.list": .members(record("bookmark")),
    "settings.list": .each(.settingValue),
    "alarms.list": .members(alarm), "routine.list": .members(item),
    "occurrences.query": .members(occurrence),
    "notes.query": .members(record("note")), "note.get": .members(record("note")),
    "messages.query": .members(message),
    "home.get": .members([
      "resident": .members(record("resident")), "lastMemo": .members(record("note")),
      "lastDone": .members(occurrence), "due": .members(occurrence),
      "unread": .members(message),
      "caregivers": .members(.plain(["id"]) + .contacts(["name", "phone"])), "call": .plain,
    ]),
    "glucose.query": .members(record("glucose")), "glucose.get": .members(record("glucose")),
    "tags.list": .members(tag), "tag.get": .members(record("tag")),
    "events.query": .events, "event.get": .events,
    "status": .members(
      .plain(["gateway", "version", "run", "uptimeSeconds"])
        + [
          "clock": .members(.plain(["utc", "quality", "isTrusted"])),
          "components": .members(component),
        ]),
    "health": .members(
      .plain(["healthy", "version", "uptimeSeconds"]) + ["components": .members(component)]),
  ]

  private static func record(_ kind: String) -> [String: Disclosure] {
    RecordMembers.of(kind) ?? [:]
  }

  private static let resident: [String: Disclosure] =
    record("resident") + .plain(["isReceiverMissing"])
    + [
      "tracking": .members(tracking),
      "consent": .members(.plain(ConsentKind.allCases.map(\.rawValue))),
      "absence": .members(
        .plain(["absence", "from", "until", "untilLocal", "limit", "zone", "isAway"])
          + .places(["name"])),
    ]

  private static let tracking: [String: Disclosure] =
    .plain([
      "resident", "name", "isOn", "outside", "isMoving", "leftHomeAt", "leftHomeTick",
      "positionUnknown", "positionUnknownSince", "refreshWaiting", "fixes",
    ])
    + [
      "position": .members(
        .position + .plain(["time", "timeQuality", "receivedTick", "receivedAt", "isSimulated"])),
      "zones": .members(
        .plain(["zone", "presence", "isHome", "since", "hours", "counts"]) + .places(["zoneName"])),
      "lastRecord": .members(.position + .plain(["time", "reason"])),
      "receiver": .members(
        .plain([
          "source", "lastReportAt", "lastReportTick", "faults", "health", "code", "detail",
        ])),
    ]

  /// Addresses of push messages are keys, and stand where others do.
  private static let way: [String: Disclosure] =
    .plain([
      "guardian", "channel", "state", "plugin", "lastSuccess", "lastTest", "failingSince",
    ]) + .contacts(["guardianName", "proof", "detail"]) + ["address": .never]

  private static let alarm: [String: Disclosure] =
    .plain([
      "alarm", "tag", "kind", "resident", "residentName", "priority", "stage", "raisedAt",
      "callsAt", "raises", "tier", "isSilenced", "isSilent", "acknowledgedBy",
    ]) + .contacts(["acknowledgedByNames"])
    + [
      "text": .alarmSentence(namesGuardians: false),
      "explanation": .alarmSentence(namesGuardians: false),
      "messages": .members(
        .plain(["recipient", "channel", "notice", "progress", "attempts"]) + .contacts(["detail"])),
    ]

  private static let item: [String: Disclosure] =
    record("routine")
    + .plain([
      "state", "isDue", "due", "slot", "occurrence", "nextDue", "nextDueLocal", "nextInsteadOf",
      "quietHours", "inQuietHours", "lastDone", "daysLeft",
    ])

  private static let occurrence: [String: Disclosure] =
    .plain([
      "item", "resident", "slot", "due", "state", "prompts", "snoozes", "isTold", "changedAt",
      "isLate",
    ]) + .contacts(["by"]) + .health(["reason"])

  private static let message: [String: Disclosure] =
    .plain(["id", "resident", "direction", "sentAt", "spokenAt", "readAt"])
    + .contacts(["readBy"])
    + .messages(["sender", "text", "recording", "recordingSeconds"])

  /// Identities are keys of tags; nobody outside sees them.
  private static let tag: [String: Disclosure] =
    .plain([
      "tag", "resident", "kind", "presence", "withResident", "lastHeardAt", "lastHeardTick",
      "batteryPercent", "isBatteryLow", "isSilent", "isCalibrated", "outing", "inCompanySince",
    ]) + .places(["tagName", "room"]) + ["identities": .never]

  /// A part of the gateway, without a sentence where that names people.
  private static let component: [String: Disclosure] =
    .plain([
      "component", "state", "code", "detail", "secondsSinceSign", "secondsInState", "namesPeople",
    ])
}
