import Care
import JSON
import Moments
import Texts

/// A call that seems to come in, so that somebody can leave an unpleasant company; alerts nobody.
///
/// One call at a time. It rings for 30 s, three times in all with a minute between, until it is answered or ended; a real
/// alarm always wins.
struct FakeCall: Sendable {
  /// What the call is doing.
  enum Stage: String, Hashable, Sendable, CaseIterable {
    /// Nothing is planned.
    case idle
    /// It will ring.
    case planned
    /// It rings.
    case ringing
    /// It was answered: one side of a talk is heard.
    case talking
    /// Nobody answered; it will ring again.
    case unanswered
  }

  static let ringMilliseconds: Int64 = 30_000
  static let againMilliseconds: Int64 = 60_000
  static let ringsInAll: Int64 = 3
  /// A call that comes later than this would only puzzle.
  static let latestMilliseconds: Int64 = 60_000
  /// How long after a restart a call waits for a clock that can say whether it is still wanted.
  static let clockPatienceMilliseconds: Int64 = 120_000
  static let clockLookMilliseconds: Int64 = 5_000
  /// A talk whose end is never reported ends by itself.
  static let longestTalkMilliseconds: Int64 = 900_000

  /// What the call is doing.
  private(set) var stage = Stage.idle

  /// Whom the call is for; nil when there is none.
  var resident: ResidentID? { plan?.resident }

  /// Whether it rings or is being answered.
  var isOn: Bool { stage == .ringing || stage == .talking }

  private let boot: BootID
  private var plan: FakeCallPlan?
  private var deadline: Tick?
  /// Until when a call of an earlier boot waits for a trusted clock; nil once its time is known.
  private var clockDeadline: Tick?
  private var sound: SoundID?
  private var soundNumber = 0
  private var isRecordingPlaying = false
  private var unreadable: [EngineRow] = []

  /// An engine over what is stored: the rows of engine `fake-call`.
  init(rows: [EngineRow], boot: BootID, at now: Moment) {
    self.boot = boot
    for row in rows where row.engine == FakeCallPlan.engine {
      if plan == nil, let stored = try? FakeCallPlan(row: row) {
        plan = stored
      } else {
        unreadable.append(row)
      }
    }
    if !unreadable.isEmpty { deadline = now.tick }
    guard let plan else { return }
    stage = plan.rings == 0 ? .planned : .unanswered
    if plan.boot == boot {
      deadline = plan.dueTick
    } else {
      clockDeadline = now.tick.advanced(byMilliseconds: Self.clockPatienceMilliseconds)
      deadline = now.tick
    }
  }

  /// When ``pass(_:_:)`` is due; nil when nothing is waited for.
  var nextWake: Tick? { deadline }

  /// The rows as they are stored.
  var rows: [EngineRow] {
    // An answered call is forgotten by the store: nobody wants it to ring again after a power cut.
    guard let plan, stage != .talking else { return unreadable }
    return [plan.stored] + unreadable
  }

  /// Whether a sound is the one that is heard of the call now.
  func owns(_ id: SoundID) -> Bool { id == sound }

  // MARK: What people ask

  /// Plans a call, so many seconds from now: 0 through 3,600.
  ///
  /// - Throws: why not; nothing changed then.
  mutating func start(
    _ wanted: FakeCallPlan, afterSeconds seconds: Int64, at now: Moment,
    _ outcome: inout Outcome
  ) throws(CommandReply.Refusal) {
    try check(wanted, afterSeconds: seconds)
    if let plan, plan.resident != wanted.resident { remove(plan, &outcome) }
    var wanted = wanted
    wanted.ring(atMilliseconds: seconds * 1000, from: now, boot: boot)
    plan = wanted
    clockDeadline = nil
    if seconds == 0 { return ring(at: now, &outcome) }
    stage = .planned
    deadline = wanted.dueTick
    keep(&outcome)
    tell(
      "asked",
      Message("A fake call will ring in {duration}.", ["duration": Self.duration(seconds)]),
      &outcome)
  }

