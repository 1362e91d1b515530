import Care
import JSON
import PluginProtocol
import TestSupport
import Testing

/// The plugin with the rig's modem, which calls over a network that does as a test says.
@Suite(.serialized, .enabled(if: ModemUnderTest.isPossible, "socat is not installed"))
struct CallingTests {
  @Test(arguments: ["simcom", "quectel"])
  func theKeyTakesChargeOfTheAlarmAndIsThankedFor(kind: String) throws {
    let line = try CallUnderTest(prepare: [["do": "voice", "kind": kind], ["do": "answer"]])
    #expect(try line.notify() == "taken")
    let words = try line.speak()
    #expect(words[0] == "Mary Smith needs help.")
    #expect(words[1] == "Press five to say that you are going.")
    #expect(try line.plugin.delivery().outcome == .sent)
    // The alarm and the question come again and again; other keys mean nothing.
    #expect(try Eventually.holds(withinSeconds: 30) { try line.said().count >= 5 })
    try line.plugin.control(["do": "press", "keys": "41*#05"])
    let call = try line.plugin.command()
    #expect(call.principal == CallUnderTest.anna)
    #expect(call.request == .alarm(.acknowledge(alarm: "A7K2", by: nil)))
    let notice = try line.plugin.delivery()
    #expect(notice.outcome == .delivered && notice.detail == "took charge by key")
    #expect(notice.channel == "voice" && notice.recipient == "anna" && notice.notice == .alarm)
    try line.expectTheLineToBeFree()
    let said = try line.said()
    #expect(Array(said.prefix(4)) == [.alarm, .prompt, .alarm, .prompt])
    #expect(said.last == .thanks && !said.contains(.sorry))
    let calls = try line.calls()
    #expect(calls.map { $0["number"] as? String } == [CallUnderTest.anna])
    #expect(calls.first?["keys"] as? String == "41*#05")
  }

  @Test func anAnswerThatTheGatewayRefusesIsNotThankedFor() throws {
    let line = try CallUnderTest(prepare: [["do": "answer", "keys": "5"]])
    #expect(try line.notify() == "taken")
    try line.speak()
    _ = try line.plugin.command(refusing: "the alarm is over")
    try line.expectTheLineToBeFree()
    let said = try line.said()
    #expect(said.contains(.sorry) && !said.contains(.thanks))
  }

  @Test(arguments: [
    (["do": "no-answer", "outcome": "busy"], "the line is busy"),
    (["do": "no-answer", "outcome": "declined"], "the call was declined or not put through"),
    (["do": "no-answer", "outcome": "unanswered"], "nobody answered"),
    (["do": "mailbox"], VoiceCallTests.mailbox),
    (["do": "answer"], VoiceCallTests.mailbox),
  ])
  func aCallThatNobodyTakesHasFailedWithItsReason(
    fate: [String: String], reason: String
  ) throws {
    let line = try CallUnderTest(
      prepare: [fate], voice: ["ringSeconds": 10, "keySeconds": 10], clipSeconds: 0.2)
    #expect(try line.notify() == "taken")
    try line.speak()
    var notice = try line.plugin.delivery()
    if notice.outcome == .sent { notice = try line.plugin.delivery() }
    #expect(notice.outcome == .failed && notice.detail == reason)
    try line.expectTheLineToBeFree()
  }

  @Test func whoHangsUpWithoutAKeyHasNotTakenCharge() throws {
    let line = try CallUnderTest(prepare: [["do": "answer", "ends_after": 2]])
    #expect(try line.notify() == "taken")
    try line.speak()
    #expect(try line.plugin.delivery().outcome == .sent)
    #expect(try line.plugin.delivery().detail == "answered, and hung up without pressing a key")
  }

  @Test func whatAsksForNothingIsConfirmedByKey() throws {
    let line = try CallUnderTest(prepare: [["do": "answer", "keys": "5"]])
    #expect(try line.notify(asks: false) == "taken")
    #expect(try line.speak()[1] == "Press five to say that you have heard this.")
    #expect(try line.plugin.delivery().outcome == .sent)
    #expect(try line.plugin.delivery().detail == "heard, and confirmed by key")
    try line.expectTheLineToBeFree()
  }

