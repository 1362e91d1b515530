import Bytes
import Care
import Core
import Door
public import JSON
import Loop
import Moments
public import Ports
import Privacy
import Texts

/// Events that were, and events that happen.
@LoopActor
struct JournalQuestions {
  let view: CoreView
  let clock: any GatewayClock
  let store: any CareStore
  /// Nil where no photographs are kept.
  let pictures: (any PictureKeeper)?
  /// What may leave; nil for nothing at all.
  let privacy: (@LoopActor () -> PrivacyFilter)?
  /// What the grants of plugins let be seen of events.
  private let clearances = ClearanceCache { Clearance(grants: $0) }

  init(
    view: CoreView, clock: any GatewayClock, store: any CareStore,
    pictures: (any PictureKeeper)?, privacy: (@LoopActor () -> PrivacyFilter)?
  ) {
    self.view = view
    self.clock = clock
    self.store = store
    self.pictures = pictures
    self.privacy = privacy
  }

  var handlings: [Handling] {
    [
      Handling(.eventsQuery, queryEvents), Handling(.eventGet, getEvent),
      Handling(.alarmPhotograph, getPhotograph),
      // Who may watch sees of each event what ``body(of:for:)`` shows.
      Handling(.watch) { $1(.success(.object([JSONMember]()))) },
    ]
  }

  private func queryEvents(_ asked: Asked, _ answer: @escaping Answer) throws {
    let reader = asked.reader
    let now = clock.now().utc
    let query = JournalQuery(
      resident: try asked.resident(),
      types: try reader.array("types").compactMap(\.stringContent),
      lanes: try reader.array("lanes").compactMap { $0.stringContent.flatMap(Lane.init) },
      since: try reader.optionalTimestamp("since"), until: try reader.optionalTimestamp("until"),
      limit: try asked.limit(usual: 100, from: 1, atMost: 10_000))
    // Not all of them may be seen now.
    gather(
      query.limit, from: try asked.place(at: now),
      ask: { [store] count, after, completion in
        var part = query
        (part.limit, part.after) = (count, after)
        store.query(part, completion: completion)
      }, tell: { visible($0, to: asked.asking)?.json },
      completion: { found in
        answer(found.map { asked.answer($0, at: now) }.mapError(\.refusal))
      })
  }

  /// What of an event somebody may have who watches; nil when nothing of it.
  func body(of event: EncodedEvent, for asking: Asking) -> [UInt8]? {
    if asking.isOwner { return event.body }
    let view = eventView(for: asking)
    return view?.body(of: event.type, subject: event.subject, event.body)
      ?? view?.ofUnlinked(event.type, event.body)
  }

  /// What of a stored event somebody may have who asks; nil when nothing of it.
  private func visible(_ row: JournalRow, to asking: Asking) -> JournalRow? {
    if asking.isOwner { return isConcealed(row) ? nil : row }
    guard let body = eventView(for: asking)?.body(of: row.type, subject: row.subject, row.body)
    else { return nil }
    var row = row
    row.body = body
    return row
  }

  /// Nil where nobody says what may leave the house, so that nothing does.
  private func eventView(for asking: Asking) -> EventView? {
    let granted = asking.grants.map { clearances.clearance(of: $0) }
    return privacy.map { EventView(asking: asking, filter: $0(), granted: granted) }
  }

  /// Whether an event would tell whoever looks that an alarm only seems to be over.
  private func isConcealed(_ row: JournalRow) -> Bool {
    guard row.isForGuardians, let facts = (try? JSONValue(parsing: row.body))?["data"] else {
      return false
    }
    let alarm = facts["alarm"]?.stringContent ?? facts["event"]?.stringContent
    return alarm.map { view.core.alarms.conceals(AlarmID($0)) } ?? false
  }

  private func getEvent(_ asked: Asked, _ answer: @escaping Answer) throws {
    let id = EventID(try asked.reader.string("id"))
    store.event(id) { row in
      switch row {
      case .success(let row):
        if let row = row.flatMap({ visible($0, to: asked.asking) }) {
          return answer(.success(row.json))
        }
        answer(
          .failure(
            CommandReply.Refusal(
              .unknownTarget,
              Message("There is no event \"{id}\". List them with: homeward events", ["id": id]))))
      case .failure(let error): answer(.failure(error.refusal))
      }
    }
  }

  /// A photograph is seen by whoever may see the event that tells of it, and not before guardians were told.
  private func getPhotograph(_ asked: Asked, _ answer: @escaping Answer) throws {
    let id = EventID(try asked.reader.string("id"))
    let offset = max(0, try asked.reader.optionalInteger("offset") ?? 0)
    let missing = CommandReply.Refusal(
      .unknownTarget, Message("No photograph is known of this event."))
    store.event(id) { found in
      guard let keeper = pictures, case .success(let row?) = found,
        row.type == .alarmPhoto, let event = visible(row, to: asked.asking)?.json,
        let path = event["data"]?["path"]?.stringContent
      else { return answer(.failure(missing)) }
      keeper.read(path, offset: offset, count: UploadPiece.bytesAtMost) { read in
        answer(
          read.map { bytes in
            RouteAnswer([
              "id": .string(id.rawValue), "offset": .integer(offset),
              "data": .string(String(decoding: Base64.encode(bytes), as: UTF8.self)),
              "isLast": .bool(bytes.count < UploadPiece.bytesAtMost),
            ])
          }.mapError { CommandReply.Refusal(.unknownTarget, $0.message) })
      }
    }
  }
}

extension JournalRow {
  /// The event as its receivers get it, with one member more: its `sequence` in the journal.
  ///
  /// A body that is no JSON object is told as a text under `body`.
  public var json: JSONValue {
    let event = try? JSONValue(parsing: body)
    let members =
      event?.objectContent ?? [
        JSONMember(key: "body", value: .string(String(decoding: body, as: UTF8.self)))
      ]
    return .object([JSONMember(key: "sequence", value: .integer(sequence))] + members)
  }
}
