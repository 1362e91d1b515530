import Care
import JSON
import Moments
import Sounds
import Texts

extension RoomEngine {
  // MARK: What people ask

  mutating func perform(
    _ request: RoomRequest, in world: World
  ) throws(CommandReply.Refusal) -> Outcome {
    switch request {
    case .startFakeCall, .playSound, .say, .speakHelp: try sound.requireSound()
    case .answerFakeCall, .endFakeCall: break
    }
    var outcome = Outcome()
    switch request {
    case .startFakeCall(let resident, let seconds):
      try startFakeCall(resident, afterSeconds: seconds, in: world, &outcome)
    case .answerFakeCall: try call.answer(at: world.now, &outcome)
    case .endFakeCall: try call.end(&outcome)
    case .playSound(let name): outcome.actions = [.play(try sound(named: name))]
    case .say(let text, let language):
      outcome.actions = [.play(try saying(text, language: language))]
      outcome.reply = spokenReply(in: world)
    case .speakHelp(let language):
      outcome.actions = [.play(try help(language: language))]
      outcome.reply = spokenReply(in: world)
    }
    return outcome
  }

  private mutating func startFakeCall(
    _ resident: ResidentID, afterSeconds seconds: Int64, in world: World,
    _ outcome: inout Outcome
  ) throws(CommandReply.Refusal) {
    try world.house.requireResident(resident)
    guard !world.need.isNeeded(by: resident) else {
      throw CommandReply.Refusal(
        .conflict,
        Message("There is an open alarm, and a call would only confuse. Resolve it first."))
    }
    let plan = FakeCallPlan(for: resident, in: world)
    try call.start(plan, afterSeconds: seconds, at: world.now, &outcome)
    outcome.reply = ["afterSeconds": .integer(seconds)]
  }

  private func sound(named name: String) throws(CommandReply.Refusal) -> SoundRequest {
    guard SoundPattern.named(name) != nil else {
      throw CommandReply.Refusal(
        .unknownTarget,
        Message("There is no sound \"{name}\". List them with: homeward sound list", ["name": name])
      )
    }
    return SoundRequest(id: "by-hand", priority: .chime, parts: [.pattern(name)])
  }

  private func saying(
    _ text: String, language: String
  ) throws(CommandReply.Refusal) -> SoundRequest {
    guard (1...500).contains(text.unicodeScalars.count) else {
      throw CommandReply.Refusal(.invalid, Message("A text to say has 1 through 500 characters."))
    }
    try Self.requireLanguage(language)
    return SoundRequest(
      id: "by-hand", priority: .reminder,
      parts: [.pattern("chime"), .speech(Sentence(text, language: language))])
  }

  /// The resident's manual, a sentence at a time with time to think.
  private func help(language: String) throws(CommandReply.Refusal) -> SoundRequest {
    try Self.requireLanguage(language)
    let sentences = ResidentGuide.text(language: language).flatMap { text -> [SoundPart] in
      [.speech(Sentence(text, language: language)), .pause(milliseconds: 1500)]
    }
    return SoundRequest(
      id: "help", priority: .reminder, parts: [.pattern("chime")] + sentences)
  }

  private static func requireLanguage(_ language: String) throws(CommandReply.Refusal) {
    guard Language(rawValue: language) != nil else {
      throw CommandReply.Refusal(
        .invalid, Message("Languages are en and zh, not \"{language}\".", ["language": language]))
    }
  }

  /// What whoever asked for words in the room may expect to be heard.
  private func spokenReply(in world: World) -> JSONValue {
    guard let speechlessness = sound.speechlessness(faults: world.faults) else {
      return ["isSpoken": true]
    }
    let words = Message(
      "Only a tone is heard, unless these very words were spoken before. {reason}",
      ["reason": speechlessness])
    return ["isSpoken": false, "explanation": .string(words.text(in: world.language))]
  }

  // MARK: What a press means

  /// Answers a call, makes one come in, or says the time; nil where the press is for somebody else.
  mutating func answer(_ press: Press, in world: World) -> Outcome? {
    switch press.meaning {
    case .yes: return answerCall(at: world.now)
    case .command(.fakeCall):
      guard let resident = press.resident, !world.need.isNeeded(by: resident) else { return nil }
      let plan = FakeCallPlan(for: resident, in: world)
      var outcome = Outcome()
      guard (try? call.start(plan, afterSeconds: 0, at: world.now, &outcome)) != nil else {
        return nil
      }
      return outcome
    case .command(.assist):
      return press.resident.flatMap { world.house.residents[$0] }.map { sayTime(to: $0, in: world) }
    case .state, .help, .no, .command: return nil
    }
  }

  private mutating func answerCall(at now: Moment) -> Outcome? {
    var outcome = Outcome()
    switch call.stage {
    case .ringing: try? call.answer(at: now, &outcome)
    case .talking: try? call.end(&outcome)
    case .idle, .planned, .unanswered: return nil
    }
    return outcome
  }

  private func sayTime(to resident: Resident, in world: World) -> Outcome {
    let language = world.language(of: resident.id).rawValue
    var outcome = Outcome()
    outcome.actions = [
      .play(
        SoundRequest(
          id: "clock", priority: .chime,
          parts: [
            .pattern("chime"), .clock(timeZone: resident.timeZone, language: language),
          ]))
    ]
    return outcome
  }
}
