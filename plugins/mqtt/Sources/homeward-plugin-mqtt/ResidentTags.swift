import Care
import JSON
import Moments

/// The Bluetooth tags of one resident, from the events that passed.
struct ResidentTags: Hashable, Sendable {
  /// What is known of one tag.
  struct Tag: Hashable, Sendable {
    var id: TagID
    var name: Told<String>
    /// What it stands for, such as `keys`.
    var kind = ""
    /// `near`, `room`, `away` or `unknown`.
    var presence = Told("unknown")
    /// The room that it was heard in; nil in the event for none.
    var room = Told<String?>(nil)
    /// How full its battery was when an event told; nil before.
    var batteryPercent = Told<Int64?>(nil)
    /// Whether it has not been heard for long.
    var isSilent = Told(false)
    /// Whether the resident is out without it.
    var isLeftBehind = Told(false)
    /// Of somebody who cares: whether they are there; nil when nobody can say.
    var isPresent = Told<Bool?>(nil)
    /// When it was last heard, as the events say.
    var lastHeard: Timestamp?

    init(id: TagID) {
      self.id = id
      name = Told(id.rawValue)
    }
  }

  /// The most tags that are shown; the gateway knows no more of one resident.
  static let maximumTags = 64
  /// The most tags that are remembered as gone.
  static let maximumRemoved = 256
  private static let presences: Set<String> = ["near", "room", "away", "unknown"]

  /// Tags by id.
  private(set) var tags: [TagID: Tag] = [:]
  /// Tags that are gone and since when; their entities and topics are to go, and what comes late brings none back.
  private(set) var removed: [TagID: Timestamp] = [:]

  /// Tags in the order of their ids.
  var sorted: [Tag] { tags.values.sorted { $0.id < $1.id } }

  /// Takes one event; facts that are missing or of another shape are passed over.
  mutating func take(_ type: EventType, at time: Timestamp, _ facts: JSONValue) {
    switch type {
    case .recordChanged: takeChange(at: time, facts)
    case .tagChanged, .tagRoomChanged, .tagBatteryLow, .tagSilent, .tagHeardAgain, .leftWithout,
      .leftWithoutOver, .caregiverChanged:
      guard let id = facts["tag"]?.stringContent else { return }
      update(TagID(id), at: time) { tag in
        tag.takeName(facts["tagName"], facts["kind"], at: time)
        Self.take(type, at: time, facts, &tag)
      }
    default: break
    }
  }

  private mutating func takeChange(at time: Timestamp, _ facts: JSONValue) {
    guard let id = facts["target"]?.stringContent.map({ TagID($0) }) else { return }
    switch facts["action"]?.stringContent {
    case "tag.remove": remove(id, at: time)
    case "tag.put":
      guard let content = facts["content"] else { return }
      // It comes in the lane of the removals, after them.
      removed[id] = nil
      update(id, at: time) { $0.takeName(content["name"], content["kind"], at: time) }
    default: break
    }
  }

  private static func take(
    _ type: EventType, at time: Timestamp, _ facts: JSONValue, _ tag: inout Tag
  ) {
    if let heard = facts.timestamp("lastHeardAt") {
      tag.lastHeard = max(heard, tag.lastHeard ?? heard)
    }
    if let percent = facts["batteryPercent"]?.integerContent, (0...100).contains(percent) {
      tag.batteryPercent.take(percent, at: time)
    }
    switch type {
    case .tagChanged:
      guard let word = facts["presence"]?.stringContent, presences.contains(word) else { return }
      tag.presence.take(word, at: time)
    case .tagRoomChanged: tag.room.take(facts["room"]?.stringContent, at: time)
    case .tagSilent: tag.isSilent.take(true, at: time)
    case .tagHeardAgain: tag.isSilent.take(false, at: time)
    case .leftWithout: tag.isLeftBehind.take(true, at: time)
    case .leftWithoutOver: tag.isLeftBehind.take(false, at: time)
    case .caregiverChanged: tag.isPresent.take(facts["isPresent"]?.boolContent, at: time)
    default: break
    }
  }

  private mutating func update(
    _ id: TagID, at time: Timestamp, _ change: (inout Tag) -> Void
  ) {
    guard (1...64).contains(id.rawValue.utf8.count),
      tags[id] != nil || tags.count < Self.maximumTags,
      removed[id].map({ time > $0 }) ?? true
    else { return }
    var tag = tags[id] ?? Tag(id: id)
    change(&tag)
    tags[id] = tag
    removed[id] = nil
  }

