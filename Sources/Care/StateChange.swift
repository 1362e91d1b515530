public import JSON
public import Moments

/// One named row of an engine's state, so that a restart swallows and invents nothing.
public struct EngineRow: Hashable, Sendable {
  /// The engine (`tracking`).
  public var engine: String
  /// Whose state it is: a resident id, or `gateway`.
  public var subject: String
  /// What the row is about (`fix`, `record`, `zone:home`).
  public var name: String
  /// A small object of scalars.
  public var content: JSONValue

  /// A row from its parts.
  public init(engine: String, subject: String, name: String, content: JSONValue) {
    self.engine = engine
    self.subject = subject
    self.name = name
    self.content = content
  }
}

/// One change of what is stored, written in the same transaction as the events of its step.
public enum StateChange: Hashable, Sendable {
  /// Insert or replace a resident.
  case putResident(Resident)
  /// Remove a resident and everything that belongs to them: zones, bookmarks, settings, records, journal, traces, inputs.
  case eraseResident(ResidentID)
  /// Insert or replace a zone.
  case putZone(SafeZone)
  /// Remove a zone.
  case removeZone(ZoneID)
  /// Insert or replace a bookmark.
  case putBookmark(Bookmark)
  /// Remove a bookmark.
  case removeBookmark(BookmarkID)
  /// Insert or replace a guardian.
  case putGuardian(Guardian)
  /// Remove a guardian.
  case removeGuardian(GuardianID)
  /// Insert or replace an item of a routine.
  case putRoutineItem(RoutineItem)
  /// Remove an item of a routine; its occurrences stay.
  case removeRoutineItem(RoutineItemID)
  /// Insert or replace a due time of an item, by item and slot.
  case putOccurrence(Occurrence)
  /// Insert or replace a memo or an entry of the diary.
  case putNote(Note)
  /// Remove a memo or an entry of the diary.
  case removeNote(NoteID)
  /// Insert or replace a message.
  case putMessage(ChatMessage)
  /// Note that a picture is stored.
  case putPicture(Picture)
  /// Forget a picture that nobody refers to any more; its file is removed after the commit.
  case removePicture(PictureID)
  /// Insert or replace a glucose reading.
  case putGlucoseReading(GlucoseReading)
  /// Remove a glucose reading.
  case removeGlucoseReading(GlucoseReadingID)
  /// Insert or replace a setting of a resident.
  case putSetting(resident: ResidentID, name: String, value: JSONValue)
  /// Remove a setting of a resident, so that the default holds again.
  case removeSetting(resident: ResidentID, name: String)
  /// Insert or replace a row of engine state.
  case putEngineRow(EngineRow)
  /// Remove a row of engine state.
  case removeEngineRow(engine: String, subject: String, name: String)
  /// Append to the location history (SB-8).
  case addLocationRecord(LocationRecord)
  /// Append to the five-minute series (SD-1).
  case addLocationSample(LocationRecord)
  /// Append to the audit log.
  case addAudit(AuditEntry)
}

/// Who changed or looked at what, and when.
public struct AuditEntry: Hashable, Sendable {
  /// When.
  public var time: Timestamp
  /// Who, as `channel:name`.
  public var principal: String
  /// The command's id.
  public var command: String
  /// What was asked, as its request word (`zone.put`).
  public var action: String
  /// The target's id.
  public var target: String
  /// `done`, or the code of the refusal.
  public var outcome: String

  /// An entry from its parts.
  public init(
    time: Timestamp, principal: String, command: String, action: String, target: String,
    outcome: String
  ) {
    self.time = time
    self.principal = principal
    self.command = command
    self.action = action
    self.target = target
    self.outcome = outcome
  }
}
