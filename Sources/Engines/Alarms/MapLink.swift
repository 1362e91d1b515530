import Care

extension MapLink {
  /// The link to a position; short, it opens a map of the whole town with the place marked on it.
  func text(_ position: Coordinate, isShort: Bool = false) -> String {
    let latitude = decimals(position.latitudeDegrees)
    let longitude = decimals(position.longitudeDegrees)
    switch self {
    case .openStreetMap:
      let place = "https://osm.org/?mlat=\(latitude)&mlon=\(longitude)"
      return isShort ? place : place + "&zoom=17"
    case .geo: return "geo:\(latitude),\(longitude)"
    case .google: return "https://maps.google.com/?q=\(latitude),\(longitude)"
    }
  }
}
