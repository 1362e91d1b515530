public import Care
public import Moments

/// Memos, the diary, pictures, and messages with their recordings between a resident and those who care.
///
/// Of notes it knows the heads alone; their content is in the store. A message to the resident is spoken, again after ten
/// minutes, three times in all until somebody says that they heard it; one at a time, and not in quiet hours.
public struct NotebookEngine: Engine {
  /// Time, what was heard, pictures of other engines, and what people ask or press.
  public static var hears: InputKinds {
    [.time, .clock, .sound, .changed, .asked, .pressed, .signals]
  }

  /// Unread messages of each direction that are held in memory; older ones wait in the store alone.
  static let unreadAtMost = 200

  let boot: BootID
  var heads: [NoteID: NoteHead] = [:]
  var pictures: PictureShelf
  var recordings: RecordingShelf
  /// Unread messages, oldest first.
  var pending: [PendingMessage] = []
  /// What is being spoken, or was a moment ago.
  var current: SpokenNow?
  var soundNumber = 0
  private var staleRows: [EngineRow] = []

  /// An engine over what is stored.
  public init(stored: StoredState, seed: UInt64, in world: World) {
    boot = world.boot
    for note in stored.notes { heads[note.id] = note }
    pictures = PictureShelf(stored, at: world.now)
    recordings = RecordingShelf(stored.recordings, at: world.now)
    pending = stored.messages.map { message in
      var pending = PendingMessage(message)
      pending.isOld = true
      return pending
    }
    for row in stored.engineRows where row.engine == PendingMessage.engine {
      restore(row, at: world.now)
    }
  }

  private mutating func restore(_ row: EngineRow, at now: Moment) {
    let id = MessageID(String(row.name.dropFirst(PendingMessage.rowPrefix.count)))
    guard row.name.hasPrefix(PendingMessage.rowPrefix),
      let index = pending.firstIndex(where: { $0.message.id == id }),
      (try? pending[index].restore(row, boot: boot, at: now)) != nil
    else { return staleRows.append(row) }
  }

  // MARK: Views

  /// Messages that nobody has read, oldest first.
  public var unreadMessages: [ChatMessage] { pending.map(\.message) }

  /// Pictures that are stored, by id.
  public var storedPictures: [Picture] { pictures.all }

  /// A picture by its name; nil when it is not stored.
  public func picture(_ id: PictureID) -> Picture? { pictures[id] }

  /// Recordings that are stored, by id.
  public var storedRecordings: [Recording] { recordings.all }

  /// A recording by its name; nil when it is not stored, or not any more.
  public func recording(_ id: RecordingID) -> Recording? { recordings[id] }

  /// Whom a request about notes concerns; nil when it names one that is not there.
  public func resident(concernedBy request: Command.Request) -> ResidentID? {
    guard case .note(let request) = request else { return nil }
    return switch request {
    case .put(let note, _): note.resident
    case .send(_, let id, _, _, _, _): id
    case .keepPicture(let picture): picture.resident
    case .keepRecording(let recording): recording.resident
    case .playRecording(let id): recordings[id]?.resident
    case .remove(let id, _): heads[id]?.resident
    case .read(let id): pending.first { $0.message.id == id }?.message.resident
    }
  }

  /// Shows which pictures are stored.
  public func show(_ view: World.View, in world: inout World) {
    if view == .pictures { world.pictures = pictures.ids }
  }

  // MARK: What is stored

  /// Adds notes, unread messages, pictures, and how far messages have been spoken.
  public func store(in state: inout StoredState) {
    state.notes += noteHeads
    state.messages += unreadMessages
    state.pictures += storedPictures
    state.recordings += storedRecordings
    state.engineRows += pending.compactMap { $0.row(boot: boot) } + staleRows
  }

  /// Heads of all notes, by id.
  private var noteHeads: [NoteHead] { heads.values.sorted { $0.id < $1.id } }

  // MARK: Time

  /// When ``Input/time`` is due; nil when nothing is waited for.
  public var nextWake: Tick? {
    let stale = staleRows.isEmpty ? nil : Tick(nanoseconds: .min)
    return .soonest([stale, pictures.nextEnd, recordings.nextEnd, nextSpoken])
  }

  /// When something about the speaking is due.
  private var nextSpoken: Tick? {
    if let current { return current.deadline }
    return pending.compactMap(\.due).min()
  }

  // MARK: Inputs

  /// A press may be for an alarm or a call, and for no message then.
  public func sees(for input: Input) -> World.Views {
    if case .pressed(let press) = input, press.meaning == .yes { [.need, .call] } else { [] }
  }

