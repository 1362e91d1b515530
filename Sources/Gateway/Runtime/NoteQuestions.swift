import Care
import Core
import Door
import JSON
import Loop
import Moments
import Ports
import Texts

/// Requests about the routine's due times, notes and messages.
@LoopActor
struct NoteQuestions {
  let view: CoreView
  let clock: any GatewayClock
  let store: any CareStore
  let pictures: BroughtFiles<Picture>
  let recordings: BroughtFiles<Recording>

  var handlings: [Handling] {
    [
      Handling(.occurrencesQuery, queryOccurrences), Handling(.notesQuery, queryNotes),
      Handling(.noteGet, getNote), Handling(.messagesQuery, queryMessages),
      Handling(.homeGet, getHome), Handling(.pictureAdd, pictures.add),
      Handling(.pictureGet, pictures.get), Handling(.recordingAdd, recordings.add),
      Handling(.recordingGet, recordings.get),
    ]
  }

  private func queryOccurrences(_ asked: Asked, _ answer: @escaping Answer) throws {
    let (reader, resident) = (asked.reader, try asked.wholeResident())
    guard view.isKnown(resident, answer) else { return }
    let now = clock.now().utc
    let query = OccurrenceQuery(
      resident: resident, item: try reader.optionalString("item").map { RoutineItemID($0) },
      since: try reader.optionalTimestamp("since"), until: try reader.optionalTimestamp("until"),
      limit: try asked.limit(usual: 1000, atMost: 100_000), after: try asked.place(at: now))
    store.occurrences(query) { found in
      answer(found.map { asked.answer($0.map(\.json), at: now) }.mapError(\.refusal))
    }
  }

  private func queryNotes(_ asked: Asked, _ answer: @escaping Answer) throws {
    let (reader, resident) = (asked.reader, try asked.wholeResident())
    guard view.isKnown(resident, answer) else { return }
    let now = clock.now().utc
    let kinds = Policy.noteKinds(shownTo: asked.asking)
    // Whoever is shown one kind alone asks for that, also without saying so.
    let asks = try reader.optionalWord("kind", as: Note.Kind.self)
    let kind = asks ?? (kinds.count == 1 ? kinds.first : nil)
    guard kind.map(kinds.contains) ?? true else { return answer(.failure(Self.noMemos)) }
    let query = NoteQuery(
      resident: resident, kind: kind,
      text: try reader.optionalString("text"), tag: try reader.optionalString("tag"),
      since: try reader.optionalTimestamp("since"), until: try reader.optionalTimestamp("until"),
      limit: try asked.limit(usual: 100, atMost: 10_000), after: try asked.place(at: now))
    store.notes(query) { found in
      answer(found.map { asked.answer($0.map(\.json), at: now) }.mapError(\.refusal))
    }
  }

  private func getNote(_ asked: Asked, _ answer: @escaping Answer) throws {
    let id = NoteID(try asked.reader.string("id"))
    store.note(id) { found in
      switch found {
      case .success(let note?)
      where asked.concerns(note.resident)
        && Policy.noteKinds(shownTo: asked.asking).contains(note.kind):
        answer(.success(note.json))
      case .success:
        answer(
          .failure(
            CommandReply.Refusal(
              .unknownTarget,
              Message(
                "There is no note \"{id}\". List them with: homeward memo list, or homeward diary list",
                ["id": id]))))
      case .failure(let error): answer(.failure(error.refusal))
      }
    }
  }

  private static let noMemos = CommandReply.Refusal(
    .forbidden, Message("Whoever treats somebody reads the diary, and no other notes."))

  private func queryMessages(_ asked: Asked, _ answer: @escaping Answer) throws {
    let resident = try asked.resident()
    if let resident, !view.isKnown(resident, answer) { return }
    let limit = try asked.limit(usual: 100, atMost: 10_000)
    let now = clock.now().utc
    // Of everybody's messages some may be left out.
    gather(
      limit, from: try asked.place(at: now),
      ask: { [store] count, after, completion in
        store.messages(
          MessageQuery(resident: resident, limit: count, after: after), completion: completion)
      }, tell: { asked.concerns($0.resident) ? $0.json : nil },
      completion: { found in
        answer(found.map { asked.answer($0, at: now) }.mapError(\.refusal))
      })
  }

  // MARK: A screen in the house

  private func getHome(_ asked: Asked, _ answer: @escaping Answer) throws {
    let id = try asked.wholeResident()
    guard view.isKnown(id, answer),
      let resident = view.core.household.residents.first(where: { $0.id == id })
    else {
      return
    }
    let unread = view.core.notebook.unreadMessages(of: id).filter { $0.direction == .toResident }
    let caregivers = view.core.household.guardians(of: id).map { guardian -> JSONValue in
      .object([
        "id": .string(guardian.id.rawValue), "name": .string(guardian.name),
        "phone": guardian.phone.map { .string($0) },
      ])
    }
    let home = JSONValue.object([
      "resident": resident.json, "unread": .array(unread.map(\.json)),
      "caregivers": .array(caregivers),
      "call": view.core.household.callStage(of: id).map { .string($0) },
    ])
    store.notes(NoteQuery(resident: id, kind: .memo, limit: 1)) { [store] memos in
      store.occurrences(OccurrenceQuery(resident: id, limit: 200)) { found in
        answer(
          memos.flatMap { memos in
            found.map { due in RouteAnswer(Self.home(home, memos.elements.first, due.elements)) }
          }.mapError(\.refusal))
      }
    }
  }

  private static func home(
    _ home: JSONValue, _ memo: Note?, _ occurrences: [Occurrence]
  ) -> JSONValue {
    let done = occurrences.filter { $0.state == .done }.max { $0.changedAt < $1.changedAt }
    var home = home.setting(
      "due", to: .array(occurrences.filter { !$0.state.isFinal }.reversed().map(\.json)))
    if let memo { home = home.setting("lastMemo", to: memo.json) }
    if let done { home = home.setting("lastDone", to: done.json) }
    return home
  }
}
