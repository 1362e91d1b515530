import Care
import JSON
import Moments

/// The latest state of residents and gateway, as retained topics.
///
/// Events are taken batch by batch and only what changed is published, so that a backlog of a hundred thousand
/// positions becomes one position a batch.
struct StateBoard: Hashable, Sendable {
  /// One retained publication; an empty payload removes the topic.
  struct Publication: Hashable, Sendable {
    var topic: String
    var payload: String
    /// Told once without being kept before the topic is emptied, for those who take an empty message for none.
    var farewell: String?
  }

  /// A part that does not work.
  struct Fault: Hashable, Sendable {
    var component: String
    var code: String
    var detail: String
    var state: String
  }

  /// The most residents that are remembered; a gateway has a handful.
  static let maximumResidents = 100
  /// The most faults that are shown.
  static let maximumFaults = 100
  /// The most guardians that are known.
  static let maximumGuardians = 500
  /// The most topics that are remembered as emptied.
  static let maximumGone = 2000

  /// Residents by id.
  private(set) var residents: [ResidentID: ResidentState] = [:]
  /// Faults by component and code.
  private(set) var faults: [String: Fault] = [:]
  /// Alarms about nobody, such as a fault of the gateway.
  private(set) var gatewayAlarms = ResidentAlarms()
  /// When the gateway's next sign of life is due, as it said.
  private(set) var expectedNext: Timestamp?
  /// Seconds between signs of life, as the gateway keeps them; nil until one has come.
  private(set) var heartbeatSeconds: Int64?
  /// Whether the gateway has told all residents, so that anybody else is nobody's.
  private(set) var knowsResidents = false
  /// Names of those who can take charge, by id.
  private(set) var guardians: [String: String] = [:]
  /// Topics of residents who were erased, to be emptied; repeated on each connection, for an emptying may be lost with one.
  private(set) var gone: Set<String> = []
  private let topics: Topics
  private var published: [String: String] = [:]

  init(topics: Topics) { self.topics = topics }

  /// Takes the events of a batch in order.
  mutating func take(_ bodies: some Sequence<ArraySlice<UInt8>>) {
    var newest: [String: ArraySlice<UInt8>] = [:]
    for body in bodies {
      guard let glance = EventGlance(body) else { continue }
      switch Relevance(type: glance.type) {
      case .none: continue
      case .newestOnly: newest["\(glance.type) \(glance.subject)"] = body
      case .each: take(glance, body)
      }
    }
    for (_, body) in newest.sorted(by: { $0.key < $1.key }) {
      if let glance = EventGlance(body) { take(glance, body) }
    }
  }

  private mutating func take(_ glance: EventGlance, _ body: ArraySlice<UInt8>) {
    guard let event = try? JSONValue(parsing: body), let facts = event["data"],
      let text = event["time"]?.stringContent, let time = try? Timestamp(iso8601: text)
    else { return }
    let type = EventType(rawValue: glance.type)
    switch type {
    case .faultRaised: raise(facts)
    case .faultCleared: clear(facts)
    case .heartbeat:
      let quality = event["timequality"]?.stringContent.flatMap(TimeQuality.init)
      takeHeartbeat(at: time, facts, isTimed: quality?.isTrusted ?? true)
    case .residentErased: erase(facts, in: EventID(glance.id))
    case .alarmSilenced: silence(facts)
    default:
      if let resident = glance.resident {
        take(type, of: resident, at: time, facts)
      } else {
        gatewayAlarms.take(type, facts)
      }
    }
  }

  private mutating func take(
    _ type: EventType, of resident: ResidentID, at time: Timestamp, _ facts: JSONValue
  ) {
    guard residents[resident] != nil || residents.count < Self.maximumResidents else { return }
    var state = residents[resident] ?? ResidentState(id: resident)
    state.take(type: type, at: time, facts: facts)
    residents[resident] = state
    guard type == .recordChanged else { return }
    takeOver(facts, by: resident, at: time)
    takeGuardian(facts)
  }

