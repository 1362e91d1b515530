import Care
import CivilTime
import JSON
import Moments
import Notebook
import Recurrence
import TestSupport
import Testing
import Texts

/// A notebook with its clock and its store, used by a test.
///
/// After every input a second notebook is made from what is stored, as after a power cut, and has to hold the same.
struct Household {
  var engine: NotebookEngine
  var now: Moment
  var quiet: World.Quiet = .over
  /// Who needs help, and whether a call is on.
  var need = World.Need()
  var isCallOn = false
  /// Whether the notebook goes on from what is stored after every input.
  var losesPower = false
  private(set) var notes: [NoteID: Note] = [:]
  private(set) var messages: [MessageID: ChatMessage] = [:]
  private(set) var pictures: [PictureID: Picture] = [:]
  private(set) var recordings: [RecordingID: Recording] = [:]
  /// Items of the routine that show a picture.
  private var items: [RoutineItemID: RoutineItem] = [:]
  private(set) var rows: [EngineRow] = []
  private(set) var events: [EventDraft] = []
  private(set) var actions: [Action] = []
  private(set) var removedPictures: [PictureID] = []
  private(set) var removedRecordings: [RecordingID] = []

  /// What the notebook is told beside what people ask of it.
  enum Told {
    /// A sound began, ended or failed.
    case sound(SoundReport)
    /// The wall clock was set, or became trusted.
    case circumstancesChanged
    /// The tick that the notebook asked for has come.
    case time

    var input: Input {
      switch self {
      case .sound(let report): .observed(.sound(report))
      case .circumstancesChanged: .observed(.clock(ClockReport(quality: .synchronised)))
      case .time: .time
      }
    }
  }

  static let boot: BootID = "boot-1"
  static let noon = Moment(
    tick: .seconds(1000), utc: .seconds(1_900_000_000), quality: .synchronised)
  static let anna = Principal(channel: .local, name: "anna")

  init(at now: Moment = Household.noon, losesPower: Bool = false) {
    engine = NotebookEngine(
      stored: StoredState(), seed: 0, in: World(now: now, house: House(), boot: Self.boot))
    self.now = now
    self.losesPower = losesPower
  }

  var world: World { world(boot: Self.boot) }

  private func world(boot: BootID) -> World {
    var world = World(now: now, house: house, boot: boot)
    world.need = need
    world.isCallOn = isCallOn
    return world
  }

  private var house: House {
    House(
      residents: [
        Resident(id: "mary", name: "Mary", timeZone: "Etc/UTC"),
        Resident(id: "ping", name: "萍", timeZone: "Etc/UTC"),
      ],
      settings: [
        "mary": ["quietHours": .string(quietHours)],
        "ping": ["quietHours": .string(quietHours), "language": "zh"],
      ],
      timeZones: quiet == .unknown ? [:] : ["Etc/UTC": .utc])
  }

  /// Quiet hours that began this minute, where it is quiet for so many more.
  private var quietHours: String {
    func text(_ minutes: Int) -> String {
      CivilDateTime(utc: now.utc.advanced(byMilliseconds: Int64(minutes) * 60_000)).iso8601Time
        .dropLast(3).description
    }
    return switch quiet {
    case .over: "none"
    case .unknown: "22:00-07:00"
    case .minutes(let left): "\(text(0))-\(text(left))"
    }
  }

  // MARK: Inputs

  @discardableResult
  mutating func ask(_ request: NoteRequest, by principal: Principal = anna) -> Asked {
    let stored: Command.StoredContent? =
      switch request {
      case .put(let note, _): notes[note.id].map { .note($0) }
      case .remove(let id, _): notes[id].map { .note($0) }
      case .send(let id, _, _, _, _, _), .read(let id): messages[id].map { .message($0) }
      case .keepPicture, .keepRecording, .playRecording: nil
      }
    let before = engine
    let command = Command(
      id: "c", principal: principal, request: .note(request), stored: stored)
    let input = Input.asked(command, sent: now.tick)
    let world = world
    let asked = Asked { () throws(CommandReply.Refusal) in
      guard let outcome = try engine.handle(input, in: world) else {
        Issue.record("a request about notes is the notebook's")
        return Outcome()
      }
      return outcome
    }
    if asked.refusal != nil {
      #expect(engine.noteHeads == before.noteHeads && engine.rows == before.rows)
    }
    take(asked.outcome)
    return asked
  }

