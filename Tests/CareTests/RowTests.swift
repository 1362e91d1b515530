import Bytes
import Care
import JSON
import Moments
import Testing
import Texts

/// What stands in a row of the database is what was written there, or nothing.
@Suite("Rows of the household") struct RowTests {
  /// A row in memory, converted where SQLite would.
  private struct Row: ColumnReader {
    var values: [ColumnValue]

    func isNull(_ column: Int) -> Bool { values[column] == .null }

    func integer(_ column: Int) -> Int64 {
      if case .integer(let number) = values[column] { number } else { 0 }
    }

    func real(_ column: Int) -> Double {
      switch values[column] {
      case .real(let number): number
      case .integer(let number): Double(number)
      default: 0
      }
    }

    func text(_ column: Int) -> String { String(decoding: bytes(column), as: UTF8.self) }

    func bytes(_ column: Int) -> [UInt8] {
      switch values[column] {
      case .text(let text): Array(text.utf8)
      case .textBytes(let bytes), .bytes(let bytes): bytes
      default: []
      }
    }
  }

  /// Whether each value is what its column lets in.
  private func fit(_ values: [ColumnValue], _ table: Table) -> Bool {
    values.count == table.columns.count
      && zip(values, table.columns).allSatisfy { value, column in
        switch value {
        case .null: column.isOptional
        case .integer: column.kind == .integer
        case .real: column.kind == .real
        case .text, .textBytes: column.kind == .text
        case .bytes: false
        }
      }
  }

  private func comesBack<Record: ReadableRow>(_ record: Record, from table: Table) {
    #expect(fit(record.columnValues, table), "\(record)")
    #expect(Record(Row(values: record.columnValues)) == record)
  }

  /// The row of a record with one value in the place of another.
  private func row(_ record: some RowContent, _ column: Int, _ value: ColumnValue) -> Row {
    var values = record.columnValues
    values[column] = value
    return Row(values: values)
  }

  private func zone() throws -> SafeZone {
    SafeZone(
      id: "club", resident: "mary", name: "Club 李",
      area: .circle(center: try RequestSamples.place(), radiusMeters: 25.5),
      exitMarginMeters: 40, isHome: true, hours: DailyHours("08:00-20:00"))
  }

  private static let mary = Resident(id: "mary", name: "Mary", timeZone: "UTC")
  private static let anna = Guardian(
    id: "anna", resident: "mary", name: "Anna \"A\"", phone: "+4791234567", tier: 2)
  private static let setting = StoredState.Setting(
    resident: "mary", name: "tierSeconds", value: 60)
  private static let state = EngineRow(
    engine: "tracking", subject: "mary", name: "fix", content: ["a": [1, 2.5, .null]])

  @Test("What is written comes back, and each value is what its column lets in")
  func records() throws {
    var tracked = Self.mary
    tracked.gpsSource = "gps"
    comesBack(Self.mary, from: .resident)
    comesBack(tracked, from: .resident)
    comesBack(Self.anna, from: .guardian)
    comesBack(try zone(), from: .zone)
    var plain = try zone()
    (plain.hours, plain.isHome) = (nil, false)
    comesBack(plain, from: .zone)
    var shaped = try zone()
    shaped.area = .polygon(
      try Polygon(
        exterior: [
          RequestSamples.place(60, 10), RequestSamples.place(60, 10.01),
          RequestSamples.place(60.01, 10.01),
        ]))
    comesBack(shaped, from: .zone)
    let shop = Bookmark(
      id: "shop", resident: "mary", name: "Shop", address: "1 St",
      coordinate: try RequestSamples.place())
    comesBack(shop, from: .bookmark)
    comesBack(Self.setting, from: .setting)
    comesBack(Self.state, from: .engineState)
  }

