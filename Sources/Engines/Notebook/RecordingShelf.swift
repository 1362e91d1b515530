import Care
import JSON
import Moments
import Texts

/// Recordings, and the messages that carry them: what nobody sends waits for an hour.
struct RecordingShelf: Sendable {
  private var recordings: [RecordingID: Recording] = [:]
  /// Until when a recording waits that no message carries.
  private var waiting: [RecordingID: Tick] = [:]

  /// The recordings that are stored.
  init(_ stored: [Recording], at now: Moment) {
    for recording in stored {
      recordings[recording.id] = recording
      guard !recording.isSent else { continue }
      waiting[recording.id] = NoteRules.graceEnd(from: now)
    }
  }

  // MARK: Views

  /// All, by id.
  var all: [Recording] { recordings.values.sorted { $0.id < $1.id } }

  /// A recording by its name; nil when it is not stored, or not any more.
  subscript(id: RecordingID) -> Recording? { recordings[id] }

  /// When the next one has waited long enough; nil when none waits.
  var nextEnd: Tick? { waiting.values.min() }

  // MARK: What people ask

  /// Takes note of a recording whose file is there; it waits for its message.
  mutating func keep(
    _ recording: Recording, by principal: Principal, at now: Moment, _ outcome: inout Outcome
  ) throws(CommandReply.Refusal) {
    guard principal.channel == .gateway else {
      throw CommandReply.Refusal(
        .forbidden,
        Message(
          "Only the gateway itself notes recordings. Bring the recording with recording.add."))
    }
    if let known = recordings[recording.id] {
      outcome.reply = known.json
      if !known.isSent { waiting[known.id] = NoteRules.graceEnd(from: now) }
      return
    }
    var recording = recording
    recording.keptAt = now.utc
    recording.isSent = false
    dropOldest(of: recording.resident, &outcome)
    recordings[recording.id] = recording
    waiting[recording.id] = NoteRules.graceEnd(from: now)
    outcome.changes.append(.putRecording(recording))
    outcome.reply = recording.json
  }

  /// Has a message carry a recording.
  mutating func use(
    _ id: RecordingID, of resident: ResidentID, _ outcome: inout Outcome
  ) throws(CommandReply.Refusal) -> ChatMessage.Attachment {
    guard var recording = recordings[id], recording.resident == resident else {
      throw Self.unknown(id)
    }
    waiting[id] = nil
    if !recording.isSent {
      recording.isSent = true
      recordings[id] = recording
      outcome.changes.append(.putRecording(recording))
    }
    return recording.attachment
  }

  private static func unknown(_ id: RecordingID) -> CommandReply.Refusal {
    CommandReply.Refusal(
      .unknownTarget,
      Message("There is no recording \"{id}\" here, or not any more.", ["id": id]))
  }

  /// Plays a recording to whoever stands in the room and wants to hear it.
  func play(
    _ id: RecordingID, _ outcome: inout Outcome
  ) throws(CommandReply.Refusal) {
    guard recordings[id] != nil else { throw Self.unknown(id) }
    outcome.actions.append(
      .play(SoundRequest(id: Self.wantedSound, priority: .reminder, parts: [.recording(id)])))
    outcome.reply = ["played": .string(id.rawValue)]
  }

  /// A second press begins anew.
  private static var wantedSound: SoundID { "recording" }

  // MARK: What goes

  /// Makes room for one more of a resident: the oldest goes, first of those that nobody sent.
  private mutating func dropOldest(of resident: ResidentID, _ outcome: inout Outcome) {
    let own = all.filter { $0.resident == resident }
      .sorted { ($0.keptAt, $0.id) < ($1.keptAt, $1.id) }
    let waiting = own.filter { !$0.isSent }
    let isFull = own.count >= NoteRules.recordingsAtMost
    guard isFull || waiting.count >= NoteRules.waitingRecordingsAtMost,
      let oldest = waiting.first ?? own.first
    else { return }
    forget(oldest.id, &outcome)
  }

  private mutating func forget(_ recording: RecordingID, _ outcome: inout Outcome) {
    waiting[recording] = nil
    guard recordings.removeValue(forKey: recording) != nil else { return }
    outcome.changes.append(.removeRecording(recording))
  }

  /// Forgets what has waited long enough.
  mutating func forgetOverdue(at now: Tick, _ outcome: inout Outcome) {
    for id in waiting.keys.sorted() {
      guard let end = waiting[id], end <= now else { continue }
      forget(id, &outcome)
    }
  }

  /// Forgets those of a resident.
  mutating func erase(_ resident: ResidentID, _ outcome: inout Outcome) {
    for recording in all where recording.resident == resident { forget(recording.id, &outcome) }
  }
}