  private func check(
    _ wanted: FakeCallPlan, afterSeconds seconds: Int64
  ) throws(CommandReply.Refusal) {
    guard (0...3600).contains(seconds) else {
      throw CommandReply.Refusal(
        .invalid,
        Message(
          "A fake call can come in 0 to 3600 seconds; it was to come in {seconds}.",
          ["seconds": seconds]))
    }
    let isCode =
      wanted.country.utf8.count == 2
      && wanted.country.utf8.allSatisfy { (0x41...0x5A).contains($0 & 0xDF) }
    guard isCode else {
      throw CommandReply.Refusal(
        .invalid,
        Message("The country of a fake call is two letters, such as GB; set fakeCallCountry."))
    }
    if let recording = wanted.recording, !recording.hasPrefix("/") {
      throw CommandReply.Refusal(
        .invalid, Message("The recording of a fake call is a whole path that starts with \"/\"."))
    }
    switch stage {
    case .idle: return
    case .planned, .unanswered:
      if plan?.resident == wanted.resident { return }
      throw CommandReply.Refusal(
        .conflict, Message("A fake call for somebody else is planned already; end that one first."))
    case .ringing, .talking:
      throw CommandReply.Refusal(
        .conflict, Message("A fake call is going on already; press the button or end it first."))
    }
  }

  /// Answers the call that rings.
  ///
  /// - Throws: that none rings.
  mutating func answer(
    at now: Moment, _ outcome: inout Outcome
  ) throws(CommandReply.Refusal) {
    guard stage == .ringing, let plan else {
      throw CommandReply.Refusal(
        .conflict, Message("No fake call rings now; there is nothing to answer."))
    }
    silence(&outcome)
    remove(plan, &outcome)
    stage = .talking
    isRecordingPlaying = plan.recording != nil
    let talk = plan.recording.map { [SoundPart.file($0)] }
    play(talk ?? FakeCallTalk.script(language: plan.language), &outcome)
    deadline = now.tick.advanced(byMilliseconds: Self.longestTalkMilliseconds)
    tell("answered", Message("The fake call was answered."), &outcome)
  }

  /// Hangs up, refuses the call that rings, or drops the planned one.
  ///
  /// - Throws: that there is none.
  mutating func end(_ outcome: inout Outcome) throws(CommandReply.Refusal) {
    switch stage {
    case .idle:
      throw CommandReply.Refusal(.conflict, Message("There is no fake call; nothing was ended."))
    case .planned, .unanswered:
      finish("dropped", Message("The planned fake call was dropped."), &outcome)
    case .ringing: finish("refused", Message("The fake call was refused."), &outcome)
    case .talking: finish("hung-up", Message("The fake call was hung up."), &outcome)
    }
  }

  /// Gives way to a real alarm, which always wins.
  mutating func giveWay(_ outcome: inout Outcome) {
    finish("alarm", Message("A real alarm began; the fake call was dropped."), &outcome)
  }

  // MARK: What time and the speaker bring

  /// Does what is due.
  mutating func pass(_ now: Moment, _ outcome: inout Outcome) {
    for row in unreadable {
      outcome.changes.append(row.removal)
    }
    unreadable = []
    guard let due = deadline, due <= now.tick else { return }
    switch stage {
    case .idle: deadline = nil
    case .planned, .unanswered: ringIfWanted(at: now, &outcome)
    case .ringing: giveUpRinging(at: now, &outcome)
    case .talking: finish("ended", Message("The fake call is over."), &outcome)
    }
  }

  private mutating func ringIfWanted(at now: Moment, _ outcome: inout Outcome) {
    guard let late = lateness(at: now) else {
      if let clockDeadline, clockDeadline > now.tick, plan?.dueTime != nil {
        deadline = now.tick.advanced(byMilliseconds: Self.clockLookMilliseconds)
      } else {
        finish(
          "restart", Message("After a restart nobody knows when the fake call was due."), &outcome)
      }
      return
    }
    clockDeadline = nil
    if late < 0 {
      replan(inMilliseconds: -late, at: now, &outcome)
    } else if late <= Self.latestMilliseconds {
      ring(at: now, &outcome)
    } else {
      finish(
        "late", Message("The fake call was dropped: its time was over a minute ago."), &outcome)
    }
  }

  /// Milliseconds since the call was due, negative before; nil while no clock can say.
  private func lateness(at now: Moment) -> Int64? {
    guard let plan else { return nil }
    if plan.boot == boot { return now.tick.milliseconds(since: plan.dueTick) }
    guard let dueTime = plan.dueTime, now.quality.isTrusted else { return nil }
    return now.utc.milliseconds(since: dueTime)
  }

  /// Ties a call of an earlier boot to the ticks of this one.
  private mutating func replan(
    inMilliseconds later: Int64, at now: Moment, _ outcome: inout Outcome
  ) {
    guard later <= 3_600_000 else {
      return finish(
        "restart", Message("After a restart nobody knows when the fake call was due."), &outcome)
    }
    plan?.ring(atMilliseconds: later, from: now, boot: boot)
    deadline = plan?.dueTick
    keep(&outcome)
  }

