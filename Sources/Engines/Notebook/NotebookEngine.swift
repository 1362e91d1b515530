public import Care
public import Moments

/// Memos, the diary, pictures, and messages between a resident and those who care.
///
/// Of notes it knows the heads alone; their content is in the store. A message to the resident is spoken, again after ten
/// minutes, three times in all until somebody says that they heard it; one at a time, and not in quiet hours.
public struct NotebookEngine: Sendable {
  /// Unread messages of each direction that are held in memory; older ones wait in the store alone.
  static let unreadAtMost = 200
  /// How long a picture may wait for the note that refers to it, in milliseconds.
  static let pictureGraceMilliseconds: Int64 = 3_600_000

  let boot: BootID
  var heads: [NoteID: NoteHead] = [:]
  var pictures: [PictureID: Picture] = [:]
  /// How many notes refer to each picture.
  var references: [PictureID: Int] = [:]
  /// Until when a picture waits that no note refers to.
  var waitingPictures: [PictureID: Tick] = [:]
  /// Unread messages, oldest first.
  var pending: [PendingMessage] = []
  /// What is being spoken, or was a moment ago.
  var current: SpokenNow?
  var soundNumber = 0
  private var staleRows: [EngineRow] = []

  /// An engine over what is stored.
  public init(
    notes: [NoteHead], messages: [ChatMessage], pictures: [Picture], rows: [EngineRow],
    boot: BootID, at now: Moment
  ) {
    self.boot = boot
    for note in notes {
      heads[note.id] = note
      for picture in note.pictures { references[picture, default: 0] += 1 }
    }
    for picture in pictures {
      self.pictures[picture.id] = picture
      if references[picture.id] == nil { waitingPictures[picture.id] = Self.graceEnd(from: now) }
    }
    pending = messages.map { message in
      var pending = PendingMessage(message)
      pending.isOld = true
      return pending
    }
    for row in rows where row.engine == PendingMessage.engine {
      restore(row, at: now)
    }
  }

  private mutating func restore(_ row: EngineRow, at now: Moment) {
    let id = MessageID(String(row.name.dropFirst(PendingMessage.rowPrefix.count)))
    guard row.name.hasPrefix(PendingMessage.rowPrefix),
      let index = pending.firstIndex(where: { $0.message.id == id }),
      (try? pending[index].restore(row, boot: boot, at: now)) != nil
    else { return staleRows.append(row) }
  }

  static func graceEnd(from now: Moment) -> Tick {
    now.tick.advanced(byMilliseconds: pictureGraceMilliseconds)
  }

  // MARK: Views

  /// Heads of all notes, by id.
  public var noteHeads: [NoteHead] { heads.values.sorted { $0.id < $1.id } }

  /// Messages that nobody has read, oldest first.
  public var unreadMessages: [ChatMessage] { pending.map(\.message) }

  /// Pictures that are stored, by id.
  public var storedPictures: [Picture] { pictures.values.sorted { $0.id < $1.id } }

  /// A picture by its name; nil when it is not stored.
  public func picture(_ id: PictureID) -> Picture? { pictures[id] }

  /// The resident whose note it is; nil when there is none.
  public func resident(of note: NoteID) -> ResidentID? { heads[note]?.resident }

  /// The resident whose unread message it is; nil when there is none.
  public func resident(of message: MessageID) -> ResidentID? {
    pending.first { $0.message.id == message }?.message.resident
  }

  /// The rows as they are stored.
  public var rows: [EngineRow] { pending.compactMap { $0.row(boot: boot) } + staleRows }

  /// When ``NotebookInput/time`` is due; nil when nothing is waited for.
  public var nextWake: Tick? {
    let stale = staleRows.isEmpty ? nil : Tick(nanoseconds: .min)
    return [stale, waitingPictures.values.min(), nextSpoken].compactMap { $0 }.min()
  }

