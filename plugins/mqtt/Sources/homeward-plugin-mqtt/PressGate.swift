import Care
import JSON
import Moments
import PluginKit
import PluginProtocol

/// Decides about the short messages of buttons and sirens: who takes charge, silence, a call for help.
///
/// The broker keeps messages for a gateway that is away, so a press counts only while it is fresh: it names an alarm, which
/// is never tomorrow's, or it says until when it is meant.
struct PressGate: Hashable, Sendable {
  /// The largest message in bytes.
  static let maximumBytes = 4096
  /// How far ahead a press without an alarm may be meant, in milliseconds.
  static let maximumMilliseconds: Int64 = 300_000

  private let topics: Topics
  private let guardians: [String: String]
  /// Whether everybody whom the gateway knows may take charge.
  private let allowsEveryGuardian: Bool
  /// Whether Home Assistant may silence.
  let allowsSilence: Bool
  /// Whether Home Assistant may call for help.
  let allowsSOS: Bool

  init(settings: MQTTSettings) {
    topics = settings.topics
    allowsEveryGuardian = settings.guardians.contains(MQTTSettings.everyGuardian)
    guardians = Dictionary(
      settings.guardians.filter { $0 != MQTTSettings.everyGuardian }.map {
        (settings.topics.acknowledge(guardian: $0), $0)
      },
      uniquingKeysWith: { first, _ in first })
    let granted = settings.commands.filter {
      $0.principal == MQTTSettings.homeAssistantPrincipal
    }.flatMap(\.actions)
    allowsSilence = granted.contains(AlarmRequest.silence.action)
    allowsSOS = granted.contains("sos.raise")
  }

  /// The topics to subscribe to.
  var subscriptions: [String] {
    (allowsEveryGuardian ? [topics.acknowledgePresses] : guardians.keys.sorted())
      + (allowsSilence ? [topics.sirenCommand] : [])
      + (allowsSOS ? [topics.helpPresses] : [])
  }

  /// Decides about one message; nil when its topic is none of these.
  ///
  /// - Parameters:
  ///   - openAlarms: ids of the alarms that a press of now without an alarm may mean.
  ///   - known: ids of the guardians whom the gateway knows.
  func decide(
    _ message: BrokerClient.Message, at arrival: Arrival, openAlarms: [String],
    known: [String] = [], freshID: () -> String
  ) -> CommandGate.Decision? {
    guard let meaning = meaning(of: message.topic, known) else { return nil }
    if message.isRetained { return ignored(gettext("it is retained; a press must not be")) }
    guard message.payload.count <= Self.maximumBytes else {
      return ignored(gettext("it is larger than {bytes} bytes", ["bytes": Self.maximumBytes]))
    }
    let press: Press
    switch Press.read(message.payload, at: arrival) {
    case .failure(let fault): return ignored(fault.reason)
    case .success(let read): press = read
    }
    let request: JSONValue
    switch self.request(meaning, press, message.mayHaveWaited ? nil : openAlarms) {
    case .failure(let fault): return ignored(fault.reason)
    case .success(let made): request = made
    }
    let id = press.id ?? freshID()
    let times =
      press.expiresAt.map { arrival.times(of: message, expiresAt: $0, sentAt: press.sentAt) }
      ?? [JSONMember(key: "freshUntil", value: arrival.freshUntil)]
    let params = times.reduce(
      ["principal": .string(meaning.principal), "id": .string(id), "request": request] as JSONValue
    ) { $0.setting($1.key, to: $1.value) }
    return .forward(params: params, id: id, replyTopic: nil)
  }

  // MARK: What a message means

  private enum Meaning {
    case acknowledge(guardian: String)
    case silence
    case help(ResidentID)

    var principal: String {
      switch self {
      case .acknowledge(let guardian): guardian
      case .silence, .help: MQTTSettings.homeAssistantPrincipal
      }
    }
  }

  private func meaning(of topic: String, _ known: [String]) -> Meaning? {
    if let guardian = guardians[topic] { return .acknowledge(guardian: guardian) }
    if allowsEveryGuardian {
      // Two names may be one level of a topic; then it belongs to neither.
      let meant = known.filter { topics.acknowledge(guardian: $0) == topic }
      if meant.count == 1 { return .acknowledge(guardian: meant[0]) }
    }
    if allowsSilence, topic == topics.sirenCommand { return .silence }
    if allowsSOS, let resident = topics.resident(ofHelp: topic) { return .help(resident) }
    return nil
  }

