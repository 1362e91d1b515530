public import Care
import Moments

/// What is usual for each kind of tag.
extension Tag.Kind {
  /// Seconds without a sign after which a tag of this kind is away.
  ///
  /// A home tag is asked whether somebody went out, so it is given up soonest; tags on things save their battery by
  /// advertising rarely while they lie still.
  public var usualAwaySeconds: Int64 {
    switch self {
    case .home, .room: 60
    case .companion, .person: 90
    case .keys, .wallet, .thing: 120
    case .caregiver: 180
    }
  }

  /// Hours without a sign after which somebody is told; nil for people, who come and go.
  public var usualSilentHours: Int64? {
    switch self {
    case .home, .room: 24
    case .keys, .wallet: 48
    case .thing: 168
    case .companion, .caregiver, .person: nil
    }
  }

  /// Whether the resident should have it along outside.
  public var isUsuallyTakenAlong: Bool {
    switch self {
    case .keys, .wallet, .companion: true
    case .home, .room, .caregiver, .person, .thing: false
    }
  }

  /// Whether it stands for a person whose company is noted.
  public var isPerson: Bool {
    switch self {
    case .companion, .caregiver, .person: true
    case .home, .room, .keys, .wallet, .thing: false
    }
  }

  /// Whether it stays where it is when the resident goes out.
  var staysAtHome: Bool { self == .home || self == .room }
}

extension Tag {
  /// What its presence is judged by.
  func rules(_ settings: ProximitySettings) -> LinkRules {
    LinkRules(
      thresholds: calibration ?? .usual, awaySeconds: awaySeconds ?? kind.usualAwaySeconds,
      holdSeconds: settings.holdSeconds)
  }

  /// Milliseconds of silence after which somebody is told; nil for never.
  var silentMilliseconds: Int64? {
    (silentHours ?? kind.usualSilentHours).map { $0.multipliedClamped(by: 3_600_000) }
  }

  /// Whether the resident should have it along outside.
  var belongsAlong: Bool { isTakenAlong ?? kind.isUsuallyTakenAlong }
}
