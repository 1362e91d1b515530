import Bytes
import JSON

/// What people ask of the alarms.
public enum AlarmRequest: Hashable, Sendable {
  /// Raise an alarm for a resident; `text` says why, in the words of who asks, and may be empty.
  case raise(resident: ResidentID, kind: AlarmKind, trigger: AlarmTrigger, text: String)
  /// "I'm OK": cancel in the pre-alarm, end an SOS with the PIN later. `message` replaces the usual words of the cancel.
  case cancel(resident: ResidentID, pin: String?, message: String?)
  /// Somebody takes charge. `alarm` is an id or a tag, nil for the only open one. Who does is the principal; a keeper of
  /// this machine says in `by` for whom they speak: a guardian's id, number or address.
  case acknowledge(alarm: String?, by: String?)
  /// A caregiver closes an alarm with a reason; `by` as in ``acknowledge(alarm:by:)``.
  case resolve(alarm: String?, by: String?, reason: String)
  /// Silence what sounds in the room; acknowledges nothing.
  case silence
  /// Take a photograph for the guardians of an open SOS.
  case photograph(resident: ResidentID)
  /// Make a test call that guardians can tell from the real thing.
  case test(resident: ResidentID)
  /// Set a PIN, or remove it with nil.
  case setPIN(resident: ResidentID, kind: PINKind, pin: String?)
  /// First step of setting up contact with the emergency services; answers a code and what it means. `profile` is the
  /// country, `registered` the date (YYYY-MM-DD) of registration where the country wants one, `text` the approved words
  /// about the resident.
  case prepareEmergency(resident: ResidentID, profile: String, registered: String?, text: String)
  /// Second step: the code, typed by a person.
  case confirmEmergency(resident: ResidentID, code: String)
  /// Switches contact with the emergency services off.
  case disableEmergency(resident: ResidentID)
  /// Contact the emergency services now, also outside of an SOS.
  case contactEmergency(resident: ResidentID, mode: EmergencyContact.Mode)
}

extension AlarmRequest {
  /// The request's word.
  public var action: String {
    switch self {
    case .raise: "sos.raise"
    case .cancel: "sos.cancel"
    case .acknowledge: "alarm.acknowledge"
    case .resolve: "alarm.resolve"
    case .silence: "alarm.silence"
    case .photograph: "photo.take"
    case .test: "alarm.test"
    case .setPIN: "pin.set"
    case .prepareEmergency: "emergency.prepare"
    case .confirmEmergency: "emergency.confirm"
    case .disableEmergency: "emergency.disable"
    case .contactEmergency: "emergency.contact"
    }
  }

  /// The id of what the request acts on.
  public var target: String {
    switch self {
    case .raise(let id, _, _, _), .cancel(let id, _, _), .photograph(let id), .test(let id),
      .setPIN(let id, _, _), .prepareEmergency(let id, _, _, _), .confirmEmergency(let id, _),
      .disableEmergency(let id), .contactEmergency(let id, _):
      id.rawValue
    case .acknowledge(let alarm, _), .resolve(let alarm, _, _): alarm ?? ""
    case .silence: ""
    }
  }

  /// The resident named in the request; nil where it names an alarm or nobody.
  public var resident: ResidentID? {
    switch self {
    case .acknowledge, .resolve, .silence: nil
    default: ResidentID(target)
    }
  }

  /// Whether it ends or calms whatever alarm is open, and names none: only when it was made says which one it can mean.
  public var meansAnyAlarm: Bool {
    switch self {
    case .acknowledge(let alarm, _), .resolve(let alarm, _, _): (alarm ?? "").isEmpty
    case .silence, .cancel: true
    case .raise, .photograph, .test, .setPIN, .prepareEmergency, .confirmEmergency,
      .disableEmergency, .contactEmergency:
      false
    }
  }

  /// Whom a keeper of this machine speaks for; nil where nobody is named.
  public var spokenFor: String? {
    switch self {
    case .acknowledge(_, let by), .resolve(_, let by, _): by
    case .raise, .cancel, .silence, .photograph, .test, .setPIN, .prepareEmergency,
      .confirmEmergency, .disableEmergency, .contactEmergency:
      nil
    }
  }

  /// The PIN in the request, which the runtime takes out before the request goes on.
  public var pin: String? {
    switch self {
    case .cancel(_, let pin, _), .setPIN(_, _, let pin): pin
    default: nil
    }
  }

