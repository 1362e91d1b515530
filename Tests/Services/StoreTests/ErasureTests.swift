import Care
import Moments
import Ports
import TestSupport
import Testing

@testable import Store

/// Erasing is made from what the tables declare: here it is held against the schema and every column of it.
@Suite("Erasure")
struct ErasureTests {
  let directory: TemporaryDirectory

  init() throws { directory = try TemporaryDirectory() }

  private static let (erased, other) = (ResidentID("erased-one"), ResidentID("other-one"))

  /// Tables that nobody declares, and why.
  private static let undeclared = [
    "journal": "events go by whom they are about, but not those of the step that erases",
    "dead_letter": "they go with their events",
  ]

  /// A new database with the newest schema.
  private func database() throws -> Connection {
    try Connection.writable(
      path: directory.path(of: "care.db"), schema: .care, synchronous: "NORMAL",
      options: .test(directory.path(of: "")))
  }

  private static func tables(of care: Connection) throws -> [String] {
    var names: [String] = []
    try care.rows(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
    ) { row in
      names.append(row.text(0))
      return true
    }
    return names
  }

  private struct Column: Hashable {
    var name: String
    var kind: String
    var isOptional: Bool
    var place: Int64
  }

  private static func columns(of table: String, in care: Connection) throws -> [Column] {
    var columns: [Column] = []
    try care.rows(
      "SELECT name, type, \"notnull\", pk FROM pragma_table_info('\(table)') ORDER BY cid"
    ) { row in
      columns.append(
        Column(
          name: row.text(0), kind: row.text(1), isOptional: row.integer(2) == 0,
          place: row.integer(3)))
      return true
    }
    return columns
  }

  // MARK: What is declared is what there is

  @Test("Every table is declared once, or it is said why not")
  func complete() throws {
    let care = try database()
    defer { care.close() }
    let declared = Table.declared.map(\.name)
    #expect(Set(declared).count == declared.count)
    #expect(Set(try Self.tables(of: care)) == Set(declared).union(Self.undeclared.keys))
  }

