import Care
import JSON
import Moments
import Texts

/// Notes and the pictures that they refer to.
extension NotebookEngine {
  mutating func put(
    _ wanted: Note, seen: Int64?, by principal: Principal, _ stored: Note?,
    in world: World, _ outcome: inout Outcome
  ) throws(CommandReply.Refusal) {
    try NoteRules.check(wanted)
    for picture in wanted.pictures where pictures[picture] == nil {
      throw Validation.unknownPicture(picture)
    }
    let head = heads[wanted.id]
    if let head, head.resident != wanted.resident {
      throw CommandReply.Refusal(
        .conflict, Message("The note {id} belongs to another resident.", ["id": wanted.id]))
    }
    guard head != nil || heads.count < NoteRules.notesAtMost else {
      throw CommandReply.Refusal(
        .conflict,
        Message(
          "One gateway keeps at most {limit} notes. Remove some that are not needed.",
          ["limit": NoteRules.notesAtMost]))
    }
    let previous = stored.flatMap { $0.revision == head?.revision ? $0 : nil }
    let change = NoteChange(
      "note.put", of: wanted.id, by: principal, head: head, previous: previous)
    try check(change, seen: seen, wanted: wanted, in: world)
    var note = wanted
    note.tags = Self.distinct(wanted.tags)
    note.pictures = Self.distinct(wanted.pictures)
    note.changedAt = world.now.utc
    note.revision = (head?.revision ?? 0) + 1
    outcome.reply = ["id": .string(note.id.rawValue), "revision": .integer(note.revision)]
    if let previous, previous.hasSameContent(as: note) {
      outcome.reply = outcome.reply.setting("revision", to: .integer(previous.revision))
      return
    }
    outcome.changes.append(.putNote(note))
    outcome.events.append(change.event(resident: note.resident, content: note.json))
    heads[note.id] = NoteHead(
      id: note.id, resident: note.resident, revision: note.revision, pictures: note.pictures)
    pictures.refer(from: head?.pictures ?? [], to: note.pictures, at: world.now)
  }

  mutating func remove(
    _ id: NoteID, seen: Int64?, by principal: Principal, _ stored: Note?,
    in world: World, _ outcome: inout Outcome
  ) throws(CommandReply.Refusal) {
    guard let head = heads[id] else { throw Self.unknown(id) }
    let previous = stored.flatMap { $0.revision == head.revision ? $0 : nil }
    let change = NoteChange("note.remove", of: id, by: principal, head: head, previous: previous)
    try check(change, seen: seen, wanted: nil, in: world)
    heads[id] = nil
    outcome.changes.append(.removeNote(id))
    outcome.events.append(
      change.event(
        resident: head.resident, content: previous?.json ?? ["id": .string(id.rawValue)]))
    pictures.refer(from: head.pictures, to: [], at: world.now)
    outcome.reply = ["removed": .string(id.rawValue)]
  }

  private static func unknown(_ id: NoteID) -> CommandReply.Refusal {
    CommandReply.Refusal(
      .unknownTarget,
      Message(
        "There is no note \"{id}\". List them with: homeward memo list, or homeward diary list",
        ["id": id]))
  }

  /// Two people changed one note at once: the later one is told what is there now, everybody is told of both versions.
  private func check(
    _ change: NoteChange, seen: Int64?, wanted: Note?, in world: World
  ) throws(CommandReply.Refusal) {
    let there = change.head?.revision ?? 0
    guard let seen, seen != there else { return }
    var refusal = change.conflict(seen: seen)
    guard let resident = change.head?.resident ?? wanted?.resident else { throw refusal }
    refusal.events = [
      EventDraft(
        type: .changeConflict, lane: .record, resident: resident,
        facts: .object([
          "action": .string(change.action), "target": .string(change.id.rawValue),
          "by": .string(change.principal.description), "seenRevision": .integer(seen),
          "storedRevision": .integer(there),
          "stored": change.previous?.json ?? change.head?.json, "refused": wanted?.json,
          "explanation": .string(refusal.message.text(in: world.language(of: resident))),
        ]))
    ]
    throw refusal
  }

  private static func distinct<Element: Hashable>(_ elements: [Element]) -> [Element] {
    var seen: Set<Element> = []
    return elements.filter { seen.insert($0).inserted }
  }
}

/// A change of a note that somebody asks for.
struct NoteChange {
  let action: String
  let id: NoteID
  let principal: Principal
  /// What is there; nil for nothing.
  let head: NoteHead?
  /// The content of ``head``; nil when the store could not say.
  let previous: Note?

  init(
    _ action: String, of id: NoteID, by principal: Principal, head: NoteHead?, previous: Note?
  ) {
    self.action = action
    self.id = id
    self.principal = principal
    self.head = head
    self.previous = previous
  }

  func event(resident: ResidentID, content: JSONValue) -> EventDraft {
    EventDraft(
      type: .recordChanged, lane: .record, resident: resident,
      facts: .object([
        "action": .string(action), "target": .string(id.rawValue),
        "by": .string(principal.description), "content": content, "previous": previous?.json,
      ]))
  }

  /// Why a change does not fit what is there.
  func conflict(seen: Int64) -> CommandReply.Refusal {
    guard let head else {
      return CommandReply.Refusal(
        .conflict,
        Message(
          "The note {id} was removed meanwhile. To keep your version, add it as a new note.",
          ["id": id]))
    }
    let author = previous.map(\.author) ?? ""
    let values: Message.Values = [
      "who": author.isEmpty ? Message("Somebody") : Message(verbatim: author), "id": id,
      "time": previous?.changedAt.iso8601 ?? "", "revision": head.revision, "seen": seen,
    ]
    return CommandReply.Refusal(
      .conflict,
      previous == nil
        ? Message(
          "{who} changed the note {id} meanwhile (revision {revision}, you saw {seen}). "
            + "Nothing is lost: both versions are in the events. Read it again, then make your change.",
          values)
        : Message(
          "{who} changed the note {id} meanwhile at {time} (revision {revision}, you saw {seen}). "
            + "Nothing is lost: both versions are in the events. Read it again, then make your change.",
          values))
  }
}

extension Note {
  /// Whether nothing differs but when it was changed and which change it was.
  fileprivate func hasSameContent(as other: Note) -> Bool {
    var other = other
    other.changedAt = changedAt
    other.revision = revision
    return self == other
  }
}