  /// The request without its PIN.
  public var withoutPIN: AlarmRequest {
    switch self {
    case .cancel(let id, _, let message): .cancel(resident: id, pin: nil, message: message)
    case .setPIN(let id, let kind, _): .setPIN(resident: id, kind: kind, pin: nil)
    default: self
    }
  }

  /// Reads a request whose `action` is one of ``action``; nil when it is none of them.
  static func read(_ action: String, _ reader: JSONReader) throws(DecodeError) -> AlarmRequest? {
    func resident() throws(DecodeError) -> ResidentID { ResidentID(try reader.string("target")) }
    switch action {
    case "sos.raise":
      return .raise(
        resident: try resident(),
        kind: try reader.optionalWord("kind", as: AlarmKind.self) ?? .sos,
        trigger: try reader.optionalWord("trigger", as: AlarmTrigger.self) ?? .backend,
        text: try reader.optionalString("text") ?? "")
    case "sos.cancel":
      return .cancel(
        resident: try resident(), pin: try reader.optionalString("pin"),
        message: try reader.optionalString("message"))
    case "alarm.acknowledge":
      return .acknowledge(
        alarm: try reader.optionalString("target"), by: try reader.optionalString("by"))
    case "alarm.resolve":
      return .resolve(
        alarm: try reader.optionalString("target"), by: try reader.optionalString("by"),
        reason: try reader.string("reason"))
    case "alarm.silence": return .silence
    case "photo.take": return .photograph(resident: try resident())
    case "alarm.test": return .test(resident: try resident())
    case "pin.set":
      return .setPIN(
        resident: try resident(), kind: try reader.word("kind", as: PINKind.self),
        pin: try reader.optionalString("pin"))
    default: return try readEmergency(action, reader)
    }
  }

  private static func readEmergency(
    _ action: String, _ reader: JSONReader
  ) throws(DecodeError) -> AlarmRequest? {
    switch action {
    case "emergency.prepare":
      return .prepareEmergency(
        resident: ResidentID(try reader.string("target")), profile: try reader.string("profile"),
        registered: try reader.optionalString("registered"), text: try reader.string("text"))
    case "emergency.confirm":
      return .confirmEmergency(
        resident: ResidentID(try reader.string("target")), code: try reader.string("code"))
    case "emergency.disable":
      return .disableEmergency(resident: ResidentID(try reader.string("target")))
    case "emergency.contact":
      return .contactEmergency(
        resident: ResidentID(try reader.string("target")),
        mode: try reader.word("mode", as: EmergencyContact.Mode.self))
    default: return nil
    }
  }

  /// The request as an object with `action`.
  var json: JSONValue {
    let target: JSONValue? = self.target.isEmpty ? nil : .string(self.target)
    var members: KeyValuePairs<String, JSONValue?> = [:]
    switch self {
    case .raise(_, let kind, let trigger, let text):
      members = [
        "kind": .string(kind.rawValue), "trigger": .string(trigger.rawValue), "text": .string(text),
      ]
    case .cancel(_, let pin, let message):
      members = ["pin": pin.map { .string($0) }, "message": message.map { .string($0) }]
    case .acknowledge(_, let by): members = ["by": by.map { .string($0) }]
    case .resolve(_, let by, let reason):
      members = ["by": by.map { .string($0) }, "reason": .string(reason)]
    case .setPIN(_, let kind, let pin):
      members = ["kind": .string(kind.rawValue), "pin": pin.map { .string($0) }]
    case .prepareEmergency(_, let profile, let registered, let text):
      members = [
        "profile": .string(profile), "registered": registered.map { .string($0) },
        "text": .string(text),
      ]
    case .confirmEmergency(_, let code): members = ["code": .string(code)]
    case .contactEmergency(_, let mode): members = ["mode": .string(mode.rawValue)]
    case .silence, .photograph, .test, .disableEmergency: break
    }
    var json = JSONValue.object(["action": .string(action), "target": target])
    for (key, content) in members {
      if let content { json = json.setting(key, to: content) }
    }
    return json
  }
}

/// What people ask of the sound in the room, and of a call that only seems to come in.
public enum RoomRequest: Hashable, Sendable {
  /// Plan a fake call for a resident, so many seconds from now.
  case startFakeCall(resident: ResidentID, afterSeconds: Int64)
  /// Answer the fake call that rings.
  case answerFakeCall
  /// Hang up the fake call, or drop the planned one.
  case endFakeCall
  /// Play a pattern by its name, as `homeward sound play` lists them.
  case playSound(name: String)
  /// Say a text.
  case say(text: String, language: String)
  /// Speak the help for residents.
  case speakHelp(language: String)
}

