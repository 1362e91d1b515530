import Care
import Texts

/// A resident whose absence is judged, and where they are.
struct Absentee {
  let name: String
  let language: Language
  private let whereabouts: World.Whereabouts

  /// A resident of the house; nil for one who is not known.
  init?(_ resident: ResidentID, in world: World) {
    guard let person = world.people[resident] else { return nil }
    name = person.name
    language = person.language
    whereabouts = world.whereabouts[resident] ?? World.Whereabouts()
  }

  /// Whether the resident is known to be outside of all safe zones.
  var isOutside: Bool { whereabouts.isOutside }

  /// Whether the resident is at home, or in any safe zone where none is home; nil while nobody can say.
  ///
  /// - Parameter zone: the zone that belongs to the absence, in which nobody has come home.
  func isAtHome(besides zone: ZoneID?) -> Bool? {
    guard isOutside || !whereabouts.inside.isEmpty else { return nil }
    let homes = whereabouts.safeZones.filter(\.value).keys
    let counting = Set(homes.isEmpty ? whereabouts.safeZones.keys : homes)
    return !whereabouts.inside.isDisjoint(with: counting.subtracting([zone].compactMap { $0 }))
  }
}
