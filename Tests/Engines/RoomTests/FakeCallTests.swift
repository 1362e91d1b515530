import Care
import JSON
import Moments
import Testing

@testable import Room

@Suite struct FakeCallTests {
  @Test(arguments: [10, 30, 60, 300, 1, 3600] as [Int64])
  func aPlannedCallRingsWhenItsTimeHasCome(_ seconds: Int64) throws {
    var caller = Caller()
    try caller.tell(Caller.start(seconds))
    #expect(caller.engine.stage == .planned && caller.actions.isEmpty)
    try caller.wait(seconds - 1)
    #expect(caller.engine.stage == .planned)
    try caller.wait(1)
    #expect(caller.engine.stage == .ringing)
    #expect(caller.told == ["planned asked", "ringing rings"])
    #expect(caller.residents == ["mary", "mary"])
  }

  @Test func aCallForNowRingsAtOnceWithTheRingOfTheCountry() throws {
    var caller = Caller()
    try caller.tell(Caller.start(0, country: "CN"))
    let ring = try #require(caller.lastPlayed)
    #expect(ring.parts == [.pattern("ring-cn")])
    #expect(ring.priority == .call)
    #expect(ring.repetitions == nil)
    #expect(caller.told == ["ringing rings"])
  }

  @Test(arguments: [
    ("gb", "ring-gb"), ("US", "ring-us"), ("IE", "ring-gb"), ("ca", "ring-us"), ("ZZ", "ring-de"),
    ("at", "ring-at"),
  ]) func countriesWithoutARingOfTheirOwnRingLikeTheirNeighbours(
    _ country: String, _ ring: String
  ) throws {
    var call = FakeCall(rows: [], boot: Caller.boot, at: Caller.noon)
    var outcome = Outcome()
    try call.start(Self.plan(country), afterSeconds: 0, at: Caller.noon, &outcome)
    guard case .play(let request)? = outcome.actions.first else {
      Issue.record("nothing rings")
      return
    }
    #expect(request.parts == [.pattern(ring)])
  }

  private static func plan(_ country: String) -> FakeCallPlan {
    FakeCallPlan(
      resident: "mary", country: country, language: "en", dueTick: Caller.noon.tick,
      boot: Caller.boot)
  }