  /// The event outlives the resident and tells a digest of their id only.
  private mutating func erase(_ facts: JSONValue, in event: EventID) {
    guard let digest = facts["erased"]?.stringContent else { return }
    for id in residents.keys.sorted() where id.digest(in: event) == digest { forget(id) }
  }

  private mutating func forget(_ id: ResidentID) {
    guard let state = residents.removeValue(forKey: id) else { return }
    empty(
      Self.topicNames.map { topics.resident(id, $0) }
        + (state.routine.items.keys.sorted() + state.routine.removed.sorted()).map {
          topics.routine(id, $0)
        }
        + (state.tags.tags.keys.sorted() + state.tags.removed.keys.sorted()).map {
          topics.tag(id, $0)
        })
  }

  /// Names of the topics that each resident may have.
  private static let topicNames = [
    "position", "zone", "alarm", "alarm-state", "battery", "message", "glucose", "routine",
  ]

  /// Takes topics that nobody means any more.
  mutating func empty(_ topics: [String]) {
    for topic in topics where gone.count < Self.maximumGone { gone.insert(topic) }
  }

  private mutating func takeGuardian(_ facts: JSONValue) {
    guard let id = facts["target"]?.stringContent else { return }
    switch facts["action"]?.stringContent {
    case "guardian.put":
      guard let name = facts["content"]?["name"]?.stringContent,
        guardians[id] != nil || guardians.count < Self.maximumGuardians
      else { return }
      guardians[id] = name
    case "guardian.remove": guardians[id] = nil
    default: return
    }
  }

  /// A tag that now belongs to this resident belongs to nobody else.
  private mutating func takeOver(_ facts: JSONValue, by resident: ResidentID, at time: Timestamp) {
    guard facts["action"] == "tag.put", let tag = facts["target"]?.stringContent.map({ TagID($0) })
    else { return }
    for (other, state) in residents where other != resident && state.tags.tags[tag] != nil {
      residents[other]?.tags.remove(tag, at: time)
    }
  }

  /// Silences the alarm that the event names, or all: one press silences what sounds, whoever it is for.
  private mutating func silence(_ facts: JSONValue) {
    let alarm = facts["alarm"]?.stringContent.flatMap { $0.isEmpty ? nil : $0 }
    for id in residents.keys { residents[id]?.raised.silence(alarm) }
    gatewayAlarms.silence(alarm)
  }

  /// Ids of the alarms that somebody can take charge of: those that nobody attends to; else those that a second may join.
  var alarmsToAttend: [String] {
    let known = residents.values.sorted { $0.id < $1.id }.map(\.raised) + [gatewayAlarms]
    let open = known.flatMap(\.open)
    let unattended = open.filter { $0.stage == .dispatched }
    return (unattended.isEmpty ? open.filter { $0.stage == .acknowledged } : unattended).map(\.id)
  }

  /// Whether an alarm sounds in the room.
  var isSounding: Bool {
    gatewayAlarms.isSounding || residents.values.contains { $0.raised.isSounding }
  }

  private mutating func raise(_ facts: JSONValue) {
    let key = Self.key(facts)
    guard let component = facts["component"]?.stringContent,
      faults[key] != nil || faults.count < Self.maximumFaults
    else { return }
    faults[key] = Fault(
      component: component, code: facts["code"]?.stringContent ?? "",
      detail: facts["detail"]?.stringContent ?? facts["explanation"]?.stringContent ?? "",
      state: facts["state"]?.stringContent ?? "failed")
  }

  /// Takes the fault of that code back, or all of the part's when none has the code.
  private mutating func clear(_ facts: JSONValue) {
    guard faults.removeValue(forKey: Self.key(facts)) == nil else { return }
    let component = facts["component"]?.stringContent
    faults = faults.filter { $0.value.component != component }
  }

