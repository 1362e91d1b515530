import Alarms
public import Care
import CivilTime
import JSON
import Moments
import Notebook

extension GatewayCore {
  // MARK: Memos, diary, messages

  mutating func perform(
    _ request: NoteRequest, _ command: Command, at now: Moment, in step: inout Step
  ) throws(CommandReply.Refusal) -> JSONValue {
    try check(request)
    let outcome = notebook.perform(
      request, by: command.principal, stored: command.stored, in: notebookContext(at: now))
    if let refusal = outcome.refusal {
      step.refusalDrafts += outcome.events
      throw refusal
    }
    step.take(outcome)
    return outcome.reply
  }

  private func check(_ request: NoteRequest) throws(CommandReply.Refusal) {
    switch request {
    case .put(let note, _):
      try Validation.id(note.id.rawValue, of: "note")
      try directory.requireResident(note.resident)
    case .send(let id, let resident, _, _, _):
      try Validation.id(id.rawValue, of: "message")
      try directory.requireResident(resident)
    case .keepPicture(let picture): try directory.requireResident(picture.resident)
    case .remove, .read: break
    }
  }

  mutating func advanceNotebook(_ input: NotebookInput, at now: Moment, in step: inout Step) {
    step.take(notebook.handle(input, in: notebookContext(at: now)))
  }

  /// When it is, for messages, and whether a resident is to be left in peace.
  func notebookContext(at now: Moment) -> NotebookContext {
    var context = NotebookContext(now: now, listeners: [:])
    for resident in directory.residents.values {
      context.listeners[resident.id] = NotebookContext.Listener(
        name: resident.name, language: language(of: resident.id),
        quiet: quiet(of: resident, at: now))
    }
    return context
  }

  private func quiet(of resident: Resident, at now: Moment) -> NotebookContext.Quiet {
    let wanted = alarmSettings(of: resident.id).quietHours
    guard let hours = QuietHours(wanted) else { return .over }
    guard now.quality.isTrusted,
      let local = timeZones[resident.timeZone]?.local(at: now.utc).civil
    else { return .unknown }
    return hours.minutesLeft(at: local).map { .minutes($0) } ?? .over
  }

  /// Takes a press of a button as "I heard it" while a message asks; false when none does.
  mutating func answerMessage(
    by button: SourceID, at now: Moment, in step: inout Step
  ) -> Bool {
    guard notebook.isAsking(at: now) else { return false }
    step.take(notebook.answer(by: button, in: notebookContext(at: now)))
    return true
  }

  // MARK: Views

  /// Messages that nobody has read, oldest first; of one resident, or of all when nil.
  public func unreadMessages(of resident: ResidentID?) -> [ChatMessage] {
    notebook.unreadMessages.filter { resident == nil || $0.resident == resident }
  }

  /// A picture that is stored, by its name; nil when it is not.
  public func picture(_ id: PictureID) -> Picture? { notebook.picture(id) }

  /// All pictures that are stored, by id.
  public var pictures: [Picture] { notebook.storedPictures }

  /// Whom a request about notes concerns; nil when it names one that is not there.
  func resident(concernedBy request: NoteRequest) -> ResidentID? {
    switch request {
    case .put(let note, _): note.resident
    case .send(_, let id, _, _, _): id
    case .keepPicture(let picture): picture.resident
    case .remove(let id, _): notebook.resident(of: id)
    case .read(let id): notebook.resident(of: id)
    }
  }
}

extension Step {
  mutating func take(_ outcome: NotebookOutcome) {
    drafts += outcome.events
    changes += outcome.changes
    actions += outcome.actions
  }
}
