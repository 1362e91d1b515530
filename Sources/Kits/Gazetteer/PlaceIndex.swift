import Care
public import Texts

/// Addresses, streets and names of a region, found by words and by position, without asking anybody outside.
///
/// Used by one thread at a time. The files are made by an import and never changed; a new import has files of its own.
public final class PlaceIndex {
  /// Why nothing can be found, for people.
  public struct Fault: Error, Hashable, Sendable {
    /// What is wrong and what to do.
    public var message: Message
  }

  /// The form of the files that this reads.
  static let format = "1"
  /// Texts are looked at so far; an address has never more.
  static let maximumCharacters = 300
  static let maximumWords = 16

  let database: PlaceDatabase
  let folder: WordFolder

  /// Opens `places.db` of an import.
  ///
  /// - Throws: ``Fault`` when it is missing, damaged or of another form.
  public init(path: String) throws(Fault) {
    do throws(PlaceFault) {
      database = try PlaceDatabase(path)
      folder = try WordFolder()
      var format = ""
      try database.rows("SELECT content FROM meta WHERE name = 'format'") { format = $0.text(0) }
      guard format == Self.format else { throw PlaceFault(reason: "format \(format)") }
    } catch {
      throw Fault(
        message: Message(
          "The addresses in {path} cannot be read ({reason}). Import the extract again: homeward places import.",
          ["path": path, "reason": error.reason]))
    }
  }

  static func fault(_ error: PlaceFault) -> Fault {
    Fault(
      message: Message(
        "The addresses cannot be read ({reason}). Import the extract again: homeward places import.",
        ["reason": error.reason]))
  }

  static let columns =
    "p.id, p.kind, p.detail, p.name, p.street, p.number, p.postcode, p.city, p.latitude, p.longitude"

  static func place(_ row: some ColumnReader) -> FoundPlace? {
    guard let coordinate = row.coordinate(8) else { return nil }
    return FoundPlace(
      kind: row.text(1), detail: row.text(2), name: row.text(3), street: row.text(4),
      number: row.text(5), postcode: row.text(6), city: row.text(7), coordinate: coordinate)
  }
}