  /// One part can have several faults at once.
  private static func key(_ facts: JSONValue) -> String {
    "\(facts["component"]?.stringContent ?? "") \(facts["code"]?.stringContent ?? "")"
  }

  /// Takes the names of residents and guardians and the parts at fault, which every sign of life repeats, and when the next
  /// is due.
  private mutating func takeHeartbeat(at time: Timestamp, _ facts: JSONValue, isTimed: Bool) {
    takeResidents(facts, at: time)
    if let list = facts["guardians"]?.arrayContent {
      let named = list.prefix(Self.maximumGuardians).compactMap { element in
        element["id"]?.stringContent.map { ($0, element["name"]?.stringContent ?? $0) }
      }
      guardians = Dictionary(named, uniquingKeysWith: { first, _ in first })
    }
    takeRoutine(facts, at: time, isTimed: isTimed)
    if let failing = facts["faults"]?.arrayContent?.compactMap(\.stringContent) {
      faults = faults.filter { failing.contains($0.value.component) }
    }
    noteNext(at: time, facts)
  }

  /// Takes the residents; whoever is not among them was erased, unless something newer tells of them.
  private mutating func takeResidents(_ facts: JSONValue, at time: Timestamp) {
    guard let list = facts["residents"]?.arrayContent else { return }
    var known: Set<ResidentID> = []
    for element in list {
      guard let text = element["id"]?.stringContent else { continue }
      let id = ResidentID(text)
      known.insert(id)
      guard residents[id] != nil || residents.count < Self.maximumResidents else { continue }
      var state = residents[id] ?? ResidentState(id: id)
      state.name = element["name"]?.stringContent ?? state.name
      residents[id] = state
    }
    for (id, state) in residents.sorted(by: { $0.key < $1.key })
    where !known.contains(id) && state.newest < time {
      forget(id)
    }
    knowsResidents = true
  }

  /// Takes the list of the routine, which the first sign of life after a start brings and one each day.
  private mutating func takeRoutine(_ facts: JSONValue, at time: Timestamp, isTimed: Bool) {
    guard let list = facts["routine"]?.arrayContent else { return }
    let isComplete = facts["routineIsComplete"]?.boolContent == true
    let parts = Dictionary(grouping: list) { $0["resident"]?.stringContent ?? "" }
    for id in residents.keys.sorted() {
      residents[id]?.routine.take(
        list: parts[id.rawValue] ?? [], isComplete: isComplete, isTimed: isTimed, at: time)
    }
  }

  private mutating func noteNext(at time: Timestamp, _ facts: JSONValue) {
    guard let text = facts["expectedNext"]?.stringContent,
      let next = try? Timestamp(iso8601: text), next > time
    else { return }
    if let expectedNext, next < expectedNext { return }
    expectedNext = next
    heartbeatSeconds = min(86_400, max(1, next.milliseconds(since: time) / 1000))
  }

  /// Puts back what was kept over a restart.
  mutating func restore(
    residents: [ResidentState], faults: [Fault], gatewayAlarms: ResidentAlarms,
    heartbeatSeconds: Int64?, knowsResidents: Bool, guardians: [String: String], gone: [String]
  ) {
    self.knowsResidents = knowsResidents
    self.guardians = guardians
    self.gone = Set(gone.prefix(Self.maximumGone))
    self.gatewayAlarms = gatewayAlarms
    for state in residents.prefix(Self.maximumResidents) { self.residents[state.id] = state }
    for fault in faults.prefix(Self.maximumFaults) {
      self.faults["\(fault.component) \(fault.code)"] = fault
    }
    self.heartbeatSeconds = heartbeatSeconds
  }

  // MARK: Publishing

  /// What changed since the last call.
  mutating func takeChanges() -> [Publication] {
    let changed = all.filter { published[$0.topic] != $0.payload }
    for publication in changed { published[publication.topic] = publication.payload }
    return changed
  }

