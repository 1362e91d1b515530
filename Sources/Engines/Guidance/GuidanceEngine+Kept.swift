public import Care
import JSON
import Moments
import Texts
import WalkingRoutes

/// The residents' own address books.
extension GuidanceEngine {
  /// Keeps a place under a name: a given one, or where the resident is now. One of the same name gives way to it.
  mutating func keep(
    _ id: ResidentID, _ name: String, at given: Coordinate?, in world: World,
    _ outcome: inout Outcome
  ) throws(CommandReply.Refusal) {
    try Validation.name(name)
    try world.house.requireConsent(.location, of: id)
    guard let place = given ?? freshStep(id, at: world.now.tick)?.place else {
      throw CommandReply.Refusal(
        .conflict,
        Message(
          "Nobody knows where {name} is just now. Try again in the open, or give the place.",
          ["name": world.people[id]?.name ?? id.rawValue]))
    }
    var book = kept[id] ?? []
    let before = book.first { $0.name.lowercased() == name.lowercased() }
    guard before != nil || book.count < KeptPlace.most else {
      throw CommandReply.Refusal(
        .conflict,
        Message(
          "The address book is full: {n} places. Remove one first.", ["n": KeptPlace.most]))
    }
    let number = (book.compactMap { Int($0.id) }.max() ?? 0) + 1
    let new = KeptPlace(
      id: before?.id ?? String(number), name: name, address: "", coordinate: place,
      kept: world.now.utc)
    book.removeAll { $0.id == new.id }
    kept[id] = book + [new]
    outcome.changes.append(.putEngineRow(new.row(of: id)))
    outcome.events.append(Self.event(.placeKept, id, new))
    outcome.actions.append(
      .askMap(MapQuery(id: Self.query(id, new), resident: id, .address(place))))
  }

  /// Keeps a place no longer.
  mutating func forget(
    _ id: ResidentID, _ place: String, _ outcome: inout Outcome
  ) throws(CommandReply.Refusal) {
    guard let known = kept[id]?.first(where: { $0.id == place }) else {
      throw Self.unknownPlace(place)
    }
    kept[id]?.removeAll { $0.id == place }
    outcome.changes.append(known.row(of: id).removal)
    outcome.events.append(Self.event(.placeForgotten, id, known))
  }

  static func unknownPlace(_ id: String) -> CommandReply.Refusal {
    CommandReply.Refusal(
      .unknownTarget,
      Message(
        "There is no place \"{id}\" in the address book. See: homeward guide places", ["id": id]))
  }

  /// The address of a kept place was found.
  mutating func note(
    _ address: String, of report: MapReport, _ outcome: inout Outcome
  ) -> Bool {
    let id = report.resident
    guard let index = kept[id]?.firstIndex(where: { Self.query(id, $0) == report.query }),
      var place = kept[id]?[index], place.address != address
    else { return false }
    place.address = String(address.prefix(300))
    kept[id]?[index] = place
    outcome.changes.append(.putEngineRow(place.row(of: id)))
    return true
  }

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

  /// A resident's address book, by name.
  public func places(keptBy id: ResidentID) -> [KeptPlace] {
    (kept[id] ?? []).sorted { ($0.name, $0.id) < ($1.name, $1.id) }
  }
}
