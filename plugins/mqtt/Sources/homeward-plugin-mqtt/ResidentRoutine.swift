import Care
import JSON
import Moments

/// The routine of one resident, from the events that passed and the gateway's own lists of it.
struct ResidentRoutine: Hashable, Sendable {
  /// What is known of one item.
  struct Item: Hashable, Sendable {
    var id: RoutineItemID
    var title: String
    var place = ""
    var kind = ""
    var isOn = true
    /// Whether it was done since it was last due.
    var isDone = false
    /// What became of the last due time, such as `prompted`; empty before the first.
    var occurrence = ""
    var slot: String?
    var due: Timestamp?
    var nextDue: Timestamp?
    var lastDone: Timestamp?
    /// Whether it comes from a calendar that somebody keeps elsewhere.
    var isImported = false
    /// The newest event that was taken, so that a late one never turns it back.
    var time = Timestamp(milliseconds: .min)

    /// `done`, `waiting` or `off`.
    var state: String { !isOn ? "off" : isDone ? "done" : "waiting" }
  }

  /// The most items that are shown.
  static let maximumItems = 200

  /// Items by id.
  private(set) var items: [RoutineItemID: Item] = [:]
  /// Items that are gone, whose entities and topics are to go.
  private(set) var removed: Set<RoutineItemID> = []

  /// Items in the order of their ids.
  var sorted: [Item] { items.values.sorted { $0.id < $1.id } }

  /// Takes one event; facts that are missing or of another shape are passed over.
  mutating func take(_ type: EventType, at time: Timestamp, _ facts: JSONValue) {
    switch type {
    case .recordChanged: takeChange(facts)
    case .reminderDue, .reminderPrompted, .reminderSnoozed, .reminderDone, .reminderNotNow,
      .reminderSkipped, .reminderUnanswered, .reminderMissed, .reminderCancelled, .reminderNotice,
      .reminderGap:
      takeReminder(type, at: time, facts)
    default: break
    }
  }

  private mutating func takeChange(_ facts: JSONValue) {
    guard let id = facts["target"]?.stringContent.map({ RoutineItemID($0) }) else { return }
    switch facts["action"]?.stringContent {
    case "routine.remove": remove(id)
    case "routine.put":
      guard let content = facts["content"], let title = content["title"]?.stringContent else {
        return
      }
      update(id, title: title) { item in
        // Another schedule has other times; the next event or list tells which.
        if let old = facts["previous"], old["schedule"] != content["schedule"] {
          item.nextDue = nil
        }
        item.nextDue = facts.timestamp("nextDue") ?? item.nextDue
        item.takeWords(content)
      }
    default: break
    }
  }

  private mutating func takeReminder(
    _ type: EventType, at time: Timestamp, _ facts: JSONValue
  ) {
    guard let id = facts["item"]?.stringContent, let title = facts["title"]?.stringContent else {
      return
    }
    update(RoutineItemID(id), title: title) { item in
      guard time >= item.time else { return }
      item.time = time
      item.kind = facts["kind"]?.stringContent ?? item.kind
      item.nextDue = facts.timestamp("nextDue")
      if type != .reminderNotice, type != .reminderGap { item.takeOccurrence(facts) }
      if type == .reminderDone { item.lastDone = time }
    }
  }

  /// Takes the gateway's list; items that are not in one that is complete are gone.
  ///
  /// - Parameter isTimed: whether the gateway's clock was trusted; without one it knows no next due times.
  mutating func take(list: [JSONValue], isComplete: Bool, isTimed: Bool, at time: Timestamp) {
    var known: Set<RoutineItemID> = []
    for element in list {
      guard let id = element["id"]?.stringContent.map({ RoutineItemID($0) }),
        let title = element["title"]?.stringContent
      else { continue }
      known.insert(id)
      update(id, title: title) { item in
        item.takeWords(element)
        guard time >= item.time else { return }
        item.time = time
        item.isDone = element["state"]?.stringContent == "done"
        item.occurrence = element["occurrence"]?.stringContent ?? ""
        item.slot = element["slot"]?.stringContent
        item.due = element.timestamp("due")
        item.nextDue = element.timestamp("nextDue") ?? (isTimed ? nil : item.nextDue)
        item.lastDone = element.timestamp("lastDone") ?? item.lastDone
      }
    }
    if isComplete { for id in items.keys.sorted() where !known.contains(id) { remove(id) } }
  }

  private mutating func update(
    _ id: RoutineItemID, title: String, _ change: (inout Item) -> Void
  ) {
    guard (1...64).contains(id.rawValue.utf8.count),
      items[id] != nil || items.count < Self.maximumItems
    else { return }
    var item = items[id] ?? Item(id: id, title: title)
    item.title = title
    change(&item)
    items[id] = item
    removed.remove(id)
  }

  private mutating func remove(_ id: RoutineItemID) {
    guard items.removeValue(forKey: id) != nil, removed.count < Self.maximumItems * 5 else {
      return
    }
    removed.insert(id)
  }
}

extension ResidentRoutine.Item {
  fileprivate mutating func takeWords(_ content: JSONValue) {
    place = content["place"]?.stringContent ?? ""
    kind = content["kind"]?.stringContent ?? kind
    isOn = content["isOn"]?.boolContent ?? (content["state"]?.stringContent != "off")
    isImported = content["source"]?.stringContent.map { !$0.isEmpty } ?? false
  }

