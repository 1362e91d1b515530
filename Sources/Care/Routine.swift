public import Bytes
public import JSON
public import Moments
public import Recurrence

/// Something that a resident does, takes or is expected at, and when (DC-3).
public struct RoutineItem: Hashable, Sendable {
  /// What an item is about.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    /// Part of the day: breakfast, a walk, the dishes.
    case routine
    /// Something to take or to measure; may be critical, may have a stock.
    case medicine
    /// Somewhere to be, or somebody who comes.
    case appointment
  }

  /// Stable identifier; lower-case letters, digits and hyphens.
  public var id: RoutineItemID
  /// The resident whose item it is.
  public var resident: ResidentID
  /// What it is about.
  public var kind: Kind
  /// What people call it and what is spoken, any script, 1 through 200 characters.
  public var title: String
  /// More words, shown and not spoken, at most 10,000 characters.
  public var details: String
  /// Where, in words, at most 200 characters.
  public var place: String
  /// How much to take, in words ("1 tablet"), at most 100 characters; spoken.
  public var dose: String
  /// Whether it reminds.
  public var isOn: Bool
  /// Whether leaving it out is dangerous: quiet hours do not hold, and it becomes an alarm.
  public var isCritical: Bool
  /// When it is due.
  public var schedule: Schedule
  /// Where it differs from the resident's times of reminding.
  public var timing: ReminderTiming
  /// How much is left; nil when nobody counts.
  public var stock: Stock?
  /// Absolute path of a WAV file with the voice of somebody close, heard in the place of the computer's.
  public var recording: String?
  /// What a screen shows with it, such as the box of the medicine; nil for the drawing of its kind.
  public var picture: PictureID?
  /// Who keeps the item: empty for people, or the name of a calendar that replaces its own items.
  public var source: String
  /// Fingerprint of the name that a calendar gives the event, the same in every calendar that holds it; empty for what
  /// people keep.
  public var event: String
  /// Counts the changes, from 1; who changes an item says which one they saw.
  public var revision: Int64

  /// An item from its parts; the parts are checked by the command that brings them.
  public init(
    id: RoutineItemID, resident: ResidentID, kind: Kind = .routine, title: String,
    details: String = "", place: String = "", dose: String = "", isOn: Bool = true,
    isCritical: Bool = false, schedule: Schedule, timing: ReminderTiming = ReminderTiming(),
    stock: Stock? = nil, recording: String? = nil, picture: PictureID? = nil, source: String = "",
    event: String = "", revision: Int64 = 0
  ) {
    self.id = id
    self.resident = resident
    self.kind = kind
    self.title = title
    self.details = details
    self.place = place
    self.dose = dose
    self.isOn = isOn
    self.isCritical = isCritical
    self.schedule = schedule
    self.timing = timing
    self.stock = stock
    self.recording = recording
    self.picture = picture
    self.source = source
    self.event = event
    self.revision = revision
  }
}

/// How much of a medicine is left.
public struct Stock: Hashable, Sendable {
  /// Units left, 0 through 100,000. A change of an item that is counted keeps its count; a restock sets it.
  public var units: UnitCount
  /// Units that each done takes away, a hundredth through 1,000.
  public var unitsPerDose: UnitCount
  /// Days left at which caregivers are told, 0 through 365.
  public var warnDays: Int64

  /// A stock from its parts.
  public init(units: UnitCount, unitsPerDose: UnitCount = 1, warnDays: Int64 = 7) {
    self.units = units
    self.unitsPerDose = unitsPerDose
    self.warnDays = warnDays
  }
}

/// Where the reminding of one item differs from the resident's settings; nil where it does not.
public struct ReminderTiming: Hashable, Sendable {
  /// Minutes before the due time at which it is announced ("in 10 minutes"), 1 through 240; 0 for not at all.
  public var noticeMinutes: Int64?
  /// Minutes between two prompts, 1 through 240.
  public var repeatMinutes: Int64?
  /// Prompts in all, 1 through 20.
  public var attempts: Int64?
  /// Minutes that a snooze lasts, 1 through 240.
  public var snoozeMinutes: Int64?
  /// Snoozes in all, 0 through 20.
  public var snoozeLimit: Int64?
  /// Minutes after which caregivers are told, 1 through 1,440.
  public var caregiverMinutes: Int64?
  /// Minutes after which it is missed, 1 through 1,440; the next due time comes first.
  public var missedMinutes: Int64?
  /// Minutes that a prompt may be late, after an outage, 0 through 1,440.
  public var graceMinutes: Int64?
  /// How many minutes before its due time it may be done and counts for it, 0 through 240.
  public var earlyMinutes: Int64?
  /// `hh:mm-hh:mm` or `none`: when it is not spoken.
  public var quietHours: String?
  /// What becomes of due times that lie in the quiet hours; nil for what its kind asks for.
  public var inQuietHours: QuietPolicy?

