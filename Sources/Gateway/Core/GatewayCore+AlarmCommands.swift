import Alarms
import Care
import FakeCall
import Help
import JSON
import Moments
import PhoneNumbers
import Sounds
import Texts

extension GatewayCore {
  // MARK: Guardians

  mutating func put(
    _ guardian: Guardian, by principal: Principal, at now: Moment, in step: inout Step
  ) throws(CommandReply.Refusal) -> JSONValue {
    var guardian = guardian
    guardian.phone = try normalizedPhone(of: guardian)
    try directory.put(guardian)
    step.changes.append(.putGuardian(guardian))
    step.note(
      "guardian.put", guardian.id.rawValue, of: guardian.resident, by: principal, guardian.json)
    advanceAlarms(.guardiansChanged(directory.sortedGuardians), at: now, in: &step)
    return .object([
      "id": .string(guardian.id.rawValue), "phone": guardian.phone.map { .string($0) },
    ])
  }

  mutating func removeGuardian(
    _ id: GuardianID, by principal: Principal, at now: Moment, in step: inout Step
  ) throws(CommandReply.Refusal) -> JSONValue {
    let guardian = try directory.removeGuardian(id)
    step.changes.append(.removeGuardian(id))
    step.note("guardian.remove", id.rawValue, of: guardian.resident, by: principal, guardian.json)
    advanceAlarms(.guardiansChanged(directory.sortedGuardians), at: now, in: &step)
    return ["removed": .string(id.rawValue)]
  }

  /// The phone number in E.164, as people of the resident's country write it.
  private func normalizedPhone(
    of guardian: Guardian
  ) throws(CommandReply.Refusal) -> String? {
    guard let phone = guardian.phone else { return nil }
    let country =
      directory.alarmSettings(of: guardian.resident).value("country")?.stringContent ?? ""
    do { return try PhoneNumber(validating: phone, country: country).e164 } catch {
      throw CommandReply.Refusal(.invalid, error.message)
    }
  }

  // MARK: Alarms

  mutating func perform(
    _ request: AlarmRequest, _ command: Command, sent: Tick, at now: Moment,
    in step: inout Step
  ) throws(CommandReply.Refusal) -> JSONValue {
    if let resident = request.resident { try directory.requireResident(resident) }
    if case .photograph(let resident) = request { try requireConsent(.camera, of: resident) }
    let outcome = try alarms.perform(
      request, by: command.principal, proof: command.pinProof, sent: sent,
      in: world(at: now))
    step.take(outcome)
    guard case .raise(let resident, _, _, _) = request,
      let reach = reach(at: now).first(where: { $0.resident == resident && $0.isKnown })
    else { return outcome.reply }
    return outcome.reply.setting("isReachable", to: .bool(reach.isReachable))
      .setting("reach", to: .string(reach.explanation.text(in: configuration.language)))
  }

  // MARK: The room

  mutating func perform(
    _ request: RoomRequest, at now: Moment, in step: inout Step
  ) throws(CommandReply.Refusal) -> JSONValue {
    switch request {
    case .startFakeCall, .playSound, .say, .speakHelp: try requireSound()
    case .answerFakeCall, .endFakeCall: break
    }
    switch request {
    case .startFakeCall(let resident, let afterSeconds):
      return try startFakeCall(resident, afterSeconds: afterSeconds, at: now, in: &step)
    case .answerFakeCall: step.take(try fakeCall.handle(.answer, at: now))
    case .endFakeCall: step.take(try fakeCall.handle(.end, at: now))
    case .playSound(let name): try play(name, in: &step)
    case .say(let text, let language):
      try say(text, language: language, in: &step)
      return spokenReply
    case .speakHelp(let language):
      try speakHelp(language: language, in: &step)
      return spokenReply
    }
    return .object([])
  }

  private mutating func startFakeCall(
    _ resident: ResidentID, afterSeconds: Int64, at now: Moment, in step: inout Step
  ) throws(CommandReply.Refusal) -> JSONValue {
    try directory.requireResident(resident)
    guard !needsHelp(resident) else {
      throw CommandReply.Refusal(
        .conflict,
        Message("There is an open alarm, and a call would only confuse. Resolve it first."))
    }
    step.take(try fakeCall.handle(fakeCallStart(resident, afterSeconds: afterSeconds), at: now))
    return ["afterSeconds": .integer(afterSeconds)]
  }

  private func play(_ name: String, in step: inout Step) throws(CommandReply.Refusal) {
    guard SoundPattern.named(name) != nil else {
      throw CommandReply.Refusal(
        .unknownTarget,
        Message("There is no sound \"{name}\". List them with: homeward sound list", ["name": name])
      )
    }
    step.actions.append(
      .play(SoundRequest(id: "by-hand", priority: .chime, parts: [.pattern(name)])))
  }

  private func say(
    _ text: String, language: String, in step: inout Step
  ) throws(CommandReply.Refusal) {
    guard (1...500).contains(text.unicodeScalars.count) else {
      throw CommandReply.Refusal(.invalid, Message("A text to say has 1 through 500 characters."))
    }
    let language = try Self.knownLanguage(language)
    step.actions.append(
      .play(
        SoundRequest(
          id: "by-hand", priority: .reminder,
          parts: [.pattern("chime"), .speech(Sentence(text, language: language))])))
  }

  /// The resident's manual, a sentence at a time with time to think.
  private func speakHelp(
    language: String, in step: inout Step
  ) throws(CommandReply.Refusal) {
    let language = try Self.knownLanguage(language)
    let sentences = ResidentGuide.text(language: language).flatMap { text -> [SoundPart] in
      [.speech(Sentence(text, language: language)), .pause(milliseconds: 1500)]
    }
    step.actions.append(
      .play(SoundRequest(id: "help", priority: .reminder, parts: [.pattern("chime")] + sentences)))
  }

  static func knownLanguage(_ language: String) throws(CommandReply.Refusal) -> String {
    guard ["en", "zh"].contains(language) else {
      throw CommandReply.Refusal(
        .invalid, Message("Languages are en and zh, not \"{language}\".", ["language": language]))
    }
    return language
  }
}
