import Care
import FakeCall
import JSON
import Moments
import Testing

/// A fake call with its clock and its store, played by a test.
struct Caller {
  var engine: FakeCallEngine
  var now: Moment
  private(set) var stored: [EngineRow] = []
  private(set) var told: [String] = []
  private(set) var actions: [Action] = []
  private(set) var residents: [ResidentID?] = []

  static let boot: BootID = "boot-1"

  init(rows: [EngineRow] = [], boot: BootID = boot, at now: Moment = Caller.noon) {
    engine = FakeCallEngine(rows: rows, boot: boot, at: now)
    self.now = now
    stored = rows
  }

  static let noon = Moment(
    tick: .seconds(1000), utc: .seconds(1_900_000_000), quality: .synchronised)

  static func start(
    _ seconds: Int64 = 0, resident: ResidentID = "mary", country: String = "GB",
    language: String = "en", recording: String? = nil
  ) -> FakeCallInput {
    .start(
      resident: resident, afterSeconds: seconds, country: country, language: language,
      recording: recording)
  }

  /// What the call was told to play last.
  var lastPlayed: SoundRequest? {
    actions.reversed().lazy.compactMap { action in
      if case .play(let request) = action { request } else { nil }
    }.first
  }

  var stopped: [SoundID] {
    actions.compactMap { if case .stopSound(let id) = $0 { id } else { nil } }
  }

  /// Ids of sounds that were begun and not stopped.
  var sounding: [SoundID] {
    actions.reduce(into: []) { sounding, action in
      switch action {
      case .play(let request): sounding.append(request.id)
      case .stopSound(let id): sounding.removeAll { $0 == id }
      default: break
      }
    }
  }

  mutating func tell(_ input: FakeCallInput) throws {
    let outcome = try engine.handle(input, at: now)
    for event in outcome.events {
      #expect(event.type == .fakeCallChanged && event.lane == .record)
      residents.append(event.resident)
      told.append(
        "\(event.facts["stage"]?.stringContent ?? "?") \(event.facts["reason"]?.stringContent ?? "?")"
      )
    }
    for change in outcome.changes { store(change) }
    actions += outcome.actions
    #expect(stored == engine.rows, "what is stored is what the engine says")
  }

  private mutating func store(_ change: StateChange) {
    switch change {
    case .putEngineRow(let row):
      stored.removeAll { $0.subject == row.subject && $0.name == row.name }
      stored.append(row)
    case .removeEngineRow(_, let subject, let name):
      stored.removeAll { $0.subject == subject && $0.name == name }
    default: Issue.record("a fake call changes nothing but its rows: \(change)")
    }
  }

  /// Lets time pass and wakes the engine at each tick that it asked for.
  mutating func wait(_ seconds: Int64) throws {
    let end = now.advanced(byMilliseconds: seconds * 1000)
    while let due = engine.nextWake, due <= end.tick {
      let step = max(0, due.milliseconds(since: now.tick))
      now = now.advanced(byMilliseconds: step)
      try tell(.time)
    }
    now = end
  }

  mutating func report(_ outcome: SoundReport.Outcome, _ sound: SoundID) throws {
    try tell(.sound(SoundReport(sound: sound, outcome: outcome)))
  }
}
