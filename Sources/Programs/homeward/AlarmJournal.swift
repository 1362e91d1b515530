import Bytes
import Care
import ControlSocket
import Door
import JSON
import Moments

/// One alarm as a line of a list.
struct AlarmLife: Sendable {
  var alarm: String
  var tag: String
  var kind: String
  var stage: String
  var resident: String
  var residentName: String
  var raisedAt: String
  var acknowledgedBy: String?
  var explanation: String
  var isOpen: Bool

  /// One that the gateway lists as open.
  init(open json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    alarm = try reader.string("alarm")
    tag = try reader.string("tag")
    kind = try reader.string("kind")
    stage = try reader.string("stage")
    resident = try reader.optionalString("resident") ?? ""
    residentName = try reader.optionalString("residentName") ?? resident
    raisedAt = try reader.string("raisedAt")
    let helpers =
      reader.optional("acknowledgedByNames") == nil
      ? [] : try reader.array("acknowledgedByNames").compactMap(\.stringContent)
    acknowledgedBy = helpers.isEmpty ? nil : helpers.joined(separator: ", ")
    explanation = try reader.optionalString("explanation") ?? ""
    isOpen = true
  }

  /// One that is told of by events of the journal, of which `event` is the newest.
  init?(newest event: JSONValue) {
    let facts = event["data"] ?? .null
    guard let alarm = AlarmJournal.alarm(of: event) else { return nil }
    self.alarm = alarm
    tag = facts["tag"]?.stringContent ?? "-"
    kind = facts["kind"]?.stringContent ?? "-"
    stage = facts["stage"]?.stringContent ?? "-"
    let subject = event["subject"]?.stringContent ?? ""
    resident = subject.hasPrefix("resident/") ? String(subject.dropFirst(9)) : ""
    residentName = facts["residentName"]?.stringContent ?? (resident.isEmpty ? "-" : resident)
    raisedAt = event["time"]?.stringContent ?? "-"
    explanation = facts["explanation"]?.stringContent ?? ""
    isOpen = false
  }

  /// Takes in an event that is older than all so far.
  mutating func take(older event: JSONValue) {
    let facts = event["data"] ?? .null
    raisedAt = event["time"]?.stringContent ?? raisedAt
    if stage == "-", let word = facts["stage"]?.stringContent { stage = word }
    if kind == "-", let word = facts["kind"]?.stringContent { kind = word }
    if tag == "-", let word = facts["tag"]?.stringContent { tag = word }
    // What it was about is told at its beginning, and not by the last thing that happened to it.
    if event["type"]?.stringContent == EventType.alarmRaised.rawValue {
      explanation = facts["explanation"]?.stringContent ?? explanation
    }
    if acknowledgedBy == nil, event["type"]?.stringContent == EventType.alarmAcknowledged.rawValue {
      acknowledgedBy = facts["byName"]?.stringContent ?? facts["by"]?.stringContent
    }
  }

  var json: JSONValue {
    .object([
      "alarm": .string(alarm), "tag": .string(tag), "kind": .string(kind),
      "stage": .string(stage), "isOpen": .bool(isOpen), "resident": .string(resident),
      "residentName": .string(residentName), "raisedAt": .string(raisedAt),
      "acknowledgedBy": acknowledgedBy.map { .string($0) }, "explanation": .string(explanation),
    ])
  }
}

/// Finds alarms and their events.
enum AlarmJournal {
  private static let pageSize = 5000
  private static let pages = 40

  /// The alarm that an event belongs to; nil for one of no alarm.
  static func alarm(of event: JSONValue) -> String? {
    if let named = event["data"]?["alarm"]?.stringContent { return named }
    guard event["type"]?.stringContent == EventType.alarmRaised.rawValue else { return nil }
    return event["id"]?.stringContent
  }

  /// Alarms that are open, as the gateway orders them.
  static func open(_ session: Session) throws(CommandFailure) -> [AlarmLife] {
    let answer = try session.call(.alarmsList)
    do throws(DecodeError) {
      guard let rows = answer.arrayContent else { throw DecodeError(.wrongType, at: 0) }
      var lives: [AlarmLife] = []
      for row in rows { lives.append(try AlarmLife(open: row)) }
      return lives
    } catch { throw CommandFailure(error) }
  }

  /// Alarms of the journal that are not among `open`, the newest first.
  static func past(
    _ session: Session, limit: Int, besides open: [AlarmLife]
  ) throws(CommandFailure) -> [AlarmLife] {
    var lives: [AlarmLife] = []
    var places: [String: Int] = [:]
    let known = Set(open.map(\.alarm))
    var raised: Set<String> = []
    try walk(session) { event in
      guard let alarm = alarm(of: event), !known.contains(alarm) else { return true }
      if let place = places[alarm] {
        lives[place].take(older: event)
      } else if var life = AlarmLife(newest: event) {
        places[alarm] = lives.count
        life.take(older: event)
        lives.append(life)
      }
      if event["type"]?.stringContent == EventType.alarmRaised.rawValue { raised.insert(alarm) }
      return raised.count < limit
    }
    // In the order in which they were raised: one may have gone on while another came and went.
    return lives.filter { raised.contains($0.alarm) }.sorted { $0.raisedAt > $1.raisedAt }
  }

  /// The id of the alarm that a tag, an id or a number of the list names.
  static func find(_ wanted: String, _ session: Session) throws(CommandFailure) -> String {
    let open = try open(session)
    if let life = open.first(where: { isNamed($0.alarm, $0.tag, wanted) }) { return life.alarm }
    if wanted.utf8.count < 4, let number = Int(wanted), number > 0 {
      if number <= open.count { return open[number - 1].alarm }
      let past = try past(session, limit: number - open.count, besides: open)
      if past.indices.contains(number - open.count - 1) {
        return past[number - open.count - 1].alarm
      }
    }
    var found: String?
    try walk(session) { event in
      guard let alarm = alarm(of: event) else { return true }
      if isNamed(alarm, event["data"]?["tag"]?.stringContent, wanted) { found = alarm }
      return found == nil
    }
    if let found { return found }
    throw CommandFailure(
      .refused, gettext("there is no alarm \"{wanted}\".", ["wanted": wanted]),
      hint: gettext("See them: homeward alarm list --all"))
  }

  private static func isNamed(_ alarm: String, _ tag: String?, _ wanted: String) -> Bool {
    alarm == wanted || tag?.uppercased() == wanted.uppercased()
  }

  /// Everything that happened to an alarm, the oldest first.
  static func events(
    of wanted: String, _ session: Session
  ) throws(CommandFailure) -> [JSONValue] {
    var events: [JSONValue] = []
    try walk(session) { event in
      guard alarm(of: event) == wanted else { return true }
      events.append(event)
      return event["type"]?.stringContent != EventType.alarmRaised.rawValue
    }
    return events.reversed()
  }

  /// Hands events of alarms over, the newest first, page by page, until `body` answers false.
  private static func walk(
    _ session: Session, _ body: (JSONValue) -> Bool
  ) throws(CommandFailure) {
    var left = pages
    let params: JSONValue = [
      "types": ["alarm", "emergency"],
      "lanes": .array(Lane.allCases.map { .string($0.rawValue) }),
      "limit": .integer(Int64(pageSize)),
    ]
    try session.walk(.eventsQuery, params) { part throws(CommandFailure) in
      guard let events = part.arrayContent else {
        throw CommandFailure(DecodeError(.wrongType, at: 0))
      }
      left -= 1
      return events.allSatisfy(body) && left > 0
    }
  }
}
