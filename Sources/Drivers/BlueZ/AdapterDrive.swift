import Loop
import Moments
import Ports

/// Keeps one adapter on and listening: decides what to ask it for next, and when it hangs.
///
/// An adapter that lets a call run out of time, or refuses three times in a row, is switched off and on: at once, then
/// after 30 s, and so on up to 15 minutes apart. One that has been silent for two minutes is asked to begin its search
/// anew, which reaches the controller itself: a quiet house is told from a dead radio.
struct AdapterDrive {
  /// What to ask the adapter for.
  enum Step: Hashable {
    case setPowered(Bool)
    case setFilter
    case startDiscovery
    case stopDiscovery
  }

  /// What it answered.
  enum Answer: Hashable {
    case done
    case timedOut
    /// The last part of the error's name, such as `NotReady`.
    case refused(String)
  }

  private static let patientRefusals = 3

  let patience: BlueZSource.Patience
  /// Tells it from an earlier one of the same adapter.
  let number: Int
  /// Whether it is to search all the time; false where the system's monitors do.
  var searches: Bool
  private(set) var condition = BluetoothAdapter.Condition.starting
  /// How often it was switched off and on without success.
  private(set) var resets = 0
  /// Between two of these.
  private var backoff: Backoff
  private var refusals = 0
  private var asked: Step?
  private var wake: (at: Tick, step: Step)?
  private var isPowered = false
  private var isSearching = false
  private var stillSince: Tick?
  private var lastSign = Tick(nanoseconds: 0)
  private var listeningSince = Tick(nanoseconds: 0)

  init(patience: BlueZSource.Patience, searches: Bool, number: Int = 0) {
    self.patience = patience
    backoff = Backoff(
      firstMilliseconds: patience.resetMilliseconds,
      longestMilliseconds: patience.longestResetMilliseconds)
    self.number = number
    self.searches = searches
  }

  /// When ``time(at:)`` is to be called.
  var nextWake: Tick? { wake?.at }
  /// Whether switching off and on has not helped.
  var isLasting: Bool { resets > 1 }

  /// Begins, or begins anew.
  mutating func begin(isPowered: Bool, at now: Tick) -> Step? {
    self.isPowered = isPowered
    guard asked == nil else { return nil }
    wake = nil
    return setUp(at: now)
  }

  private mutating func ask(_ step: Step) -> Step {
    asked = step
    return step
  }

  private mutating func setUp(at now: Tick) -> Step? {
    guard isPowered else { return ask(.setPowered(true)) }
    guard searches else {
      listen(at: now)
      return nil
    }
    return ask(.setFilter)
  }

  private mutating func listen(at now: Tick) {
    condition = .listening
    refusals = 0
    (lastSign, listeningSince) = (now, now)
    stillSince = isSearching ? nil : now
  }

  private mutating func rest(
    _ next: BluetoothAdapter.Condition, for milliseconds: Int64, at now: Tick
  ) {
    condition = next
    wake = (now.advanced(byMilliseconds: milliseconds), .setPowered(true))
  }

  /// Takes the answer to the last step, and says the next.
  mutating func answered(_ answer: Answer, at now: Tick) -> Step? {
    guard let step = asked else { return nil }
    asked = nil
    if step == .setPowered(false) {
      isPowered = false
      wake = (now.advanced(byMilliseconds: patience.pauseMilliseconds), .setPowered(true))
      return nil
    }
    switch answer {
    case .done: return succeeded(step, at: now)
    case .timedOut: return hang(at: now)
    case .refused(let word): return refused(step, word, at: now)
    }
  }

  private mutating func succeeded(_ step: Step, at now: Tick) -> Step? {
    switch step {
    case .setPowered(let isOn):
      isPowered = isOn
      return setUp(at: now)
    case .setFilter: return ask(.startDiscovery)
    case .stopDiscovery: return ask(.setFilter)
    case .startDiscovery:
      listen(at: now)
      return nil
    }
  }

  private mutating func refused(_ step: Step, _ word: String, at now: Tick) -> Step? {
    switch (step, word) {
    case (.stopDiscovery, _): return ask(.setFilter)
    case (.startDiscovery, "InProgress"): return succeeded(step, at: now)
    case (_, "Blocked"): rest(.blocked, for: patience.checkMilliseconds, at: now)
    case (_, "AccessDenied"), (_, "NotAuthorized"), (_, "NotPermitted"):
      rest(.forbidden, for: patience.checkMilliseconds, at: now)
    default:
      refusals += 1
      guard refusals < Self.patientRefusals else {
        refusals = 0
        return hang(at: now)
      }
      if word == "NotReady" { isPowered = false }
      // One refusal is usual while an adapter starts.
      let next: BluetoothAdapter.Condition = refusals == 1 ? .starting : .refusing
      rest(next, for: patience.restMilliseconds << refusals, at: now)
    }
    return nil
  }

  private mutating func hang(at now: Tick) -> Step? {
    condition = .hung
    resets += 1
    guard resets > 1 else { return ask(.setPowered(false)) }
    wake = (now.advanced(byMilliseconds: backoff.next()), .setPowered(false))
    return nil
  }

  /// Says the step whose time has come.
  mutating func time(at now: Tick) -> Step? {
    guard let due = wake, due.at <= now else { return nil }
    wake = nil
    return ask(due.step == .setPowered(true) && isPowered ? .setFilter : due.step)
  }

  /// Hears that the adapter is on or off, whoever did it.
  mutating func powerChanged(_ isOn: Bool, at now: Tick) -> Step? {
    guard isOn != isPowered else { return nil }
    isPowered = isOn
    guard asked == nil else { return nil }
    if isOn {
      // A pause between off and on ends when somebody else switches it on; one before a reset does not.
      guard wake?.step != .setPowered(false) else { return nil }
      wake = nil
      return setUp(at: now)
    }
    if wake == nil { rest(.starting, for: patience.restMilliseconds, at: now) }
    return nil
  }

  /// Hears that it searches, or that it does not.
  mutating func discoveryChanged(_ isOn: Bool, at now: Tick) {
    isSearching = isOn
    stillSince = isOn ? nil : now
  }

  /// Hears of an advertisement.
  mutating func heard(at now: Tick) {
    lastSign = now
    forgetResets()
  }

  private mutating func forgetResets() {
    resets = 0
    backoff.reset()
  }

  /// Looks whether it still does what it should; called every minute.
  ///
  /// - Parameter isBusy: whether a connection is being made or used, for which searches pause.
  mutating func check(isBusy: Bool, at now: Tick) -> Step? {
    guard asked == nil, wake == nil, condition == .listening, searches, !isBusy else { return nil }
    if now.milliseconds(since: listeningSince) >= patience.silenceMilliseconds * 2 {
      forgetResets()
    }
    let isStill =
      stillSince.map { now.milliseconds(since: $0) >= patience.checkMilliseconds } ?? false
    guard isStill || now.milliseconds(since: lastSign) >= patience.silenceMilliseconds else {
      return nil
    }
    return ask(.stopDiscovery)
  }
}