  /// Nothing that differs.
  public init() {}
}

/// What becomes of a due time that lies in quiet hours. Something critical is always asked at its time.
public enum QuietPolicy: String, Hashable, Sendable, CaseIterable {
  /// Asked at its time all the same.
  case ask
  /// Asked shortly before the quiet hours begin.
  case before
  /// Asked when the quiet hours are over.
  case after
  /// Asked before or after them, at whichever end is nearer.
  case nearest
  /// Not said; caregivers see it, and can answer it.
  case silent

  /// What holds for an item that says nothing itself.
  ///
  /// A medicine has its time, an appointment is of no use afterwards, and the rest can wait for the nearer end.
  public static func standard(for kind: RoutineItem.Kind) -> QuietPolicy {
    switch kind {
    case .medicine: .ask
    case .appointment: .before
    case .routine: .nearest
    }
  }
}

/// One due time of an item and what became of it.
public struct Occurrence: Hashable, Sendable {
  /// How far it has come.
  public enum State: String, Hashable, Sendable, CaseIterable {
    /// Due, or announced, and not yet prompted.
    case pending
    /// The resident was reminded.
    case prompted
    /// The resident is left alone for a while.
    case snoozed
    /// It was done.
    case done
    /// The resident did not want to.
    case notNow = "not-now"
    /// A person decided to leave it out, with a reason.
    case skipped
    /// Nobody answered.
    case missed
    /// The item was changed, switched off or removed meanwhile.
    case cancelled

    /// Whether nothing more happens to it.
    public var isFinal: Bool {
      switch self {
      case .pending, .prompted, .snoozed: false
      case .done, .notNow, .skipped, .missed, .cancelled: true
      }
    }
  }

  /// The item.
  public var item: RoutineItemID
  /// Whose it is.
  public var resident: ResidentID
  /// Unique among the item's due times for ever: its local time (`2026-03-29T02:30`), or for as-needed and elapsed items
  /// what their engine names it by.
  public var slot: String
  /// When it is due.
  public var due: Timestamp
  /// How far it has come.
  public var state: State
  /// How often the resident was prompted.
  public var prompts: Int64
  /// How often it was put off.
  public var snoozes: Int64
  /// Whether caregivers were told that nobody answered.
  public var isTold: Bool
  /// When it got its state.
  public var changedAt: Timestamp
  /// Who answered: `button/wired`, `local:anna`, `plugin:mqtt/home-assistant`, `tag/…`; empty when nobody did.
  public var by: String
  /// Why it was skipped, missed or cancelled; possibly empty.
  public var reason: String
  /// Whether it was done after the caregivers were told or after a snooze.
  public var isLate: Bool

  /// An occurrence from its parts; by default one that has just become due.
  public init(
    item: RoutineItemID, resident: ResidentID, slot: String, due: Timestamp,
    state: State = .pending, prompts: Int64 = 0, snoozes: Int64 = 0, isTold: Bool = false,
    changedAt: Timestamp, by: String = "", reason: String = "", isLate: Bool = false
  ) {
    self.item = item
    self.resident = resident
    self.slot = slot
    self.due = due
    self.state = state
    self.prompts = prompts
    self.snoozes = snoozes
    self.isTold = isTold
    self.changedAt = changedAt
    self.by = by
    self.reason = reason
    self.isLate = isLate
  }
}

extension RoutineItem {
  /// What becomes of its due times that lie in quiet hours.
  public var quietPolicy: QuietPolicy {
    isCritical ? .ask : timing.inQuietHours ?? QuietPolicy.standard(for: kind)
  }
}