  /// Takes a tag away; events about it that are not newer bring it back no more.
  mutating func remove(_ id: TagID, at time: Timestamp) {
    guard (1...64).contains(id.rawValue.utf8.count) else { return }
    tags[id] = nil
    removed[id] = time
    guard removed.count > Self.maximumRemoved,
      let oldest = removed.min(by: { ($0.value, $0.key) < ($1.value, $1.key) })
    else { return }
    removed[oldest.key] = nil
  }
}

/// What was told last of one thing: lanes are independent, and an event that comes late turns nothing back.
struct Told<Value: Hashable & Sendable>: Hashable, Sendable {
  /// What was told.
  private(set) var value: Value
  /// When; the beginning of time before anything was.
  private(set) var time: Timestamp

  /// Nothing has been told; `value` stands in.
  init(_ value: Value) { self.init(value, at: Timestamp(milliseconds: .min)) }

  init(_ value: Value, at time: Timestamp) {
    self.value = value
    self.time = time
  }

  /// Whether an event has told it.
  var isKnown: Bool { time.milliseconds != .min }

  mutating func take(_ value: Value, at time: Timestamp) {
    guard time >= self.time else { return }
    self = Told(value, at: time)
  }
}

extension ResidentTags.Tag {
  fileprivate mutating func takeName(
    _ name: JSONValue?, _ kind: JSONValue?, at time: Timestamp
  ) {
    guard let name = name?.stringContent, !name.isEmpty, time >= self.name.time else { return }
    self.name.take(name, at: time)
    self.kind = kind?.stringContent ?? self.kind
  }

  /// What is shown, for people and for Home Assistant.
  var json: JSONValue {
    [
      "tag": .string(id.rawValue), "name": .string(name.value), "kind": .string(kind),
      "presence": .string(presence.value), "room": room.value.map { .string($0) } ?? .null,
      "batteryPercent": batteryPercent.value.map { .integer($0) } ?? .null,
      "batteryAt": .optional(batteryPercent.isKnown ? batteryPercent.time : nil),
      "isSilent": .bool(isSilent.value), "isLeftBehind": .bool(isLeftBehind.value),
      "isPresent": isPresent.value.map { .bool($0) } ?? .null,
      "lastHeardAt": .optional(lastHeard),
    ]
  }
}

// MARK: Over restarts

extension ResidentTags {
  /// The tags as they are kept over restarts.
  var storage: JSONValue {
    [
      "tags": .array(sorted.map(\.storage)),
      "removed": .array(
        removed.sorted { $0.key < $1.key }.map { id, time in
          ["id": .string(id.rawValue), "at": .integer(time.milliseconds)]
        }),
    ]
  }

  /// Tags from what was kept; parts that do not fit are left out.
  init(storage: JSONValue) {
    for element in (storage["tags"]?.arrayContent ?? []).prefix(Self.maximumTags) {
      guard let tag = Tag(storage: element) else { continue }
      tags[tag.id] = tag
    }
    for element in (storage["removed"]?.arrayContent ?? []).prefix(Self.maximumRemoved) {
      guard let id = element["id"]?.stringContent, let time = element["at"]?.integerContent else {
        continue
      }
      removed[TagID(id)] = Timestamp(milliseconds: time)
    }
  }
}

extension ResidentTags.Tag {
  fileprivate var storage: JSONValue {
    json.setting(
      "times",
      to: .array(
        [
          name.time, presence.time, room.time, batteryPercent.time, isSilent.time,
          isLeftBehind.time, isPresent.time,
        ].map { .integer($0.milliseconds) }))
  }

  fileprivate init?(storage: JSONValue) {
    guard let id = storage["tag"]?.stringContent,
      let times = storage["times"]?.arrayContent?.compactMap(\.integerContent), times.count == 7
    else { return nil }
    self.init(id: TagID(id))
    let at = times.map { Timestamp(milliseconds: $0) }
    name = Told(storage["name"]?.stringContent ?? id, at: at[0])
    kind = storage["kind"]?.stringContent ?? ""
    presence = Told(storage["presence"]?.stringContent ?? "unknown", at: at[1])
    room = Told(storage["room"]?.stringContent, at: at[2])
    batteryPercent = Told(storage["batteryPercent"]?.integerContent, at: at[3])
    isSilent = Told(storage["isSilent"]?.boolContent ?? false, at: at[4])
    isLeftBehind = Told(storage["isLeftBehind"]?.boolContent ?? false, at: at[5])
    isPresent = Told(storage["isPresent"]?.boolContent, at: at[6])
    lastHeard = storage.timestamp("lastHeardAt")
  }
}
