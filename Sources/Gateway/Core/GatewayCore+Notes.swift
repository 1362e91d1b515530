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
    let outcome = try notebook.perform(
      request, by: command.principal, stored: command.stored, in: world(at: now))
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
    step.take(notebook.handle(input, in: world(at: now)))
  }

  /// Takes a press of a button as "I heard it" while a message asks; false when none does.
  mutating func answerMessage(
    by button: SourceID, at now: Moment, in step: inout Step
  ) -> Bool {
    guard notebook.isAsking(at: now) else { return false }
    step.take(notebook.answer(by: button, in: world(at: now)))
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
