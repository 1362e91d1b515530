import Bytes
import Care
import JSON
import Moments
import Texts

/// Names one row: whose it is and what it is about.
struct StoredRow: Hashable, Comparable, Sendable {
  var subject: String
  var name: String

  static func < (left: StoredRow, right: StoredRow) -> Bool {
    (left.subject, left.name) < (right.subject, right.name)
  }
}

/// The engine's state as rows: how they are read, and what of it is written when.
///
/// Everything that decides is written in the outcome that changed it. Only positions come more often than a card likes:
/// with nothing else to write they wait for ten seconds while an alarm is open and for a minute otherwise.
struct AlarmRows: Sendable {
  private static let engine = "alarms"
  private static let alarmPrefix = "alarm:"
  private static let messagePrefix = "message:"
  private static let wayPrefix = "way:"

  private let boot: BootID
  /// What is on disk.
  private var written = AlarmState()
  private var unreadable: [StoredRow] = []

  // MARK: Reading

  /// Reads what is stored into an empty state.
  init(_ rows: [EngineRow], into state: inout AlarmState, boot: BootID, at now: Moment) {
    self.boot = boot
    let mine = rows.filter { $0.engine == Self.engine }
    for row in mine where row.name.hasPrefix(Self.alarmPrefix) { read(row, into: &state, at: now) }
    for row in mine where !row.name.hasPrefix(Self.alarmPrefix) {
      read(row, into: &state, at: now)
    }
    state.alarms.sort(by: LiveAlarm.isBefore)
  }

  /// Whether everything could be read.
  var isWhole: Bool { unreadable.isEmpty }

  private mutating func read(_ row: EngineRow, into state: inout AlarmState, at now: Moment) {
    var found = AlarmState()
    do { try take(row, of: state.alarms, into: &found) } catch {
      unreadable.append(StoredRow(subject: row.subject, name: row.name))
      return
    }
    let isOfThisBoot = row.content["boot"]?.stringContent == boot.rawValue
    merge(found, into: &written)
    if !isOfThisBoot { found.mapStamps { $0.rebase(to: now) } }
    merge(found, into: &state)
  }

  /// Reads one row into an otherwise empty state; a message comes with a bare alarm around it.
  private func take(
    _ row: EngineRow, of alarms: [LiveAlarm], into found: inout AlarmState
  ) throws(DecodeError) {
    let resident = ResidentID(row.subject)
    if row.name.hasPrefix(Self.alarmPrefix) {
      let id = AlarmID(String(row.name.dropFirst(Self.alarmPrefix.count)))
      found.alarms = [try LiveAlarm(id: id, json: row.content)]
    } else if row.name.hasPrefix(Self.messagePrefix) {
      let id = AlarmID(
        String(row.name.dropFirst(Self.messagePrefix.count).prefix { $0 != "/" }))
      guard var alarm = alarms.first(where: { $0.id == id }) else {
        throw DecodeError(.unknownWord, at: 0, field: "alarm")
      }
      alarm.messages = AlarmMessages(stored: try GuardianMessage(json: row.content))
      found.alarms = [alarm]
    } else {
      try takeCare(row, resident, into: &found)
    }
  }

  private func takeCare(
    _ row: EngineRow, _ resident: ResidentID, into found: inout AlarmState
  ) throws(DecodeError) {
    if row.name.hasPrefix(Self.wayPrefix) {
      let (way, record) = try Self.way(row, resident)
      found.ways.restore(record, of: way)
      return
    }
    let reader = try JSONReader(row.content)
    var care = CareState()
    switch row.name {
    case "pin:okay", "pin:duress":
      care.pins[String(row.name.dropFirst(4))] = try reader.string("hash")
    case "position": care.position = try KnownPosition(json: row.content)
    case "emergency": care.emergency = try EmergencySetup(json: row.content)
    case "test": care.lastTestDay = try reader.integer("day")
    case "unproven": care.lastUnprovenDay = try reader.integer("day")
    case "self-test":
      found.selfTest.lastDay = try reader.integer("day")
      return
    default: throw DecodeError(.unknownWord, at: 0, field: row.name)
    }
    found.care[resident] = care
  }

  private static func way(
    _ row: EngineRow, _ resident: ResidentID
  ) throws(DecodeError) -> (GuardianWay, WayRecord) {
    let words = row.name.dropFirst(wayPrefix.count).split(separator: "/").map { String($0) }
    guard words.count == 2, let channel = Guardian.Channel(rawValue: words[1]) else {
      throw DecodeError(.unknownWord, at: 0, field: row.name)
    }
    return (
      GuardianWay(guardian: GuardianID(words[0]), channel: channel),
      try WayRecord(resident: resident, json: row.content)
    )
  }