  @Test("A country that no setting lets through is refused all the same")
  func countryIsTwoLetters() {
    for country in ["GBR", "é", "../", ""] {
      var call = FakeCall(rows: [], boot: Caller.boot, at: Caller.noon)
      var outcome = Outcome()
      do throws(CommandReply.Refusal) {
        try call.start(Self.plan(country), afterSeconds: 0, at: Caller.noon, &outcome)
        Issue.record("\(country) was taken")
      } catch { #expect(error.code == .invalid, "\(country)") }
      #expect(call.stage == .idle && call.rows.isEmpty && call.nextWake == nil)
      #expect(outcome == Outcome())
    }
  }

  @Test(arguments: ["en", "zh"])
  func anAnsweredCallTalksWithPausesToAnswerIn(_ language: String) throws {
    var caller = Caller()
    try caller.tell(Caller.start(language: language))
    let ring = try #require(caller.lastPlayed?.id)
    try caller.tell(.answer)
    #expect(caller.stopped == [ring])
    #expect(caller.engine.stage == .talking && caller.stored.isEmpty)
    let talk = try #require(caller.lastPlayed)
    #expect(talk.id != ring && talk.repetitions == 1 && talk.priority == .call)
    let sentences = talk.parts.compactMap { part -> Sentence? in
      if case .speech(let sentence) = part { sentence } else { nil }
    }
    #expect(sentences.count >= 5 && sentences.allSatisfy { $0.language == language })
    for (first, second) in zip(talk.parts, talk.parts.dropFirst()) {
      if case .speech = first {
        guard case .pause(let milliseconds) = second else {
          Issue.record("two sentences without a pause")
          continue
        }
        #expect((2000...4000).contains(milliseconds))
      }
    }
    try caller.report(.started, talk.id)
    try caller.report(.finished, talk.id)
    #expect(caller.engine.stage == .idle && caller.engine.nextWake == nil)
    #expect(caller.told == ["ringing rings", "talking answered", "idle ended"])
  }

  @Test func aRecordingIsPlayedWhereThereIsOneAndTheScriptWhenItCannotBe() throws {
    var caller = Caller()
    try caller.tell(Caller.start(recording: "/family/anna.wav"))
    try caller.tell(.answer)
    let recording = try #require(caller.lastPlayed)
    #expect(recording.parts == [.file("/family/anna.wav")])
    try caller.report(.failed, recording.id)
    #expect(caller.engine.stage == .talking)
    let script = try #require(caller.lastPlayed)
    #expect(script.id != recording.id && script.parts.count > 5)
    try caller.report(.failed, script.id)
    #expect(caller.told.last == "idle no-sound")
  }

  @Test func aPressHangsUpAndTheTalkFallsSilent() throws {
    var caller = Caller()
    try caller.tell(Caller.start())
    try caller.tell(.answer)
    try caller.tell(.end)
    #expect(caller.sounding.isEmpty)
    #expect(caller.told.last == "idle hung-up")
  }

  @Test func anUnansweredCallRingsThreeTimesInAllAndNotAFourth() throws {
    var caller = Caller()
    try caller.tell(Caller.start())
    try caller.wait(29)
    #expect(caller.engine.stage == .ringing)
    try caller.wait(1)
    #expect(caller.engine.stage == .unanswered && caller.sounding.isEmpty)
    try caller.wait(59)
    #expect(caller.engine.stage == .unanswered)
    try caller.wait(1)
    #expect(caller.engine.stage == .ringing)
    try caller.wait(3600)
    #expect(
      caller.told == [
        "ringing rings", "unanswered unanswered", "ringing rings", "unanswered unanswered",
        "ringing rings", "idle unanswered",
      ])
    #expect(caller.sounding.isEmpty && caller.stored.isEmpty)
  }

  @Test func theSecondRingCanBeAnswered() throws {
    var caller = Caller()
    try caller.tell(Caller.start())
    try caller.wait(95)
    try caller.tell(.answer)
    #expect(caller.engine.stage == .talking)
  }

  @Test(arguments: [0, 1, 2, 3])
  func aRealAlarmAlwaysWins(_ stage: Int) throws {
    var caller = Caller()
    try caller.tell(Caller.start(stage == 0 ? 60 : 0))
    if stage == 2 { try caller.tell(.answer) }
    if stage == 3 { try caller.wait(31) }
    try caller.tell(.alarmBegan)
    #expect(caller.engine.stage == .idle && caller.engine.nextWake == nil)
    #expect(caller.told.last == "idle alarm")
    #expect(caller.sounding.isEmpty && caller.stored.isEmpty)
    let events = caller.told.count
    try caller.wait(7200)
    #expect(caller.told.count == events)
  }

  @Test func anAlarmWithoutACallIsNoneOfItsBusiness() throws {
    var caller = Caller()
    try caller.tell(.alarmBegan)
    #expect(caller.told.isEmpty && caller.actions.isEmpty)
  }