  @Test("That leaving a zone is an alarm stands in a row of its own, which its table knows")
  func parts() throws {
    var zone = try zone()
    zone.alarmsOnLeaving = true
    #expect(SafeZone(Row(values: zone.columnValues))?.alarmsOnLeaving == false)
    let part = try #require(Table.zone.part)
    #expect(part.table == .engineState)
    let row = try #require(zone.partValues.first)
    #expect(fit(row, .engineState))
    for (name, match) in part.columns {
      let column = try #require(part.table.columns.firstIndex { $0.name == name })
      switch match {
      case .text(let text): #expect(row[column] == .text(text))
      case .key(let prefix): #expect(row[column] == .text(prefix + "club"))
      }
    }
  }

  @Test("A row of which nobody can make sense is none, and no other row instead")
  func damaged() throws {
    #expect(Guardian(row(Self.anna, 0, .text("bob"))) == nil, "the key says another guardian")
    #expect(Guardian(row(Self.anna, 2, .text("{}"))) == nil)
    #expect(Guardian(row(Self.anna, 2, .textBytes([0xFF]))) == nil)
    #expect(StoredState.Setting(row(Self.setting, 2, .text("6 0"))) == nil)
    #expect(StoredState.Setting(row(Self.setting, 2, .null)) == nil)
    #expect(EngineRow(row(Self.state, 3, .bytes([0x7B]))) == nil)
    let zone = try zone()
    for (column, value) in [
      (3, ColumnValue.real(90.5)), (3, .real(.nan)), (4, .real(-181)), (8, .text("{}")),
      (8, .text("circle")), (9, .text("8-20")), (9, .text("")),
    ] {
      #expect(SafeZone(row(zone, column, value)) == nil, "\(column) \(value)")
    }
    let shop = Bookmark(
      id: "shop", resident: "mary", name: "Shop", address: "",
      coordinate: try RequestSamples.place())
    #expect(Bookmark(row(shop, 5, .real(200))) == nil)
  }

  @Test("Values are what they hold, nothing where they hold nothing")
  func values() {
    #expect(
      ColumnValue.optional(nil as String?) == .null && ColumnValue.optional("a") == .text("a"))
    #expect(
      ColumnValue.optional(nil as Double?) == .null && ColumnValue.optional(1.5) == .real(1.5))
    #expect(ColumnValue.bool(true) == .integer(1) && ColumnValue.bool(false) == .integer(0))
    #expect(ColumnValue.json(["a": 1]) == .textBytes(Array(#"{"a":1}"#.utf8)))
    let row = Row(values: [.null, .integer(7), .text("x"), .real(2)])
    #expect(row.optionalText(0) == nil && row.optionalText(2) == "x")
    #expect(row.optionalReal(0) == nil && row.optionalReal(3) == 2)
    #expect(row.optionalTime(0) == nil && row.optionalTime(1)?.milliseconds == 7)
    #expect(row.bool(1) && !row.bool(0) && row.json(2) == nil && row.json(0) == nil)
  }

  @Test("A row that cannot be read is called by what people know it by")
  func names() {
    func words(_ key: [String], _ label: String = "") -> String {
      Table.engineState.words(Table.RowName(key: key, label: label)).description
    }
    #expect(words(["alarms", "mary", "alarm:7"]) == "an open alarm")
    #expect(words(["alarms", "mary", "pin:okay"]) == "a PIN")
    #expect(words(["bluetooth", "mary", "tag:keys"]) == "a button, tag or meter")
    #expect(words(["places", "mary", "leaving:home"]) == "whether leaving a zone is an alarm")
    #expect(words(["kettle", "mary", "x"]) == "something that \"kettle\" remembered")
    #expect(words([]) == "something that \"\" remembered")
    #expect(
      Table.zone.words(Table.RowName(key: ["home"], label: "Home")).description == "the zone Home")
    #expect(Set(Table.households.map(\.name)).count == Table.households.count)
    for table in Table.households { #expect(table.keyColumns > 0 && table.isChecked) }
  }
}
