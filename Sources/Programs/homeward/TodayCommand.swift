import Bytes
import Care
import CivilTime
import ControlSocket
import Door
import Glucose
import GlucoseFigures
import GlucoseValues
import JSON
import Moments

/// `homeward today`: what somebody who cares wants to know in the morning and in the evening.
enum TodayCommand {
  static let specification: CommandSpecification = .init(
    path: ["today"],
    summary: gettext("One page for caregivers: where, alarms, medicine, glucose, messages, tags"),
    discussion: gettext(
      """
      What needs somebody is marked with ! and stands in the last line again. Parts of the gateway: homeward status
      """),
    options: [Session.residentOption],
    examples: [
      Example("homeward today", gettext("Everybody who is looked after.")),
      Example("homeward today --resident mary --json", gettext("Mary's day, for programs.")),
    ]
  ) { session throws(CommandFailure) in
    let wanted = try session.optionalResidentID()
    let status = try session.call(.status)
    let residents = (status["residents"]?.arrayContent ?? []).filter { resident in
      wanted.map { resident["id"]?.stringContent == $0.rawValue } ?? true
    }
    var days: [JSONValue] = []
    for resident in residents { days.append(try day(of: resident, status, session)) }
    let answer: JSONValue = [
      "clock": status["clock"] ?? .null, "residents": .array(days),
      "faults": status["faults"] ?? [],
    ]
    try session.show(answer) { answer throws(DecodeError) in
      guard !days.isEmpty else {
        return gettext("Nobody is looked after yet: homeward residents add --help\n")
      }
      var pages: [String] = []
      for day in days {
        pages.append(try DayPage(day, clock: answer["clock"] ?? .null, session.times).text)
      }
      return pages.joined(separator: "\n") + faults(answer["faults"]?.arrayContent ?? [])
    }
  }

  /// Parts of the gateway that do not work, which concern everybody.
  private static func faults(_ faults: [JSONValue]) -> String {
    faults.map { fault in
      let part = fault["component"]?.stringContent ?? "-"
      let detail = TextWidth.printable(fault["detail"]?.stringContent ?? "")
      return "\n"
        + TextWidth.folded(
          gettext("! {part} does not work: {detail}", ["part": part, "detail": detail]),
          to: DayPage.columns, first: "")
    }.joined()
  }

  /// Everything about one resident's day, as the gateway answers it.
  private static func day(
    of resident: JSONValue, _ status: JSONValue, _ session: Session
  ) throws(CommandFailure) -> JSONValue {
    guard let id = resident["id"]?.stringContent else {
      throw CommandFailure(DecodeError(.missingField, at: 0))
    }
    let own = TimeDisplay(configuredZone: resident["timeZone"]?.stringContent)
    let told = status["clock"]?["utc"]?.stringContent.flatMap { try? Timestamp(iso8601: $0) }
    let midnight = try own.read("today", option: "since", now: told ?? TimeDisplay.now).iso8601
    func ask(_ method: Route, _ more: [JSONMember] = []) throws(CommandFailure) -> JSONValue {
      try session.call(
        method, .object([JSONMember(key: "resident", value: .string(id))] + more))
    }
    let since = JSONMember(key: "since", value: .string(midnight))
    let alarms = (status["alarms"]?.arrayContent ?? []).filter {
      $0["resident"]?.stringContent.map { $0 == id } ?? true
    }
    return [
      "resident": resident, "alarms": .array(alarms),
      "routine": try ask(.routineList), "occurrences": try ask(.occurrencesQuery, [since]),
      "glucose": try ask(.glucoseQuery, [JSONMember(key: "limit", value: 1)]),
      "glucoseUnit": try ask(.settingsList)["glucoseUnit"] ?? .null,
      "messages": try ask(.messagesQuery, [JSONMember(key: "limit", value: 1)]),
      "tags": try ask(.tagsList),
      "reach": (status["reach"]?.arrayContent ?? []).first {
        $0["resident"]?.stringContent == id
      } ?? .null,
    ]
  }
}

/// One resident's day as a page of at most 80 columns.
struct DayPage {
  static let columns = 80

  private let day: JSONValue
  private let now: String?
  /// Whether the gateway knows the time, without which nothing scheduled is judged.
  private let isClockTrusted: Bool
  private let times: TimeDisplay
  private var lines: [(label: String, text: String)] = []
  /// What needs somebody, in a few words each.
  private var needs: [String] = []

