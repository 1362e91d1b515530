public import Care
public import CivilTime
public import GlucoseValues
public import Moments
public import Texts

/// Glucose readings from a table in a text file, one reading a line.
///
///     time,mg/dL,tag
///     2026-11-20 07:30,101,before breakfast
///     2026-11-20T09:40:00+01:00,148,after breakfast
///
/// The line that names the columns is the first, or stands below a few lines of title: `time` (or `date` and `time`), a
/// level under `mg/dL`, under `mmol/L` or under both, or under `level` with a column `unit`, in any order and case and
/// by the usual names; `tag` and `sensor` (`finger-stick` or `cgm`) may be missing, and other columns are passed over.
/// Cells are parted by commas, semicolons or tabs and may be in double quotes; a cell never goes over the end of its
/// line. A time without a zone is local. The export of LibreView is known by its three columns of glucose, whatever the
/// language of their names.
///
/// Which number of a date is the day, all dates of the file decide together: a 13 settles it.
///
/// What is good is read. What is not is listed with its line, so that nothing is lost and nothing is guessed: above all
/// no unit, and no order of day and month.
///
/// - Source: RFC 4180 for quotes and separators; exports of LibreView and of the FreeStyle Libre reader's program.
public struct GlucoseTable: Hashable, Sendable {
  /// The largest file that is read, in bytes.
  public static let maximumBytes = 64 << 20
  /// The most lines with readings that are read.
  public static let rowsAtMost = 1_000_000
  /// A title above the names of the columns has at most so many lines.
  static let titleLinesAtMost = 20

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
    /// Whether the local clock showed the written time once, never or twice.
    public var clock = LocalTimeResolution.unique
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
    /// The line is longer than any line of readings.
    case tooLong
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
    /// The level is above what meters show, such as 1,000 mg/dL.
    case tooHigh(GlucoseConcentration)
    /// The kind of record is no number, in an export of LibreView.
    case recordType(String)
    /// The same as an earlier line; it counts once.
    case repeated(line: Int)

    /// What people read.
    public var message: Message {
      switch self {
      case .notText: Message("This is not text in UTF-8. Save the table as CSV in UTF-8.")
      case .tooLong: Message("The line is too long for a reading.")
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
      case .tooHigh(let level): GlucoseRules.beyondMeters(level)
      case .recordType(let text):
        Message("\"{text}\" is no kind of record.", ["text": text])
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
    /// It has more than ``rowsAtMost`` readings.
    case tooManyRows
    /// It is written in UTF-32.
    case encoding
    /// No line names a time and a level.
    case header
    /// A time and a level are named, and nowhere a unit.
    case noUnit
    /// A date of the file (`text`) means another day in each of these orders, and no other date decides.
    case dateOrder([DateOrder], String)
    /// Two lines of the file write their dates in different orders.
    case datesDiffer(Int, String, Int, String)

    /// What people read.
    public var message: Message {
      switch self {
      case .empty: Message("The file is empty.")
      case .tooLarge:
        Message(
          "The file is larger than {megabytes} MB. Split it by year.",
          ["megabytes": maximumBytes >> 20])
      case .tooManyRows:
        Message("The file has more than 1,000,000 readings. Split it by year.")
      case .encoding: Message("The file is not in UTF-8. Save the table as CSV in UTF-8.")
      case .header:
        Message(
          "The first line must name the columns, with the unit: time,mg/dL,tag or time,mmol/L,tag.")
      case .noUnit:
        Message("The file does not say the unit. Say it: --unit mg/dL or --unit mmol/L.")
      case .dateOrder(_, let text):
        Message(
          "No date of the file says whether \"{text}\" begins with the day or the month. Say it: --dates dmy (the day first), mdy (the month first) or ymd (the year first).",
          ["text": text])
      case .datesDiffer(let line, let text, let other, let otherText):
        Message(
          "Line {line} (\"{text}\") and line {other} (\"{otherText}\") write day and month in different order. Say the right one, and the other lines are left out: --dates dmy or --dates mdy.",
          ["line": line, "text": text, "other": other, "otherText": otherText])
      }
    }
  }

  /// The good lines, in the order of the file.
  public private(set) var rows: [Row] = []
  /// The other lines, in the order of the file.
  public private(set) var faults: [Fault] = []
  /// Lines of an export that are no glucose: insulin, food, notes, ketones.
  public private(set) var otherRecordCount = 0
  /// The line that names the columns, from 1; what stands above it is a title.
  public private(set) var headerLine = 0

  /// Reads a table.
  ///
  /// - Parameters:
  ///   - bytes: the file, UTF-8, or UTF-16 with byte order mark; lines end with LF, CR LF or CR.
  ///   - zone: of times that name none.
  ///   - unit: of levels where the file says none.
  ///   - dates: the order of day, month and year; nil where the file is to decide.
  /// - Throws: ``Failure`` where there is no table at all.
  public init(
    _ bytes: [UInt8], in zone: CivilTimeZone, unit: GlucoseUnit? = nil, dates: DateOrder? = nil
  ) throws(Failure) {
    guard bytes.count <= Self.maximumBytes else { throw .tooLarge }
    guard let text = TableText.utf8(bytes) else { throw .encoding }
    var lines = TableLines(text)
    let columns = try Self.columns(&lines, unit)
    headerLine = columns.line
    var drafts: [(draft: TableColumns.Draft, line: ArraySlice<UInt8>)] = []
    var evidence = DateEvidence()
    while let (number, line) = lines.next() {
      guard Self.isWritten(line) else { continue }
      do throws(Reason) {
        guard let draft = try columns.found.draft(line, number) else {
          otherRecordCount += 1
          continue
        }
        evidence.take(draft.time, line: number, text: draft.writtenTime)
        drafts.append((draft, line))
      } catch { note(error, number, line) }
      guard drafts.count <= Self.rowsAtMost else { throw .tooManyRows }
    }
    let order: DateOrder
    if let dates { order = dates } else { order = try evidence.order() }
    finish(drafts, order, zone)
  }

  private static func isWritten(_ line: ArraySlice<UInt8>) -> Bool {
    line.contains { $0 != 0x20 && $0 != 0x09 }
  }

  /// Goes on to the line below the one that names the columns.
  private static func columns(
    _ lines: inout TableLines, _ unit: GlucoseUnit?
  ) throws(Failure) -> (found: TableColumns, line: Int) {
    var failure = Failure.empty
    while let (number, line) = lines.next(), number <= titleLinesAtMost {
      guard isWritten(line) else { continue }
      do throws(TableColumns.Absence) {
        return (try TableColumns(line, unit: unit), number)
      } catch {
        if failure != .noUnit { failure = error == .unit ? .noUnit : .header }
      }
    }
    throw failure
  }

  private mutating func finish(
    _ drafts: [(draft: TableColumns.Draft, line: ArraySlice<UInt8>)], _ order: DateOrder,
    _ zone: CivilTimeZone
  ) {
    var seen: [Row: Int] = [:]
    rows.reserveCapacity(drafts.count)
    for (draft, line) in drafts {
      do throws(Reason) {
        let row = try draft.row(order, in: zone)
        var content = row
        content.line = 0
        if let first = seen[content] { throw .repeated(line: first) }
        seen[content] = row.line
        rows.append(row)
      } catch { note(error, draft.line, line) }
    }
    faults.sort { $0.line < $1.line }
  }

  private mutating func note(_ reason: Reason, _ number: Int, _ line: ArraySlice<UInt8>) {
    faults.append(Fault(line: number, text: Self.shown(line), reason: reason))
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
