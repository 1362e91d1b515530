import Bytes
import Care
import Moments
import Testing

@testable import homeward_plugin_sms_modem

/// The course of one call, in made-up time.
@Suite struct VoiceCallTests {
  static let mailbox = VoiceCall.mailbox
  private static let start = Tick.seconds(100)

  private static func plan(emergency: Bool = false, acknowledges: Bool = true) -> VoiceCall.Plan {
    VoiceCall.Plan(
      isEmergency: emergency, acknowledges: acknowledges, acceptKey: "5",
      ringMilliseconds: 25_000, keyMilliseconds: 30_000)
  }

  /// Feeds what happens one second after the other; gives all that is to be done.
  private func actions(
    _ inputs: [VoiceCall.Input], plan: VoiceCall.Plan = plan(), thenTicks: Int = 0
  ) -> [VoiceCall.Action] {
    var call = VoiceCall(plan)
    var now = Self.start
    var actions: [VoiceCall.Action] = []
    for input in inputs {
      actions += call.handle(input, at: now)
      now = now.advanced(byMilliseconds: 1000)
    }
    for _ in 0..<thenTicks {
      guard let deadline = call.nextDeadline else { break }
      #expect(call.tick(at: deadline.advanced(byMilliseconds: -1)).isEmpty)
      actions += call.tick(at: deadline)
    }
    return actions
  }

  private let over = VoiceCall.Action.finish(isPostponed: false)

  @Test func theKeyAcknowledgesOnceAndTheLineIsLeft() {
    #expect(
      actions([
        .dialled, .line(.dialling), .line(.alerting), .line(.alerting), .line(.active),
        .line(.active), .key("4"), .key("5"), .key("5"), .noted(true), .key("5"), .played,
        .line(.gone), .played,
      ]) == [
        .tell(.sent, ""), .speak(.alarm), .speak(.nothing), .tell(.delivered, "took charge by key"),
        .acknowledge, .speak(.thanks), .hangUp, over,
      ])
  }

  @Test func aGatewayThatDoesNotAnswerIsNotThankedFor() {
    let pressed: [VoiceCall.Input] = [.dialled, .line(.active), .key("5")]
    let ticked = actions(pressed, thenTicks: 2)
    #expect(ticked.suffix(3) == [.speak(.sorry), .hangUp, over])
    #expect(!actions(pressed + [.noted(false)]).contains(.speak(.thanks)))
  }

  @Test func eachWayToFailIsToldOnceWithItsReason() {
    let ways: [([VoiceCall.Input], Int, String)] = [
      ([.refused("no")], 0, "no"), ([.dialled], 1, "nobody answered"),
      ([.dialled, .ended("the line is busy")], 0, "the line is busy"),
      ([.dialled, .line(.gone)], 0, "the call was declined or not put through"),
      ([.dialled, .line(.active)], 1, VoiceCall.mailbox),
      ([.dialled, .line(.active), .key("6")], 1, VoiceCall.mailbox),
      (
        [.dialled, .line(.active), .line(.gone)], 0, "answered, and hung up without pressing a key"
      ),
      ([.dialled, .line(.active), .soundFailed("x")], 0, "x"),
      ([.dialled, .modemFailed], 0, "the modem stopped answering during the call"),
    ]
    for (inputs, ticks, reason) in ways {
      let done = actions(
        inputs + Array(repeating: .line(.gone), count: ticks == 0 ? 2 : 0), thenTicks: ticks)
      #expect(
        done.filter { if case .tell(.failed, _) = $0 { true } else { false } }
          == [.tell(.failed, reason)])
      #expect(done.last == over)
    }
  }

  @Test func whatTheModemLosesAfterTheKeyIsNoFailure() {
    for last: VoiceCall.Input in [.modemFailed, .line(.gone)] {
      let done = actions([.dialled, .line(.active), .key("5"), .noted(true), last])
      #expect(!done.contains { if case .tell(.failed, _) = $0 { true } else { false } })
      #expect(done.last == over)
    }
  }

  @Test func theEmergencyServicesAreToldTwiceAndNotHungUpOnForTenMinutes() {
    let plan = Self.plan(emergency: true, acknowledges: false)
    let begun: [VoiceCall.Input] = [
      .dialled, .line(.alerting), .displaced, .line(.active), .key("5"), .played,
      .soundFailed("x"),
    ]
    let told: [VoiceCall.Action] = [
      .tell(.sent, ""), .tell(.delivered, "the emergency services answered"), .speak(.twice),
    ]
    #expect(actions(begun, plan: plan) == told)
    #expect(actions(begun + [.line(.gone)], plan: plan) == told + [over])
    #expect(actions(begun, plan: plan, thenTicks: 1) == told + [.hangUp, over])
  }

  @Test func onlyACallThatNobodyTookGivesWay() {
    #expect(actions([.dialled, .displaced]) == [.hangUp, .finish(isPostponed: true)])
    #expect(actions([.dialled, .line(.active), .displaced]).last == .speak(.alarm))
  }
}

