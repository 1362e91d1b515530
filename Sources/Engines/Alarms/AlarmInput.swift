public import Care
public import JSON
public import Moments
public import Texts

/// What the engine is told beside what people ask of it.
public enum AlarmInput: Hashable, Sendable {
  /// Another engine found something in this step: `zone.left`, `position.unknown`, `fix.accepted`, `fault.raised`, …
  case noticed(EventDraft)
  /// What became of a message.
  case delivery(DeliveryReport)
  /// Plugins began or ceased to offer ways to people.
  case ways(WaysReport)
  /// A photograph came, or could not be taken.
  case photo(PhotoReport)
  /// A sound began, ended or failed.
  case sound(SoundReport)
  /// A button went down, got stuck or came loose; its other gestures come as requests.
  case button(ButtonReport, ResidentID?)
  /// Residents came, went or changed.
  case residentsChanged([Resident])
  /// Guardians came, went or changed.
  case guardiansChanged([Guardian])
  /// Settings of a resident changed; all that differ from the default.
  case settingsChanged(ResidentID, [String: JSONValue])
  /// A resident refused to be located: the last position is not told any more.
  case locationRefused(ResidentID)
  /// The gateway started; what was open goes on.
  case started
  /// The tick that the engine asked for has come.
  case time
}

/// What follows from an input.
public struct AlarmOutcome: Hashable, Sendable {
  /// What happened, in order.
  public var events: [EventDraft] = []
  /// What must be stored in the same transaction.
  public var changes: [StateChange] = []
  /// What to do outside now.
  public var actions: [Action] = []
  /// The answer to a request.
  public var reply: JSONValue = .object([])

  /// An outcome in which nothing happened.
  public init() {}
}

/// When it is, for the clock and for people.
public struct AlarmContext: Hashable, Sendable {
  /// Both clocks.
  public var now: Moment
  /// Local time of each resident whose zone is known, while the clock is trusted.
  public var localTimes: [ResidentID: CivilDateTime]
  /// The language of what concerns the gateway and no resident.
  public var language: Language

  /// A context from its parts.
  public init(
    now: Moment, localTimes: [ResidentID: CivilDateTime] = [:], language: Language = .en
  ) {
    self.language = language
    self.now = now
    self.localTimes = localTimes
  }
}
