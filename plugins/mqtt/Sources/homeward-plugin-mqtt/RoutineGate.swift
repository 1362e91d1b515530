import Care
import JSON
import Moments
import PluginKit
import PluginProtocol

/// Decides about what Home Assistant says of the routine: an answer, on or off, a message to a resident.
///
/// Each says until when it is meant: the broker keeps messages for a gateway that is away, and yesterday's *done* must
/// not answer today's tablet. A bare `ON` or `OFF` of a switch is taken too, since older versions can say no more; the
/// switch asks that the broker keeps none.
struct RoutineGate: Hashable, Sendable {
  /// The largest message in bytes.
  static let maximumBytes = 16_384

  private let topics: Topics
  /// Whether Home Assistant may answer for a resident.
  let allowsAnswers: Bool
  /// Whether Home Assistant may switch reminding on and off.
  let allowsSwitches: Bool
  /// Whether Home Assistant may send messages to residents.
  let allowsMessages: Bool

  init(settings: MQTTSettings) {
    topics = settings.topics
    let granted = settings.commands.filter {
      $0.principal == MQTTSettings.homeAssistantPrincipal
    }.flatMap(\.actions)
    allowsAnswers = granted.contains("routine.answer")
    allowsSwitches = granted.contains("routine.switch")
    allowsMessages = granted.contains("message.send")
  }

  /// The topics to subscribe to.
  var subscriptions: [String] {
    (allowsAnswers ? [topics.routinePresses] : [])
      + (allowsSwitches ? [topics.routineSwitches] : [])
      + (allowsMessages ? [topics.messageSends] : [])
  }

  /// Decides about one message; nil when its topic is none of these.
  func decide(
    _ message: BrokerClient.Message, at arrival: Arrival, freshID: () -> String
  ) -> CommandGate.Decision? {
    guard let meaning = meaning(of: message.topic) else { return nil }
    if message.isRetained { return ignored(gettext("it is retained; send it without retain")) }
    guard message.payload.count <= Self.maximumBytes else {
      return ignored(gettext("it is larger than {bytes} bytes", ["bytes": Self.maximumBytes]))
    }
    var times = [JSONMember(key: "freshUntil", value: arrival.freshUntil)]
    let content: JSONValue
    if case .turn = meaning, let word = Self.bareState(message.payload) {
      content = ["state": .string(word)]
    } else {
      guard let read = try? JSONValue(parsing: message.payload), read.objectContent != nil else {
        return ignored(gettext("it must be an object of JSON"))
      }
      content = read
      switch Self.expiry(of: read, at: arrival) {
      case .failure(let fault): return ignored(fault.reason)
      case .success(let time): times = arrival.times(of: message, expiresAt: time)
      }
    }
    let id = freshID()
    guard let request = request(meaning, content, id: id) else {
      return ignored(gettext("it does not say what to do; see the plugin's README"))
    }
    let params = times.reduce(
      [
        "principal": .string(MQTTSettings.homeAssistantPrincipal), "id": .string(id),
        "request": request,
      ] as JSONValue
    ) { $0.setting($1.key, to: $1.value) }
    return .forward(params: params, id: id, replyTopic: nil)
  }

  private enum Meaning {
    case answer(RoutineItemID)
    case turn(RoutineItemID)
    case message(ResidentID)
  }

  private func meaning(of topic: String) -> Meaning? {
    if allowsAnswers, let item = topics.item(ofPress: topic) { return .answer(item) }
    if allowsSwitches, let item = topics.item(ofSwitch: topic) { return .turn(item) }
    if allowsMessages, let resident = topics.resident(ofMessage: topic) {
      return .message(resident)
    }
    return nil
  }

  private func request(_ meaning: Meaning, _ content: JSONValue, id: String) -> JSONValue? {
    switch meaning {
    case .answer(let item): return answer(item, content)
    case .turn(let item):
      guard let state = content["state"]?.stringContent, state == "ON" || state == "OFF" else {
        return nil
      }
      return [
        "action": "routine.switch", "target": .string(item.rawValue), "isOn": .bool(state == "ON"),
      ]
    case .message(let resident):
      guard let text = content["text"]?.stringContent, (1...2000).contains(text.count) else {
        return nil
      }
      return [
        "action": "message.send", "target": .string(id), "resident": .string(resident.rawValue),
        "direction": "to-resident",
        "sender": .string(content["sender"]?.stringContent ?? "Home Assistant"),
        "text": .string(text),
      ]
    }
  }

  private func answer(_ item: RoutineItemID, _ content: JSONValue) -> JSONValue? {
    guard let word = content["answer"]?.stringContent,
      ["done", "not-now", "snooze", "skip"].contains(word)
    else { return nil }
    return .object([
      "action": "routine.answer", "target": .string(item.rawValue), "answer": .string(word),
      "slot": content["slot"]?.stringContent.map { .string($0) },
      "reason": content["reason"]?.stringContent.map { .string($0) },
      "minutes": content["minutes"]?.integerContent.map { .integer($0) },
    ])
  }

  private struct Fault: Error { let reason: String }

  /// Until when it is meant: ahead, and five minutes at most.
  private static func expiry(
    of content: JSONValue, at arrival: Arrival
  ) -> Result<Timestamp, Fault> {
    guard let text = content["expiresAt"]?.stringContent, let time = try? Timestamp(iso8601: text)
    else {
      return .failure(
        Fault(reason: gettext("it has no expiresAt in ISO 8601, so it may be an old one")))
    }
    guard time > arrival.now else {
      return .failure(Fault(reason: gettext("it expired at {time}", ["time": time.iso8601])))
    }
    guard
      time.milliseconds(since: arrival.now) <= PressGate.maximumMilliseconds
        || !arrival.isClockKept
    else {
      return .failure(Fault(reason: gettext("expiresAt lies more than five minutes ahead")))
    }
    return .success(time)
  }

  private static func bareState(_ payload: [UInt8]) -> String? {
    ["ON", "OFF"].first { payload.elementsEqual($0.utf8) }
  }

  private func ignored(_ reason: String) -> CommandGate.Decision {
    .ignore(reason: reason, id: nil, replyTopic: nil)
  }
}
