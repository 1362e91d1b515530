import Care
import Texts

/// Where a resident may want to go.
struct Destinations {
  private static let homeNames: Set<String> = ["home", "家"]

  let resident: ResidentID
  let world: World
  let books: AddressBooks

  /// The bookmark named Home, else the zone that is the home, else one that is called so; nil where there is none.
  var home: Journey.Destination? {
    let bookmarks = world.bookmarks.values.sorted { $0.id < $1.id }
    if let found = bookmarks.first(where: { $0.resident == resident && Self.isHome($0.name) }) {
      return Journey.Destination(name: found.name, place: found.coordinate, isHome: true)
    }
    let zones = world.house.zones(of: resident)
    return (zones.first(where: \.isHome) ?? zones.first { Self.isHome($0.name) }).map {
      Journey.Destination(name: $0.name, place: $0.center, isHome: true)
    }
  }

  /// What somebody asks for.
  ///
  /// - Throws: that there is no such place.
  func find(
    _ goal: GuidanceRequest.Goal
  ) throws(CommandReply.Refusal) -> Journey.Destination {
    switch goal {
    case .home:
      guard let home else {
        throw CommandReply.Refusal(
          .unknownTarget,
          Message(
            "Nobody knows where {name}'s home is. Add a bookmark named Home, or mark a safe zone as home.",
            ["name": world.people[resident]?.name ?? resident.rawValue]))
      }
      return home
    case .bookmark(let bookmark):
      guard let found = world.bookmarks[bookmark], found.resident == resident else {
        throw Validation.unknown("bookmark", bookmark)
      }
      return Journey.Destination(
        name: found.name, place: found.coordinate, isHome: Self.isHome(found.name))
    case .kept(let place):
      let found = try books.place(place, of: resident)
      return Journey.Destination(
        name: found.name, place: found.coordinate, isHome: Self.isHome(found.name))
    case .place(let name, let place):
      try Validation.name(name)
      return Journey.Destination(name: name, place: place, isHome: Self.isHome(name))
    }
  }

  private static func isHome(_ name: String) -> Bool { homeNames.contains(name.lowercased()) }
}
