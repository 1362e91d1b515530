import Care
import JSON
import Moments
import Texts

/// An alarm as people read it.
struct AlarmSummary {
  private let alarm: LiveAlarm
  private let house: House

  init(_ alarm: LiveAlarm, in house: House) {
    self.alarm = alarm
    self.house = house
  }

  /// Open alarms, most urgent first; one that the resident was forced to end is left out.
  static func ofOpen(_ alarms: [LiveAlarm], in house: House) -> [AlarmSummary] {
    let open = alarms.filter { $0.isOpen && !$0.isDuress }.map { AlarmSummary($0, in: house) }
    let sorted = open.enumerated().sorted { left, right in
      let ranks = (left.element.rank, right.element.rank)
      return ranks.0 == ranks.1 ? left.offset < right.offset : ranks.0 < ranks.1
    }
    return sorted.map(\.element)
  }

  private var rank: Int { alarm.kind == .sos ? -1 : house.rule(of: alarm).priority.rank }

  /// Why it was raised.
  var words: Message {
    let name = house.name(of: alarm)
    let why = alarm.text.isEmpty ? "" : " \(alarm.text)"
    switch alarm.kind {
    case .sos: return Message("{name} asked for help.{why}", ["name": name, "why": why])
    case .zone, .position, .glucose, .medicine, .lost, .fault, .battery:
      return alarm.text.isEmpty
        ? Message("{name}: an alarm of kind {kind}.", ["name": name, "kind": alarm.kind.rawValue])
        : Message(verbatim: alarm.text)
    case .test: return Message("A test for {name}: nobody needs help.", ["name": name])
    }
  }

  private func explanation(in language: Language?) -> JSONValue {
    .string(words.text(in: language ?? house.alarmLanguage(of: alarm.resident)))
  }

  private var helpers: JSONValue {
    .array(house.plainNames(alarm.acknowledgedBy).map { .string($0) })
  }

  /// The alarm with all that is known of it.
  ///
  /// - Parameter language: of whoever reads; nil for the resident's.
  func json(in language: Language?) -> JSONValue {
    .object([
      "alarm": .string(alarm.id.rawValue), "tag": .string(alarm.tag),
      "kind": .string(alarm.kind.rawValue),
      "resident": alarm.resident.map { .string($0.rawValue) },
      "residentName": .string(house.name(of: alarm)),
      "priority": .string(house.rule(of: alarm).priority.rawValue),
      "stage": .string(alarm.stage.rawValue), "text": .string(alarm.text),
      "raisedAt": .string(alarm.raised.utc.iso8601), "raises": .integer(alarm.raises),
      "callsAt": callsAt.map { .string($0.iso8601) },
      "tier": .integer(alarm.tier), "isSilenced": .bool(alarm.room.isSilenced),
      "isSilent": .bool(alarm.isSilent),
      "acknowledgedBy": .array(alarm.acknowledgedBy.map { .string($0.rawValue) }),
      "acknowledgedByNames": helpers, "explanation": explanation(in: language),
      "messages": .array(alarm.messages.map(Self.json)),
    ])
  }

  /// When helpers are told unless somebody calls it off before; nil where they were.
  private var callsAt: Timestamp? {
    guard alarm.stage == .prealarm else { return nil }
    let seconds = AlarmDeadlines(alarm, in: house).prealarmSeconds
    return alarm.raised.utc.advanced(byMilliseconds: seconds * 1000)
  }

  private static func json(_ message: GuardianMessage) -> JSONValue {
    .object([
      "recipient": .string(message.guardian.rawValue),
      "channel": .string(message.channel.rawValue), "notice": .string(message.notice.rawValue),
      "progress": .string(message.progress.rawValue), "attempts": .integer(message.attempt),
      "detail": message.detail.isEmpty ? nil : .string(message.detail),
    ])
  }

  /// The alarm as a guardian sees it who is told of it.
  ///
  /// - Parameter language: of whoever reads; nil for the resident's.
  func json(toldTo guardian: Guardian, in language: Language?) -> JSONValue {
    [
      "alarm": .string(alarm.id.rawValue), "tag": .string(alarm.tag),
      "kind": .string(alarm.kind.rawValue), "raisedAt": .string(alarm.raised.utc.iso8601),
      "residentName": .string(house.name(of: alarm)), "explanation": explanation(in: language),
      "isDuress": .bool(alarm.isDuress), "acknowledgedByNames": helpers,
      "isYours": .bool(alarm.acknowledgedBy.contains(guardian.id)),
    ]
  }
}
