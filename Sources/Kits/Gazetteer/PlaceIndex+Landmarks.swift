import Care
public import WalkingRoutes

/// What is seen where something is to be done on the way.
extension PlaceIndex {
  /// Nearer than this to a turn, something is seen there.
  private static let landmarkMeters = 30.0
  /// A longer name is nothing that is said on the way.
  private static let landmarkCharacters = 40

  /// What stands out, the most telling first, as OpenStreetMap has it.
  private static let landmarks = [
    "amenity/place_of_worship", "railway/station", "amenity/townhall", "historic/castle",
    "tourism/museum", "amenity/theatre", "amenity/cinema", "amenity/school", "amenity/fire_station",
    "amenity/hospital", "amenity/post_office", "amenity/pharmacy", "amenity/bank",
    "shop/supermarket", "shop/department_store", "amenity/fuel", "amenity/library",
    "tourism/hotel", "historic/monument", "amenity/fountain", "historic/memorial", "leisure/park",
    "leisure/playground", "amenity/restaurant", "amenity/cafe", "shop/bakery", "amenity/pub",
  ]

  /// The way with what is seen at its turns, where something stands out there.
  ///
  /// - Throws: ``Fault`` when the files cannot be read.
  public func marked(_ route: WalkingRoute) throws(Fault) -> WalkingRoute {
    var maneuvers = route.maneuvers
    do {
      for index in maneuvers.indices.dropFirst().dropLast() {
        let place = route.line[maneuvers[index].point]
        maneuvers[index].landmark = try landmark(at: place)
      }
    } catch {
      throw Self.fault(error)
    }
    return WalkingRoute(line: route.line, maneuvers: maneuvers, seconds: route.seconds) ?? route
  }

  private func landmark(at place: Coordinate) throws(PlaceFault) -> Maneuver.Landmark? {
    var best: (rank: Int, meters: Double, name: String)?
    for box in place.boxes(within: Self.landmarkMeters) {
      try database.rows(
        """
        SELECT \(Self.columns) FROM place_box b JOIN place p ON p.id = b.id
        WHERE b.south <= ? AND b.north >= ? AND b.west <= ? AND b.east >= ? AND p.name <> ''
        """, [.real(box.north), .real(box.south), .real(box.east), .real(box.west)]
      ) { row in
        guard let found = Self.place(row), found.name.count <= Self.landmarkCharacters,
          let rank = Self.landmarks.firstIndex(of: "\(found.kind)/\(found.detail)")
        else { return }
        let meters = found.coordinate.distanceMeters(to: place)
        guard meters <= Self.landmarkMeters else { return }
        if let known = best, (known.rank, known.meters) <= (rank, meters) { return }
        best = (rank, meters, found.name)
      }
    }
    return best.map { Maneuver.Landmark(name: $0.name) }
  }
}