  /// A page from what ``TodayCommand`` asked.
  ///
  /// - Throws: where an answer is not what the control socket's methods promise.
  init(_ day: JSONValue, clock: JSONValue, _ times: TimeDisplay) throws(DecodeError) {
    self.day = day
    now = clock["utc"]?.stringContent
    isClockTrusted = clock["isTrusted"]?.boolContent ?? true
    let zone = day["resident"]?["timeZone"]?.stringContent
    self.times = zone.map { TimeDisplay(configuredZone: $0) } ?? times
    addWhereabouts()
    addAlarms()
    addReach()
    try addRoutine()
    try addGlucose()
    try addMessage()
    addTags()
  }

  /// The page with its heading; the last line says whether anybody is needed.
  var text: String {
    let name = TextWidth.printable(day["resident"]?["name"]?.stringContent ?? "-")
    let width = lines.map { TextWidth.of($0.label) }.max() ?? 0
    var text = gettext("{name}, {time}\n", ["name": name, "time": times.text(now)])
    for line in lines {
      let label = "  " + TextWidth.padded(line.label, to: width) + "  "
      text += TextWidth.folded(line.text, to: Self.columns, first: label)
    }
    let verdict =
      needs.isEmpty
      ? gettext("All is well.")
      : gettext("Please see to: {needs}.", ["needs": needs.joined(separator: "; ")])
    return text + TextWidth.folded(verdict, to: Self.columns, first: "  ")
  }

  // MARK: Lines

  private mutating func add(_ label: String, _ text: String) {
    lines.append((label, TextWidth.printable(text)))
  }

  private mutating func add(_ label: String, _ text: String, need: String) {
    add(label, "! " + text)
    needs.append(TextWidth.printable(need))
  }

  private mutating func addWhereabouts() {
    let tracking = day["resident"]?["tracking"] ?? .null
    let presence = StatusCommand.whereabouts(day["resident"] ?? .null, now: now)
    let seen = tracking["position"]?["time"]?.stringContent
    let left = tracking["leftHomeAt"]?.stringContent
    var text = presence
    if let left { text += gettext(", away since {time}", ["time": clock(left)]) }
    if let seen { text += gettext(", seen {time}", ["time": clock(seen)]) }
    if tracking["positionUnknown"]?.stringContent != nil {
      add(gettext("Where"), text, need: gettext("where they are is unknown"))
    } else {
      add(gettext("Where"), text)
    }
  }

  private mutating func addAlarms() {
    let alarms = day["alarms"]?.arrayContent ?? []
    if alarms.isEmpty { return add(gettext("Alarms"), gettext("none is open")) }
    for alarm in alarms {
      let tag = alarm["tag"]?.stringContent ?? "?"
      let kind = StateWords.kind(alarm["kind"]?.stringContent ?? "-").uppercased()
      let helpers = (alarm["acknowledgedByNames"]?.arrayContent ?? []).compactMap(\.stringContent)
      let who =
        helpers.isEmpty
        ? gettext("nobody takes charge yet")
        : gettext("{names} takes charge", ["names": helpers.joined(separator: ", ")])
      add(
        gettext("Alarms"),
        gettext(
          "{kind} since {time}, {who} (homeward alarm show {tag})",
          [
            "kind": kind, "time": clock(alarm["raisedAt"]?.stringContent), "who": who, "tag": tag,
          ]), need: gettext("alarm {tag}", ["tag": tag]))
    }
  }

  /// Who can be told when help is needed; nothing where the gateway does not say.
  private mutating func addReach() {
    let reach = day["reach"] ?? .null
    guard let isReachable = reach["isReachable"]?.boolContent else { return }
    let words = reach["explanation"]?.stringContent ?? ""
    if !isReachable {
      add(
        gettext("Guardians"), words, need: gettext("nobody can be told when help is needed"))
    } else if reach["isProven"]?.boolContent == false {
      add(
        gettext("Guardians"), words,
        need: gettext("try the ways to guardians (homeward alarm test)"))
    } else {
      add(gettext("Guardians"), ReachText.guardians(reach, times))
    }
  }

