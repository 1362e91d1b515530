import JSON

/// How Home Assistant is told of entities.
enum DiscoveryMode: String, Hashable, Sendable {
  /// One message a device, since 2024.11.
  case device
  /// One message an entity, which older versions know.
  case components
  /// Nothing is told, and what was told is taken back.
  case off
}

/// A device as Home Assistant is to show it.
struct HomeAssistantDevice: Hashable, Sendable {
  /// Its part of topics.
  var object: String
  /// What Home Assistant calls the device.
  var device: JSONValue
  /// Its entities by key; each names its platform.
  var components: [JSONMember]
}

/// What Home Assistant was told and keeps, so that exactly that is taken back when it is not meant any more: after an
/// erasure, a change of settings, an upgrade, whether or not anybody was connected then.
struct DiscoveryBook: Hashable, Sendable {
  /// One retained message; an empty payload removes what the topic told.
  struct Publication: Hashable, Sendable {
    var topic: String
    var payload: String
  }

  /// What every message says beside its device.
  struct Frame: Hashable, Sendable {
    var prefix: String
    /// The gateway's part of topics.
    var gateway: String
    var mode: DiscoveryMode
    var origin: JSONValue
    var availabilityTopic: String
  }

  /// The most topics that are remembered.
  static let maximumTopics = 5000
  /// The most removed entities that a device's message still names.
  static let maximumRemoved = 500

  /// Keys and platforms of what each topic told.
  private(set) var told: [String: [String: String]] = [:]
  /// Topics that were emptied; an emptying may be lost with a connection, so each connection repeats it.
  private(set) var emptied: Set<String> = []
  private var published: [String: String] = [:]

  /// Everything is to be published again.
  mutating func forgetPublished() { published = [:] }

  /// Takes over what the broker keeps from before this book was begun.
  mutating func learn(topic: String, components: [String: String]) {
    guard told.count < Self.maximumTopics else { return }
    told[topic, default: [:]].merge(components) { known, _ in known }
  }

  /// What to publish so that Home Assistant shows these devices and nothing else of this gateway.
  mutating func publications(
    _ devices: [HomeAssistantDevice], in frame: Frame
  ) -> [Publication] {
    let wanted = Self.wanted(devices, in: frame)
    // First what goes: one name in two messages at once is refused.
    for topic in told.keys.sorted() where wanted[topic] == nil {
      told[topic] = nil
      if emptied.count < Self.maximumTopics { emptied.insert(topic) }
    }
    emptied.subtract(wanted.keys)
    var changed = emptied.sorted().map { Publication(topic: $0, payload: "") }
    for (topic, message) in wanted.sorted(by: { $0.key < $1.key }) {
      changed.append(Publication(topic: topic, payload: payload(message, on: topic)))
    }
    changed.removeAll { published[$0.topic] == $0.payload }
    for publication in changed { published[publication.topic] = publication.payload }
    return changed
  }

  /// A message before what is removed is added.
  private struct Draft {
    var members: JSONValue
    /// The entities of a device; nil where the message is one entity.
    var components: [JSONMember]?
  }

  private mutating func payload(_ message: Draft, on topic: String) -> String {
    guard let components = message.components else {
      told[topic] = [:]
      return message.members.serialized
    }
    let shown = Dictionary(
      components.map { ($0.key, $0.value["platform"]?.stringContent ?? "") },
      uniquingKeysWith: { first, _ in first })
    // An entity with nothing but its platform is removed; without it, it would stay.
    let gone = (told[topic] ?? [:]).filter { shown[$0.key] == nil }
      .sorted { $0.key < $1.key }.suffix(Self.maximumRemoved)
    told[topic] = shown.merging(gone.map { ($0.key, $0.value) }) { first, _ in first }
    let removals = gone.map { JSONMember(key: $0.key, value: ["platform": .string($0.value)]) }
    return message.members.setting("components", to: .object(components + removals)).serialized
  }

  private static func wanted(
    _ devices: [HomeAssistantDevice], in frame: Frame
  ) -> [String: Draft] {
    var wanted: [String: Draft] = [:]
    for device in devices {
      let common: JSONValue = [
        "device": device.device, "origin": frame.origin,
        "availability_topic": .string(frame.availabilityTopic), "qos": 1,
      ]
      switch frame.mode {
      case .off: return [:]
      case .device:
        wanted["\(frame.prefix)/device/\(device.object)/config"] = Draft(
          members: common, components: device.components)
      case .components:
        for component in device.components {
          let platform = component.value["platform"]?.stringContent ?? ""
          let members = (component.value.objectContent ?? []).filter { $0.key != "platform" }
          let all = members.reduce(common) { $0.setting($1.key, to: $1.value) }
          wanted["\(frame.prefix)/\(platform)/\(frame.gateway)/\(component.key)/config"] = Draft(
            members: all)
        }
      }
    }
    return wanted
  }
}

extension DiscoveryBook {
  /// The book as it is kept over restarts.
  var storage: JSONValue {
    [
      "told": .object(
        told.sorted { $0.key < $1.key }.map { topic, keys in
          JSONMember(
            key: topic,
            value: .object(
              keys.sorted { $0.key < $1.key }.map {
                JSONMember(key: $0.key, value: .string($0.value))
              }))
        }),
      "emptied": .array(emptied.sorted().map { .string($0) }),
    ]
  }

  /// A book from what was kept; parts that do not fit are left out.
  init(storage: JSONValue) {
    for topic in (storage["told"]?.objectContent ?? []).prefix(Self.maximumTopics) {
      let keys = (topic.value.objectContent ?? []).compactMap { member in
        member.value.stringContent.map { (member.key, $0) }
      }
      told[topic.key] = Dictionary(keys, uniquingKeysWith: { first, _ in first })
    }
    let gone = (storage["emptied"]?.arrayContent ?? []).compactMap(\.stringContent)
    emptied = Set(gone.prefix(Self.maximumTopics))
  }
}
