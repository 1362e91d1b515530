public import CareModel
public import CivilTime
public import Texts

/// Glucose readings from a table in a text file, one reading a line.
///
///     time,mg/dL,tag
///     2026-11-20 07:30,101,before breakfast
///     2026-11-20T09:40:00+01:00,148,after breakfast
///
/// The first line names the columns, in any order and case: `time` (or `date` and `time`), a level under `mg/dL`, under
/// `mmol/L` or under both, or under `level` with a column `unit`; `tag` and `sensor` (`finger-stick` or `cgm`) may be
/// missing, and other columns are passed over. Cells are parted by commas, semicolons or tabs and may be in double
/// quotes; a cell never goes over the end of its line. A time without a zone is local.
///
/// What is good is read. What is not is listed with its line, so that nothing is lost and nothing is guessed: above all
/// no unit.
///
/// - Source: RFC 4180 for quotes and separators.
public struct GlucoseTable: Hashable, Sendable {
  /// The largest file that is read, in bytes.
  public static let maximumBytes = 32 << 20

  /// One good line.
  public struct Row: Hashable, Sendable {
    /// The line's number, from 1.
    public var line: Int
    /// The level, as written.
    public var level: GlucoseConcentration
    /// When it was measured.
    public var time: Timestamp
    /// The tag; nil for none.
    public var tag: GlucoseTag?
    /// What measured; nil where the file does not say.
    public var sensor: GlucoseReading.Sensor?
  }

  /// One line that is no reading.
  public struct Fault: Hashable, Sendable {
    /// Characters of the line that are kept to show.
    public static let textAtMost = 200
    /// The line's number, from 1.
    public var line: Int
    /// The line, cut after ``textAtMost`` characters.
    public var text: String
    /// What is wrong.
    public var reason: Reason
  }

  /// What is wrong with a line.
  public enum Reason: Error, Hashable, Sendable {
    /// The bytes are no UTF-8, or contain NUL.
    case notText
    /// A quotation mark is not closed, or closed in the middle of a cell.
    case quotes
    /// There are fewer or more cells than columns.
    case cells(found: Int, expected: Int)
    /// There is no time.
    case noTime
    /// The time is not written as a time that means one moment.
    case time(String)
    /// There is no level.
    case noLevel
    /// The level is none.
    case level(GlucoseLevelFault)
    /// The cell names another unit than its column.
    case otherUnit(GlucoseUnit)
    /// The unit is none.
    case unit(String)
    /// The two levels of a line are not the same.
    case levelsDiffer
    /// The tag is too long, or has characters that cannot be read.
    case tag
    /// The sensor is none.
    case sensor(String)
    /// The same as an earlier line; it counts once.
    case repeated(line: Int)

    /// What people read.
    public var message: Message {
      switch self {
      case .notText: Message("This is not text in UTF-8. Save the table as CSV in UTF-8.")
      case .quotes: Message("A quotation mark is not closed on its line.")
      case .cells(let found, let expected):
        Message(
          "The line has {found} cells where the first line has {expected}. Is it split, or is a comma in a number?",
          ["found": found, "expected": expected])
      case .noTime: Message("The time is missing.")
      case .time(let text):
        Message(
          "\"{text}\" is no time that means one moment. Write 2026-11-20 07:30.", ["text": text])
      case .noLevel: Message("The level is missing.")
      case .level(let fault): fault.message
      case .otherUnit(let unit):
        Message(
          "The cell says {unit}, its column another unit. Only you can know which is right.",
          ["unit": unit.rawValue])
      case .unit(let text):
        Message("\"{text}\" is no unit. Write mg/dL or mmol/L.", ["text": text])
      case .levelsDiffer:
        Message("The level in mg/dL and the one in mmol/L are not the same. Keep the right one.")
      case .tag:
        Message(
          "A tag is one line of 1 through {limit} characters.", ["limit": GlucoseTag.ownAtMost])
      case .sensor(let text):
        Message("\"{text}\" is no sensor. Write finger-stick or cgm.", ["text": text])
      case .repeated(let line):
        Message("The same as line {line}; it is counted once.", ["line": line])
      }
    }
  }