  mutating func tell(_ told: Told) {
    let isTaken = offer(told.input)
    #expect(isTaken, "\(told) is the notebook's")
  }

  /// Offers an input; says whether the notebook took it.
  @discardableResult
  mutating func offer(_ input: Input) -> Bool {
    guard let asked = Asked(offering: input, to: &engine, in: world) else { return false }
    #expect(asked.refusal == nil)
    take(asked.outcome)
    return true
  }

  /// Has an item of the routine show another picture, or none, as its engine tells.
  mutating func picture(
    _ item: RoutineItemID, as picture: PictureID?, of resident: ResidentID
  ) {
    items[item] = picture.map {
      RoutineItem(id: item, resident: resident, title: "walk", schedule: .never, picture: $0)
    }
    let isTaken = offer(.signalled(.pictured(item, picture, of: resident)))
    #expect(isTaken)
  }

  /// Presses the button of Mary, or of somebody else; says whether the press answered a message.
  @discardableResult
  mutating func press(
    _ meaning: Press.Meaning = .yes, of resident: ResidentID? = "mary"
  ) -> Bool {
    offer(
      .pressed(
        Press(
          report: ButtonReport(button: "wired", gesture: .press, edge: now.tick),
          binding: ButtonBinding(button: "wired", press: .assist), resident: resident,
          owner: resident, meaning: meaning)))
  }

  mutating func erase(_ resident: ResidentID) {
    let asked = Asked(offering: .changed(.erased(resident)), to: &engine, in: world)
    notes = notes.filter { $0.value.resident != resident }
    messages = messages.filter { $0.value.resident != resident }
    items = items.filter { $0.value.resident != resident }
    rows = rows.filter { $0.subject != resident.rawValue }
    pictures = pictures.filter { $0.value.resident != resident }
    recordings = recordings.filter { $0.value.resident != resident }
    take(asked?.outcome ?? Outcome())
  }

  mutating func report(_ outcome: SoundReport.Outcome, _ sound: SoundID? = nil) throws {
    let sound = try sound ?? #require(lastPlayed).id
    tell(.sound(SoundReport(sound: sound, outcome: outcome)))
  }

  /// Lets time pass and wakes the engine at each tick that it asked for.
  mutating func wait(_ seconds: Int64) {
    let end = now.advanced(byMilliseconds: seconds * 1000)
    var wakes = 0
    while let due = engine.nextWake, due <= end.tick {
      now = now.advanced(byMilliseconds: max(0, due.milliseconds(since: now.tick)))
      tell(.time)
      wakes += 1
      #expect(wakes < 1000, "the notebook wakes for nothing")
      if wakes >= 1000 { break }
    }
    now = end
  }

  /// Starts the notebook again from what is stored.
  mutating func restart(boot: BootID = boot) {
    engine = NotebookEngine(
      stored: StoredState(
        routineItems: items.values.sorted { $0.id < $1.id }, notes: heads, messages: unread,
        pictures: pictures.values.sorted { $0.id < $1.id },
        recordings: recordings.values.sorted { $0.id < $1.id },
        engineRows: rows), seed: 0, in: world(boot: boot))
    // The same, on the ticks of the new boot.
    #expect(engine.rows.count == rows.count)
    rows = engine.rows
  }

  // MARK: What is stored

  private var heads: [NoteHead] {
    notes.values.sorted { $0.id < $1.id }.map {
      NoteHead(id: $0.id, resident: $0.resident, revision: $0.revision, pictures: $0.pictures)
    }
  }

  private var unread: [ChatMessage] {
    messages.values.filter { $0.readAt == nil }.sorted { ($0.sentAt, $0.id) < ($1.sentAt, $1.id) }
  }

