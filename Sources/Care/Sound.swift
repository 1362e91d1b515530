public import JSON

/// Which sound goes before which; a higher one pre-empts a lower one at the next period.
public enum SoundPriority: String, Hashable, Sendable, CaseIterable, Comparable {
  /// An acknowledging chime, the time of day.
  case chime
  /// A reminder, a spoken message.
  case reminder
  /// A fake call.
  case call
  /// An alarm.
  case emergency

  /// The chime is lowest, the emergency highest.
  public static func < (left: SoundPriority, right: SoundPriority) -> Bool {
    left.rank < right.rank
  }

  private var rank: Int { SoundPriority.allCases.firstIndex(of: self) ?? 0 }
}

/// A sentence to be spoken.
public struct Sentence: Hashable, Sendable {
  /// The words.
  public var text: String
  /// Language as BCP 47 has it: `en` or `zh`.
  public var language: String

  /// A sentence from its parts.
  public init(_ text: String, language: String) {
    self.text = text
    self.language = language
  }
}

/// One piece of what sounds.
public enum SoundPart: Hashable, Sendable {
  /// A synthesised pattern by its name (`sos`, `high`, `medium`, `low`, `cancel`, `reminder`, `ring-gb`, …).
  case pattern(String)
  /// A spoken sentence.
  case speech(Sentence)
  /// The time of day in an IANA zone, spoken.
  case clock(timeZone: String, language: String)
  /// A WAV file by its absolute path.
  case file(String)
  /// What somebody said and sent.
  case recording(RecordingID)
  /// Silence.
  case pause(milliseconds: Int64)
}

/// Something to sound in the room.
public struct SoundRequest: Hashable, Sendable {
  /// Names the sound, so that it can be stopped and reported; a new one of the same id replaces the old one.
  public var id: SoundID
  /// What goes before what.
  public var priority: SoundPriority
  /// What sounds, in order.
  public var parts: [SoundPart]
  /// How often all parts sound: nil until it is stopped.
  public var repetitions: Int?
  /// Silence between repetitions.
  public var pauseMilliseconds: Int64
  /// Level of each step in dB beside full scale; the last one holds on.
  public var levelsDecibels: [Double]
  /// How long each level lasts before the next.
  public var levelStepSeconds: Int64

  /// A request from its parts; by default once, at full level.
  public init(
    id: SoundID, priority: SoundPriority, parts: [SoundPart], repetitions: Int? = 1,
    pauseMilliseconds: Int64 = 0, levelsDecibels: [Double] = [0], levelStepSeconds: Int64 = 10
  ) {
    self.id = id
    self.priority = priority
    self.parts = parts
    self.repetitions = repetitions
    self.pauseMilliseconds = pauseMilliseconds
    self.levelsDecibels = levelsDecibels
    self.levelStepSeconds = levelStepSeconds
  }
}

/// What became of a sound.
public struct SoundReport: Hashable, Sendable {
  /// What became of it.
  public enum Outcome: String, Hashable, Sendable, CaseIterable {
    /// It began to sound.
    case started
    /// All of it sounded.
    case finished
    /// It was stopped, replaced or pre-empted by a higher one for good.
    case stopped
    /// There is no way to sound it.
    case failed
    /// What is left of it is about to sound, without words that nobody could speak; no alarm is told of so.
    case wordless

    /// Whether nothing more is heard of it.
    public var isEnd: Bool {
      switch self {
      case .started, .wordless: false
      case .finished, .stopped, .failed: true
      }
    }
  }

  /// The sound.
  public var sound: SoundID
  /// What became of it.
  public var outcome: Outcome

  /// A report from its parts.
  public init(sound: SoundID, outcome: Outcome) {
    self.sound = sound
    self.outcome = outcome
  }
}

extension SoundPart {
  /// The part as an object.
  public var json: JSONValue {
    switch self {
    case .pattern(let name): ["pattern": .string(name)]
    case .speech(let sentence):
      ["speech": .string(sentence.text), "language": .string(sentence.language)]
    case .clock(let timeZone, let language):
      ["clock": .string(timeZone), "language": .string(language)]
    case .file(let path): ["file": .string(path)]
    case .recording(let id): ["recording": .string(id.rawValue)]
    case .pause(let milliseconds): ["pause": .integer(milliseconds)]
    }
  }
}

extension SoundRequest {
  /// The request as an object.
  public var json: JSONValue {
    .object([
      "id": .string(id.rawValue), "priority": .string(priority.rawValue),
      "parts": .array(parts.map(\.json)),
      "repetitions": repetitions.map { .integer(Int64($0)) },
      "pauseMilliseconds": .integer(pauseMilliseconds),
      "levels": .array(levelsDecibels.map { .number($0) }),
      "levelStepSeconds": .integer(levelStepSeconds),
    ])
  }
}