  /// Everything is to be published again, because the broker may have forgotten it.
  mutating func forgetPublished() { published = [:] }

  private var all: [Publication] {
    let known = residents.values.sorted { $0.id < $1.id }.flatMap(publications)
    let meant = Set(known.map(\.topic))
    let emptied = gone.subtracting(meant).sorted().map { Publication(topic: $0, payload: "") }
    return emptied + known + [
      Publication(topic: topics.alarmState, payload: gatewayAlarms.json.serialized),
      Publication(topic: topics.siren, payload: isSounding ? "ON" : "OFF"),
      Publication(topic: topics.health, payload: healthJSON.serialized),
    ]
  }

  private func publications(of state: ResidentState) -> [Publication] {
    let contents: [(String, String?)] = [
      ("position", state.positionJSON?.serialized), ("zone", state.zoneText),
      ("routine", state.routine.items.isEmpty ? nil : state.routine.summary.serialized),
      ("alarm", state.alarms.isEmpty ? "OFF" : "ON"),
      ("alarm-state", state.raised.json.serialized),
      ("battery", state.batteryPercent.map { String(Int64($0.rounded())) }),
      ("message", state.message?.json.serialized), ("glucose", state.glucose.json?.serialized),
    ]
    let tags = state.tags.sorted.map {
      Publication(topic: topics.tag(state.id, $0.id), payload: $0.json.serialized)
    }
    let lost = state.tags.removed.keys.sorted().map {
      Publication(topic: topics.tag(state.id, $0), payload: "")
    }
    let items = state.routine.sorted.map {
      Publication(topic: topics.routine(state.id, $0.id), payload: $0.json.serialized)
    }
    let gone = state.routine.removed.sorted().map {
      Publication(topic: topics.routine(state.id, $0), payload: "")
    }
    let hidden =
      state.isLocationRefused
      ? [
        Publication(topic: topics.resident(state.id, "position"), payload: "", farewell: "{}"),
        Publication(topic: topics.resident(state.id, "zone"), payload: ""),
      ] : []
    return contents.compactMap { name, payload in
      payload.map { Publication(topic: topics.resident(state.id, name), payload: $0) }
    } + hidden + items + gone + tags + lost
  }

  private var healthJSON: JSONValue {
    let sorted = faults.sorted { $0.key < $1.key }.map(\.value)
    let state = sorted.isEmpty ? "working" : "degraded"
    return .object([
      "state": .string(sorted.contains { $0.state == "failed" } ? "failed" : state),
      "expectedNext": expectedNext.map { .string($0.iso8601) },
      "faults": .array(
        sorted.map { fault in
          [
            "component": .string(fault.component), "code": .string(fault.code),
            "detail": .string(fault.detail),
          ]
        }),
    ])
  }
}

/// Whether and how an event changes the board.
private enum Relevance {
  case none
  /// Of several in a batch only the newest counts.
  case newestOnly
  case each

  init(type: String) {
    switch type {
    case "fix.accepted", "location.sampled", "location.recorded", "alarm.location":
      self = .newestOnly
    // Some bring the list of the routine and some do not.
    case "gateway.heartbeat": self = .each
    case "alarm.raised", "alarm.dispatched", "alarm.escalated", "alarm.acknowledged",
      "alarm.silenced", "alarm.cancelled", "alarm.resolved":
      self = .each
    case _ where type.hasPrefix("zone.") || type.hasPrefix("position."): self = .each
    case _ where type.hasPrefix("reminder.") || type.hasPrefix("message."): self = .each
    case _ where type.hasPrefix("tag.") || type.hasPrefix("left."): self = .each
    case "consent.changed", "caregiver.changed", "glucose.recorded", "glucose.corrected",
      "glucose.removed":
      self = .each
    case "fault.raised", "fault.cleared", "record.changed", "resident.erased": self = .each
    default: self = .none
    }
  }
}
