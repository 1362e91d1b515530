import Care
import JSON
import Moments
import Texts

/// What is kept about residents beside alarms, and what follows from it.
extension AlarmState {
  /// Takes the position out of what other engines found; battery levels travel along.
  mutating func note(_ location: Signal.Location, of id: ResidentID, at now: Moment) {
    let known = care[id]?.position?.batteryPercent
    care[id, default: CareState()].position = KnownPosition(
      coordinate: location.coordinate, accuracyMeters: location.accuracyMeters,
      stamp: Stamp(now), batteryPercent: location.batteryPercent ?? known)
  }

  // MARK: What people set up

  /// Sets or removes a PIN of a resident.
  ///
  /// - Throws: a refusal where what was given is no PIN.
  mutating func setPIN(
    _ id: ResidentID, _ kind: PINKind, _ proof: Command.PINProof?, _ step: inout Step
  ) throws(CommandReply.Refusal) {
    let hash = try proof.newHash()
    care[id, default: CareState()].pins[kind.rawValue] = hash
    step.outcome.reply = ["kind": .string(kind.rawValue), "isSet": .bool(hash != nil)]
  }

  /// Confirms with a code that the emergency services of a resident may be contacted.
  ///
  /// - Throws: a refusal where nothing is offered any more.
  mutating func confirmEmergency(
    _ id: ResidentID, _ code: String, _ step: inout Step
  ) throws(CommandReply.Refusal) {
    var setup = care[id]?.emergency ?? EmergencySetup()
    let terms = try setup.confirm(code, at: step.now)
    care[id]?.emergency = setup
    step.outcome.reply = ["isEnabled": true, "profile": .string(terms.profile)]
  }

  /// The emergency services of a resident are not contacted any more.
  mutating func disableEmergency(_ id: ResidentID, _ step: inout Step) {
    care[id]?.emergency = nil
    step.outcome.reply = ["isEnabled": false]
  }

  // MARK: The calendar

  /// Whether the monthly test of a resident is due; from now on it counts as done.
  mutating func takeMonthlyTest(of id: ResidentID, _ local: CivilDateTime) -> Bool {
    guard let last = care[id]?.lastTestDay else {
      // The month begins with the first day known, not with a test.
      care[id, default: CareState()].lastTestDay = local.daysSinceEpoch
      return false
    }
    guard TestCalendar.isDue(last, TestCalendar.monthDays, local), !isInDanger(id) else {
      return false
    }
    care[id, default: CareState()].lastTestDay = local.daysSinceEpoch
    return true
  }

  /// Whether the weekly test of the sound is due; from now on it counts as done.
  mutating func takeSoundTest(_ local: CivilDateTime) -> Bool {
    guard let last = selfTest.lastDay else {
      selfTest.lastDay = local.daysSinceEpoch
      return false
    }
    let isBusy = alarms.contains { $0.isOpen && !$0.isDuress && $0.kind != .test }
    guard TestCalendar.isDue(last, TestCalendar.weekDays, local), !isBusy else { return false }
    selfTest.lastDay = local.daysSinceEpoch
    return true
  }

  /// Whether guardians are to be told that no way to any of them has proved to work, which they are each week anew; from
  /// now on it counts as done. It ends when one has.
  ///
  /// Such a notice that gets through is a proof itself. Where nobody can be reached there is nobody to tell: that is a
  /// fault of its own.
  mutating func takeUnproven(_ reach: Reach, _ local: CivilDateTime) -> Bool {
    let id = reach.resident
    guard reach.isKnown else { return false }
    if reach.isFresh { care[id]?.lastUnprovenDay = nil }
    // Whatever was never told is due at the next fit hour.
    let last = care[id]?.lastUnprovenDay ?? local.daysSinceEpoch - TestCalendar.weekDays
    guard !reach.isFresh, reach.isReachable, TestCalendar.isDue(last, TestCalendar.weekDays, local),
      !isInDanger(id)
    else { return false }
    care[id, default: CareState()].lastUnprovenDay = local.daysSinceEpoch
    return true
  }

  // MARK: Wrong tries

  /// What was wrong about a request that is done all the same: the wrong PIN that is once too often counts as duress, and
  /// looks like success.
  ///
  /// - Throws: that a PIN or code was wrong, and how many tries are left; with it the signal that counts the try.
  func wrongTry(
    _ request: AlarmRequest, _ proof: Command.PINProof?, sent: Tick, in house: House,
    at now: Moment
  ) throws(CommandReply.Refusal) -> Signal.WrongTry? {
    if case .confirmEmergency(let id, let code) = request {
      try care[id]?.emergency?.refuseWrongCode(code, of: id, at: now)
      return nil
    }
    guard case .cancel(let id, _, _) = request, proof.verdict == .wrong,
      let index = openSOS(id, sent) ?? somebodysSOS(sent)
    else { return nil }
    let wrong = Signal.WrongTry.pin(alarms[index].id)
    let left = house.alarmSettings(of: id).wrongPINLimit - alarms[index].wrongPINs - 1
    guard left > 0 else { return wrong }
    throw CommandReply.Refusal(
      .forbidden,
      Message(
        "That PIN is not right. {n} try is left.",
        plural: "That PIN is not right. {n} tries are left.", Int(left))
    ).counting(wrong)
  }

  mutating func count(_ wrong: Signal.WrongTry) {
    switch wrong {
    case .pin(let alarm):
      if let index = place(of: alarm) { alarms[index].wrongPINs += 1 }
    case .code(let resident): care[resident]?.emergency?.countWrongCode()
    case .password, .linkCode, .browser: break
    }
  }
}

extension CommandReply.Refusal {
  /// The refusal, with the try that counts although it was refused.
  func counting(_ wrong: Signal.WrongTry) -> CommandReply.Refusal {
    var refusal = self
    refusal.signals.append(.wrongTry(wrong))
    return refusal
  }
}
