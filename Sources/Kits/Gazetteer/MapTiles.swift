import Care

/// The map of a region in squares of GeoJSON, as an import made them.
public final class MapTiles {
  /// Zoom levels that are kept; whoever draws enlarges those between.
  public let zooms: [Int]
  private let database: PlaceDatabase

  /// Opens `map.db` of an import.
  public init(_ folder: PlaceFolder) throws(PlaceIndex.Fault) {
    do {
      database = try PlaceDatabase("\(folder.path)/map.db")
      var text = ""
      try database.rows("SELECT content FROM meta WHERE name = 'zooms'") { text = $0.text(0) }
      zooms = text.split(separator: ",").compactMap { Int($0) }
    } catch {
      throw PlaceIndex.fault(error)
    }
  }

  /// A square, deflated (zlib), numbered from the north-west as by slippy maps; nil for one with nothing to draw.
  public func square(
    zoom: Int, column: Int, row: Int
  ) throws(PlaceIndex.Fault) -> [UInt8]? {
    do {
      var content: [UInt8]?
      try database.rows(
        "SELECT content FROM tile WHERE zoom = ? AND column = ? AND line = ?",
        [.integer(Int64(zoom)), .integer(Int64(column)), .integer(Int64(row))]
      ) { content = $0.bytes(0) }
      return content
    } catch {
      throw PlaceIndex.fault(error)
    }
  }
}
