import Care
import JSON
public import Moments
import Texts

/// What is being spoken, and the time in which a press of the button says that it was heard.
struct SpokenNow: Hashable, Sendable {
  /// How long after its beginning a press still answers, in milliseconds.
  static let answerMilliseconds: Int64 = 120_000
  /// A sound that has neither begun nor ended by then is given up.
  static let longestMilliseconds: Int64 = 900_000

  let message: MessageID
  let resident: ResidentID
  /// Nil when it is over.
  var sound: SoundID?
  let askedAt: Tick
  /// Nil before it is heard.
  var beganAt: Tick?

  var answerEnd: Tick? { beganAt?.advanced(byMilliseconds: Self.answerMilliseconds) }

  var deadline: Tick {
    if sound == nil, let answerEnd { return answerEnd }
    return (beganAt ?? askedAt).advanced(byMilliseconds: Self.longestMilliseconds)
  }
}

/// Messages: sent, spoken, read.
extension NotebookEngine {
  mutating func send(
    _ words: ChatMessage, _ recording: RecordingID?, by principal: Principal,
    _ stored: ChatMessage?, in world: World, _ outcome: inout Outcome
  ) throws(CommandReply.Refusal) {
    var message = words
    try NoteRules.check(
      sender: message.sender, text: message.text, isRecorded: recording != nil)
    let waits = message.direction == .toResident ? world.waitsUntil(message.resident) : nil
    outcome.reply = .object([
      "id": .string(message.id.rawValue), "waitsUntil": waits.map { .string($0.iso8601) },
    ])
    if let known = pending.first(where: { $0.message.id == message.id })?.message ?? stored {
      guard known.isSame(as: message), known.recording?.id == recording else {
        throw CommandReply.Refusal(
          .conflict,
          Message(
            "There is another message with the id {id}. Use a new id for each.",
            ["id": message.id]))
      }
      return
    }
    if let recording {
      message.recording = try recordings.use(recording, of: message.resident, &outcome)
    }
    pending.append(PendingMessage(message))
    outcome.changes.append(.putMessage(message))
    outcome.events.append(
      message.event(
        .messageSent, by: principal.description, message.sending,
        in: world.language(of: message.resident)))
    dropOldest(message.direction, &outcome)
  }

  /// What is unread for long is left to the store.
  private mutating func dropOldest(
    _ direction: ChatMessage.Direction, _ outcome: inout Outcome
  ) {
    let same = pending.indices.filter { pending[$0].message.direction == direction }
    guard same.count > Self.unreadAtMost, let oldest = same.first else { return }
    drop(oldest, &outcome)
  }

  private mutating func drop(_ index: Int, _ outcome: inout Outcome) {
    let dropped = pending.remove(at: index)
    guard let row = dropped.row(boot: boot) else { return }
    outcome.changes.append(row.removal)
  }

  mutating func read(
    _ id: MessageID, by reader: String, _ stored: ChatMessage?, in world: World,
    _ outcome: inout Outcome
  ) throws(CommandReply.Refusal) {
    let index = pending.firstIndex { $0.message.id == id }
    guard var message = index.map({ pending[$0].message }) ?? stored, message.id == id else {
      throw CommandReply.Refusal(
        .unknownTarget,
        Message(
          "There is no message \"{id}\". List them with: homeward message list", ["id": id]))
    }
    outcome.reply = ["read": .string(id.rawValue)]
    guard message.readAt == nil else { return }
    message.readAt = world.now.utc
    message.readBy = reader
    if let index { drop(index, &outcome) }
    if current?.message == id {
      if let sound = current?.sound { outcome.actions.append(.stopSound(sound)) }
      current = nil
    }
    outcome.changes.append(.putMessage(message))
    outcome.events.append(
      message.event(
        .messageRead, by: reader,
        Message("The message of {sender} was heard or read.", ["sender": message.sender]),
        in: world.language(of: message.resident)))
  }

  // MARK: Answers by button

