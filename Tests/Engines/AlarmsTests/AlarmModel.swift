import Care

/// What must become of one resident's SOS, told in as few words as possible and without looking at the engine.
struct AlarmModel {
  enum Phase { case none, prealarm, told, taken, over }

  /// Guardians by tier, each with the number of ways that lead to them.
  let tiers: [GuardianID: Int]
  let ways: [GuardianID: [Guardian.Channel]]
  let caregivers: Set<GuardianID>
  let isSilent: Bool

  var phase = Phase.none
  var isDuress = false
  var since: Int64 = 0
  var tier = 0
  var wrongPINs = 0
  var takenBy: Set<GuardianID> = []

  /// Whether the alarm has been seen to need help and not been ended.
  var isOpen: Bool { phase == .prealarm || phase == .told || phase == .taken }

  /// The ways by which somebody must have been told so far.
  var told: Set<String> {
    guard phase == .told || phase == .taken || phase == .over else { return [] }
    let reached = tiers.filter { $0.value <= tier }.keys
    return Set(reached.flatMap { id in (ways[id] ?? []).map { "\(id)/\($0.rawValue)" } })
  }

  mutating func pass(to now: Int64) {
    if phase == .prealarm, now >= since + 10 { dispatch(now) }
    if phase == .told, now >= since + 180, tier < 2 {
      tier += 1
      since = now
    }
  }

  mutating func press(_ now: Int64) {
    switch phase {
    case .none, .over:
      self = AlarmModel(
        tiers: tiers, ways: ways, caregivers: caregivers, isSilent: isSilent)
      phase = .prealarm
      since = now
      if isSilent { dispatch(now) }
    case .prealarm, .told: break
    case .taken:
      phase = .told
      takenBy = []
      since = now
    }
  }

  private mutating func dispatch(_ now: Int64) {
    phase = .told
    tier = 1
    since = now
  }

  /// Whether somebody may take charge now; only a guardian of this resident, and only of what was told.
  ///
  /// Of one that looks over only who answers from their own phone knows.
  mutating func take(_ who: GuardianID, byPhone: Bool) -> Bool {
    guard !isDuress || byPhone, tiers[who] != nil, phase == .told || phase == .taken else {
      return false
    }
    phase = .taken
    takenBy.insert(who)
    return true
  }

  mutating func resolve(_ who: GuardianID) -> Bool {
    guard !isDuress, caregivers.contains(who), phase == .told || phase == .taken else {
      return false
    }
    phase = .over
    return true
  }

  /// Whether the cancel is answered as done.
  mutating func cancel(_ verdict: PINVerdict, _ now: Int64) -> Bool {
    guard isOpen else { return false }
    if isDuress {
      if verdict == .correct { phase = .over }
      return verdict == .correct
    }
    switch verdict {
    case .correct:
      phase = phase == .prealarm ? .none : .over
      return true
    case .notSet:
      guard phase == .prealarm else { return false }
      phase = .none
      return true
    case .wrong:
      wrongPINs += 1
      guard wrongPINs >= 5 else { return false }
    case .duress: break
    }
    isDuress = true
    if phase == .prealarm {
      return {
        dispatch(now)
        return true
      }()
    }
    phase = .told
    takenBy = []
    since = now
    return true
  }
}