  private mutating func take(_ outcome: Outcome) {
    events += outcome.events
    actions += outcome.actions
    for change in outcome.changes { store(change) }
    #expect(engine.noteHeads == heads, "the notebook knows what is stored")
    #expect(engine.unreadMessages == unread)
    #expect(engine.storedPictures == pictures.values.sorted { $0.id < $1.id })
    #expect(engine.storedRecordings == recordings.values.sorted { $0.id < $1.id })
    #expect(engine.rows.sorted { $0.name < $1.name } == rows.sorted { $0.name < $1.name })
    for draft in outcome.events { #expect(draft.lane == .record && draft.resident != nil) }
    if losesPower { restart() }
  }

  private mutating func store(_ change: StateChange) {
    switch change {
    case .put(let row): store(row)
    case .remove(let key): remove(key)
    case .putEngineRow(let row):
      rows.removeAll { $0.name == row.name }
      rows.append(row)
    case .removeEngineRow(_, _, let name): rows.removeAll { $0.name == name }
    default: Issue.record("a notebook does not change this: \(change)")
    }
  }

  private mutating func store(_ row: TableRow) {
    switch row.content {
    case let note as Note: notes[note.id] = note
    case let message as ChatMessage: messages[message.id] = message
    case let picture as Picture: pictures[picture.id] = picture
    case let recording as Recording: recordings[recording.id] = recording
    default: Issue.record("a notebook has no rows of this kind: \(row)")
    }
  }

  private mutating func remove(_ key: TableKey) {
    switch key.table {
    case .note: notes[NoteID(key.values[0])] = nil
    case .picture:
      pictures[PictureID(key.values[0])] = nil
      removedPictures.append(PictureID(key.values[0]))
    case .recording:
      recordings[RecordingID(key.values[0])] = nil
      removedRecordings.append(RecordingID(key.values[0]))
    default: Issue.record("a notebook does not remove this: \(key)")
    }
  }

  // MARK: What came of it

  var types: [String] { events.map(\.type.rawValue) }

  var played: [SoundRequest] {
    actions.compactMap { if case .play(let request) = $0 { request } else { nil } }
  }

  var lastPlayed: SoundRequest? { played.last }

  var stopped: [SoundID] {
    actions.compactMap { if case .stopSound(let id) = $0 { id } else { nil } }
  }

  // MARK: What people write

  static func note(
    _ id: NoteID = "n1", title: String = "", text: String = "Tea", tags: [String] = [],
    pictures: [PictureID] = [], author: String = "Anna", resident: ResidentID = "mary"
  ) -> Note {
    Note(
      id: id, resident: resident, kind: .memo, title: title, text: text, tags: tags,
      time: noon.utc, pictures: pictures, author: author, changedAt: noon.utc)
  }

  static func picture(_ id: PictureID, resident: ResidentID = "mary") -> Picture {
    Picture(
      id: id, resident: resident, mediaType: "image/png", bytes: 10, width: 2, height: 2)
  }

  static func send(
    _ id: MessageID = "m1", _ text: String = "I come at six.", sender: String = "Anna",
    _ direction: ChatMessage.Direction = .toResident, to resident: ResidentID = "mary",
    recording: RecordingID? = nil
  ) -> NoteRequest {
    .send(
      id: id, resident: resident, direction, sender: sender, text: text, recording: recording)
  }
}

extension NotebookEngine {
  /// What the store holds of it.
  private var stored: StoredState {
    var state = StoredState()
    store(in: &state)
    return state
  }

  var noteHeads: [NoteHead] { stored.notes }
  var rows: [EngineRow] { stored.engineRows }
}

extension Household {
  static let gateway = Principal(channel: .gateway, name: "picture/local:anna")

  /// Stores a picture as the gateway does.
  mutating func keep(_ id: PictureID, resident: ResidentID = "mary") {
    let asked = ask(.keepPicture(Self.picture(id, resident: resident)), by: Self.gateway)
    #expect(asked.refusal == nil)
  }

  /// Stores a recording of 12.4 seconds as the gateway does.
  mutating func keepRecording(_ id: RecordingID, resident: ResidentID = "mary") {
    let asked = ask(.keepRecording(Self.recording(id, resident: resident)), by: Self.gateway)
    #expect(asked.refusal == nil)
  }

  static func recording(_ id: RecordingID, resident: ResidentID = "mary") -> Recording {
    Recording(
      id: id, resident: resident, bytes: 396_844, milliseconds: 12_400, keptAt: .seconds(0))
  }
}
