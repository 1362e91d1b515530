import Care

/// What the link with a position in a message to guardians opens.
///
/// A web address opens in every phone and mail program; `geo:` opens the reader's own map and asks nobody on the way, but
/// iPhones and many mail programs show it as plain text. So the web address of a map that belongs to no company is the
/// default.
///
/// - Source: RFC 5870 (`geo`); wiki.openstreetmap.org/wiki/Browsing (`mlat`, `mlon`).
enum MapLink: String, Hashable, Sendable, CaseIterable {
  case openStreetMap = "openstreetmap"
  case geo
  case google

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
