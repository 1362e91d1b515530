import Care
import JSON

/// What a broker keeps of this gateway, looked through once on each connection: residents may have been erased while the
/// plugin was away, or before it remembered what it had told.
struct RetainedSweep: Hashable, Sendable {
  /// A discovery message of this gateway that the broker keeps.
  struct Discovery: Hashable, Sendable {
    var object: String
    var components: [String: String]
  }

  /// The most topics that are looked at.
  static let maximumTopics = 10_000
  private static let maximumBytes = 1 << 20

  private let topics: Topics
  private let frame: DiscoveryBook.Frame?
  /// Whether everything that was kept has come.
  private(set) var isOver = false
  /// Topics of residents that hold something.
  private(set) var residentTopics: Set<String> = []
  /// Discovery messages by topic.
  private(set) var discoveries: [String: Discovery] = [:]

  /// A look at one broker; without a frame only at topics of residents.
  init(topics: Topics, frame: DiscoveryBook.Frame?) {
    self.topics = topics
    self.frame = frame
  }

  /// What to subscribe to, in order. The broker answers in that order, and the last always holds something.
  var subscriptions: [String] {
    let told = frame.map {
      ["\($0.prefix)/device/+/config", "\($0.prefix)/+/\($0.gateway)/+/config"]
    }
    return [topics.everyResident] + (told ?? []) + [topics.status]
  }

  /// Whether a message comes because of ``subscriptions``.
  func isSubscribed(to message: BrokerClient.Message) -> Bool {
    message.topic == topics.status || topics.resident(ofState: message.topic) != nil
      || isDiscovery(message.topic)
  }

  private func isDiscovery(_ topic: String) -> Bool {
    frame.map { topic.hasPrefix("\($0.prefix)/") && topic.hasSuffix("/config") } ?? false
  }

  /// Takes a message; false when it is none of what was subscribed to here.
  mutating func take(_ message: BrokerClient.Message) -> Bool {
    guard isSubscribed(to: message) else { return false }
    // What is not retained was queued for the session of before, and says nothing about what is kept.
    if message.topic == topics.status, message.isRetained { isOver = true }
    guard message.isRetained, !message.payload.isEmpty else { return true }
    if topics.resident(ofState: message.topic) != nil {
      if residentTopics.count < Self.maximumTopics { residentTopics.insert(message.topic) }
    } else if let frame, isDiscovery(message.topic), discoveries.count < Self.maximumTopics,
      let found = Self.discovery(message, frame)
    {
      discoveries[message.topic] = found
    }
    return true
  }

  /// Topics of residents that nobody knows, to be emptied.
  func strangers(among residents: some Sequence<ResidentID>) -> [String] {
    let known = Set(residents.map { Topics.level($0.rawValue) })
    return residentTopics.filter { topic in
      topics.resident(ofState: topic).map { !known.contains($0) } ?? false
    }.sorted()
  }

  private static func discovery(
    _ message: BrokerClient.Message, _ frame: DiscoveryBook.Frame
  ) -> Discovery? {
    let parts = message.topic.dropFirst(frame.prefix.count + 1).split(separator: "/")
    if parts.count == 4, parts[1] == frame.gateway {
      return Discovery(object: String(parts[2]), components: [:])
    }
    guard parts.count == 3, parts[0] == "device", message.payload.count <= maximumBytes,
      let content = try? JSONValue(parsing: message.payload)
    else { return nil }
    let own = "homeward_\(frame.gateway)"
    let isOwn =
      content["device"]?["via_device"]?.stringContent == own
      || content["device"]?["identifiers"]?.arrayContent?.first?.stringContent == own
    guard isOwn else { return nil }
    let components = (content["components"]?.objectContent ?? []).compactMap { member in
      member.value["platform"]?.stringContent.map { (member.key, $0) }
    }
    return Discovery(
      object: String(parts[1]),
      components: Dictionary(components, uniquingKeysWith: { first, _ in first }))
  }
}