  /// Why a file has no table at all.
  public enum Failure: Error, Hashable, Sendable {
    /// Nothing is in it.
    case empty
    /// It is larger than ``maximumBytes``.
    case tooLarge
    /// It is written in UTF-16 or UTF-32.
    case encoding
    /// The first line does not name a time and a level with its unit.
    case header

    /// What people read.
    public var message: Message {
      switch self {
      case .empty: Message("The file is empty.")
      case .tooLarge:
        Message(
          "The file is larger than {megabytes} MB. Split it by year.",
          ["megabytes": maximumBytes >> 20])
      case .encoding: Message("The file is not in UTF-8. Save the table as CSV in UTF-8.")
      case .header:
        Message(
          "The first line must name the columns, with the unit: time,mg/dL,tag or time,mmol/L,tag.")
      }
    }
  }

  /// The good lines, in the order of the file.
  public private(set) var rows: [Row] = []
  /// The other lines, in the order of the file.
  public private(set) var faults: [Fault] = []

  /// Reads a table.
  ///
  /// - Parameters:
  ///   - bytes: the file, UTF-8, with or without byte order mark; lines end with LF, CR LF or CR.
  ///   - zone: of times that name none.
  /// - Throws: ``Failure`` where there is no table at all.
  public init(_ bytes: [UInt8], in zone: CivilTimeZone) throws(Failure) {
    guard bytes.count <= Self.maximumBytes else { throw .tooLarge }
    guard !bytes.starts(with: [0xFF, 0xFE]), !bytes.starts(with: [0xFE, 0xFF]),
      !bytes.starts(with: [0, 0, 0xFE, 0xFF])
    else { throw .encoding }
    let text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    var lines = TableLines(text)
    var columns: TableColumns?
    var seen: [Row: Int] = [:]
    while let (number, line) = lines.next() {
      guard line.contains(where: { $0 != 0x20 && $0 != 0x09 }) else { continue }
      guard let known = columns else {
        guard let found = TableColumns(line) else { throw .header }
        columns = found
        continue
      }
      do throws(Reason) {
        let row = try known.row(line, number, in: zone)
        var content = row
        content.line = 0
        if let first = seen[content] { throw .repeated(line: first) }
        seen[content] = number
        rows.append(row)
      } catch { faults.append(Fault(line: number, text: Self.shown(line), reason: error)) }
    }
    guard columns != nil else { throw .empty }
  }

  private static func shown(_ line: ArraySlice<UInt8>) -> String {
    let text = String(decoding: line.prefix(Fault.textAtMost * 4), as: UTF8.self)
    return String(text.unicodeScalars.prefix(Fault.textAtMost).map { Character($0) })
  }

  /// The rows as readings of a resident, typed in by nobody and of whom the file is all that is known.
  ///
  /// - Parameters:
  ///   - sensor: what measured where a line does not say.
  ///   - now: later times are doubtful.
  public func readings(
    of resident: ResidentID, sensor: GlucoseReading.Sensor, at now: Timestamp
  ) -> [GlucoseReading] {
    rows.map { row in
      GlucoseReading(
        id: GlucoseReadingID("line-\(row.line)"), resident: resident, level: row.level,
        tag: row.tag, time: row.time, receivedAt: now, source: .file,
        timeDoubts: row.time > now ? [.future] : [], sensor: row.sensor ?? sensor)
    }
  }
}

/// The lines of a text with their numbers; CR, LF and CR LF end one.
struct TableLines {
  private var rest: ArraySlice<UInt8>
  private var number = 0

  init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

  mutating func next() -> (number: Int, line: ArraySlice<UInt8>)? {
    guard !rest.isEmpty else { return nil }
    number += 1
    guard let end = rest.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) else {
      defer { rest = [] }
      return (number, rest)
    }
    let line = rest[..<end]
    let isPair = rest[end] == 0x0D && end + 1 < rest.endIndex && rest[end + 1] == 0x0A
    rest = rest[(end + (isPair ? 2 : 1))...]
    return (number, line)
  }
}
