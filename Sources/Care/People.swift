/// A person looked after.
public struct Resident: Hashable, Sendable {
  /// Stable identifier; lower-case letters, digits and hyphens.
  public var id: ResidentID
  /// The name as people write it, any script, 1 through 200 characters.
  public var name: String
  /// IANA name of the time zone that the resident lives by, such as `Europe/Oslo`.
  public var timeZone: String
  /// The GPS source that moves with the resident; a source belongs to one resident.
  public var gpsSource: SourceID?

  /// A resident from its parts.
  public init(id: ResidentID, name: String, timeZone: String, gpsSource: SourceID? = nil) {
    self.id = id
    self.name = name
    self.timeZone = timeZone
    self.gpsSource = gpsSource
  }
}

/// An area in which a resident is safe.
public struct SafeZone: Hashable, Sendable {
  /// Where it is.
  public enum Area: Hashable, Sendable {
    /// All that is nearer to a centre than a radius: greater than 0 and at most 100,000 metres.
    case circle(center: Coordinate, radiusMeters: Double)
    /// All within a border.
    case polygon(Polygon)
  }

  /// Stable identifier.
  public var id: ZoneID
  /// The resident whose zone it is.
  public var resident: ResidentID
  /// The name as people write it, any script, 1 through 200 characters.
  public var name: String
  /// Where it is.
  public var area: Area
  /// Metres beyond the edge before a resident counts as outside, 0 through 1,000; 50 unless set.
  public var exitMarginMeters: Double
  /// Whether this is the resident's home, from which the time away is counted.
  public var isHome: Bool
  /// Whether leaving it is an alarm even for another safe zone, as with a day centre that nobody leaves unseen.
  public var alarmsOnLeaving: Bool
  /// The hours of the resident's day in which it counts; nil for always.
  public var hours: DailyHours?

  /// A zone from its parts; the parts are checked by the command that brings them.
  public init(
    id: ZoneID, resident: ResidentID, name: String, area: Area, exitMarginMeters: Double = 50,
    isHome: Bool = false, alarmsOnLeaving: Bool = false, hours: DailyHours? = nil
  ) {
    self.id = id
    self.resident = resident
    self.name = name
    self.area = area
    self.exitMarginMeters = exitMarginMeters
    self.isHome = isHome
    self.alarmsOnLeaving = alarmsOnLeaving
    self.hours = hours
  }

  /// A circle from its parts; the parts are checked by the command that brings them.
  public init(
    id: ZoneID, resident: ResidentID, name: String, center: Coordinate, radiusMeters: Double,
    exitMarginMeters: Double = 50, isHome: Bool = false, alarmsOnLeaving: Bool = false
  ) {
    self.init(
      id: id, resident: resident, name: name,
      area: .circle(center: center, radiusMeters: radiusMeters),
      exitMarginMeters: exitMarginMeters, isHome: isHome, alarmsOnLeaving: alarmsOnLeaving)
  }

  /// Its border, where it is no circle.
  public var polygon: Polygon? {
    if case .polygon(let polygon) = area { polygon } else { nil }
  }

  /// The centre of the circle, or of one around it.
  public var center: Coordinate {
    switch area {
    case .circle(let center, _): center
    case .polygon(let polygon): polygon.center
    }
  }

  /// The radius of the circle, or of one around it, in metres.
  public var radiusMeters: Double {
    switch area {
    case .circle(_, let radius): radius
    case .polygon(let polygon): polygon.radiusMeters
    }
  }

  /// Boxes that hold it.
  public var boxes: [DegreeBox] {
    switch area {
    case .circle(let center, let radius): center.boxes(within: radius)
    case .polygon(let polygon): polygon.boxes
    }
  }

  /// Metres from a position to the edge; not more than 0 within the zone.
  public func edgeMeters(from position: Coordinate) -> Double {
    switch area {
    case .circle(let center, let radius): center.distanceMeters(to: position) - radius
    case .polygon(let polygon): polygon.borderMeters(from: position)
    }
  }
}

/// A place with a name, to show, report on and guide to.
public struct Bookmark: Hashable, Sendable {
  /// Stable identifier.
  public var id: BookmarkID
  /// The resident whose bookmark it is.
  public var resident: ResidentID
  /// The name as people write it, any script, 1 through 200 characters.
  public var name: String
  /// The postal address, possibly empty.
  public var address: String
  /// Where it is.
  public var coordinate: Coordinate

  /// A bookmark from its parts.
  public init(
    id: BookmarkID, resident: ResidentID, name: String, address: String, coordinate: Coordinate
  ) {
    self.id = id
    self.resident = resident
    self.name = name
    self.address = address
    self.coordinate = coordinate
  }
}