  private func request(
    _ meaning: Meaning, _ press: Press, _ openAlarms: [String]?
  ) -> Result<JSONValue, Ignored> {
    switch meaning {
    case .acknowledge:
      return alarm(press, openAlarms).map { alarm in
        .object(["action": "alarm.acknowledge", "target": alarm.map { .string($0) }])
      }
    case .silence:
      guard press.state == "OFF" else {
        return .failure(
          Ignored(gettext("the siren can only be switched off; alarms are raised otherwise")))
      }
      return press.fresh.map { ["action": "alarm.silence"] }
    case .help(let resident):
      return press.fresh.map {
        [
          "action": "sos.raise", "target": .string(resident.rawValue), "kind": "sos",
          "trigger": "backend", "text": "Home Assistant",
        ]
      }
    }
  }

  /// The alarm that a press means; nil for the only open one, which the gateway finds once it has judged the time.
  private func alarm(_ press: Press, _ openAlarms: [String]?) -> Result<String?, Ignored> {
    if let alarm = press.alarm { return .success(alarm) }
    if case .failure(let fault) = press.fresh { return .failure(fault) }
    guard let openAlarms else { return .success(nil) }
    return switch openAlarms.count {
    case 0: .failure(Ignored(gettext("no alarm is open that somebody could take charge of")))
    case 1: .success(openAlarms[0])
    default: .failure(Ignored(gettext("more than one alarm is open; send the tag of one")))
    }
  }

  private func ignored(_ reason: String) -> CommandGate.Decision {
    .ignore(reason: reason, id: nil, replyTopic: nil)
  }
}

/// Why a press does nothing.
private struct Ignored: Error {
  let reason: String
  init(_ reason: String) { self.reason = reason }
}

/// What a press says.
private struct Press {
  /// An alarm's id or tag.
  var alarm: String?
  /// `OFF` or `ON`, of a siren.
  var state: String?
  var id: String?
  /// Until when it is meant; lies ahead.
  var expiresAt: Timestamp?
  /// When it was made, as whoever made it says.
  var sentAt: Timestamp?

  /// Nothing, when the press is of now.
  var fresh: Result<Void, Ignored> {
    expiresAt == nil
      ? .failure(
        Ignored(gettext("it names no alarm and has no expiresAt, so it may be an old one")))
      : .success(())
  }

  /// Reads a bare tag, or an object with `alarm`, `state`, `id` and `expiresAt`.
  static func read(_ payload: [UInt8], at arrival: Arrival) -> Result<Press, Ignored> {
    guard payload.first == UInt8(ascii: "{") else { return readWord(payload) }
    guard let content = try? JSONValue(parsing: payload) else {
      return .failure(Ignored(gettext("it is no JSON")))
    }
    var press = Press()
    for name in ["alarm", "state", "id", "expiresAt", "sentAt"] {
      guard let member = content[name], member != .null else { continue }
      guard let text = member.stringContent, (1...100).contains(text.count) else {
        return .failure(
          Ignored(gettext("{name} must be a text of 1 through 100 characters", ["name": name])))
      }
      switch name {
      case "alarm": press.alarm = text
      case "state": press.state = text
      case "id": press.id = text
      case "sentAt":
        guard let sent = try? Timestamp(iso8601: text) else {
          return .failure(Ignored(gettext("{name} must be a time in ISO 8601", ["name": name])))
        }
        press.sentAt = sent
      default:
        guard let expiry = try? Timestamp(iso8601: text) else {
          return .failure(Ignored(gettext("{name} must be a time in ISO 8601", ["name": name])))
        }
        // A clock that nobody has set is behind, never ahead.
        guard expiry > arrival.now else {
          return .failure(Ignored(gettext("it expired at {time}", ["time": text])))
        }
        guard
          expiry.milliseconds(since: arrival.now) <= PressGate.maximumMilliseconds
            || !arrival.isClockKept
        else {
          return .failure(Ignored(gettext("expiresAt lies more than five minutes ahead")))
        }
        press.expiresAt = expiry
      }
    }
    return .success(press)
  }

  private static func readWord(_ payload: [UInt8]) -> Result<Press, Ignored> {
    guard let word = String(validating: payload, as: UTF8.self), (1...100).contains(word.count),
      word.unicodeScalars.allSatisfy({ $0.value > 0x20 && $0.value != 0x7F })
    else { return .failure(Ignored(gettext("it must be an alarm's tag, or an object of JSON"))) }
    if word == "ON" || word == "OFF" || word == "PRESS" { return .success(Press(state: word)) }
    return .success(Press(alarm: word))
  }
}
