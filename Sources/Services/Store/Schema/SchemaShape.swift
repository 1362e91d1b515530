import Bytes
import Ports

/// What a database is made of besides its rows: the texts of its tables, indexes, views and triggers.
///
/// It says more surely which version a database has than the number in its header, of which one bit may be wrong.
struct SchemaShape: Hashable, Sendable {
  /// What each is attached to and its text without white space, by kind and name.
  let objects: [String: String]

  init(objects: [String: String]) { self.objects = objects }

  /// Reads the shape of a database; what SQLite makes by itself is left out.
  init(of connection: Connection) throws(SQLiteFailure) {
    var objects: [String: String] = [:]
    try connection.rows(
      "SELECT type, name, tbl_name, sql FROM sqlite_schema WHERE substr(name, 1, 7) <> 'sqlite_'"
    ) { row in
      // By bytes: it is done for every version at each start, and characters take milliseconds.
      let words = row.bytes(3).filter { $0 != 0x20 && !(0x09...0x0D).contains($0) }
      objects["\(row.text(0)) \(row.text(1))"] =
        row.text(2) + " " + String(decoding: words, as: UTF8.self)
      return true
    }
    self.objects = objects
  }

  /// A digest of all of it, in hexadecimal.
  var fingerprint: String {
    let lines = objects.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)\n" }
    return Hexadecimal.text(SHA256.hash(Array(lines.joined().utf8)))
  }

  /// What a database has that a shape has not, by kind and name.
  func additions(to shape: SchemaShape) -> [String] {
    objects.keys.filter { shape.objects[$0] == nil }.sorted()
  }

  /// Whether everything of a shape is there as it was made.
  func holds(_ shape: SchemaShape) -> Bool {
    shape.objects.allSatisfy { objects[$0.key] == $0.value }
  }

  /// The shapes after each of some steps, as SQLite makes them in memory; those after a step that fails are missing.
  static func shapes(after migrations: [Migration]) -> [Int64: SchemaShape] {
    var shapes: [Int64: SchemaShape] = [:]
    do {
      let memory = try Connection(path: ":memory:", mode: .create)
      defer { memory.close() }
      for migration in migrations {
        try memory.script(migration.statements)
        shapes[migration.version] = try SchemaShape(of: memory)
      }
    } catch _ {
      // The step will fail on the disk as well, and say why.
    }
    return shapes
  }
}
