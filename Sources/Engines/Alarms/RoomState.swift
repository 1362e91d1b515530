import Moments

/// What an alarm does in the room, and what was said and silenced there.
struct RoomState: Hashable, Sendable {
  private(set) var phase = RoomPhase.quiet
  /// Since when the siren has sounded; nil where it has not.
  private(set) var sirenSince: Stamp?
  /// Whether a press silenced it.
  private(set) var isSilenced = false
  /// Whether the room was told that nobody can be reached.
  private(set) var hasSaidFailed = false

  init() {}

  /// As it is stored.
  init(phase: RoomPhase, sirenSince: Stamp?, isSilenced: Bool, hasSaidFailed: Bool) {
    self.phase = phase
    self.sirenSince = sirenSince
    self.isSilenced = isSilenced
    self.hasSaidFailed = hasSaidFailed
  }

  /// Takes what should be heard; answers what was heard before, or nil where nothing begins or ends.
  ///
  /// - Parameter isFailing: whether nobody can be reached; what is said again and again says so.
  mutating func settle(_ wanted: RoomPhase, isFailing: Bool, at now: Moment) -> RoomPhase? {
    let isNews = isFailing != hasSaidFailed
    hasSaidFailed = isFailing
    let before = phase
    guard wanted != before || isNews && wanted.isRepeated else { return nil }
    phase = wanted
    if wanted == .siren, sirenSince == nil { sirenSince = Stamp(now) }
    return before
  }

  /// Makes it quiet; answers whether something was heard.
  mutating func quieten() -> Bool {
    defer { phase = .quiet }
    return phase.isHeard
  }

  /// A press silences it until there is news.
  mutating func silence() { isSilenced = true }

  /// There is news: it may be heard again.
  mutating func endSilence() {
    guard isSilenced else { return }
    isSilenced = false
    sirenSince = nil
  }

  /// Everything is heard once more.
  mutating func startAnew() {
    phase = .quiet
    sirenSince = nil
  }

  /// What sounds once has sounded.
  mutating func finish() {
    if phase == .once { phase = .done }
  }

  mutating func mapStamps(_ change: (inout Stamp) -> Void) {
    guard var since = sirenSince else { return }
    change(&since)
    sirenSince = since
  }
}

/// What an alarm does in the room.
enum RoomPhase: String, Hashable, Sendable {
  /// Nothing, or stopped.
  case quiet
  /// The loud time in which an SOS can be cancelled.
  case prealarm
  /// The pattern of its priority, again and again, with speech.
  case siren
  /// Speech only, again and again.
  case speech
  /// Something that sounds once.
  case once
  /// It has sounded once.
  case done
}

extension RoomPhase {
  /// Whether something sounds that can be stopped.
  var isHeard: Bool {
    switch self {
    case .prealarm, .siren, .speech, .once: true
    case .quiet, .done: false
    }
  }

  /// Whether it goes on until it is stopped.
  var isRepeated: Bool {
    switch self {
    case .siren, .speech: true
    case .quiet, .prealarm, .once, .done: false
    }
  }
}
