import Care
import JSON

/// The alarms of one resident, or of the gateway itself, from the events that passed.
///
/// Nothing here knows of duress: what the house can see stays as it was.
struct ResidentAlarms: Hashable, Sendable {
  /// What is known of one alarm.
  struct Alarm: Hashable, Sendable {
    var id: String
    var tag: String
    var kind: String
    var stage: AlarmStage
    var priority: String?
    /// Who took charge, or closed it.
    var by: String?
    /// That person's name.
    var byName: String?
    /// Whether it asks for a sound in the room.
    var wantsSound = false
    /// Whether somebody in the room pressed; only another alarm sounds again.
    var isSilenced = false

    /// A kind that is not known may be a danger.
    var isAboutAPerson: Bool { AlarmKind(rawValue: kind)?.isAboutAPerson ?? true }
  }

  /// The most open alarms that are remembered; there is one of a kind.
  static let maximumOpen = 20
  /// The most closed alarms that are remembered, so that an event that comes again opens none of them.
  static let maximumClosed = 50

  /// Open alarms, the oldest first.
  private(set) var open: [Alarm] = []
  /// The alarm that was closed last; nil when there was none.
  private(set) var lastClosed: Alarm?
  private var closedIDs: [String] = []

  /// Whether a person's alarm asks for sound in the room and nobody has taken charge or pressed.
  ///
  /// Not in the pre-alarm, which stays in the house, and not for parts at fault: a siren wakes everybody.
  var isSounding: Bool {
    open.contains { $0.stage == .dispatched && $0.wantsSound && !$0.isSilenced }
  }

  /// The alarm that is shown: a person before a part of the gateway, then nobody on the way before somebody on the way, the
  /// first of them; else the last closed.
  var shown: Alarm? {
    let people = open.filter(\.isAboutAPerson)
    let most = people.isEmpty ? open : people
    return most.first { $0.stage != .acknowledged } ?? most.first ?? lastClosed
  }

  /// What is shown, for people and for Home Assistant.
  var json: JSONValue {
    guard let shown else { return ["state": "idle", "open": 0] }
    let isOpen = shown.stage != .resolved && shown.stage != .cancelled
    return .object([
      "state": .string(isOpen ? shown.stage.rawValue : "resolved"),
      "alarm": .string(shown.id), "tag": .string(shown.tag), "kind": .string(shown.kind),
      "stage": .string(shown.stage.rawValue), "priority": shown.priority.map { .string($0) },
      "by": shown.by.map { .string($0) }, "byName": shown.byName.map { .string($0) },
      "open": .integer(Int64(open.count)),
    ])
  }

  /// Takes one event; facts that are missing or of another shape are passed over.
  ///
  /// The order of stages counts and not the time: a clock that is set right must not keep an alarm open.
  mutating func take(_ type: EventType, _ facts: JSONValue) {
    guard let id = facts["alarm"]?.stringContent, !id.isEmpty, !closedIDs.contains(id),
      let stage = Self.stage(after: type, facts)
    else { return }
    let index = open.firstIndex { $0.id == id }
    guard index != nil || open.count < Self.maximumOpen else { return }
    var alarm =
      index.map { open[$0] } ?? Alarm(id: id, tag: "", kind: "", stage: stage)
    alarm.update(stage: stage, facts)
    if let index { open.remove(at: index) }
    if stage == .resolved || stage == .cancelled {
      close(alarm)
    } else {
      open.insert(alarm, at: index ?? open.count)
    }
  }

  private mutating func close(_ alarm: Alarm) {
    lastClosed = alarm
    closedIDs.append(alarm.id)
    if closedIDs.count > Self.maximumClosed { closedIDs.removeFirst() }
  }

  /// Somebody silenced the room; nil for everything that sounds.
  mutating func silence(_ id: String?) {
    for index in open.indices where id == nil || open[index].id == id {
      open[index].isSilenced = true
    }
  }

  /// How far an alarm is after an event; nil when the event does not tell.
  private static func stage(after type: EventType, _ facts: JSONValue) -> AlarmStage? {
    switch type {
    case .alarmRaised:
      let told = facts["stage"]?.stringContent.flatMap(AlarmStage.init)
      return told == .dispatched ? .dispatched : .prealarm
    case .alarmDispatched, .alarmEscalated: return .dispatched
    case .alarmAcknowledged: return .acknowledged
    case .alarmCancelled: return .cancelled
    case .alarmResolved: return .resolved
    default: return nil
    }
  }
}

extension ResidentAlarms.Alarm {
  fileprivate mutating func update(stage: AlarmStage, _ facts: JSONValue) {
    // What went out or was taken charge of never becomes less.
    if stage.order >= self.stage.order { self.stage = stage }
    tag = facts["tag"]?.stringContent ?? tag
    kind = facts["kind"]?.stringContent ?? kind
    priority = facts["priority"]?.stringContent ?? priority
    // A gateway that does not say so is older; of its alarms an SOS alone is sure to sound.
    wantsSound =
      facts["sound"]?.stringContent.map { $0 != "none" } ?? (kind == AlarmKind.sos.rawValue)
    // Of those who come, the first is shown.
    guard stage.order >= AlarmStage.acknowledged.order, facts["isFirst"]?.boolContent != false,
      let by = facts["by"]?.stringContent
    else { return }
    self.by = by
    byName = facts["byName"]?.stringContent
  }
}

extension AlarmStage {
  /// The place in an alarm's life.
  fileprivate var order: Int {
    switch self {
    case .prealarm: 0
    case .dispatched: 1
    case .acknowledged: 2
    case .resolved, .cancelled: 3
    }
  }
}

extension ResidentAlarms {
  /// The alarms as they are kept over restarts.
  var storage: JSONValue {
    .object([
      "open": .array(open.map(\.storage)), "last": lastClosed?.storage,
      "closed": .array(closedIDs.map { .string($0) }),
    ])
  }

  /// Alarms from what was kept; parts that do not fit are left out.
  init(storage: JSONValue) {
    let kept = (storage["open"]?.arrayContent ?? []).compactMap(Alarm.init)
    open = Array(kept.prefix(Self.maximumOpen))
    lastClosed = storage["last"].flatMap(Alarm.init)
    let ids = (storage["closed"]?.arrayContent ?? []).compactMap(\.stringContent)
    closedIDs = Array(ids.suffix(Self.maximumClosed))
  }
}

extension ResidentAlarms.Alarm {
  fileprivate var storage: JSONValue {
    .object([
      "id": .string(id), "tag": .string(tag), "kind": .string(kind),
      "stage": .string(stage.rawValue), "priority": priority.map { .string($0) },
      "by": by.map { .string($0) }, "byName": byName.map { .string($0) },
      "wantsSound": .bool(wantsSound), "isSilenced": .bool(isSilenced),
    ])
  }

  fileprivate init?(_ storage: JSONValue) {
    guard let id = storage["id"]?.stringContent,
      let stage = storage["stage"]?.stringContent.flatMap(AlarmStage.init)
    else { return nil }
    self.init(
      id: id, tag: storage["tag"]?.stringContent ?? "", kind: storage["kind"]?.stringContent ?? "",
      stage: stage, priority: storage["priority"]?.stringContent,
      by: storage["by"]?.stringContent, byName: storage["byName"]?.stringContent,
      wantsSound: storage["wantsSound"]?.boolContent ?? false,
      isSilenced: storage["isSilenced"]?.boolContent ?? false)
  }
}