  private func merge(_ found: AlarmState, into target: inout AlarmState) {
    for alarm in found.alarms {
      if let index = target.alarms.firstIndex(where: { $0.id == alarm.id }) {
        target.alarms[index].messages.restore(alarm.messages)
      } else {
        target.alarms.append(alarm)
      }
    }
    for (id, care) in found.care {
      var known = target.care[id] ?? CareState()
      known.pins.merge(care.pins) { $1 }
      known.position = care.position ?? known.position
      known.emergency = care.emergency ?? known.emergency
      known.lastTestDay = care.lastTestDay ?? known.lastTestDay
      known.lastUnprovenDay = care.lastUnprovenDay ?? known.lastUnprovenDay
      target.care[id] = known
    }
    target.ways.merge(found.ways)
    target.selfTest.lastDay = found.selfTest.lastDay ?? target.selfTest.lastDay
  }

  // MARK: Writing

  /// What has to be written so that a state is on disk.
  mutating func changes(to state: AlarmState, at now: Moment) -> [StateChange] {
    guard state != written else { return [] }
    let settled = withSettledPositions(state)
    guard settled != written else { return [] }
    defer { written = settled }
    return alarmChanges(settled) + careChanges(settled)
  }

  private func alarmChanges(_ next: AlarmState) -> [StateChange] {
    var changes: [StateChange] = []
    for alarm in written.alarms where !next.alarms.contains(where: { $0.id == alarm.id }) {
      let subject = Self.subject(alarm.resident)
      changes.append(removal(subject, Self.alarmPrefix + alarm.id.rawValue))
      for message in alarm.messages {
        changes.append(removal(subject, Self.name(alarm, message)))
      }
    }
    for alarm in next.alarms {
      let old = written.alarms.first { $0.id == alarm.id }
      if old == alarm { continue }
      if old.map({ $0.withoutMessages != alarm.withoutMessages }) ?? true {
        changes.append(put(alarm))
      }
      for message in alarm.messages {
        let known = old?.messages.first { $0.isSame(as: message) }
        if known != message { changes.append(put(message, of: alarm)) }
      }
    }
    return changes
  }

  private func put(_ alarm: LiveAlarm) -> StateChange {
    let key = StoredRow(
      subject: Self.subject(alarm.resident), name: Self.alarmPrefix + alarm.id.rawValue)
    return .putEngineRow(row(key, alarm.json))
  }

  private func put(_ message: GuardianMessage, of alarm: LiveAlarm) -> StateChange {
    let key = StoredRow(subject: Self.subject(alarm.resident), name: Self.name(alarm, message))
    return .putEngineRow(row(key, message.json))
  }

  private func careChanges(_ next: AlarmState) -> [StateChange] {
    guard
      next.care != written.care || next.selfTest != written.selfTest || next.ways != written.ways
    else { return [] }
    var changes: [StateChange] = []
    let old = Dictionary(uniqueKeysWithValues: careRows(of: written).map { ($0.key, $0.content) })
    let new = careRows(of: next)
    let kept = Set(new.map(\.key))
    for key in old.keys.sorted() where !kept.contains(key) {
      changes.append(removal(key.subject, key.name))
    }
    for (key, content) in new where old[key] != content {
      changes.append(.putEngineRow(row(key, content)))
    }
    return changes
  }

  /// A state with positions as they are on disk, where they can wait.
  private func withSettledPositions(_ state: AlarmState) -> AlarmState {
    var settled = state
    for (id, old) in written.care where canWait(with: id, of: state) {
      settled.care[id]?.position = old.position
    }
    return settled
  }

  /// Whether somebody's newest position does not have to be written yet.
  func canWait(with id: ResidentID, of state: AlarmState) -> Bool {
    guard let last = written.care[id]?.position, let newest = state.care[id]?.position else {
      return false
    }
    let patience: Int64 = state.isInDanger(id) ? 10_000 : 60_000
    return newest.stamp.tick.milliseconds(since: last.stamp.tick) < patience
  }

  // MARK: Parts

  /// A state as rows, in the order of their names.
  func all(of state: AlarmState) -> [EngineRow] {
    storedRows(of: state).map { row($0.key, $0.content) }
  }

