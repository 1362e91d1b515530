import Care
import JSON
import Moments
import Texts

/// One step of the engine: when it is, what holds, and what follows.
struct Step {
  let world: World
  /// The house that is gone by; what is due before a change happens as it was before it.
  var house: House
  var outcome = Outcome()
  /// Whether an alarm began since the lamp was last asked to take note of that.
  var hasNewAlarm = false

  init(_ world: World, in house: House) {
    self.world = world
    self.house = house
  }

  var now: Moment { world.now }

  /// Has something done outside; nil for nothing.
  mutating func act(_ action: Action?) {
    if let action { outcome.actions.append(action) }
  }

  /// Asks a resident's receiver for positions as fast as it can.
  mutating func sampleBurst(of resident: ResidentID, seconds: Int64) {
    guard let source = house.residents[resident]?.gpsSource else { return }
    let until = now.tick.advanced(byMilliseconds: seconds.multipliedClamped(by: 1000))
    act(.sampleBurst(source: source, until: until))
  }

  /// The language of events: the resident's, or the gateway's own for what is about no resident.
  func language(of resident: ResidentID?) -> Language {
    resident.map { house.alarmLanguage(of: $0) } ?? world.language
  }

  /// Adds an event about an alarm.
  mutating func tell(
    _ type: EventType, _ alarm: LiveAlarm, _ explanation: Message,
    _ facts: KeyValuePairs<String, JSONValue?> = [:]
  ) {
    let sound = AlarmSound(alarm, in: house).wanted(in: world)
    var members = [
      JSONMember(key: "alarm", value: .string(alarm.id.rawValue)),
      JSONMember(key: "tag", value: .string(alarm.tag)),
      JSONMember(key: "kind", value: .string(alarm.kind.rawValue)),
      JSONMember(key: "priority", value: .string(house.rule(of: alarm).priority.rawValue)),
      JSONMember(key: "stage", value: .string(alarm.stage.rawValue)),
      JSONMember(key: "sound", value: .string(sound.rawValue)),
    ]
    if alarm.kind.isAboutAPerson {
      members.append(JSONMember(key: "residentName", value: .string(house.name(of: alarm))))
    }
    for (key, content) in facts {
      if let content { members.append(JSONMember(key: key, value: content)) }
    }
    members.append(
      JSONMember(
        key: "explanation", value: .string(explanation.text(in: language(of: alarm.resident)))))
    outcome.events.append(
      EventDraft(
        type: type, lane: .alarm, resident: alarm.resident, facts: .object(members),
        id: type == .alarmRaised ? EventID(alarm.id.rawValue) : nil,
        isForGuardians: alarm.isConcealed,
        signal: type == .alarmRaised && alarm.kind.isAboutAPerson ? .alarmBegan : nil))
  }
}

/// Who asks for something, and when they did.
struct Asker: Sendable {
  let principal: Principal
  let sent: Tick
}
