/// What the link with a position in a message to guardians opens.
///
/// A web address opens in every phone and mail program; `geo:` opens the reader's own map and asks nobody on the way, but
/// iPhones and many mail programs show it as plain text. So the web address of a map that belongs to no company is the
/// default.
///
/// - Source: RFC 5870 (`geo`); wiki.openstreetmap.org/wiki/Browsing (`mlat`, `mlon`).
public enum MapLink: String, Hashable, Sendable, CaseIterable {
  /// OpenStreetMap's page.
  case openStreetMap = "openstreetmap"
  /// The reader's own map.
  case geo
  /// Google's page.
  case google
}