extension RoomRequest {
  /// The request's word.
  public var action: String {
    switch self {
    case .startFakeCall: "fake-call.start"
    case .answerFakeCall: "fake-call.answer"
    case .endFakeCall: "fake-call.end"
    case .playSound: "sound.play"
    case .say: "speech.say"
    case .speakHelp: "help.speak"
    }
  }

  /// The id of what the request acts on.
  public var target: String {
    switch self {
    case .startFakeCall(let id, _): id.rawValue
    case .playSound(let name): name
    case .answerFakeCall, .endFakeCall, .say, .speakHelp: ""
    }
  }

  /// Reads a request whose `action` is one of ``action``; nil when it is none of them.
  static func read(_ action: String, _ reader: JSONReader) throws(DecodeError) -> RoomRequest? {
    switch action {
    case "fake-call.start":
      return .startFakeCall(
        resident: ResidentID(try reader.string("target")),
        afterSeconds: try reader.optionalInteger("afterSeconds") ?? 0)
    case "fake-call.answer": return .answerFakeCall
    case "fake-call.end": return .endFakeCall
    case "sound.play": return .playSound(name: try reader.string("target"))
    case "speech.say":
      return .say(
        text: try reader.string("text"), language: try reader.optionalString("language") ?? "en")
    case "help.speak":
      return .speakHelp(language: try reader.optionalString("language") ?? "en")
    default: return nil
    }
  }

  /// The request as an object with `action`.
  var json: JSONValue {
    let object: JSONValue = ["action": .string(action)]
    switch self {
    case .startFakeCall(let id, let seconds):
      return object.setting("target", to: .string(id.rawValue))
        .setting("afterSeconds", to: .integer(seconds))
    case .answerFakeCall, .endFakeCall: return object
    case .playSound(let name): return object.setting("target", to: .string(name))
    case .say(let text, let language):
      return object.setting("text", to: .string(text)).setting("language", to: .string(language))
    case .speakHelp(let language): return object.setting("language", to: .string(language))
    }
  }
}

extension CommandRule {
  static let alarmRules = [
    CommandRule(
      "sos.raise", .callForHelp,
      [
        .target, Member("kind", .words(of: AlarmKind.self)).optional,
        Member("trigger", .words(of: AlarmTrigger.self)).optional, Member("text", .text).optional,
      ], isUrgent: true),
    CommandRule(
      "sos.cancel", .callForHelp,
      [.target, Member("pin", .text).secret.optional, Member("message", .text).optional],
      isUrgent: true),
    CommandRule(
      "alarm.acknowledge", .answerAlarms, [.target.optional, Member("by", .text).optional],
      isUrgent: true, takesGuardian: true),
    CommandRule(
      "alarm.resolve", .answerAlarms,
      [.target.optional, Member("by", .text).optional, Member("reason", .text)], isUrgent: true,
      takesGuardian: true),
    CommandRule("alarm.silence", .useRoom, [], isUrgent: true),
    CommandRule("alarm.test", .callForHelp, [.target]),
    CommandRule("photo.take", .answerAlarms, [.target]),
    CommandRule(
      "pin.set", .changeSettings,
      [.target, Member("kind", .words(of: PINKind.self)), Member("pin", .text).secret.optional],
      disarms: always),
    CommandRule(
      "emergency.prepare", .changeSettings,
      [
        .target, Member("profile", .text), Member("registered", .date).optional,
        Member("text", .text),
      ], disarms: always),
    CommandRule(
      "emergency.confirm", .changeSettings, [.target, Member("code", .text)], disarms: always),
    CommandRule("emergency.disable", .changeSettings, [.target], disarms: always),
    CommandRule(
      "emergency.contact", .callForHelp,
      [.target, Member("mode", .words(of: EmergencyContact.Mode.self))]),
  ]

  /// What sounds in the room.
  static let roomRules = [
    CommandRule("sound.play", .useRoom, [.target]),
    CommandRule("speech.say", .useRoom, [Member("text", .text), .language]),
    CommandRule("help.speak", .useRoom, [.language]),
    CommandRule("fake-call.start", .useRoom, [.target, Member("afterSeconds", .whole).optional]),
    CommandRule("fake-call.answer", .useRoom, []), CommandRule("fake-call.end", .useRoom, []),
  ]
}

extension JSONShape.Member {
  /// In which something is said, as BCP 47 has it.
  fileprivate static let language = Member(
    "language", .text(JSONShape.Writing(example: "en"))
  ).optional
}