  private mutating func ring(at now: Moment, _ outcome: inout Outcome) {
    guard let rung = plan?.rings, rung < Self.ringsInAll else {
      return finish("unanswered", Message("Nobody answered the fake call."), &outcome)
    }
    stage = .ringing
    plan?.rings = rung + 1
    plan?.ring(atMilliseconds: 0, from: now, boot: boot)
    deadline = now.tick.advanced(byMilliseconds: Self.ringMilliseconds)
    keep(&outcome)
    let request = SoundRequest(
      id: newSound(), priority: .call,
      parts: [.pattern(FakeCallTalk.ring(country: plan?.country ?? ""))], repetitions: nil,
      levelsDecibels: [-12, -6, 0], levelStepSeconds: 5)
    outcome.actions.append(.play(request))
    tell("rings", Message("The fake call rings."), &outcome)
  }

  private mutating func giveUpRinging(at now: Moment, _ outcome: inout Outcome) {
    guard let plan, plan.rings < Self.ringsInAll else {
      return finish("unanswered", Message("Nobody answered the fake call."), &outcome)
    }
    silence(&outcome)
    stage = .unanswered
    self.plan?.ring(atMilliseconds: Self.againMilliseconds, from: now, boot: boot)
    deadline = self.plan?.dueTick
    keep(&outcome)
    tell(
      "unanswered", Message("Nobody answered the fake call; it rings again in a minute."), &outcome)
  }

  /// A sound of the call began, ended or failed.
  mutating func takeReport(_ report: SoundReport, _ outcome: inout Outcome) {
    guard report.sound == sound else { return }
    switch (report.outcome, stage) {
    case (.started, _), (.wordless, _), (_, .idle), (_, .planned), (_, .unanswered): return
    case (.failed, .talking) where isRecordingPlaying:
      isRecordingPlaying = false
      play(FakeCallTalk.script(language: plan?.language ?? "en"), &outcome)
    case (.failed, .ringing), (.failed, .talking):
      finish("no-sound", Message("The fake call could not be heard: no sound works."), &outcome)
    case (.stopped, .ringing), (.finished, .ringing):
      finish("silenced", Message("The fake call's ring was silenced."), &outcome)
    case (.stopped, .talking), (.finished, .talking):
      finish("ended", Message("The fake call is over."), &outcome)
    }
  }

  // MARK: Parts of an outcome

  private mutating func finish(
    _ reason: String, _ explanation: Message, _ outcome: inout Outcome
  ) {
    guard stage != .idle else { return }
    silence(&outcome)
    if let plan, stage != .talking { remove(plan, &outcome) }
    stage = .idle
    deadline = unreadable.isEmpty ? nil : deadline
    clockDeadline = nil
    tell(reason, explanation, &outcome)
    plan = nil
  }

  private mutating func play(_ parts: [SoundPart], _ outcome: inout Outcome) {
    outcome.actions.append(
      .play(SoundRequest(id: newSound(), priority: .call, parts: parts, repetitions: 1)))
  }

  /// Each sound has an id of its own, so that the late end of one is not taken for the end of the next.
  private mutating func newSound() -> SoundID {
    soundNumber += 1
    let id = SoundID("fake-call-\(soundNumber)")
    sound = id
    return id
  }

  private mutating func silence(_ outcome: inout Outcome) {
    if let sound { outcome.actions.append(.stopSound(sound)) }
    sound = nil
  }

  private func keep(_ outcome: inout Outcome) {
    if let plan { outcome.changes.append(.putEngineRow(plan.stored)) }
  }

  private func remove(_ plan: FakeCallPlan, _ outcome: inout Outcome) {
    outcome.changes.append(
      .removeEngineRow(
        engine: FakeCallPlan.engine, subject: plan.resident.rawValue, name: FakeCallPlan.row))
  }

  private func tell(_ reason: String, _ explanation: Message, _ outcome: inout Outcome) {
    let language = Language(plan?.language ?? "")
    outcome.events.append(
      EventDraft(
        type: .fakeCallChanged, lane: .record, resident: plan?.resident,
        facts: [
          "stage": .string(stage.rawValue), "reason": .string(reason),
          "explanation": .string(explanation.text(in: language)),
        ]))
  }

  private static func duration(_ seconds: Int64) -> Message {
    seconds % 60 != 0
      ? Message("{n} second", plural: "{n} seconds", Int(seconds))
      : Message("{n} minute", plural: "{n} minutes", Int(seconds / 60))
  }
}
