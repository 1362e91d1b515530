import Care
import JSON
import Moments
import Texts

/// Recordings and the messages that carry them.
extension NotebookEngine {
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
      if !known.isSent { waitingRecordings[known.id] = Self.graceEnd(from: now) }
      return
    }
    var recording = recording
    recording.keptAt = now.utc
    recording.isSent = false
    dropOldest(of: recording.resident, &outcome)
    recordings[recording.id] = recording
    waitingRecordings[recording.id] = Self.graceEnd(from: now)
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
    waitingRecordings[id] = nil
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
  mutating func play(
    _ id: RecordingID, _ outcome: inout Outcome
  ) throws(CommandReply.Refusal) {
    guard recordings[id] != nil else { throw Self.unknown(id) }
    outcome.actions.append(
      .play(SoundRequest(id: Self.wantedSound, priority: .reminder, parts: [.recording(id)])))
    outcome.reply = ["played": .string(id.rawValue)]
  }

  /// A second press begins anew.
  private static var wantedSound: SoundID { "recording" }

  /// Makes room for one more of a resident: the oldest goes, first of those that nobody sent.
  private mutating func dropOldest(of resident: ResidentID, _ outcome: inout Outcome) {
    let own = storedRecordings.filter { $0.resident == resident }
      .sorted { ($0.keptAt, $0.id) < ($1.keptAt, $1.id) }
    let waiting = own.filter { !$0.isSent }
    let isFull = own.count >= NoteRules.recordingsAtMost
    guard isFull || waiting.count >= NoteRules.waitingRecordingsAtMost,
      let oldest = waiting.first ?? own.first
    else { return }
    forget(oldest.id, &outcome)
  }

  mutating func forget(_ recording: RecordingID, _ outcome: inout Outcome) {
    waitingRecordings[recording] = nil
    guard recordings.removeValue(forKey: recording) != nil else { return }
    outcome.changes.append(.removeRecording(recording))
  }
}
