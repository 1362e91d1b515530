import Care
import JSON
import Moments
import Texts
import WalkingRoutes

/// The residents' own address books.
struct AddressBooks: Sendable {
  private var books: [ResidentID: [KeptPlace]] = [:]

  /// Nobody keeps a place.
  init() {}

  // MARK: Rows

  /// Takes a stored place; false where the row is none that can be read.
  mutating func restore(_ row: EngineRow) -> Bool {
    guard row.name.hasPrefix(KeptPlace.rowPrefix), let place = try? KeptPlace(json: row.content)
    else { return false }
    books[ResidentID(row.subject), default: []].append(place)
    return true
  }

  /// The rows as they are stored, by resident.
  var rows: [EngineRow] {
    books.keys.sorted().flatMap { id in (books[id] ?? []).map { $0.row(of: id) } }
  }

  // MARK: Views

  /// A resident's address book, by name.
  func places(of id: ResidentID) -> [KeptPlace] {
    (books[id] ?? []).sorted { ($0.name, $0.id) < ($1.name, $1.id) }
  }

  /// A place of a resident's.
  ///
  /// - Throws: that there is none.
  func place(_ place: String, of id: ResidentID) throws(CommandReply.Refusal) -> KeptPlace {
    guard let found = books[id]?.first(where: { $0.id == place }) else {
      throw CommandReply.Refusal(
        .unknownTarget,
        Message(
          "There is no place \"{id}\" in the address book. See: homeward guide places",
          ["id": place]))
    }
    return found
  }

  // MARK: Changes

  /// Keeps a place under a name. One of the same name gives way to it.
  ///
  /// - Throws: that the book is full.
  mutating func keep(
    _ place: Coordinate, as name: String, of id: ResidentID, at now: Timestamp,
    _ outcome: inout Outcome
  ) throws(CommandReply.Refusal) {
    var book = books[id] ?? []
    let before = book.first { $0.name.lowercased() == name.lowercased() }
    guard before != nil || book.count < KeptPlace.most else {
      throw CommandReply.Refusal(
        .conflict,
        Message(
          "The address book is full: {n} places. Remove one first.", ["n": KeptPlace.most]))
    }
    let number = (book.compactMap { Int($0.id) }.max() ?? 0) + 1
    let new = KeptPlace(
      id: before?.id ?? String(number), name: name, address: "", coordinate: place, kept: now)
    book.removeAll { $0.id == new.id }
    books[id] = book + [new]
    outcome.changes.append(.putEngineRow(new.row(of: id)))
    outcome.events.append(Self.event(.placeKept, id, new))
    outcome.actions.append(
      .askMap(MapQuery(id: Self.query(id, new), resident: id, .address(place))))
  }

  /// Keeps a place no longer.
  ///
  /// - Throws: that there is none.
  mutating func forget(
    _ place: String, of id: ResidentID, _ outcome: inout Outcome
  ) throws(CommandReply.Refusal) {
    let known = try self.place(place, of: id)
    books[id]?.removeAll { $0.id == place }
    outcome.changes.append(known.row(of: id).removal)
    outcome.events.append(Self.event(.placeForgotten, id, known))
  }

  /// The address of a kept place was found; false where nobody asked for it, or it is the same.
  mutating func note(
    _ address: String, of report: MapReport, _ outcome: inout Outcome
  ) -> Bool {
    let id = report.resident
    guard let index = books[id]?.firstIndex(where: { Self.query(id, $0) == report.query }),
      var place = books[id]?[index], place.address != address
    else { return false }
    place.address = String(address.prefix(300))
    books[id]?[index] = place
    outcome.changes.append(.putEngineRow(place.row(of: id)))
    return true
  }

  /// Forgets a resident; the rows go with the rest of what is stored about them.
  mutating func erase(_ id: ResidentID) { books[id] = nil }

  /// The place and its time: what is moved meanwhile is another question.
  private static func query(_ id: ResidentID, _ place: KeptPlace) -> String {
    "kept-\(id)-\(place.id)-\(place.kept.milliseconds)"
  }

  private static func event(
    _ type: EventType, _ id: ResidentID, _ place: KeptPlace
  ) -> EventDraft {
    EventDraft(
      type: type, lane: .record, resident: id,
      facts: place.coordinate.json.setting("place", to: .string(place.id))
        .setting("name", to: .string(place.name)))
  }
}
