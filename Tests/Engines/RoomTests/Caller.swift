import Care
import JSON
import Moments
import Testing

@testable import Room

/// What a fake call is told in a test.
enum FakeCallInput {
  /// Somebody wants a call for a resident, whose settings hold the rest.
  case start(
    resident: ResidentID, afterSeconds: Int64, country: String, language: String,
    recording: String?)
  case answer
  case end
  case sound(SoundReport)
  case alarmBegan
  case time

  /// The same as the engine is told it.
  var input: Input {
    switch self {
    case .start(let resident, let seconds, _, _, _):
      RoomScene.asked(.startFakeCall(resident: resident, afterSeconds: seconds))
    case .answer: RoomScene.asked(.answerFakeCall)
    case .end: RoomScene.asked(.endFakeCall)
    case .sound(let report): .observed(.sound(report))
    case .alarmBegan: .signalled(.alarmBegan)
    case .time: .time
    }
  }
}

extension RoomEngine {
  /// What the call is doing.
  var stage: FakeCall.Stage { call.stage }

  /// All rows that it stores.
  var rows: [EngineRow] {
    var state = StoredState()
    store(in: &state)
    return state.engineRows
  }
}

/// A fake call with its clock and its store, played by a test.
struct Caller {
  var engine: RoomEngine
  var now: Moment
  private let boot: BootID
  private var house = House(
    residents: ["mary", "joe"].map { Resident(id: $0, name: "\($0)", timeZone: "Etc/UTC") })
  private(set) var stored: [EngineRow] = []
  private(set) var told: [String] = []
  private(set) var actions: [Action] = []
  private(set) var residents: [ResidentID?] = []

  static let boot: BootID = "boot-1"

  init(rows: [EngineRow] = [], boot: BootID = boot, at now: Moment = Caller.noon) {
    engine = RoomEngine(
      stored: StoredState(engineRows: rows), seed: 1, in: World(now: now, house: house, boot: boot))
    self.boot = boot
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
    if case .start(let resident, _, let country, let language, let recording) = input {
      house.settings[resident] = [
        "fakeCallCountry": .string(country), "language": .string(language),
        "fakeCallScript": .string(recording ?? ""),
      ]
    }
    let world = World(now: now, house: house, boot: boot)
    let outcome = try engine.handle(input.input, in: world) ?? Outcome()
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
