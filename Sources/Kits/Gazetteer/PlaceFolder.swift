import Bytes
public import Care
import Glibc
public import JSON
import Loop
import Texts

/// What an import made: addresses, a map and walking routes of one region, in one folder.
///
/// The import keeps each set in a folder of its own and names the newest `current`, so that whoever opens the folder has
/// one whole set, also while another takes its place.
public struct PlaceFolder: Hashable, Sendable {
  /// What is known of a set.
  public struct About: Hashable, Sendable {
    /// The extract's file name.
    public var extract: String
    /// Which extract it was, as a short word; another one has another.
    public var digest: String
    /// When it was imported, in seconds since 1970-01-01T00:00:00Z.
    public var importedSeconds: Int64
    /// Its size on the disk.
    public var bytes: Int64
    /// How many things of each kind it has.
    public var counts: [String: Int64]
    /// What has to be said wherever it is shown.
    public var attribution: String
    /// South, west, north and east of it, in degrees; nil where it has no map.
    public var bounds: DegreeBox?
  }

  /// The set's own folder.
  public let path: String
  /// What is known of it.
  public let about: About

  /// Opens the newest set in a folder; nil where there is none.
  ///
  /// - Throws: ``PlaceIndex/Fault`` for one that is damaged.
  public init?(in folder: String) throws(PlaceIndex.Fault) {
    let link = "\(folder)/current"
    guard let resolved = Self.resolved(link) else { return nil }
    path = resolved
    guard let text = Self.content(of: "\(resolved)/about.json"),
      let json = try? JSONValue(parsing: text), let about = try? About(json: json)
    else {
      throw PlaceIndex.Fault(
        message: Message(
          "What was imported to {path} is damaged. Import the extract again: homeward places import.",
          ["path": folder]))
    }
    self.about = about
  }

  /// The addresses.
  public func index() throws(PlaceIndex.Fault) -> PlaceIndex {
    try PlaceIndex(path: "\(path)/places.db")
  }

  private static func resolved(_ link: String) -> String? {
    guard let path = realpath(link, nil) else { return nil }
    defer { free(path) }
    return String(cString: path)
  }

  private static func content(of path: String) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 65_536)
    let count = read(descriptor, &bytes, bytes.count)
    return count > 0 ? Array(bytes.prefix(count)) : nil
  }
}

extension PlaceFolder.About {
  init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    extract = try reader.string("extract")
    digest = try reader.string("digest")
    importedSeconds = try reader.integer("imported")
    bytes = try reader.count("bytes")
    attribution = try reader.string("attribution")
    counts = Dictionary(
      (try reader.required("counts").objectContent ?? []).compactMap { member in
        member.value.integerContent.map { (member.key, $0) }
      }, uniquingKeysWith: { first, _ in first })
    let edges = (reader.optional("bounds")?.arrayContent ?? []).compactMap(\.doubleContent)
    bounds =
      edges.count == 4
      ? DegreeBox(south: edges[0], west: edges[1], north: edges[2], east: edges[3]) : nil
  }

  /// `{extract, digest, imported, bytes, counts, attribution, bounds?}`.
  public var json: JSONValue {
    .object([
      "extract": .string(extract), "digest": .string(digest), "imported": .integer(importedSeconds),
      "bytes": .integer(bytes),
      "counts": .object(
        counts.sorted { $0.key < $1.key }.map { JSONMember(key: $0.key, value: .integer($0.value)) }
      ),
      "attribution": .string(attribution),
      "bounds": bounds.map { .array([$0.south, $0.west, $0.north, $0.east].map { .number($0) }) },
    ])
  }
}

extension PlaceFolder {
  /// Removes all that was imported to a folder, its tools too; false where something stays. The folder itself stays:
  /// whoever was let into it is let into no other one of its name.
  public static func remove(in folder: String) -> Bool {
    // The name goes first: who looks afterwards finds nothing, and not half of it.
    guard unlink("\(folder)/current") == 0 || errno == ENOENT else { return false }
    return Folder.empty(folder)
  }
}