extension RoutineItem: JSONCodable {
  /// Reads an item; `id`, `resident`, `title` and `schedule` are required.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    self.init(
      id: RoutineItemID(try reader.string("id")),
      resident: ResidentID(try reader.string("resident")),
      kind: try reader.optionalWord("kind", as: Kind.self) ?? .routine,
      title: try reader.string("title"), details: try reader.optionalString("details") ?? "",
      place: try reader.optionalString("place") ?? "",
      dose: try reader.optionalString("dose") ?? "",
      isOn: try reader.optionalBool("isOn") ?? true,
      isCritical: try reader.optionalBool("isCritical") ?? false,
      schedule: try Schedule(json: reader.required("schedule")),
      recording: try reader.optionalString("recording"),
      picture: try reader.optionalString("picture").map { PictureID($0) },
      source: try reader.optionalString("source") ?? "",
      event: try reader.optionalString("event") ?? "",
      revision: try reader.optionalCount("revision") ?? 0)
    if let timing = reader.optional("timing") { self.timing = try ReminderTiming(json: timing) }
    if let stock = reader.optional("stock") { self.stock = try Stock(json: stock) }
  }

  /// The item as an object.
  public var json: JSONValue {
    .object([
      "id": .string(id.rawValue), "resident": .string(resident.rawValue),
      "kind": .string(kind.rawValue), "title": .string(title), "details": .string(details),
      "place": .string(place), "dose": .string(dose), "isOn": .bool(isOn),
      "isCritical": .bool(isCritical), "schedule": schedule.json,
      "timing": timing == ReminderTiming() ? nil : timing.json, "stock": stock?.json,
      "recording": recording.map { .string($0) },
      "picture": picture.map { .string($0.rawValue) },
      "source": source.isEmpty ? nil : .string(source),
      "event": event.isEmpty ? nil : .string(event), "revision": .integer(revision),
    ])
  }
}

extension Stock: JSONCodable {
  /// Reads a stock; `units` is required.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    self.init(
      units: try UnitCount(json: reader.required("units")),
      unitsPerDose: try reader.optional("unitsPerDose").map { (json) throws(DecodeError) in
        try UnitCount(json: json)
      } ?? 1,
      warnDays: try reader.optionalInteger("warnDays") ?? 7)
  }

  /// The stock as an object.
  public var json: JSONValue {
    [
      "units": units.json, "unitsPerDose": unitsPerDose.json,
      "warnDays": .integer(warnDays),
    ]
  }
}

extension ReminderTiming: JSONCodable {
  /// Reads what differs; a name that is not known is refused, or a mistyped one would silently do nothing.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    try reader.refuseUnknown(besides: Self.names + ["quietHours", "inQuietHours"])
    for name in Self.names { self[name] = try reader.optionalInteger(name) }
    quietHours = try reader.optionalString("quietHours")
    inQuietHours = try reader.optionalWord("inQuietHours", as: QuietPolicy.self)
  }

  /// What differs, as an object.
  public var json: JSONValue {
    var json = JSONValue.object([])
    for name in Self.names {
      if let minutes = self[name] { json = json.setting(name, to: .integer(minutes)) }
    }
    if let quietHours { json = json.setting("quietHours", to: .string(quietHours)) }
    if let inQuietHours { json = json.setting("inQuietHours", to: .string(inQuietHours.rawValue)) }
    return json
  }

  static let names = [
    "noticeMinutes", "repeatMinutes", "attempts", "snoozeMinutes", "snoozeLimit",
    "caregiverMinutes", "missedMinutes", "graceMinutes", "earlyMinutes",
  ]

  private subscript(name: String) -> Int64? {
    get { self[keyPath: Self.path(name)] }
    set { self[keyPath: Self.path(name)] = newValue }
  }

  private static func path(_ name: String) -> WritableKeyPath<ReminderTiming, Int64?> {
    switch name {
    case "noticeMinutes": \.noticeMinutes
    case "repeatMinutes": \.repeatMinutes
    case "attempts": \.attempts
    case "snoozeMinutes": \.snoozeMinutes
    case "snoozeLimit": \.snoozeLimit
    case "caregiverMinutes": \.caregiverMinutes
    case "missedMinutes": \.missedMinutes
    case "earlyMinutes": \.earlyMinutes
    default: \.graceMinutes
    }
  }
}

extension Occurrence: JSONCodable {
  /// Reads an occurrence; who answered it, and why not, are missing for whoever may not see them.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    self.init(
      item: RoutineItemID(try reader.string("item")),
      resident: ResidentID(try reader.string("resident")), slot: try reader.string("slot"),
      due: try reader.timestamp("due"), state: try reader.word("state", as: State.self),
      prompts: try reader.count("prompts"), snoozes: try reader.count("snoozes"),
      isTold: try reader.bool("isTold"), changedAt: try reader.timestamp("changedAt"),
      by: try reader.optionalString("by") ?? "",
      reason: try reader.optionalString("reason") ?? "", isLate: try reader.bool("isLate"))
  }

  /// The occurrence as an object.
  public var json: JSONValue {
    [
      "item": .string(item.rawValue), "resident": .string(resident.rawValue),
      "slot": .string(slot), "due": .string(due.iso8601), "state": .string(state.rawValue),
      "prompts": .integer(prompts), "snoozes": .integer(snoozes), "isTold": .bool(isTold),
      "changedAt": .string(changedAt.iso8601), "by": .string(by), "reason": .string(reason),
      "isLate": .bool(isLate),
    ]
  }
}