  @Test func textsGoOutWhileACallIsOnAndTheNextCallFollows() throws {
    let line = try CallUnderTest(prepare: [["do": "answer"]])
    let bo = "+4799999999"
    #expect(try line.notify() == "taken")
    #expect(try line.notify(to: bo, guardian: "bo") == "taken")
    try line.speak()
    #expect(try line.plugin.delivery().channel == "voice")
    #expect(try Eventually.holds(withinSeconds: 30) { try line.said().count >= 2 })
    #expect(try line.plugin.notify("help") == "taken")
    #expect(try line.plugin.delivery().channel == "sms")
    #expect(try line.isCalling() && line.calls().count == 1)
    try line.plugin.control(["do": "press", "keys": "5"])
    _ = try line.plugin.command()
    try line.speak()
    #expect(
      try Eventually.holds(withinSeconds: 30) {
        try line.calls().map { $0["number"] as? String } == [CallUnderTest.anna, bo]
      })
  }

  @Test func aModemThatSendsNothingWhileItCallsSendsAfterwards() throws {
    let line = try CallUnderTest(
      prepare: [["do": "voice", "kind": "simcom", "texts": false], ["do": "answer"]])
    #expect(try line.notify() == "taken")
    try line.speak()
    #expect(try line.plugin.delivery().outcome == .sent)
    #expect(try line.plugin.notify("help") == "taken")
    #expect(try Eventually.holds(withinSeconds: 30) { try line.said().count >= 14 })
    #expect(try line.plugin.sent().isEmpty)
    try line.plugin.control(["do": "press", "keys": "5"])
    _ = try line.plugin.command()
    #expect(try line.plugin.delivery().channel == "voice")
    #expect(try line.plugin.delivery().channel == "sms")
    #expect(try line.plugin.sent().map(\.text) == ["help"])
  }

  @Test(arguments: ["hang", "unplug"])
  func aModemThatIsLostDuringACallIsToldOf(loss: String) throws {
    let line = try CallUnderTest(prepare: [["do": "answer"]])
    #expect(try line.notify() == "taken")
    try line.speak()
    #expect(try line.plugin.delivery().outcome == .sent)
    #expect(try Eventually.holds(withinSeconds: 30) { try line.said().count >= 2 })
    try line.plugin.control(["do": loss])
    let notice = try line.plugin.delivery()
    #expect(notice.outcome == .failed && notice.detail.contains("stopped answering"))
  }

  @Test func aModemThatHungUpOnUsIsLedBackAndEndsTheCallThatItLeft() throws {
    let line = try CallUnderTest(prepare: [["do": "answer"]])
    #expect(try line.notify() == "taken")
    try line.speak()
    #expect(try line.plugin.delivery().outcome == .sent)
    try line.plugin.control(["do": "hang"])
    #expect(try line.plugin.delivery().outcome == .failed)
    #expect(try line.isCalling())
    try line.plugin.control(["do": "recover"])
    try line.expectTheLineToBeFree()
  }

  @Test func callsThatComeInAreHungUp() throws {
    let line = try CallUnderTest()
    try line.plugin.control(["do": "ring", "number": "+31612345678"])
    #expect(
      try Eventually.holds(withinSeconds: 20) {
        (try line.plugin.control(["do": "state"]) as? [String: Any])?["refused_incoming"] as? Int
          == 1
      })
  }
}

