public import Care

/// Finding by position.
extension PlaceIndex {
  /// An address nearer than this is where somebody is.
  private static let addressMeters = 50.0
  /// A street nearer than this is where somebody is, when there is no address.
  private static let streetMeters = 75.0
  /// A name nearer than this tells where somebody is, when there is nothing else.
  private static let nameMeters = 2_000.0

  /// What is at a position: the nearest address, else the street, else the nearest place with a name; nil for nothing near.
  ///
  /// Its coordinate is its own, and not the position asked for.
  ///
  /// - Throws: ``Fault`` when the files cannot be read.
  public func reverse(_ position: Coordinate) throws(Fault) -> FoundPlace? {
    do {
      if let house = try nearest(to: position, within: Self.addressMeters, "p.kind = 'address'") {
        return house
      }
      if let street = try nearestStreet(to: position) { return street }
      return try nearest(
        to: position, within: Self.nameMeters, "p.kind = 'place' OR p.kind = 'street'")
    } catch {
      throw Self.fault(error)
    }
  }

  private func nearest(
    to position: Coordinate, within meters: Double, _ kinds: String
  ) throws(PlaceFault) -> FoundPlace? {
    var best: (meters: Double, place: FoundPlace)?
    for box in position.boxes(within: meters) {
      try database.rows(
        """
        SELECT \(Self.columns) FROM place_box b JOIN place p ON p.id = b.id
        WHERE b.south <= ? AND b.north >= ? AND b.west <= ? AND b.east >= ? AND (\(kinds))
        """, [.real(box.north), .real(box.south), .real(box.east), .real(box.west)]
      ) { row in
        guard let place = Self.place(row) else { return }
        let away = place.coordinate.distanceMeters(to: position)
        if away <= best?.meters ?? meters { best = (away, place) }
      }
    }
    return best?.place
  }

  private func nearestStreet(to position: Coordinate) throws(PlaceFault) -> FoundPlace? {
    var best: (meters: Double, place: FoundPlace)?
    for box in position.boxes(within: Self.streetMeters) {
      try database.rows(
        """
        SELECT \(Self.columns), s.latitude, s.longitude, s.end_latitude, s.end_longitude
        FROM segment_box b JOIN segment s ON s.id = b.id JOIN place p ON p.id = s.place
        WHERE b.south <= ? AND b.north >= ? AND b.west <= ? AND b.east >= ?
        """, [.real(box.north), .real(box.south), .real(box.east), .real(box.west)]
      ) { row in
        guard var place = Self.place(row), let start = row.coordinate(10),
          let end = row.coordinate(12)
        else { return }
        let foot = Self.foot(of: position, on: start, end)
        let away = foot.distanceMeters(to: position)
        guard away <= best?.meters ?? Self.streetMeters else { return }
        place.coordinate = foot
        best = (away, place)
      }
    }
    return best?.place
  }

  /// The point of a line that is nearest to a position.
  private static func foot(
    of position: Coordinate, on start: Coordinate, _ end: Coordinate
  ) -> Coordinate {
    let (x1, y1) = start.planeOffset(from: position)
    let (x2, y2) = end.planeOffset(from: position)
    let (dx, dy) = (x2 - x1, y2 - y1)
    let squared = dx * dx + dy * dy
    let part = squared > 0 ? max(0, min(1, -(x1 * dx + y1 * dy) / squared)) : 0
    return Coordinate(
      latitudeDegrees: start.latitudeDegrees
        + part * (end.latitudeDegrees - start.latitudeDegrees),
      longitudeDegrees: start.longitudeDegrees
        + part * (end.longitudeDegrees - start.longitudeDegrees)) ?? start
  }
}