  @Test func theLateEndOfOneRingIsNotTheEndOfTheNext() throws {
    var caller = Caller()
    try caller.tell(Caller.start())
    let first = try #require(caller.lastPlayed?.id)
    try caller.tell(.end)
    try caller.tell(Caller.start())
    try caller.report(.stopped, first)
    #expect(caller.engine.stage == .ringing)
    try caller.report(.stopped, try #require(caller.lastPlayed?.id))
    #expect(caller.told.last == "idle silenced")
  }

  @Test func aNewWishReplacesAPlannedCallOfTheSameResident() throws {
    var caller = Caller()
    try caller.tell(Caller.start(300))
    try caller.tell(Caller.start(0))
    #expect(caller.engine.stage == .ringing && caller.stored.count == 1)
    try caller.tell(.answer)
    try caller.tell(.end)
    try caller.wait(3600)
    #expect(caller.told.last == "idle hung-up")
  }

  @Test func aTalkWhoseEndIsNeverReportedEndsByItself() throws {
    var caller = Caller()
    try caller.tell(Caller.start())
    try caller.tell(.answer)
    try caller.wait(899)
    #expect(caller.engine.stage == .talking)
    try caller.wait(1)
    #expect(caller.told.last == "idle ended" && caller.sounding.isEmpty)
  }

  // MARK: What is refused

  private func refusal(_ input: FakeCallInput, after earlier: [FakeCallInput]) throws
    -> CommandReply.Refusal?
  {
    var caller = Caller()
    for step in earlier { try caller.tell(step) }
    let before = (caller.engine.stage, caller.engine.rows, caller.engine.nextWake)
    do { try caller.tell(input) } catch let refusal as CommandReply.Refusal {
      #expect(before == (caller.engine.stage, caller.engine.rows, caller.engine.nextWake))
      return refusal
    }
    return nil
  }

  @Test func whatCannotBeIsRefusedAndChangesNothing() throws {
    let start = Caller.start()
    #expect(try refusal(Caller.start(-1), after: [])?.code == .invalid)
    #expect(try refusal(Caller.start(3601), after: [])?.code == .invalid)
    #expect(try refusal(Caller.start(.max), after: [])?.code == .invalid)
    #expect(try refusal(Caller.start(recording: "a.wav"), after: [])?.code == .invalid)
    #expect(try refusal(.answer, after: [])?.code == .conflict)
    #expect(try refusal(.end, after: [])?.code == .conflict)
    #expect(try refusal(.answer, after: [Caller.start(60)])?.code == .conflict)
    #expect(try refusal(.answer, after: [start, .answer])?.code == .conflict)
    #expect(try refusal(start, after: [start])?.code == .conflict)
    #expect(try refusal(start, after: [start, .answer])?.code == .conflict)
    #expect(
      try refusal(Caller.start(resident: "joe"), after: [Caller.start(60)])?.code == .conflict)
  }
}

@Suite struct FakeCallPowerCutTests {
  /// A call planned in five minutes; then the power fails.
  private func planned(_ seconds: Int64 = 300, at now: Moment = Caller.noon) throws -> [EngineRow] {
    var caller = Caller(at: now)
    try caller.tell(Caller.start(seconds, country: "GB", recording: "/a.wav"))
    return caller.stored
  }

  private func later(_ seconds: Int64, quality: TimeQuality = .synchronised, tick: Int64 = 20)
    -> Moment
  {
    Moment(
      tick: .seconds(tick), utc: Caller.noon.utc.advanced(byMilliseconds: seconds * 1000),
      quality: quality)
  }

  @Test func aCallThatIsStillToComeRingsAtItsTimeAfterAnotherBoot() throws {
    var caller = Caller(rows: try planned(), boot: "boot-2", at: later(100))
    #expect(caller.engine.stage == .planned)
    try caller.wait(199)
    #expect(caller.told.isEmpty && caller.engine.stage == .planned)
    try caller.wait(1)
    #expect(caller.told == ["ringing rings"])
    try caller.tell(.answer)
    #expect(caller.lastPlayed?.parts == [.file("/a.wav")])
  }

  @Test(arguments: [(300, true), (360, true), (361, false), (4000, false)] as [(Int64, Bool)])
  func aCallRingsAtMostAMinuteLate(_ seconds: Int64, _ rings: Bool) throws {
    var caller = Caller(rows: try planned(), boot: "boot-2", at: later(seconds))
    try caller.wait(0)
    #expect(caller.told == [rings ? "ringing rings" : "idle late"])
    #expect(caller.stored.isEmpty == !rings)
  }

