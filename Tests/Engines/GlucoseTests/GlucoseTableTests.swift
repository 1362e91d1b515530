import Bytes
import Care
import CivilTime
import GlucoseValues
import Moments
import TestSupport
import Testing
import Texts

@testable import Glucose

@Suite("Tables of glucose readings")
struct GlucoseTableTests {
  private func read(_ text: String) throws -> GlucoseTable {
    try GlucoseTable(Array(text.utf8), in: .utc)
  }

  /// A table of one good line, or the reason against it.
  private func reason(_ header: String, _ line: String) throws -> GlucoseTable.Reason? {
    let table = try read("\(header)\n\(line)\n")
    #expect(table.rows.count + table.faults.count == 1, "\(line)")
    return table.faults.first?.reason
  }

  @Test("The columns are found by their names, in any order, unit, separator and line ending")
  func columns() throws {
    for text in [
      "time,mg/dL,tag\n2026-11-20 07:30,101,before breakfast\n",
      "Tag;Glucose (mg/dL);Time\nbefore-breakfast;101;2026-11-20T07:30:00Z",
      "\u{FEFF}TIME\tMG/DL\tTAG\r\n2026/11/20 07:30:00\t101\tBefore Breakfast\r\n",
      "date,time,note,mg/dL,label\r2026-11-20,07:30,fine,101,BEFORE_BREAKFAST\r",
      "\"time\" , \"level\",unit,\"tag\"\n\n \"2026-11-20 07:30\",\"101\",mg/dl,before breakfast\n\n",
      "时间,血糖,单位,标签\n2026-11-20 07:30,101,mg/dL,before breakfast",
    ] {
      let table = try read(text)
      let row = try #require(table.rows.first, "\(text) \(table.faults)")
      #expect(table.rows.count == 1 && table.faults.isEmpty, "\(text)")
      #expect(row.level.text() == "101 mg/dL" && row.tag == .listed(.beforeBreakfast))
      #expect(row.time.iso8601 == "2026-11-20T07:30:00.000Z")
    }
  }