  /// Takes what people ask of notes and messages, sounds, presses, and what moves the end of quiet hours.
  public mutating func handle(
    _ input: Input, in world: World
  ) throws(CommandReply.Refusal) -> Outcome? {
    switch input {
    case .asked(let command, _):
      guard case .note(let request) = command.request else { return nil }
      return try perform(request, command, in: world)
    case .observed(let observation): return observe(observation, in: world)
    case .changed(let change): return follow(change, in: world)
    case .pressed(let press): return answer(press, in: world)
    case .signalled(.pictured(let item, let picture, let resident)):
      pictures.refer(from: item, of: resident, to: picture, at: world.now)
      return Outcome()
    case .time:
      var outcome = Outcome()
      forgetStale(&outcome)
      advance(in: world, &outcome)
      return outcome
    default: return nil
    }
  }

  private mutating func observe(_ observation: Observation, in world: World) -> Outcome? {
    switch observation {
    case .sound(let report):
      var outcome = Outcome()
      take(report, in: world, &outcome)
      advance(in: world, &outcome)
      return outcome
    case .clock: return lookAgain(in: world)
    case .fix, .heading, .health, .delivery, .button, .photo, .sighting, .listening, .meter, .map,
      .ways:
      return nil
    }
  }

  private mutating func follow(_ change: HouseChange, in world: World) -> Outcome? {
    switch change {
    case .resident, .timeZone, .setting(_, name: "quietHours"): lookAgain(in: world)
    case .erased(let resident): erase(resident)
    case .guardians, .zones, .setting, .consent, .clock: nil
    }
  }

  /// Looks again at what waits for the end of quiet hours, which may be another now.
  private mutating func lookAgain(in world: World) -> Outcome {
    var outcome = Outcome()
    for index in pending.indices {
      pending[index].heldUntil = nil
      pending[index].last?.refine(at: world.now)
    }
    advance(in: world, &outcome)
    return outcome
  }

  // MARK: Requests

  private mutating func perform(
    _ request: NoteRequest, _ command: Command, in world: World
  ) throws(CommandReply.Refusal) -> Outcome {
    try check(request, in: world.house)
    var attempt = self
    var outcome = Outcome()
    try attempt.carryOut(request, command, in: world, &outcome)
    attempt.advance(in: world, &outcome)
    self = attempt
    return outcome
  }

  private func check(
    _ request: NoteRequest, in house: House
  ) throws(CommandReply.Refusal) {
    switch request {
    case .put(let note, _):
      try Validation.id(note.id.rawValue, of: "note")
      try house.requireResident(note.resident)
    case .send(let id, let resident, _, _, _, _):
      try Validation.id(id.rawValue, of: "message")
      try house.requireResident(resident)
    case .keepPicture(let picture): try house.requireResident(picture.resident)
    case .keepRecording(let recording): try house.requireResident(recording.resident)
    case .remove, .read, .playRecording: break
    }
  }

  private mutating func carryOut(
    _ request: NoteRequest, _ command: Command, in world: World, _ outcome: inout Outcome
  ) throws(CommandReply.Refusal) {
    let principal = command.principal
    switch request {
    case .put(let note, let revision):
      try put(
        note, seen: revision, by: principal, command.storedNote, in: world, &outcome)
    case .remove(let id, let revision):
      try remove(id, seen: revision, by: principal, command.storedNote, in: world, &outcome)
    case .send(let id, let resident, let direction, let sender, let text, let recording):
      let message = ChatMessage(
        id: id, resident: resident, direction: direction, sender: sender, text: text,
        sentAt: world.now.utc)
      try send(
        message, recording, by: principal, command.storedMessage, in: world, &outcome)
    case .read(let id):
      try read(id, by: principal.description, command.storedMessage, in: world, &outcome)
    case .keepPicture(let picture):
      try pictures.keep(picture, by: principal, at: world.now, &outcome)
    case .keepRecording(let recording):
      try recordings.keep(recording, by: principal, at: world.now, &outcome)
    case .playRecording(let id): try recordings.play(id, &outcome)
    }
  }

  /// Forgets everything of a resident; their rows go with the rest of what is stored about them.
  private mutating func erase(_ resident: ResidentID) -> Outcome {
    var outcome = Outcome()
    let gone = noteHeads.filter { $0.resident == resident }
    for head in gone { heads[head.id] = nil }
    pending.removeAll { $0.message.resident == resident }
    staleRows.removeAll { $0.subject == resident.rawValue }
    if current?.resident == resident {
      if let sound = current?.sound { outcome.actions.append(.stopSound(sound)) }
      current = nil
    }
    pictures.erase(resident, gone: gone, left: noteHeads, &outcome)
    recordings.erase(resident, &outcome)
    return outcome
  }

  private mutating func forgetStale(_ outcome: inout Outcome) {
    for row in staleRows {
      outcome.changes.append(row.removal)
    }
    staleRows = []
  }

  private mutating func advance(in world: World, _ outcome: inout Outcome) {
    pictures.forgetOverdue(at: world.now.tick, &outcome)
    recordings.forgetOverdue(at: world.now.tick, &outcome)
    speak(in: world, &outcome)
  }
}