  /// Takes a due time's state, unless a later due time is known.
  fileprivate mutating func takeOccurrence(_ facts: JSONValue) {
    guard let state = facts["state"]?.stringContent, let time = facts.timestamp("due") else {
      return
    }
    if let due, time < due { return }
    due = time
    slot = facts["slot"]?.stringContent
    occurrence = state
    isDone = state == Occurrence.State.done.rawValue
  }

  /// What is shown, for people and for Home Assistant.
  var json: JSONValue {
    [
      "item": .string(id.rawValue), "title": .string(title), "state": .string(state),
      "kind": .string(kind), "place": .string(place), "occurrence": .string(occurrence),
      "due": .optional(due), "nextDue": .optional(isOn ? nextDue : nil),
      "lastDone": .optional(lastDone), "isOn": .bool(isOn),
    ]
  }

  /// Whether an answer is waited for.
  var isOpen: Bool {
    [.pending, .prompted, .snoozed].contains(Occurrence.State(rawValue: occurrence)) && isOn
  }
}

extension ResidentRoutine {
  /// The most titles that the summary names.
  private static let maximumTitles = 20

  /// The routine at a glance: what waits for an answer, and what is due next.
  var summary: JSONValue {
    let open = sorted.filter(\.isOpen)
    let next = sorted.filter { $0.isOn && $0.nextDue != nil }
      .min { ($0.nextDue ?? $0.time, $0.id) < ($1.nextDue ?? $1.time, $1.id) }
    return [
      "open": .integer(Int64(open.count)),
      "titles": .array(open.prefix(Self.maximumTitles).map { .string($0.title) }),
      "next": next.map { .string($0.title) } ?? .null, "nextDue": .optional(next?.nextDue),
      "items": .integer(Int64(items.count)),
    ]
  }
}

extension ResidentRoutine {
  /// The routine as it is kept over restarts.
  var storage: JSONValue {
    [
      "items": .array(
        sorted.map { item in
          item.json.setting("time", to: .integer(item.time.milliseconds))
            .setting("isDone", to: .bool(item.isDone))
            .setting("nextDue", to: .optional(item.nextDue))
            .setting("slot", to: item.slot.map { .string($0) } ?? .null)
            .setting("source", to: .string(item.isImported ? "calendar" : ""))
        }),
      "removed": .array(removed.sorted().map { .string($0.rawValue) }),
    ]
  }

  /// A routine from what was kept; parts that do not fit are left out.
  init(storage: JSONValue) {
    for element in (storage["items"]?.arrayContent ?? []).prefix(Self.maximumItems) {
      guard let id = element["item"]?.stringContent, let title = element["title"]?.stringContent
      else { continue }
      var item = Item(id: RoutineItemID(id), title: title)
      item.takeWords(element)
      item.isDone = element["isDone"]?.boolContent ?? false
      item.occurrence = element["occurrence"]?.stringContent ?? ""
      item.slot = element["slot"]?.stringContent
      item.due = element.timestamp("due")
      item.nextDue = element.timestamp("nextDue")
      item.lastDone = element.timestamp("lastDone")
      item.time = Timestamp(milliseconds: element["time"]?.integerContent ?? .min)
      items[item.id] = item
    }
    let gone = (storage["removed"]?.arrayContent ?? []).compactMap(\.stringContent)
    removed = Set(gone.prefix(Self.maximumItems * 5).map { RoutineItemID($0) })
  }
}

/// The last message between a resident and those who care.
struct LastMessage: Hashable, Sendable {
  var id: String
  var sender: String
  var direction: String
  /// How long its recording lasts; nil for words alone.
  var recordingSeconds: Int64?
  var sentAt: Timestamp
  var spokenAt: Timestamp?
  var readAt: Timestamp?

  /// `sent`, `spoken` or `read`.
  var state: String { readAt != nil ? "read" : spokenAt != nil ? "spoken" : "sent" }

  /// The message after an event; nil when the event does not tell of one. Its words stay in the event.
  init?(_ facts: JSONValue) {
    guard let id = facts["message"]?.stringContent, let sentAt = facts.timestamp("sentAt") else {
      return nil
    }
    self.id = id
    self.sentAt = sentAt
    sender = facts["sender"]?.stringContent ?? ""
    direction = facts["direction"]?.stringContent ?? ""
    recordingSeconds = facts["recordingSeconds"]?.integerContent
    spokenAt = facts.timestamp("spokenAt")
    readAt = facts.timestamp("readAt")
  }

  /// What is shown, and kept.
  var json: JSONValue {
    [
      "message": .string(id), "state": .string(state), "sender": .string(sender),
      "direction": .string(direction),
      "recordingSeconds": recordingSeconds.map { .integer($0) } ?? .null,
      "sentAt": .optional(sentAt),
      "spokenAt": .optional(spokenAt), "readAt": .optional(readAt),
    ]
  }
}

extension JSONValue {
  /// A member that holds a time in ISO 8601.
  func timestamp(_ name: String) -> Timestamp? {
    self[name]?.stringContent.flatMap { try? Timestamp(iso8601: $0) }
  }

  /// A time in ISO 8601, or null.
  static func optional(_ time: Timestamp?) -> JSONValue {
    time.map { .string($0.iso8601) } ?? .null
  }
}