  private mutating func addRoutine() throws(DecodeError) {
    let items = day["routine"]?.arrayContent ?? []
    let occurrences = day["occurrences"]?.arrayContent ?? []
    var known: [String: RoutineItem] = [:]
    for json in items {
      known[try RoutineItem(json: json).id.rawValue] = try RoutineItem(json: json)
    }
    var told: [Occurrence] = []
    for json in occurrences { told.append(try Occurrence(json: json)) }
    told.sort { ($0.due, $0.item.rawValue) < ($1.due, $1.item.rawValue) }
    for occurrence in told {
      guard let item = known[occurrence.item.rawValue], occurrence.state != .cancelled else {
        continue
      }
      addDue(occurrence, of: item)
    }
    if !isClockTrusted, !items.isEmpty {
      add(
        gettext("Routine"), gettext("nobody is reminded: the gateway does not know the time"),
        need: gettext("the clock of the gateway"))
    } else if told.isEmpty {
      add(gettext("Routine"), gettext("nothing was due today"))
    }
    addNext(items)
    for json in items {
      guard let left = json["daysLeft"]?.integerContent,
        let warn = json["stock"]?["warnDays"]?
          .integerContent, left <= warn, let title = json["title"]?.stringContent
      else { continue }
      let text = gettext("{title}: enough for {days} d", ["title": title, "days": left])
      add(gettext("Stock"), text, need: text)
    }
  }

  private mutating func addDue(_ occurrence: Occurrence, of item: RoutineItem) {
    let label = item.kind == .medicine ? gettext("Medicine") : gettext("Routine")
    let (due, at) = (clock(occurrence.due.iso8601), clock(occurrence.changedAt.iso8601))
    let what = "\(due)  \(item.title): "
    switch occurrence.state {
    case .done: add(label, what + gettext("done {time}", ["time": at]))
    case .notNow: add(label, what + gettext("not now, said {time}", ["time": at]))
    case .skipped:
      add(label, what + gettext("left out: {reason}", ["reason": occurrence.reason]))
    case .missed:
      let need = gettext("{title} of {time} was missed", ["title": item.title, "time": due])
      if item.kind == .medicine || item.isCritical {
        add(label, what + gettext("MISSED"), need: need)
      } else {
        add(label, what + gettext("missed"))
      }
    case .pending, .prompted, .snoozed: add(label, what + gettext("due, not answered yet"))
    case .cancelled: break
    }
  }

  private mutating func addNext(_ items: [JSONValue]) {
    let coming = items.compactMap { json -> (Timestamp, String)? in
      guard let next = json["nextDue"]?.stringContent, let due = try? Timestamp(iso8601: next),
        let title = json["title"]?.stringContent
      else { return nil }
      return (due, title)
    }
    guard let next = coming.min(by: { ($0.0, $0.1) < ($1.0, $1.1) }) else { return }
    add(gettext("Next"), "\(clock(next.0.iso8601))  \(next.1)")
  }

  private mutating func addGlucose() throws(DecodeError) {
    guard let json = day["glucose"]?.arrayContent?.first else { return }
    let reading = try GlucoseReading(json: json)
    let unit = day["glucoseUnit"]?.stringContent.flatMap { GlucoseUnit(rawValue: $0) }
    let band = ClinicalBand(reading.level).name.spoken
    add(
      gettext("Glucose"),
      gettext(
        "{level}, {band}, {time}",
        ["level": reading.level.text(in: unit), "band": band, "time": clock(reading.time.iso8601)]))
  }

  private mutating func addMessage() throws(DecodeError) {
    guard let json = day["messages"]?.arrayContent?.first else { return }
    let message = try ChatMessage(json: json)
    let whole = message.words.spoken
    let words = whole.count > 60 ? String(whole.prefix(59)) + "…" : whole
    let state =
      message.readAt.map { gettext("heard {time}", ["time": clock($0.iso8601)]) }
      ?? (message.spokenAt == nil ? gettext("waiting") : gettext("spoken, not answered yet"))
    add(gettext("Message"), "\(message.sender): \(words) (\(state))")
  }

  private mutating func addTags() {
    for tag in day["tags"]?.arrayContent ?? [] where tag["isBatteryLow"]?.boolContent == true {
      let name = tag["tagName"]?.stringContent ?? "-"
      add(
        gettext("Battery"), gettext("{name} is low", ["name": name]),
        need: gettext("the battery of {name}", ["name": name]))
    }
  }

  /// The time of a moment of today, with its date when it is of another day.
  private func clock(_ iso: String?) -> String {
    guard let iso, let moment = try? Timestamp(iso8601: iso) else { return "-" }
    let civil = times.zone.local(at: moment).civil
    let time = String(times.time(civil).prefix(5))
    let today = now.flatMap { try? Timestamp(iso8601: $0) }
    let isToday = today.map { times.date(times.zone.local(at: $0).civil) == times.date(civil) }
    return isToday ?? true ? time : "\(times.date(civil)) \(time)"
  }
}
