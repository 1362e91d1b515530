public import Moments
public import Texts

/// What a device saw.
public enum Observation: Hashable, Sendable {
  /// A GPS receiver reported an epoch.
  case fix(FixReport)
  /// A compass that is fixed to a GPS receiver says where it looks.
  case heading(HeadingReport)
  /// A watched part changed its health, or repeats it.
  case health(HealthReport)
  /// The wall clock became trusted, lost trust, or stepped.
  case clock(ClockReport)
  /// A plugin says what became of an event on the way to a person.
  case delivery(DeliveryReport)
  /// A button was pressed.
  case button(ButtonReport)
  /// A photograph was taken, or could not be.
  case photo(PhotoReport)
  /// A sound began, ended or failed.
  case sound(SoundReport)
  /// A tag was heard.
  case sighting(TagSighting)
  /// A device began or ceased to listen for tags.
  case listening(SourceID, isListening: Bool)
  /// Readings were fetched from a meter; what it measures is known to the feature that reads them.
  case meter(FeatureValue)
  /// What became of a question to the map; the answer is known to the feature that asked.
  case map(FeatureValue)
  /// Plugins began or ceased to take messages to people.
  case ways(WaysReport)
}

/// Where a compass looks.
public struct HeadingReport: Hashable, Sendable {
  /// The GPS receiver that it moves with.
  public var receiver: SourceID
  /// Degrees clockwise from magnetic north, from 0 and below 360, of the compass's own front; how it is worn nobody knows.
  public var degrees: Double

  /// A report from its parts.
  public init(receiver: SourceID, degrees: Double) {
    self.receiver = receiver
    self.degrees = degrees
  }
}

/// How well a watched part does.
public enum HealthState: String, Hashable, Sendable, CaseIterable {
  /// Not configured or not needed; nothing is wrong.
  case unused
  /// On its way up.
  case starting
  /// Working, with a recent sign of life.
  case working
  /// Working in part; the detail says what is missing.
  case degraded
  /// Not working.
  case failed
}

/// The health of one part, with a reason that a person can act on.
public struct HealthReport: Hashable, Sendable {
  /// The part.
  public var component: ComponentID
  /// How well it does.
  public var state: HealthState
  /// A stable word for the reason, such as `no-report`, `no-fix`, `disconnected`; empty when working.
  public var code: String
  /// One plain sentence; says what to do next when something is wrong.
  public var detail: Message
  /// Whether the sentence names people or what is theirs, so that it goes neither to the log nor to the page that anybody
  /// on the machine may read.
  public var namesPeople = false

  /// A report from its parts.
  public init(
    component: ComponentID, state: HealthState, code: String = "",
    detail: Message = Message(verbatim: "")
  ) {
    self.component = component
    self.state = state
    self.code = code
    self.detail = detail
  }
}

/// A change of the wall clock.
public struct ClockReport: Hashable, Sendable {
  /// What vouches for the clock now.
  public var quality: TimeQuality
  /// How far the wall clock stepped against the monotonic clock, in milliseconds; 0 for none.
  public var stepMilliseconds: Int64

  /// A report from its parts.
  public init(quality: TimeQuality, stepMilliseconds: Int64 = 0) {
    self.quality = quality
    self.stepMilliseconds = stepMilliseconds
  }
}

/// What became of one event on one channel towards one recipient.
public struct DeliveryReport: Hashable, Sendable {
  /// How far it came.
  public enum Outcome: String, Hashable, Sendable, CaseIterable {
    /// A transport took it.
    case sent
    /// A receipt came back.
    case delivered
    /// It will not arrive this way.
    case failed
  }

  /// The plugin that reports.
  public var plugin: String
  /// The event concerned.
  public var event: EventID
  /// Who it was for, as the plugin names them.
  public var recipient: String
  /// How it travelled (`sms`, `push`, `mail`).
  public var channel: String
  /// How far it came.
  public var outcome: Outcome
  /// Why, when it failed.
  public var detail: String
  /// What the message was about; nil when it was no message of an alarm.
  public var notice: AlarmNotice?
  /// The attempt that it is about; nil for the newest.
  public var attempt: Int64?

  /// A report from its parts.
  public init(
    plugin: String, event: EventID, recipient: String, channel: String, outcome: Outcome,
    detail: String = "", notice: AlarmNotice? = nil, attempt: Int64? = nil
  ) {
    self.attempt = attempt
    self.notice = notice
    self.plugin = plugin
    self.event = event
    self.recipient = recipient
    self.channel = channel
    self.outcome = outcome
    self.detail = detail
  }
}