  @Test("Levels of both units are kept as they are, each in its column")
  func mixedUnits() throws {
    let table = try read(
      """
      time,mg/dL,mmol/L,sensor
      2026-11-20 07:30,101,,
      2026-11-20 08:30,,5.6,CGM
      2026-11-20 09:30,101,5.6,finger-stick
      2026-11-20 10:30,101,6.5,
      2026-11-20 11:30,,,
      2026-11-20 12:30,,"5,6",
      2026-11-20 13:30,110 mg/dL,,
      """)
    #expect(
      table.rows.map { $0.level.text() } == [
        "101 mg/dL", "5.6 mmol/L", "101 mg/dL", "5.6 mmol/L", "110 mg/dL",
      ])
    #expect(table.rows.map(\.sensor) == [nil, .continuous, .fingerStick, nil, nil])
    #expect(table.faults.map(\.line) == [5, 6])
    #expect(table.faults.map(\.reason) == [.levelsDiffer, .noLevel])
  }

  @Test("A bad line is listed with what is wrong, and the lines around it stay")
  func badLines() throws {
    let cases: [(String, GlucoseTable.Reason)] = [
      ("2026-11-20 07:30,0Hi,", .level(.beyondRange(.high))),
      ("2026-11-20 07:30,0Lo,", .level(.beyondRange(.low))),
      ("2026-11-20 07:30,0,", .level(.zero)),
      ("2026-11-20 07:30,abc,", .level(.notANumber)),
      (
        "2026-11-20 07:30,5.6,",
        .level(.implausible(unit: .milligramsPerDecilitre, meant: .millimolesPerLitre))
      ),
      ("2026-11-20 07:30,5.6 mmol/L,", .otherUnit(.millimolesPerLitre)),
      ("2026-11-20 07:30,,", .noLevel), (",101,", .noTime),
      ("2026-11-20 07:30,1", .cells(found: 2, expected: 3)),
      ("12,before lunch", .cells(found: 2, expected: 3)),
      ("2026-11-20 07:30,5,6,", .cells(found: 4, expected: 3)),
      ("20/13/2026 07:30,101,", .time("20/13/2026 07:30")),
      ("2026-11-20 07:30,1000,", .tooHigh(GlucoseSamples.level("1000 mg/dL"))),
      ("2026-11-20,101,", .time("2026-11-20")), ("07:30,101,", .time("07:30")),
      ("2026-02-30 07:30,101,", .time("2026-02-30 07:30")),
      ("2026-11-20 25:30,101,", .time("2026-11-20 25:30")),
      ("1970-01-01 00:00,101,", .time("1970-01-01 00:00")),
      ("9999-01-01 00:00,101,", .time("9999-01-01 00:00")),
      ("2026-11-20 07:30,\"101,", .quotes), ("2026-11-20 07:30,\"10\"1,", .quotes),
      ("2026-11-20 07:30,101,\(String(repeating: "x", count: 51))", .tag),
      ("2026-11-20 07:30,101,a\0b", .notText),
      (String(repeating: ",", count: 200), .cells(found: 101, expected: 100)),
    ]
    for (line, expected) in cases {
      let table = try read(
        "time,mg/dL,tag\n2026-11-20 06:00,90,\n\(line)\n2026-11-20 08:00,120,casual\n")
      #expect(table.rows.map(\.line) == [2, 4], "\(line)")
      #expect(table.faults.map(\.line) == [3], "\(line)")
      #expect(table.faults.first?.reason == expected, "\(line)")
      #expect(table.faults.first?.text == String(line.prefix(200)))
      let sentence = expected.message.text(in: .en)
      #expect(!sentence.contains("{") && sentence.last.map { ".?".contains($0) } == true)
    }
    #expect(try reason("time,level,unit", "2026-11-20 07:30,101,g") == .unit("g"))
    #expect(try reason("time,level,unit", "2026-11-20 07:30,101,") == .unit(""))
    #expect(try reason("time,mg/dL,sensor", "2026-11-20 07:30,101,nose") == .sensor("nose"))
    #expect(try reason("time,mmol/L", "2026-11-20 07:30,6,2") == .cells(found: 3, expected: 2))
    #expect(try reason("time;mmol/L", "2026-11-20 07:30;6,2") == nil)
  }

  @Test("Bytes that are no text make their line bad, and no other")
  func notText() throws {
    let table = try GlucoseTable(
      Array("time,mg/dL\n2026-11-20 07:30,1".utf8) + [0xFF, 0x31]
        + Array("\n2026-11-20 08:30,101\n".utf8), in: .utc)
    #expect(table.rows.map(\.line) == [3] && table.faults.map(\.reason) == [.notText])
  }

  @Test("The same reading twice counts once and is said")
  func repeated() throws {
    let line = "2026-11-20 07:30,101,casual"
    let table = try read("time,mg/dL,tag\n\(line)\n2026-11-20 07:30,102,casual\n\(line)\n")
    #expect(table.rows.map(\.line) == [2, 3])
    #expect(table.faults.map(\.reason) == [.repeated(line: 2)])
  }

  @Test(
    "Without a unit, names or text there is no table",
    arguments: [
      ("", GlucoseTable.Failure.empty), ("\n\n  \n", .empty), ("time,glucose\n", .noUnit),
      ("2026-11-20 07:30,101\n", .header), ("mg/dL,tag\n", .header),
      ("time,mg/dL,mg/dL\n", .header),
      ("time,mg/dL,level\n", .header), ("\"time,mg/dL\n", .header),
    ])
  func noTable(text: String, failure: GlucoseTable.Failure) {
    #expect(throws: failure) { try read(text) }
    #expect(failure.message.text(in: .en).hasSuffix("."))
  }

  @Test("Other encodings and endless files are refused as such")
  func refused() {
    for mark: [UInt8] in [[0xFF, 0xFE, 0, 0], [0, 0, 0xFE, 0xFF]] {
      #expect(throws: GlucoseTable.Failure.encoding) {
        try GlucoseTable(mark + [0x74, 0], in: .utc)
      }
    }
    #expect(throws: GlucoseTable.Failure.tooLarge) {
      try GlucoseTable(
        [UInt8](repeating: 0x0A, count: GlucoseTable.maximumBytes + 1), in: .utc)
    }
  }

  @Test("A time without a zone is local; the clock change is read as RFC 5545 says")
  func zones() throws {
    let zone = try TimeZoneFile.load(name: "Europe/Oslo")
    let text = "time,mg/dL\n2026-07-01 08:00,100\n2026-03-29 02:30,101\n2026-07-01T08:00:00Z,102\n"
    let table = try GlucoseTable(Array(text.utf8), in: zone)
    #expect(
      table.rows.map(\.time.iso8601) == [
        "2026-07-01T06:00:00.000Z", "2026-03-29T01:30:00.000Z", "2026-07-01T08:00:00.000Z",
      ])
  }

  @Test("Times after now make doubtful readings, and the sensor is the one that was asked for")
  func readings() throws {
    let table = try read("time,mg/dL,tag\n2026-11-20 07:30,101,casual\n2027-11-20 07:30,102,\n")
    let now = try Timestamp(iso8601: "2026-11-21T00:00:00Z")
    let readings = table.readings(of: "mary", sensor: .continuous, at: now)
    #expect(readings.map(\.timeDoubts) == [[], [.future]])
    #expect(readings.allSatisfy { $0.sensor == .continuous && $0.source == .file })
    #expect(readings.map(\.id) == ["line-2", "line-3"])
  }

  // MARK: Hostile files

  private static let sample = Array(
    """
    \u{FEFF}time,mg/dL,mmol/L,tag,sensor\r
    2026-11-20 07:30,101,,"before ""our"" breakfast",finger-stick\r
    2026/11/20T09:30:00+01:00,,5.6,after-breakfast,cgm
    2026-11-20 12:00,0Hi,,,\n"2026-11-20 13:00",112,6.2,血糖,
    """.utf8)

  /// What holds for any bytes: every line that is not empty is a row or a fault, once.
  private func check(_ bytes: [UInt8]) {
    guard let table = try? GlucoseTable(bytes, in: .utc) else { return }
    let numbers = (table.rows.map(\.line) + table.faults.map(\.line)).sorted()
    #expect(Set(numbers).count == numbers.count)
    guard let text = TableText.utf8(bytes) else { return }
    var lines = TableLines(text)
    var expected: [Int] = []
    while let (number, line) = lines.next() {
      if line.contains(where: { $0 != 0x20 && $0 != 0x09 }) { expected.append(number) }
    }
    #expect(numbers == expected.filter { $0 > table.headerLine })
    for row in table.rows {
      #expect(
        GlucoseConcentration.plausibleMilligramsPerDecilitre.contains(
          row.level.milligramsPerDecilitre))
      #expect(row.tag?.isWellFormed ?? true)
    }
  }

  @Test("Every prefix is read, and no line is lost")
  func prefixes() throws {
    for count in 0...Self.sample.count { check(Array(Self.sample.prefix(count))) }
    let whole = try GlucoseTable(Self.sample, in: .utc)
    #expect(whole.rows.count == 3 && whole.faults.count == 1)
  }

  @Test("Seeded mutations are read, and no line is lost")
  func mutations() {
    var random = SplitMix64(seed: 20_261_122)
    let alphabet = Array("0123456789,;\t\"\r\n :-/.+TZHiLomg/dLmmol/L".utf8) + [0, 0xC3, 0xFF]
    for _ in 0..<TestSize.count(whole: 60_000, usual: 15_000) {
      var bytes = Self.sample
      for _ in 0...Int(random.next() % 4) {
        let place = Int(random.next() % UInt64(bytes.count))
        let byte = alphabet[Int(random.next() % UInt64(alphabet.count))]
        switch random.next() % 3 {
        case 0: bytes[place] = byte
        case 1: bytes.insert(byte, at: place)
        default: bytes.remove(at: place)
        }
      }
      check(bytes)
    }
  }
}