  /// When something about the speaking is due.
  private var nextSpoken: Tick? {
    if let current { return current.deadline }
    return pending.compactMap(\.due).min()
  }

  // MARK: Inputs

  /// Takes what is no request.
  public mutating func handle(
    _ input: NotebookInput, in world: World
  ) -> Outcome {
    var outcome = Outcome()
    switch input {
    case .sound(let report): take(report, in: world, &outcome)
    case .circumstancesChanged:
      for index in pending.indices {
        pending[index].heldUntil = nil
        pending[index].last?.refine(at: world.now)
      }
    case .time: forgetStale(&outcome)
    }
    advance(in: world, &outcome)
    return outcome
  }

  /// Does what somebody asks.
  ///
  /// - Throws: why not; nothing has happened then.
  public mutating func perform(
    _ request: NoteRequest, by principal: Principal, stored: Command.StoredContent?,
    in world: World
  ) throws(CommandReply.Refusal) -> Outcome {
    var attempt = self
    var outcome = Outcome()
    try attempt.carryOut(request, by: principal, stored, in: world, &outcome)
    attempt.advance(in: world, &outcome)
    self = attempt
    return outcome
  }

  private mutating func carryOut(
    _ request: NoteRequest, by principal: Principal, _ stored: Command.StoredContent?,
    in world: World, _ outcome: inout Outcome
  ) throws(CommandReply.Refusal) {
    let storedNote: Note? = if case .note(let note) = stored { note } else { nil }
    let storedMessage: ChatMessage? = if case .message(let text) = stored { text } else { nil }
    switch request {
    case .put(let note, let revision):
      try put(
        note, seen: revision, by: principal, storedNote, in: world, &outcome)
    case .remove(let id, let revision):
      try remove(id, seen: revision, by: principal, storedNote, in: world, &outcome)
    case .send(let id, let resident, let direction, let sender, let text):
      try send(
        ChatMessage(
          id: id, resident: resident, direction: direction, sender: sender, text: text,
          sentAt: world.now.utc), by: principal, storedMessage, in: world, &outcome)
    case .read(let id):
      try read(id, by: principal.description, storedMessage, in: world, &outcome)
    case .keepPicture(let picture):
      try keep(picture, by: principal, at: world.now, &outcome)
    }
  }

  /// Forgets everything of a resident; their rows go with the rest of what is stored about them.
  public mutating func erase(_ resident: ResidentID) -> Outcome {
    var outcome = Outcome()
    for head in noteHeads where head.resident == resident {
      heads[head.id] = nil
      // What the note referred to is looked at below.
      for picture in head.pictures { references[picture, default: 1] -= 1 }
    }
    pending.removeAll { $0.message.resident == resident }
    if current?.resident == resident, let sound = current?.sound {
      outcome.actions.append(.stopSound(sound))
      current = nil
    }
    for picture in storedPictures where references[picture.id] ?? 0 <= 0 {
      guard picture.resident == resident || waitingPictures[picture.id] == nil else { continue }
      forget(picture.id, &outcome)
    }
    for var picture in storedPictures where picture.resident == resident {
      // Somebody else has the same picture in a note of their own.
      guard let owner = noteHeads.first(where: { $0.pictures.contains(picture.id) }) else {
        continue
      }
      picture.resident = owner.resident
      pictures[picture.id] = picture
      outcome.changes.append(.putPicture(picture))
    }
    return outcome
  }

  private mutating func forgetStale(_ outcome: inout Outcome) {
    for row in staleRows {
      outcome.changes.append(
        .removeEngineRow(engine: row.engine, subject: row.subject, name: row.name))
    }
    staleRows = []
  }

  private mutating func advance(in world: World, _ outcome: inout Outcome) {
    for id in waitingPictures.keys.sorted() {
      guard let end = waitingPictures[id], end <= world.now.tick else { continue }
      forget(id, &outcome)
    }
    speak(in: world, &outcome)
  }
}
