import Care
import JSON
import Moments
import Texts

/// Pictures, and who refers to them: what no note and no item of a routine shows waits for an hour.
struct PictureShelf: Sendable {
  /// What an item of a routine shows, and whose item it is.
  private struct ItemPicture: Hashable, Sendable {
    let picture: PictureID
    let resident: ResidentID
  }

  private var pictures: [PictureID: Picture] = [:]
  /// The pictures of the routine's items.
  private var itemPictures: [RoutineItemID: ItemPicture] = [:]
  /// How many notes and items refer to each picture.
  private var references: [PictureID: Int] = [:]
  /// Until when a picture waits that nothing refers to.
  private var waiting: [PictureID: Tick] = [:]

  /// The pictures that are stored, with the notes and the items of routines that may refer to them.
  init(_ stored: StoredState, at now: Moment) {
    for note in stored.notes {
      for picture in note.pictures { references[picture, default: 0] += 1 }
    }
    for item in stored.routineItems {
      guard let picture = item.picture else { continue }
      itemPictures[item.id] = ItemPicture(picture: picture, resident: item.resident)
      references[picture, default: 0] += 1
    }
    for picture in stored.pictures {
      pictures[picture.id] = picture
      guard references[picture.id] == nil else { continue }
      waiting[picture.id] = NoteRules.graceEnd(from: now)
    }
  }

  // MARK: Views

  /// All, by id.
  var all: [Picture] { pictures.values.sorted { $0.id < $1.id } }

  /// The ids of all.
  var ids: Set<PictureID> { Set(pictures.keys) }

  /// A picture by its name; nil when it is not stored.
  subscript(id: PictureID) -> Picture? { pictures[id] }

  /// When the next one has waited long enough; nil when none waits.
  var nextEnd: Tick? { waiting.values.min() }

  // MARK: What comes

  /// Takes note of a picture whose file is there; it waits for who refers to it.
  mutating func keep(
    _ picture: Picture, by principal: Principal, at now: Moment, _ outcome: inout Outcome
  ) throws(CommandReply.Refusal) {
    guard principal.channel == .gateway else {
      throw CommandReply.Refusal(
        .forbidden,
        Message("Only the gateway itself notes pictures. Bring the picture with picture.add."))
    }
    outcome.reply = picture.json
    if let known = pictures[picture.id] {
      outcome.reply = known.json
      if waiting[picture.id] != nil { waiting[picture.id] = NoteRules.graceEnd(from: now) }
      return
    }
    guard pictures.count < NoteRules.storedPicturesAtMost else {
      throw CommandReply.Refusal(
        .conflict,
        Message(
          "One gateway keeps at most {limit} pictures. Remove notes with pictures that are not needed.",
          ["limit": NoteRules.storedPicturesAtMost]))
    }
    pictures[picture.id] = picture
    waiting[picture.id] = NoteRules.graceEnd(from: now)
    outcome.changes.append(.putPicture(picture))
  }

  /// Takes that an item of a routine has another picture.
  mutating func refer(
    from item: RoutineItemID, of resident: ResidentID, to picture: PictureID?, at now: Moment
  ) {
    let old = itemPictures.removeValue(forKey: item)
    itemPictures[item] = picture.map { ItemPicture(picture: $0, resident: resident) }
    refer(from: old.map { [$0.picture] } ?? [], to: picture.map { [$0] } ?? [], at: now)
  }

  /// Counts who refers to what; what nobody refers to any more waits as long as what nobody refers to yet, for whoever
  /// takes the removal back.
  mutating func refer(from old: [PictureID], to new: [PictureID], at now: Moment) {
    for picture in new {
      references[picture, default: 0] += 1
      waiting[picture] = nil
    }
    for picture in old {
      let left = (references[picture] ?? 0) - 1
      references[picture] = left > 0 ? left : nil
      if left <= 0, pictures[picture] != nil {
        waiting[picture] = NoteRules.graceEnd(from: now)
      }
    }
  }

  // MARK: What goes

  private mutating func forget(_ picture: PictureID, _ outcome: inout Outcome) {
    references[picture] = nil
    waiting[picture] = nil
    guard pictures.removeValue(forKey: picture) != nil else { return }
    outcome.changes.append(.removePicture(picture))
  }

  /// Forgets what has waited long enough.
  mutating func forgetOverdue(at now: Tick, _ outcome: inout Outcome) {
    for id in waiting.keys.sorted() {
      guard let end = waiting[id], end <= now else { continue }
      forget(id, &outcome)
    }
  }

  /// Forgets those of a resident; what others refer to becomes theirs.
  ///
  /// - Parameters:
  ///   - gone: the notes of the resident.
  ///   - left: all other notes, by id.
  mutating func erase(
    _ resident: ResidentID, gone: [NoteHead], left: [NoteHead], _ outcome: inout Outcome
  ) {
    // What they referred to is looked at below.
    for head in gone {
      for picture in head.pictures { references[picture, default: 1] -= 1 }
    }
    for (item, shown) in itemPictures where shown.resident == resident {
      itemPictures[item] = nil
      references[shown.picture, default: 1] -= 1
    }
    for picture in all where references[picture.id] ?? 0 <= 0 {
      guard picture.resident == resident || waiting[picture.id] == nil else { continue }
      forget(picture.id, &outcome)
    }
    for var picture in all where picture.resident == resident {
      guard let owner = owner(of: picture.id, left) else { continue }
      picture.resident = owner
      pictures[picture.id] = picture
      outcome.changes.append(.putPicture(picture))
    }
  }

  /// Somebody who has a picture in a note or an item of their own.
  private func owner(of picture: PictureID, _ notes: [NoteHead]) -> ResidentID? {
    notes.first { $0.pictures.contains(picture) }?.resident
      ?? itemPictures.values.filter { $0.picture == picture }.map(\.resident).min()
  }
}
