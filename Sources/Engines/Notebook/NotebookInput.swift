public import Care
public import JSON
public import Moments
import Texts

/// What the notebook is told beside what people ask of it.
public enum NotebookInput: Hashable, Sendable {
  /// A sound began, ended or failed.
  case sound(SoundReport)
  /// The wall clock, a resident or a setting changed: what waits for the end of quiet hours is looked at again.
  case circumstancesChanged
  /// The tick that the engine asked for has come.
  case time
}

/// What follows from an input.
public struct NotebookOutcome: Hashable, Sendable {
  /// What happened, in order.
  public var events: [EventDraft] = []
  /// What must be stored in the same transaction.
  public var changes: [StateChange] = []
  /// What to do outside now.
  public var actions: [Action] = []
  /// The answer to a request.
  public var reply: JSONValue = .object([])
  /// Why a request was refused; what ``events`` tells of it is told all the same, and nothing else follows.
  public var refusal: CommandReply.Refusal?

  /// An outcome in which nothing happened.
  public init() {}
}

/// When it is, and who may be spoken to.
public struct NotebookContext: Hashable, Sendable {
  /// A resident as somebody who is spoken to.
  public struct Listener: Hashable, Sendable {
    /// What they are called.
    public var name: String
    /// Language of what is spoken, `en` or `zh`.
    public var language: String
    /// When the house is left in peace.
    public var quiet: Quiet

    /// A listener from their parts.
    public init(name: String, language: String, quiet: Quiet) {
      self.name = name
      self.language = language
      self.quiet = quiet
    }
  }

  /// Whether it is a time to leave somebody in peace.
  public enum Quiet: Hashable, Sendable {
    /// Nobody knows: the clock is not trusted, or the time zone is unknown.
    case unknown
    /// It may be spoken.
    case over
    /// Quiet hours, for so many more minutes.
    case minutes(Int)
  }

  /// Both clocks.
  public var now: Moment
  /// Everybody looked after.
  public var listeners: [ResidentID: Listener]

  /// A context from its parts.
  public init(now: Moment, listeners: [ResidentID: Listener]) {
    self.now = now
    self.listeners = listeners
  }

  /// When the quiet hours that hold for a resident end; nil when it may be spoken now, or nobody knows.
  func waitsUntil(_ resident: ResidentID) -> Timestamp? {
    guard case .minutes(let minutes) = listeners[resident]?.quiet else { return nil }
    let minute: Int64 = 60_000
    let begun = now.utc.milliseconds / minute * minute
    return Timestamp(milliseconds: begun).advanced(byMilliseconds: Int64(minutes) * minute)
  }

  /// The language that a resident is spoken to in, and in which it is told what became of their messages.
  func language(of resident: ResidentID) -> Language {
    Language(listeners[resident]?.language ?? "")
  }
}
