import Loop

/// What is tried, one after the other, with a modem that does not answer.
struct ResetLadder: Hashable, Sendable {
  /// One measure.
  enum Rung: Int, Hashable, Sendable, CaseIterable {
    /// Ask whether it is there.
    case probe
    /// Its radio off and on.
    case radio
    /// Its settings as they left the factory, which some need before messages work.
    case defaults
    /// The port closed and opened.
    case reopen
    /// The power of its USB port off and on.
    case power
    /// Somebody has to look at it; tried again later.
    case hands
  }

  /// Measures taken so far beyond asking, for people.
  private(set) var resets = 0
  private var upcoming = Rung.probe
  private var backoff = Backoff(firstMilliseconds: 30_000, longestMilliseconds: 300_000)
  /// How long ``Rung/hands`` lasts: 30 s, doubled each round, at most 5 minutes.
  private(set) var restMilliseconds: Int64 = 30_000

  /// The modem works.
  mutating func recovered() {
    upcoming = .probe
    backoff.reset()
  }

  /// The next measure; `power` only where the port's power can be switched.
  mutating func next(canSwitchPower: Bool) -> Rung {
    let rung = upcoming == .power && !canSwitchPower ? .hands : upcoming
    if rung == .hands { restMilliseconds = backoff.next() }
    // The second round begins with the port: what did not help before will not help a minute later.
    upcoming = rung == .hands ? .reopen : Rung(rawValue: rung.rawValue + 1) ?? .hands
    if rung != .probe, rung != .hands { resets += 1 }
    return rung
  }

  /// Starts at a later rung, for a modem that answers and does not work.
  mutating func begin(at rung: Rung) { upcoming = rung }
}