  @Test("Columns, keys and checksums are as they are declared")
  func columns() throws {
    let care = try database()
    defer { care.close() }
    for table in Table.declared {
      var columns = try Self.columns(of: table.name, in: care)
      let checksum = columns.firstIndex { $0.name == "checksum" }
      #expect((checksum != nil) == table.isChecked, "\(table.name)")
      if let checksum { columns.remove(at: checksum) }
      if table.keyColumns == 0 { columns.removeAll { $0.place == 1 } }
      #expect(columns.map(\.name) == table.columns.map(\.name), "\(table.name)")
      #expect(columns.map(\.kind) == table.columns.map(\.kind.rawValue), "\(table.name)")
      let keys = columns.prefix(table.keyColumns).map(\.place)
      #expect(keys == (0..<table.keyColumns).map { Int64($0) + 1 }, "\(table.name)")
      #expect(
        columns.dropFirst(table.keyColumns).map(\.isOptional)
          == table.columns.dropFirst(table.keyColumns).map(\.isOptional), "\(table.name)")
    }
  }

  @Test("What a declaration names is there")
  func names() {
    for table in Table.declared {
      let columns = Set(table.columns.map(\.name))
      switch table.belonging {
      case .resident(let column), .subject(let column), .residentOrSubject(let column):
        #expect(columns.contains(column), "\(table.name)")
      case .row(let name, let column):
        #expect(columns.contains(column), "\(table.name)")
        #expect(Table.declared.contains { $0.name == name && $0.keyColumns == 1 })
      case .anybody: break
      case .nobody(let reason): #expect(!reason.isEmpty, "\(table.name)")
      }
      guard let part = table.part else { continue }
      let others = Set(part.table.columns.map(\.name))
      #expect(part.columns.allSatisfy { others.contains($0.name) }, "\(table.name)")
    }
  }

  // MARK: Nothing is left of one, and all of the other

  /// What stands in the column that says whose a row is: a row for each way in which it may be said.
  private static func owners(
    of table: Table, _ id: ResidentID
  ) -> (column: String, texts: [String])? {
    switch table.belonging {
    case .resident(let column): (column, [id.rawValue])
    case .subject(let column): (column, ["resident/\(id)"])
    case .residentOrSubject(let column): (column, [id.rawValue, "resident/\(id)"])
    case .row(let name, let column): (column, ["\(id) \(name) 0"])
    case .anybody: ("", [""])
    case .nobody: nil
    }
  }

  /// Rows of a resident, whose id stands in every text; the key of the first is `<id> <table> 0`.
  private static func rows(of table: Table, _ id: ResidentID) -> [[Binding]] {
    guard let owner = owners(of: table, id) else { return [] }
    return owner.texts.enumerated().map { number, text in
      table.columns.enumerated().map { place, column in
        if column.name == owner.column { return .text(text) }
        switch column.kind {
        case .text: return .text("\(id) \(place == 0 ? table.name : column.name) \(number)")
        case .integer: return .integer(Int64(number))
        case .real: return .real(1.5)
        }
      }
    }
  }

  private static func fill(_ care: Connection, with id: ResidentID, _ number: Int) throws {
    for table in Table.declared {
      for row in rows(of: table, id) { try care.put(table, row) }
    }
    let event = Make.event(number, resident: id)
    let sequence = try EventWriter(care: care).append(event)
    let letter = DeadLetter(
      plugin: "mqtt", lane: .record, sequence: sequence, event: event.id, reason: "not \(id)",
      time: Make.moment(number).utc)
    try PluginWriter(care: care).save(
      PluginCursor(plugin: "mqtt", lane: .record, sequence: sequence), [letter])
  }

  /// How many values of any table hold a text, by table and column.
  private static func places(of text: String, in care: Connection) throws -> [String: Int64] {
    var places: [String: Int64] = [:]
    for table in try tables(of: care) {
      for column in try columns(of: table, in: care) {
        let count = try care.integer(
          "SELECT count(*) FROM \(table) WHERE instr(CAST(\(column.name) AS TEXT), ?) > 0",
          .text(text))
        if let count, count > 0 { places["\(table).\(column.name)"] = count }
      }
    }
    return places
  }

  @Test("Nothing of the erased resident is left in any column, and everything of the other")
  func twoResidents() throws {
    let care = try database()
    defer { care.close() }
    try Self.fill(care, with: Self.other, 1)
    let before = try Self.places(of: Self.other.rawValue, in: care)
    try Self.fill(care, with: Self.erased, 2)
    let places = try Self.places(of: Self.erased.rawValue, in: care)
    let filled = Set(places.keys.map { String($0.prefix { $0 != "." }) })
    let owned = Table.declared.filter { Self.owners(of: $0, Self.erased) != nil }.map(\.name)
    #expect(filled == Set(owned).union(Self.undeclared.keys))
    try care.transaction { () throws(SQLiteFailure) in
      try ChangeWriter(care: care).apply(.eraseResident(Self.erased), after: .max)
    }
    #expect(
      try Self.places(of: Self.erased.rawValue, in: care) == ["erasure.resident": 1])
    // Of what was lost nobody can tell whose it was.
    let kept = before.filter { !$0.key.hasPrefix("damaged_row.") }
    #expect(try Self.places(of: Self.other.rawValue, in: care) == kept)
    #expect(!kept.isEmpty)
  }

  @Test("The events of the step that erases stay, and so does who asked for it")
  func ownStep() throws {
    let care = try database()
    defer { care.close() }
    let before = try EventWriter(care: care).append(Make.event(1, resident: Self.erased))
    let own = try EventWriter(care: care).append(Make.event(2, resident: Self.erased))
    let audit = AuditEntry(
      time: Make.moment(2).utc, principal: "local:anna", command: "c", action: "resident.erase",
      target: Self.erased.rawValue, outcome: "done")
    try ChangeWriter(care: care).apply(.addAudit(audit), after: before)
    try ChangeWriter(care: care).apply(.eraseResident(Self.erased), after: before)
    #expect(try care.integer("SELECT count(*) FROM journal") == 1)
    #expect(try care.integer("SELECT sequence FROM journal") == own)
    #expect(try care.integer("SELECT count(*) FROM audit") == 1)
  }
}