  /// Whether a press of a button now says that a message was heard.
  public func isAsking(at now: Moment) -> Bool {
    guard let current, let end = current.answerEnd else { return false }
    return current.sound != nil || now.tick < end
  }

  /// Takes a press as "heard" where a message asks; while somebody needs help, or a call is on, a press is for that.
  mutating func answer(_ press: Press, in world: World) -> Outcome? {
    let isForHelp =
      world.need.isSounding || world.need.isSomebodys
      || press.resident.map { world.need.prealarm.contains($0) } ?? false
    guard press.meaning == .yes, !isForHelp, !world.isCallOn, isAsking(at: world.now),
      let message = current?.message
    else { return nil }
    var outcome = Outcome()
    try? read(message, by: press.principal.name, nil, in: world, &outcome)
    speak(in: world, &outcome)
    return outcome
  }

  // MARK: Speaking

  mutating func speak(in world: World, _ outcome: inout Outcome) {
    if let current {
      guard current.deadline <= world.now.tick else { return }
      giveUp(current, at: world.now, &outcome)
    }
    hold(in: world)
    let now = world.now.tick
    guard let next = pending.firstIndex(where: { ($0.due ?? Tick(nanoseconds: .max)) <= now })
    else { return }
    let message = pending[next].message
    soundNumber += 1
    let sound = SoundID("message-\(soundNumber)")
    current = SpokenNow(
      message: message.id, resident: message.resident, sound: sound, askedAt: now)
    outcome.actions.append(
      .play(
        SoundRequest(
          id: sound, priority: .reminder,
          parts: SpokenMessage(
            message: message, language: world.language(of: message.resident),
            isKept: message.recording.map { recordings[$0.id] != nil } ?? false
          ).parts)))
  }

  /// Keeps what is due until the quiet hours are over.
  private mutating func hold(in world: World) {
    let now = world.now.tick
    for index in pending.indices {
      guard let due = pending[index].due, due <= now else { continue }
      switch world.quiet(of: pending[index].message.resident) {
      case .over: pending[index].heldUntil = nil
      case .minutes(let left):
        pending[index].heldUntil = now.advanced(byMilliseconds: Int64(left) * 60_000)
      case .unknown:
        // Whoever writes now is awake. What is older waits for a clock, but never longer than a night.
        let isNew = !pending[index].isOld && pending[index].times == 0
        guard !isNew, pending[index].heldUntil == nil else { continue }
        pending[index].heldUntil = now.advanced(byMilliseconds: Self.nightMilliseconds)
      }
    }
  }

  private static let nightMilliseconds: Int64 = 9 * 3_600_000

  private mutating func giveUp(
    _ spoken: SpokenNow, at now: Moment, _ outcome: inout Outcome
  ) {
    if let sound = spoken.sound { outcome.actions.append(.stopSound(sound)) }
    current = nil
    if spoken.beganAt == nil { postpone(spoken.message, at: now, &outcome) }
  }

  /// It was not heard: again in ten minutes, without counting it.
  private mutating func postpone(
    _ id: MessageID, at now: Moment, _ outcome: inout Outcome
  ) {
    guard let index = pending.firstIndex(where: { $0.message.id == id }) else { return }
    pending[index].last = Stamp(now)
    keepRow(index, &outcome)
  }

  private func keepRow(_ index: Int, _ outcome: inout Outcome) {
    guard let row = pending[index].row(boot: boot) else { return }
    outcome.changes.append(.putEngineRow(row))
  }

  mutating func take(
    _ report: SoundReport, in world: World, _ outcome: inout Outcome
  ) {
    let now = world.now
    guard let spoken = current, spoken.sound == report.sound else { return }
    switch report.outcome {
    case .started:
      guard spoken.beganAt == nil else { return }
      current?.beganAt = now.tick
      noteSpoken(spoken.message, in: world, &outcome)
    case .wordless: break
    case .finished, .stopped, .failed:
      guard spoken.beganAt == nil else {
        current?.sound = nil
        return
      }
      current = nil
      postpone(spoken.message, at: now, &outcome)
    }
  }

