public import Care
import Moments
import Texts

/// The residents' own address books.
extension GuidanceEngine {
  /// A resident's address book, by name.
  public func places(keptBy id: ResidentID) -> [KeptPlace] { books.places(of: id) }

  /// Keeps a place under a name: a given one, or where the resident is now.
  mutating func keep(
    _ id: ResidentID, _ name: String, at given: Coordinate?, in world: World,
    _ outcome: inout Outcome
  ) throws(CommandReply.Refusal) {
    try Validation.name(name)
    try world.house.requireConsent(.location, of: id)
    guard let place = given ?? positions.trail(of: id)?.fresh(at: world.now.tick)?.place else {
      throw CommandReply.Refusal(
        .conflict,
        Message(
          "Nobody knows where {name} is just now. Try again in the open, or give the place.",
          ["name": world.people[id]?.name ?? id.rawValue]))
    }
    try books.keep(place, as: name, of: id, at: world.now.utc, &outcome)
  }
}
