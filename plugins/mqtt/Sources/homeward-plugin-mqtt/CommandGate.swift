import Care
import JSON
import Moments
import PluginKit
import PluginProtocol

/// Decides what a message from the broker may do: nothing, unless the owner granted it.
///
/// A message commands only on a topic that belongs to a principal, fresh (not retained), with an id and an expiry that
/// lies ahead, and for an action granted to that principal.
struct CommandGate: Hashable, Sendable {
  /// The longest request in bytes.
  static let maximumBytes = 65_536

  /// What to do with a message.
  enum Decision: Hashable, Sendable {
    /// Hand the command to the host and answer on `replyTopic`.
    case forward(params: JSONValue, id: String, replyTopic: String?)
    /// Nothing; the reason is for the log, and for `replyTopic` when the sender can be answered.
    case ignore(reason: String, id: String?, replyTopic: String?)
    /// The topic is none of ours.
    case unknownTopic
  }

  private let topics: Topics
  private let grants: [String: MQTTSettings.CommandGrant]

  init(settings: MQTTSettings) {
    topics = settings.topics
    grants = Dictionary(
      settings.commands.map { ($0.topic, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Whether presses of Home Assistant's button are commands.
  var allowsPresses: Bool { pressGrant != nil }

  /// The topics to subscribe to.
  var subscriptions: [String] {
    grants.keys.sorted() + (allowsPresses ? [topics.locatePresses] : [])
  }

  private var pressGrant: MQTTSettings.CommandGrant? {
    grants.values.first {
      $0.principal == MQTTSettings.homeAssistantPrincipal && $0.actions.contains("locate")
    }
  }

  /// Decides about one message.
  ///
  /// - Parameter freshID: makes the id of a button press.
  func decide(
    _ message: BrokerClient.Message, at arrival: Arrival, freshID: () -> String
  ) -> Decision {
    if let resident = topics.resident(ofPress: message.topic) {
      return decidePress(of: resident, message, at: arrival, freshID: freshID)
    }
    guard let grant = grants[message.topic] else { return .unknownTopic }
    if message.isRetained {
      return ignored(gettext("it is retained; send commands without retain"))
    }
    guard message.payload.count <= Self.maximumBytes else {
      return ignored(gettext("it is larger than {bytes} bytes", ["bytes": Self.maximumBytes]))
    }
    let request: JSONValue
    do { request = try JSONValue(parsing: message.payload) } catch {
      return ignored(gettext("it is no JSON: {error}", ["error": error]))
    }
    return decide(request, of: grant, message, at: arrival)
  }

  private func decide(
    _ request: JSONValue, of grant: MQTTSettings.CommandGrant, _ message: BrokerClient.Message,
    at arrival: Arrival
  ) -> Decision {
    guard let id = request["id"]?.stringContent, (1...100).contains(id.count) else {
      return ignored(gettext("it has no id of 1 through 100 characters"))
    }
    let replyTopic = topics.reply(principal: grant.principal)
    guard let text = request["expiresAt"]?.stringContent,
      let expiresAt = try? Timestamp(iso8601: text)
    else { return ignored(gettext("it has no expiresAt in ISO 8601"), id, replyTopic) }
    guard expiresAt > arrival.now else {
      return ignored(gettext("it expired at {time}", ["time": text]), id, replyTopic)
    }
    guard let action = request["request"]?["action"]?.stringContent else {
      return ignored(gettext("it has no request with an action"), id, replyTopic)
    }
    guard grant.actions.contains(action) else {
      // The reason goes into the log as well, where nobody is named.
      let reason = gettext("\"{action}\" is not granted on this topic", ["action": action])
      return ignored(reason.asPluginReason(), id, replyTopic)
    }
    let sentAt = try? request["sentAt"]?.stringContent.map { try Timestamp(iso8601: $0) }
    let params = arrival.times(of: message, expiresAt: expiresAt, sentAt: sentAt).reduce(
      [
        "principal": .string(grant.principal), "id": .string(id),
        "request": request["request"] ?? .null,
      ] as JSONValue
    ) { $0.setting($1.key, to: $1.value) }
    return .forward(params: params, id: id, replyTopic: replyTopic)
  }

  private func decidePress(
    of resident: ResidentID, _ message: BrokerClient.Message, at arrival: Arrival,
    freshID: () -> String
  ) -> Decision {
    guard let grant = pressGrant else { return .unknownTopic }
    if message.isRetained { return ignored(gettext("it is retained; a button press must not be")) }
    let id = freshID()
    let params: JSONValue = [
      "principal": .string(grant.principal), "id": .string(id), "freshUntil": arrival.freshUntil,
      "request": ["action": "locate", "target": .string(resident.rawValue)],
    ]
    return .forward(params: params, id: id, replyTopic: nil)
  }

  private func ignored(_ reason: String, _ id: String? = nil, _ replyTopic: String? = nil)
    -> Decision
  {
    .ignore(reason: reason, id: id, replyTopic: replyTopic)
  }
}