  private mutating func noteSpoken(
    _ id: MessageID, in world: World, _ outcome: inout Outcome
  ) {
    let now = world.now
    guard let index = pending.firstIndex(where: { $0.message.id == id }) else { return }
    pending[index].times += 1
    pending[index].last = Stamp(now)
    if pending[index].message.spokenAt == nil {
      pending[index].message.spokenAt = now.utc
      outcome.changes.append(.putMessage(pending[index].message))
    }
    keepRow(index, &outcome)
    let message = pending[index].message
    outcome.events.append(
      message.event(
        .messageSpoken, by: nil, spoken(message.sender, times: pending[index].times),
        in: world.language(of: message.resident)))
  }

  private func spoken(_ sender: String, times: Int64) -> Message {
    switch times {
    case 1:
      Message("The message of {sender} was spoken, for the first time.", ["sender": sender])
    case 2:
      Message("The message of {sender} was spoken, for the second time.", ["sender": sender])
    default:
      Message("The message of {sender} was spoken, for the third time.", ["sender": sender])
    }
  }
}

extension ChatMessage {
  /// Whether it is the same message, come twice.
  fileprivate func isSame(as other: ChatMessage) -> Bool {
    resident == other.resident && direction == other.direction && sender == other.sender
      && text == other.text
  }

  /// That it was sent, in words.
  fileprivate var sending: Message {
    let values: Message.Values = ["sender": sender]
    switch (direction, recording) {
    case (.toResident, nil): return Message("{sender} wrote to the resident.", values)
    case (.toCaregivers, nil): return Message("{sender} wrote to those who care.", values)
    case (.toResident, let recording?):
      return Message(
        "{sender} recorded a message of {n} second for the resident.",
        plural: "{sender} recorded a message of {n} seconds for the resident.",
        Int(clamping: recording.seconds), values)
    case (.toCaregivers, let recording?):
      return Message(
        "{sender} recorded a message of {n} second for those who care.",
        plural: "{sender} recorded a message of {n} seconds for those who care.",
        Int(clamping: recording.seconds), values)
    }
  }

  fileprivate func event(
    _ type: EventType, by who: String?, _ explanation: Message, in language: Language
  ) -> EventDraft {
    EventDraft(
      type: type, lane: .record, resident: resident,
      facts: .object([
        "message": .string(id.rawValue), "direction": .string(direction.rawValue),
        "sender": .string(sender), "text": .string(text),
        "recording": recording.map { .string($0.id.rawValue) },
        "recordingSeconds": recording.map { .integer($0.seconds) },
        "sentAt": .string(sentAt.iso8601),
        "spokenAt": spokenAt.map { .string($0.iso8601) },
        "readAt": readAt.map { .string($0.iso8601) }, "by": who.map { .string($0) },
        "explanation": .string(explanation.text(in: language)),
      ]), signal: news(type).map { .news($0, of: resident) })
  }

  /// What those who care hear of it: what the resident wrote, and that the resident heard what they wrote.
  private func news(_ type: EventType) -> Signal.News? {
    switch (type, direction) {
    case (.messageSent, .toCaregivers):
      .message(sender: sender, text: text, recordedSeconds: recording?.seconds)
    case (.messageRead, .toResident): .receipt(sender: sender)
    default: nil
    }
  }
}

extension World {
  /// When the quiet hours that hold for a resident end; nil when it may be spoken now, or nobody knows.
  fileprivate func waitsUntil(_ resident: ResidentID) -> Timestamp? {
    guard case .minutes(let minutes) = quiet(of: resident) else { return nil }
    let minute: Int64 = 60_000
    let begun = now.utc.milliseconds / minute * minute
    return Timestamp(milliseconds: begun).advanced(byMilliseconds: Int64(minutes) * minute)
  }
}
