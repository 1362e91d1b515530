import Care
import JSON
import Texts

/// Where somebody was, place by place, each with when they were first there.
struct Trail {
  /// Where somebody was for a while, or passed.
  struct Place: Hashable {
    var coordinate: Coordinate
    /// When they were first and last there, as it was told.
    var first: String
    var last: String
    /// Of what it is one: by which the list and the map show the same.
    var number = 0
  }

  /// The name of the question for it.
  static let question = "trail"
  static let recordsAtMost: Int64 = 1000
  /// Positions as far from each other are of one place: a receiver at rest wanders as far.
  private static let metersApart = 75.0

  /// The places, the newest first.
  let places: [Place]
  /// The way between them, the oldest first.
  let way: [Coordinate]
  /// Whether some of it was blurred for privacy.
  let isBlurred: Bool

  /// A trail of location records, the newest first.
  init(_ records: [JSONValue]) {
    var places: [Place] = []
    var way: [Coordinate] = []
    for record in records.reversed() {
      guard let latitude = record["latitude"]?.doubleContent,
        let longitude = record["longitude"]?.doubleContent,
        let coordinate = Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude),
        let time = record["time"]?.stringContent
      else { continue }
      way.append(coordinate)
      let near = places.firstIndex {
        $0.coordinate.distanceMeters(to: coordinate) <= Self.metersApart
      }
      if let near {
        places[near].last = time
      } else {
        places.append(Place(coordinate: coordinate, first: time, last: time))
      }
    }
    for index in places.indices { places[index].number = index + 1 }
    self.places = places.reversed()
    self.way = way
    isBlurred = records.contains(where: ObfuscationPart.isBlurred)
  }

  /// What the map shows of it.
  var drawn: JSONValue {
    [
      "way": .array(way.map(Self.point)),
      "places": .array(
        places.map { place in
          Self.point(place.coordinate).setting("number", to: .integer(Int64(place.number)))
        }),
    ]
  }

  private static func point(_ coordinate: Coordinate) -> JSONValue {
    [
      "latitude": .number(coordinate.latitudeDegrees),
      "longitude": .number(coordinate.longitudeDegrees),
    ]
  }

  /// Its places as a list, with the safe zone or the saved place that each is in.
  func card(
    of resident: JSONValue?, zones: [JSONValue], bookmarks: [JSONValue], _ visit: Visit
  ) -> HTML {
    guard !places.isEmpty else {
      return Part.empty(visit.gettext("No position is known of this time."))
    }
    let lines = places.map { place -> HTML in
      let name = name(of: place, zones: zones, bookmarks: bookmarks)
      let (latitude, longitude) = (
        place.coordinate.latitudeDegrees, place.coordinate.longitudeDegrees
      )
      let text = "\(Self.rounded(latitude)), \(Self.rounded(longitude))"
      let first = visit.gettext(
        "First there {time}", ["time": visit.clock(place.first, of: resident)])
      let last =
        place.first == place.last
        ? ""
        : ", " + visit.gettext("last there {time}", ["time": visit.clock(place.last, of: resident)])
      return Part.line(
        Icon.pin, "<strong>\(place.number)</strong> \(name ?? text)", "\(first)\(last)")
    }
    return Part.card(
      visit.gettext("Where {name} was", ["name": resident?["name"]?.stringContent ?? "–"]),
      Part.list(lines))
  }

  private static func rounded(_ degrees: Double) -> String {
    let scaled = Int64((degrees * 10_000).rounded())
    let digits = String(abs(scaled) % 10_000)
    return
      "\(scaled < 0 ? "-" : "")\(abs(scaled) / 10_000).\(String(repeating: "0", count: 4 - digits.count))\(digits)"
  }

  private func name(of place: Place, zones: [JSONValue], bookmarks: [JSONValue]) -> String? {
    func meters(_ json: JSONValue?) -> Double? {
      guard let latitude = json?["latitude"]?.doubleContent,
        let longitude = json?["longitude"]?.doubleContent,
        let other = Coordinate(latitudeDegrees: latitude, longitudeDegrees: longitude)
      else { return nil }
      return place.coordinate.distanceMeters(to: other)
    }
    let zone = zones.first { zone in
      meters(zone["center"]).map { $0 <= zone["radiusMeters"]?.doubleContent ?? 0 } ?? false
    }
    let bookmark = bookmarks.first { mark in
      meters(mark["coordinate"]).map { $0 <= Self.metersApart } ?? false
    }
    return zone?["name"]?.stringContent ?? bookmark?["name"]?.stringContent
  }
}
