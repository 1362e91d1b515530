import Care
import JSON

/// Where whoever an alarm is about is now: in words first, with the same on a small map.
struct AlarmPlace {
  /// The resident as `residents.list` tells of them.
  let resident: JSONValue
  /// Their safe zones.
  let zones: [JSONValue]

  /// Whether there is anything to draw.
  var hasMap: Bool { resident["tracking"]?["position"] != nil || !zones.isEmpty }

  /// A line for whom the map shows, and one for each safe zone on it, the nearest first.
  func lines(_ visit: Visit) -> [HTML] {
    let name = resident["name"]?.stringContent ?? ""
    let who = Part.line(
      Icon.person, "<strong>\(name)</strong> \(Whereabouts.pill(resident, visit))",
      Whereabouts.position(resident, visit) + near(visit))
    return [who]
      + distances.map { zone, meters in
        let words =
          meters.map {
            $0 <= 0
              ? visit.gettext("{name} is in it", ["name": name])
              : visit.gettext("{distance} away", ["distance": visit.distance($0)])
          } ?? visit.gettext("nobody knows how far")
        return Part.line(
          Icon.ring,
          "\(visit.gettext("Safe zone")) <strong>\(zone["name"]?.stringContent ?? "")</strong>",
          HTML(words))
      }
  }

  /// Zones with the metres from the position to their edge; nil where the position is not known.
  private var distances: [(zone: JSONValue, meters: Double?)] {
    let place = resident["tracking"]?["position"].flatMap { try? Coordinate(json: $0) }
    return zones.map { zone in
      (zone, place.flatMap { try? SafeZone(json: zone).edgeMeters(from: $0) })
    }.sorted { ($0.meters ?? .infinity) < ($1.meters ?? .infinity) }
  }

  /// Where a script writes the address, once it has it: nothing on this page waits for a map.
  private func near(_ visit: Visit) -> HTML {
    guard let place = resident["tracking"]?["position"].flatMap({ try? Coordinate(json: $0) })
    else {
      return .nothing
    }
    let at: JSONValue = [
      "latitude": .number(place.latitudeDegrees), "longitude": .number(place.longitudeDegrees),
    ]
    return """
      <span data-near="\(at.serialized)" data-words="\(visit.gettext("Near {address}"))"></span>
      """
  }
}
