import Bytes
import Care
import JSON
import Moments
import PluginProtocol
import ShortMessage

/// One message or call to one person.
struct Dispatch: Hashable, Sendable {
  /// What makes two dispatches the same.
  struct Key: Hashable, Sendable {
    var event: String
    var recipient: String
    var channel: Guardian.Channel
    var notice: AlarmNotice?
  }

  /// The recipient of contacts with the emergency services.
  static let emergencyRecipient = "emergency"

  var key: Key
  var attempt: Int64
  var number: String
  var tag: String
  var text: String
  var spokenText: String
  var language: String
  var asksForAcknowledgement: Bool

  /// Whether it goes to the emergency services.
  var isEmergency: Bool { key.notice == nil }

  /// What goes first: 0 before all others.
  var rank: Int {
    switch key.notice {
    case nil: 0
    case .alarm, .duress: 1
    case .cancelled, .acknowledged: 2
    case .photo: 3
    case .test, .news: 4
    }
  }

  /// A message of an alarm.
  init(_ message: AlarmMessage) {
    key = Key(
      event: message.alarm.rawValue, recipient: message.guardian.rawValue,
      channel: message.channel, notice: message.notice)
    attempt = message.attempt
    number = message.address
    tag = message.tag
    text = message.text
    spokenText = message.spokenText
    language = message.language
    asksForAcknowledgement = message.asksForAcknowledgement
  }

  /// A contact with the emergency services, as the service `emergency` has it.
  init(emergency json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    let mode = try reader.word("mode", as: EmergencyContact.Mode.self)
    key = Key(
      event: try reader.string("id"), recipient: Self.emergencyRecipient,
      channel: mode == .text ? .sms : .voice, notice: nil)
    attempt = 1
    number = try reader.string("number")
    tag = ""
    text = try reader.string("text")
    spokenText = text
    language = "en"
    asksForAcknowledgement = false
  }

  /// An answer to somebody's reply, which no alarm waits for.
  init(answering person: ToldNumbers.Person, text: String, at now: Timestamp) {
    key = Key(
      event: "reply-\(now.milliseconds)", recipient: person.recipient, channel: .sms,
      notice: .test)
    attempt = 0
    number = person.number
    tag = ""
    self.text = text
    spokenText = text
    language = person.language
    asksForAcknowledgement = false
  }

  /// Whether the gateway asked for it and hears what became of it.
  var isAskedFor: Bool { attempt > 0 }

  /// Whether nobody needs it any more once another word of the same event is to be told. Words of duress always go out.
  func isOutdated(by other: Dispatch) -> Bool {
    switch other.key.notice {
    case .acknowledged: key.notice == .alarm
    case .cancelled: key.notice == .alarm || key.notice == .acknowledged
    case nil, .alarm, .duress, .photo, .test, .news: false
    }
  }

  /// What became of it.
  func notice(_ outcome: DeliveryReport.Outcome, _ detail: String = "") -> DeliveryNotice {
    DeliveryNotice(
      event: EventID(key.event), recipient: key.recipient, channel: key.channel.rawValue,
      outcome: outcome, detail: detail, notice: key.notice,
      attempt: isAskedFor ? attempt : nil)
  }
}

extension Dispatch: JSONCodable {
  /// Reads what ``json`` wrote.
  init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    key = Key(
      event: try reader.string("event"), recipient: try reader.string("recipient"),
      channel: try reader.word("channel", as: Guardian.Channel.self),
      notice: try reader.optionalWord("notice", as: AlarmNotice.self))
    attempt = try reader.integer("attempt")
    number = try reader.string("address")
    tag = try reader.string("tag")
    text = try reader.string("text")
    spokenText = try reader.string("spokenText")
    language = try reader.string("language")
    asksForAcknowledgement = try reader.bool("asksForAcknowledgement")
  }

  /// The dispatch as the state file keeps it.
  var json: JSONValue {
    .object([
      "event": .string(key.event), "recipient": .string(key.recipient),
      "channel": .string(key.channel.rawValue), "notice": key.notice.map { .string($0.rawValue) },
      "attempt": .integer(attempt), "address": .string(number), "tag": .string(tag),
      "text": .string(text), "spokenText": .string(spokenText), "language": .string(language),
      "asksForAcknowledgement": .bool(asksForAcknowledgement),
    ])
  }
}