  private func storedRows(of state: AlarmState) -> [(key: StoredRow, content: JSONValue)] {
    var rows: [(key: StoredRow, content: JSONValue)] = []
    for alarm in state.alarms {
      let subject = Self.subject(alarm.resident)
      rows.append(
        (StoredRow(subject: subject, name: Self.alarmPrefix + alarm.id.rawValue), alarm.json))
      for message in alarm.messages {
        rows.append((StoredRow(subject: subject, name: Self.name(alarm, message)), message.json))
      }
    }
    return (rows + careRows(of: state)).sorted { $0.key < $1.key }
  }

  private func careRows(of state: AlarmState) -> [(key: StoredRow, content: JSONValue)] {
    var rows: [(key: StoredRow, content: JSONValue)] = []
    for (id, care) in state.care.sorted(by: { $0.key < $1.key }) {
      func add(_ name: String, _ content: JSONValue?) {
        guard let content else { return }
        rows.append((StoredRow(subject: id.rawValue, name: name), content))
      }
      for (kind, hash) in care.pins.sorted(by: { $0.key < $1.key }) {
        add("pin:" + kind, ["hash": .string(hash)])
      }
      add("position", care.position?.json)
      add("emergency", care.emergency?.json)
      add("test", care.lastTestDay.map { ["day": .integer($0)] })
      add("unproven", care.lastUnprovenDay.map { ["day": .integer($0)] })
    }
    for (way, record) in state.ways.all {
      let name = "\(Self.wayPrefix)\(way.guardian)/\(way.channel.rawValue)"
      rows.append((StoredRow(subject: record.resident.rawValue, name: name), record.json))
    }
    if let day = state.selfTest.lastDay {
      rows.append((StoredRow(subject: "gateway", name: "self-test"), ["day": .integer(day)]))
    }
    return rows
  }

  /// Gives up what could not be read: takes it off the disk, and says so.
  mutating func giveUpUnreadable(_ step: inout Step) {
    guard !isWhole else { return }
    let detail =
      gettext(
        "What was stored about {parts} could not "
          + "be read and starts anew. Raise an alarm that was open again.",
        ["parts": unreadable.map(\.name).sorted().joined(separator: ", ")],
        in: step.world.language)
    for key in unreadable.sorted() {
      step.outcome.changes.append(removal(key.subject, key.name))
    }
    unreadable = []
    step.outcome.events.append(
      EventDraft(
        type: .faultRaised, lane: .alarm, resident: nil,
        facts: [
          "component": "alarms", "code": "state-unreadable",
          "state": .string(HealthState.degraded.rawValue), "explanation": .string(detail),
        ]))
  }

  private func row(_ key: StoredRow, _ content: JSONValue) -> EngineRow {
    EngineRow(
      engine: Self.engine, subject: key.subject, name: key.name, content: content, boot: boot)
  }

  private func removal(_ subject: String, _ name: String) -> StateChange {
    .removeEngineRow(engine: Self.engine, subject: subject, name: name)
  }

  private static func subject(_ resident: ResidentID?) -> String {
    resident?.rawValue ?? "gateway"
  }

  private static func name(_ alarm: LiveAlarm, _ message: GuardianMessage) -> String {
    "\(messagePrefix)\(alarm.id)/\(message.name)"
  }
}

extension AlarmState {
  mutating func mapStamps(_ change: (inout Stamp) -> Void) {
    for index in alarms.indices { alarms[index].mapStamps(change) }
    ways.mapStamps(change)
    for id in care.keys {
      if var position = care[id]?.position {
        change(&position.stamp)
        care[id]?.position = position
      }
      care[id]?.emergency?.mapStamps(change)
    }
  }
}

extension LiveAlarm {
  var withoutMessages: LiveAlarm {
    var copy = self
    copy.messages = AlarmMessages()
    return copy
  }

  /// Identifiers sort by time; alarms of another clock may not, and need only one order.
  static func isBefore(_ left: LiveAlarm, _ right: LiveAlarm) -> Bool {
    left.id < right.id
  }
}

extension GuardianMessage {
  func isSame(as other: GuardianMessage) -> Bool {
    guardian == other.guardian && channel == other.channel && notice == other.notice
  }

  static func isBefore(_ left: GuardianMessage, _ right: GuardianMessage) -> Bool {
    (left.guardian, left.channel, left.notice.rawValue)
      < (right.guardian, right.channel, right.notice.rawValue)
  }
}
