import Care
import Moments
import PluginKit

/// One call, without modem and sound: what happens and the time in, what is to be done out.
struct VoiceCall: Hashable, Sendable {
  /// What kind of call it is.
  struct Plan: Hashable, Sendable {
    /// Whether it goes to the emergency services: no key is asked for, and they hang up.
    var isEmergency: Bool
    /// Whether the key takes charge of the alarm.
    var acknowledges: Bool
    var acceptKey: Character
    var ringMilliseconds: Int64
    var keyMilliseconds: Int64
  }

  /// What happens.
  enum Input: Hashable, Sendable {
    /// The modem took the number.
    case dialled
    /// The modem did not, in words for people.
    case refused(String)
    /// How the call stands.
    case line(CallState)
    /// The network says why it ended.
    case ended(String)
    case key(Character)
    /// Whether the gateway took the acknowledgement.
    case noted(Bool)
    /// What was to be said has been said.
    case played
    case soundFailed(String)
    case modemFailed
    /// A call to the emergency services waits.
    case displaced
  }

  /// What is said on the line.
  enum Speech: Hashable, Sendable {
    /// The alarm and what to press, over and over.
    case alarm
    /// The alarm twice.
    case twice
    case thanks
    /// That the answer could not be noted.
    case sorry
    case nothing
  }

  /// What is to be done.
  enum Action: Hashable, Sendable {
    case speak(Speech)
    case hangUp
    case tell(DeliveryReport.Outcome, String)
    case acknowledge
    /// The call is over; `isPostponed` when it is to be made again.
    case finish(isPostponed: Bool)
  }

  /// How long an answer of the gateway is waited for, and a farewell may take.
  static let notingMilliseconds: Int64 = 5000
  static let partingMilliseconds: Int64 = 20_000
  /// How long the emergency services may take to answer, and may talk.
  static let emergencyRingMilliseconds: Int64 = 120_000
  static let emergencyMilliseconds: Int64 = 600_000
  static let mailbox = gettext("answered, but no key was pressed: it may have been a mailbox")

  private enum Stage: Hashable {
    case dialling
    case ringing
    case answered
    case noting
    case parting
    case holding
    case over
  }

  private let plan: Plan
  private var stage = Stage.dialling
  private var hasToldSent = false
  /// When ``tick(at:)`` is due.
  private(set) var nextDeadline: Tick?

  /// A call that is about to be dialled.
  init(_ plan: Plan) { self.plan = plan }

  /// Whether it may give way: nobody has answered yet.
  var mayGiveWay: Bool { !plan.isEmergency && (stage == .dialling || stage == .ringing) }

  /// Takes what happened.
  mutating func handle(_ input: Input, at now: Tick) -> [Action] {
    guard stage != .over else { return [] }
    switch input {
    case .dialled: return dialled(at: now)
    case .refused(let reason): return fail(reason, hangsUp: false)
    case .line(let state): return line(state, at: now)
    case .ended(let reason): return isUnanswered ? fail(reason, hangsUp: false) : hungUp()
    case .key(let key): return pressed(key, at: now)
    case .noted(let isTaken):
      return stage == .noting ? part(isTaken ? .thanks : .sorry, at: now) : []
    case .played: return stage == .parting ? [.hangUp] + finish() : []
    case .soundFailed(let reason): return soundFailed(reason)
    case .modemFailed:
      let isOpen = isUnanswered || stage == .answered
      return isOpen
        ? fail(gettext("the modem stopped answering during the call"), hangsUp: false) : finish()
    case .displaced: return mayGiveWay ? [.hangUp] + finish(isPostponed: true) : []
    }
  }

  /// Ends what took too long.
  mutating func tick(at now: Tick) -> [Action] {
    guard let nextDeadline, nextDeadline <= now else { return [] }
    self.nextDeadline = nil
    switch stage {
    case .dialling, .ringing: return fail(gettext("nobody answered"), hangsUp: true)
    case .answered: return fail(Self.mailbox, hangsUp: true)
    case .noting: return part(.sorry, at: now)
    case .parting, .holding: return [.hangUp] + finish()
    case .over: return []
    }
  }

  // MARK: The line

  private var isUnanswered: Bool { stage == .dialling || stage == .ringing }

  private mutating func dialled(at now: Tick) -> [Action] {
    guard stage == .dialling else { return [] }
    stage = .ringing
    let patience = plan.isEmergency ? Self.emergencyRingMilliseconds : plan.ringMilliseconds
    nextDeadline = now.advanced(byMilliseconds: patience)
    return plan.isEmergency ? sent() : []
  }

  private mutating func sent() -> [Action] {
    guard !hasToldSent else { return [] }
    hasToldSent = true
    return [.tell(.sent, "")]
  }

  private mutating func line(_ state: CallState, at now: Tick) -> [Action] {
    switch state {
    case .dialling: return []
    case .alerting: return isUnanswered ? sent() : []
    case .active: return isUnanswered ? answered(at: now) : []
    case .gone:
      return isUnanswered
        ? fail(gettext("the call was declined or not put through"), hangsUp: false) : hungUp()
    }
  }

  private mutating func answered(at now: Tick) -> [Action] {
    let isSent = sent()
    if plan.isEmergency {
      stage = .holding
      nextDeadline = now.advanced(byMilliseconds: Self.emergencyMilliseconds)
      return isSent + [
        .tell(.delivered, gettext("the emergency services answered")), .speak(.twice),
      ]
    }
    stage = .answered
    nextDeadline = now.advanced(byMilliseconds: plan.keyMilliseconds)
    return isSent + [.speak(.alarm)]
  }

  private mutating func hungUp() -> [Action] {
    stage == .answered
      ? fail(gettext("answered, and hung up without pressing a key"), hangsUp: false) : finish()
  }

  // MARK: Keys and sound

  private mutating func pressed(_ key: Character, at now: Tick) -> [Action] {
    guard stage == .answered, key == plan.acceptKey else { return [] }
    guard plan.acknowledges else {
      return [.tell(.delivered, gettext("heard, and confirmed by key"))] + part(.thanks, at: now)
    }
    stage = .noting
    nextDeadline = now.advanced(byMilliseconds: Self.notingMilliseconds)
    return [.speak(.nothing), .tell(.delivered, gettext("took charge by key")), .acknowledge]
  }

  private mutating func part(_ speech: Speech, at now: Tick) -> [Action] {
    stage = .parting
    nextDeadline = now.advanced(byMilliseconds: Self.partingMilliseconds)
    return [.speak(speech)]
  }

  private mutating func soundFailed(_ reason: String) -> [Action] {
    // Who hangs up on the emergency services is called back; the line itself still tells them of somebody.
    if plan.isEmergency { return [] }
    switch stage {
    case .dialling, .ringing, .answered: return fail(reason, hangsUp: true)
    case .parting: return [.hangUp] + finish()
    case .noting, .holding, .over: return []
    }
  }

  // MARK: The end

  private mutating func fail(_ reason: String, hangsUp: Bool) -> [Action] {
    (hangsUp ? [.hangUp] : []) + [.tell(.failed, reason)] + finish()
  }

  private mutating func finish(isPostponed: Bool = false) -> [Action] {
    stage = .over
    nextDeadline = nil
    return [.finish(isPostponed: isPostponed)]
  }
}