/// Calls that are not made, and calls to the emergency services.
@Suite(.serialized, .enabled(if: ModemUnderTest.isPossible, "socat is not installed"))
struct RefusedAndEmergencyCallTests {
  @Test(arguments: [("none", "cannot make voice calls"), ("deaf", "does not hear the keys")])
  func aModemThatCannotIsNotDialledWith(kind: String, reason: String) throws {
    let line = try CallUnderTest(prepare: [["do": "voice", "kind": kind]])
    #expect(
      try Eventually.holds(withinSeconds: 30) { try line.notify().contains(reason) })
    #expect(try line.calls().isEmpty)
  }

  @Test func whatLacksInTheConfigurationIsSaid() throws {
    let silent = try ModemUnderTest(grants: ["service:speech"])
    #expect(try silent.notifyByVoice().contains("voice.playbackDevice"))
    let mute = try ModemUnderTest(settings: ["voice": ["playbackDevice": "default"]])
    #expect(try mute.notifyByVoice().contains("service:speech"))
    let off = try CallUnderTest(voice: ["mode": "off"])
    #expect(try off.notify().contains("switched off"))
  }

  @Test func withoutSpeechOrSoundNobodyIsCalled() throws {
    let line = try CallUnderTest()
    #expect(try line.notify() == "taken")
    // A speech plugin that is still starting is asked again.
    let (first, _) = try line.speechRequest()
    let busy = RPCError(code: RPCError.busyCode, message: "the plugin speech is not running")
    try line.plugin.process.write(RPCLine.failure(id: first, busy))
    let (id, _) = try line.speechRequest()
    let refusal = RPCError(code: RPCError.refusedCode, message: "the voice is missing")
    try line.plugin.process.write(RPCLine.failure(id: id, refusal))
    #expect(try line.plugin.delivery().detail.contains("the voice is missing"))
    #expect(try line.notify(attempt: 2) == "taken")
    for _ in 0..<4 {
      let (id, _) = try line.speechRequest()
      try line.plugin.process.write(RPCLine.result(id: id, ["path": "/nowhere/a.wav"]))
    }
    #expect(try line.plugin.delivery().detail.contains("readPaths"))
    #expect(try line.calls().isEmpty)
    let deaf = try ModemUnderTest(
      settings: ["voice": ["playbackDevice": "hw:nowhere"]], grants: ["service:speech"])
    #expect(try deaf.notifyByVoice() == "taken")
    for _ in 0..<4 {
      let request = try deaf.message("speech") {
        if case .request = $0.kind { true } else { false }
      }
      guard case .request(let id, _) = request.kind else { continue }
      try deaf.process.write(RPCLine.result(id: id, ["path": "/nowhere/a.wav"]))
    }
    #expect(try deaf.delivery().detail.contains("cannot be opened"))
  }

  @Test func theEmergencyServicesAreToldTwiceAndHangUpThemselves() throws {
    let line = try CallUnderTest(
      prepare: [["do": "voice", "kind": "deaf"], ["do": "answer"]], settings: ["emergency": true])
    #expect(try line.emergency() == "taken")
    try line.speak([.alarm])
    let sent = try line.plugin.delivery()
    #expect(sent.outcome == .sent && sent.recipient == "emergency" && sent.channel == "voice")
    #expect(try line.plugin.delivery().outcome == .delivered)
    #expect(try Eventually.holds(withinSeconds: 30) { try line.said() == [.alarm, .alarm] })
    #expect(try line.isCalling())
    try line.plugin.control(["do": "hang-up-there"])
    try line.expectTheLineToBeFree()
    #expect(try line.calls().map { $0["number"] as? String } == ["112"])
  }

  @Test func anEmergencyCallGoesBeforeACallThatStillRings() throws {
    let line = try CallUnderTest(settings: ["emergency": true])
    #expect(try line.notify() == "taken")
    try line.speak()
    #expect(try line.plugin.delivery().outcome == .sent)
    try line.plugin.control(["do": "answer", "ends_after": 1])
    #expect(try line.emergency() == "taken")
    try line.speak([.alarm])
    #expect(try line.plugin.delivery().recipient == "emergency")
    #expect(try line.plugin.delivery().outcome == .delivered)
    try line.speak()
    #expect(
      try Eventually.holds(withinSeconds: 30) {
        try line.calls().map { $0["number"] as? String }
          == [CallUnderTest.anna, "112", CallUnderTest.anna]
      })
  }

  @Test func anEmergencyCallThatIsNotAllowedOrNotAnsweredIsToldSo() throws {
    #expect(try CallUnderTest().emergency().contains("switched off"))
    let line = try CallUnderTest(
      prepare: [["do": "no-answer", "outcome": "busy"]], settings: ["emergency": true])
    #expect(try line.emergency("+4711").contains("2 through 4 digits"))
    #expect(try line.emergency() == "taken")
    try line.speak([.alarm])
    #expect(try line.plugin.delivery().outcome == .sent)
    #expect(try line.plugin.delivery().detail == "the line is busy")
  }
}

extension ModemUnderTest {
  /// Asks to call a guardian; gives the answer's outcome, or its detail when it failed.
  func notifyByVoice() throws -> String {
    let message = AlarmMessage(
      alarm: "alarm-1", tag: "A7K2", notice: .alarm, guardian: "anna", channel: .voice,
      address: "+4791234567", attempt: 1, text: "SOS", spokenText: "help", language: "en",
      asksForAcknowledgement: true)
    return try outcome(call(PluginMethod.notify, message.json))
  }
}