@Suite struct CallNewsTests {
  @Test(arguments: [
    ("+DTMF: 5", "5"), ("+DTMF:*", "*"), ("+RXDTMF: #", "#"), ("^DDTMF: 0", "0"),
    ("+QTONEDET: 53", "5"), ("+QTONEDET: 42", "*"), ("+DTMF: \"5\",120", "5"),
  ])
  func keysAreReadInEveryMakersWay(words: String, key: Character) {
    #expect(CallNews(words) == .key(key))
  }

  @Test(arguments: [
    "", "+DTMF:", "+DTMF: ", "+DTMF: 55", "+DTMF: A", "+QTONEDET: 65", "+QTONEDET: 999999", "+CMTI",
    "+QTONEDET: -5", "^SYSSTART", "😀", "BUSY NOW",
  ])
  func whatIsNoNewsIsNone(words: String) { #expect(CallNews(words) == nil) }

  @Test func endsAndChangesAreTold() {
    #expect(CallNews("BUSY") == .busy)
    #expect(CallNews("NO ANSWER") == .unanswered)
    for words in ["NO CARRIER", "VOICE CALL: END: 000012", "^CEND:1,0,29,17", "^CONN:1,0"] {
      #expect(CallNews(words) == .changed)
    }
    #expect(CallNews("RING") == .ringing)
  }

  @Test func theListOfCallsIsReadForOurOwn() {
    func state(_ lines: String...) -> CallState { CallState(listed: lines) }
    #expect(state() == .gone)
    #expect(state("+CLCC: 1,0,2,0,0,\"112\",129") == .dialling)
    #expect(state("+CLCC: 1,0,3,0,0,\"+4791234567\",145") == .alerting)
    #expect(state("+CLCC: 1,1,4,0,0,\"+4791234567\",145", "+CLCC: 2,0,0,0,0") == .active)
    // Somebody calls us, a data call, and nonsense.
    #expect(state("+CLCC: 1,1,0,0,0", "+CLCC: 1,0,0,1,0", "+CLCC:", "+CLCC: 1,0,9,0") == .gone)
  }
}

@Suite struct WaveClipTests {
  @Test func aFileIsReadWholeAndNoPartOfItTraps() throws {
    let file = [UInt8](CallUnderTest.waveFile(hertz: 400, seconds: 0.05))
    let clip = try WaveClip(waveFile: file)
    #expect(clip.rate == 22_050 && clip.samples.count == 1102 && clip.milliseconds == 49)
    for count in 0..<46 {
      #expect(throws: DecodeError.self) { try WaveClip(waveFile: Array(file.prefix(count))) }
    }
    for index in 0..<44 {
      for value: UInt8 in [0, 1, 0x7F, 0xFF] {
        var broken = file
        broken[index] = value
        _ = try? WaveClip(waveFile: broken)
      }
    }
  }

  @Test(arguments: [8000, 16_000, 22_050, 44_100, 48_000])
  func wordsLastAsLongAtEveryRate(rate: Int) throws {
    let file = [UInt8](CallUnderTest.waveFile(hertz: 400, seconds: 0.5))
    let clip = try WaveClip(waveFile: file).resampled(to: rate)
    #expect(clip.rate == rate && (499...500).contains(clip.milliseconds))
    let crossings = zip(clip.samples, clip.samples.dropFirst()).count { $0 < 0 && $1 >= 0 }
    #expect((198...201).contains(crossings))
    #expect((9000...10_000).contains(clip.samples.max() ?? 0))
  }
}