  @Test func theSameBootNeedsNoClock() throws {
    let untrusted = Moment(tick: .seconds(1000), utc: .seconds(0), quality: .untrusted)
    let rows = try planned(300, at: untrusted)
    var caller = Caller(rows: rows, at: untrusted.advanced(byMilliseconds: 290_000))
    try caller.wait(10)
    #expect(caller.told == ["ringing rings"])
    var late = Caller(rows: rows, at: untrusted.advanced(byMilliseconds: 361_000))
    try late.wait(0)
    #expect(late.told == ["idle late"])
  }

  @Test func aCallWaitsTwoMinutesForAClockAndIsThenDropped() throws {
    let rows = try planned()
    var patient = Caller(rows: rows, boot: "boot-2", at: later(-99_999, quality: .untrusted))
    try patient.wait(60)
    #expect(patient.told.isEmpty)
    patient.now = later(310, tick: 80)
    try patient.wait(6)
    #expect(patient.told == ["ringing rings"])
    var clockless = Caller(rows: rows, boot: "boot-2", at: later(310, quality: .untrusted))
    try clockless.wait(119)
    #expect(clockless.told.isEmpty)
    try clockless.wait(10)
    #expect(clockless.told == ["idle restart"] && clockless.stored.isEmpty)
  }

  @Test func aCallPlannedByAClockThatNobodyTrustedIsDroppedByTheNextBoot() throws {
    let untrusted = Moment(tick: .seconds(1000), utc: .seconds(0), quality: .untrusted)
    var caller = Caller(rows: try planned(300, at: untrusted), boot: "boot-2", at: later(0))
    try caller.wait(0)
    #expect(caller.told == ["idle restart"] && caller.stored.isEmpty)
  }

  @Test func aGatewayThatFallsAgainAndAgainRingsThreeTimesAndNoMore() throws {
    var caller = Caller()
    try caller.tell(Caller.start())
    var rings = 1
    for _ in 0..<6 {
      var again = Caller(rows: caller.stored, at: caller.now.advanced(byMilliseconds: 5000))
      try again.wait(0)
      rings += again.told.count { $0 == "ringing rings" }
      caller = again
    }
    #expect(rings == 3)
    #expect(caller.engine.stage == .idle && caller.stored.isEmpty)
  }

  @Test func anAnsweredCallDoesNotComeBack() throws {
    var caller = Caller()
    try caller.tell(Caller.start())
    try caller.tell(.answer)
    let again = Caller(rows: caller.stored, at: caller.now)
    #expect(again.engine.stage == .idle && again.engine.nextWake == nil)
  }

  @Test func rowsThatNobodyCanReadAreClearedAway() throws {
    let good = try planned()
    let bad = [
      EngineRow(engine: "fake-call", subject: "joe", name: "call", content: ["dueTick": "soon"]),
      EngineRow(engine: "fake-call", subject: "ann", name: "call", content: .null),
      EngineRow(engine: "fake-call", subject: "old", name: "other", content: good[0].content),
    ]
    var only = Caller(rows: Array(bad.prefix(2)))
    try only.wait(0)
    #expect(only.stored.isEmpty && only.told.isEmpty && only.engine.nextWake == nil)
    var mixed = Caller(rows: good + bad)
    try mixed.wait(300)
    #expect(mixed.told == ["ringing rings"] && mixed.stored.count == 1)
  }

  @Test func noStoredNumberTraps() throws {
    for number in [Int64.min, -1, 0, Int64.max] {
      let row = EngineRow(
        engine: "fake-call", subject: "mary", name: "call",
        content: [
          "country": "GB", "language": "en", "rings": .integer(number),
          "dueTick": .integer(number), "boot": "boot-1",
        ])
      var caller = Caller(rows: [row])
      caller.now = Moment(tick: Tick(nanoseconds: .max), utc: Caller.noon.utc, quality: .untrusted)
      try caller.tell(.time)
      try caller.tell(.alarmBegan)
      #expect(caller.engine.stage == .idle)
    }
  }
}
