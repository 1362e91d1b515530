import CareModel
import CivilTime

/// Which column of a table holds what, and how its cells are parted.
struct TableColumns {
  /// Cells beyond this are no table of readings.
  private static let cellsAtMost = 100

  private let separator: UInt8
  private let count: Int
  private var time: Int?
  private var date: Int?
  private var levels: [(column: Int, unit: GlucoseUnit)] = []
  private var level: Int?
  private var unit: Int?
  private var tag: Int?
  private var sensor: Int?

  /// Finds the columns by the names in a table's first line; nil when these are no names of a time and a level.
  init?(_ line: ArraySlice<UInt8>) {
    let found = [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")].lazy.compactMap {
      TableColumns(line, partedBy: $0)
    }
    guard let first = found.first else { return nil }
    self = first
  }

  private init?(_ line: ArraySlice<UInt8>, partedBy separator: UInt8) {
    guard let names = try? Self.cells(line, separator) else { return nil }
    self.separator = separator
    count = names.count
    for (column, name) in names.enumerated() { take(name.lowercased(), column) }
    guard time != nil || date != nil, !levels.isEmpty || (level != nil && unit != nil) else {
      return nil
    }
    // Two columns of one meaning would have to be guessed between.
    guard levels.count <= 1 || (levels.count == 2 && levels[0].unit != levels[1].unit),
      levels.isEmpty || level == nil
    else { return nil }
  }

  private mutating func take(_ name: String, _ column: Int) {
    if let named = Self.unit(in: name) { return levels.append((column, named)) }
    switch name {
    case "time", "timestamp", "datetime", "date/time", "date and time", "时间": time = time ?? column
    case "date", "day", "日期": date = date ?? column
    case "level", "glucose", "value", "血糖": level = level ?? column
    case "unit", "units", "单位": unit = unit ?? column
    case "tag", "label", "event", "标签": tag = tag ?? column
    case "sensor": sensor = sensor ?? column
    default: break
    }
  }

  /// The unit that a column's name says: `mg/dL`, `Glucose (mmol/L)`.
  private static func unit(in name: String) -> GlucoseUnit? {
    let words = name.split { " ()[]:".contains($0) }.map(String.init)
    let units = words.compactMap { word in word.contains("/") ? GlucoseUnit(written: word) : nil }
    return units.count == 1 ? units.first : nil
  }

  // MARK: A line

  func row(
    _ line: ArraySlice<UInt8>, _ number: Int, in zone: CivilTimeZone
  ) throws(GlucoseTable.Reason) -> GlucoseTable.Row {
    let cells = try Self.cells(line, separator)
    guard cells.count == count else {
      throw .cells(found: cells.count, expected: count)
    }
    return GlucoseTable.Row(
      line: number, level: try level(of: cells), time: try moment(of: cells, zone),
      tag: try tag(of: cells), sensor: try sensor(of: cells))
  }

  private func tag(of cells: [String]) throws(GlucoseTable.Reason) -> GlucoseTag? {
    guard let tag, !cells[tag].isEmpty else { return nil }
    guard let found = GlucoseTag(written: cells[tag]) else { throw .tag }
    return found
  }

  private func sensor(
    of cells: [String]
  ) throws(GlucoseTable.Reason) -> GlucoseReading.Sensor? {
    guard let sensor, !cells[sensor].isEmpty else { return nil }
    guard let found = GlucoseReading.Sensor(rawValue: cells[sensor].lowercased()) else {
      throw .sensor(cells[sensor])
    }
    return found
  }

  private func level(of cells: [String]) throws(GlucoseTable.Reason) -> GlucoseConcentration {
    if let level, let unit, levels.isEmpty {
      guard !cells[level].isEmpty else { throw .noLevel }
      guard let named = GlucoseUnit(written: cells[unit]) else { throw .unit(cells[unit]) }
      return try Self.level(cells[level], named)
    }
    var found: [GlucoseConcentration] = []
    for (column, unit) in levels where !cells[column].isEmpty {
      found.append(try Self.level(cells[column], unit))
    }
    guard let first = found.first else { throw .noLevel }
    guard let second = found.dropFirst().first else { return first }
    // Programs that write both have rounded one of them: the difference is less than the last digit of mmol/L.
    guard abs(first.milligramsPerDecilitre - second.milligramsPerDecilitre) < 1.81 else {
      throw .levelsDiffer
    }
    return first
  }

  private static func level(
    _ cell: String, _ unit: GlucoseUnit
  ) throws(GlucoseTable.Reason) -> GlucoseConcentration {
    var digits = cell
    let letters = cell.drop { $0.isNumber || $0 == "." || $0 == "," || $0 == " " }
    if let named = GlucoseUnit(written: String(letters)) {
      guard named == unit else { throw .otherUnit(named) }
      digits = trimmed(String(cell.dropLast(letters.count)))
    }
    do throws(GlucoseLevelFault) {
      return try GlucoseConcentration(text: digits, unit: unit)
    } catch { throw .level(error) }
  }

  private func moment(
    of cells: [String], _ zone: CivilTimeZone
  ) throws(GlucoseTable.Reason) -> Timestamp {
    let parts = [date, time].compactMap { $0.map { cells[$0] } }.filter { !$0.isEmpty }
    guard parts.count == (date != nil && time != nil ? 2 : 1) else { throw .noTime }
    let text = parts.joined(separator: " ")
    guard let moment = Self.moment(text, zone), moment >= GlucoseRules.earliest,
      moment < Self.latest
    else { throw .time(text) }
    return moment
  }

  /// Clocks that say more than this are wrong.
  private static let latest = CivilDateTime(year: 2200, month: 1, day: 1).asUTC

  private static func moment(_ text: String, _ zone: CivilTimeZone) -> Timestamp? {
    // The year comes first, so that no day is taken for a month.
    let dashed = String(
      text.enumerated().map { index, letter in
        letter == "/" && (index == 4 || index == 7) ? "-" : letter
      })
    if let moment = try? Timestamp(iso8601: dashed) { return moment }
    return (try? CivilDateTime(localText: dashed)).map { zone.instant(of: $0) }
  }

  // MARK: Cells

  private static func cells(
    _ line: ArraySlice<UInt8>, _ separator: UInt8
  ) throws(GlucoseTable.Reason) -> [String] {
    var cells: [String] = []
    var cell: [UInt8] = []
    var state = CellState.start
    for byte in line {
      switch (state, byte) {
      case (.start, 0x20), (.closed, 0x20): break
      case (.start, UInt8(ascii: "\"")): state = .quoted
      case (.quoted, UInt8(ascii: "\"")): state = .closed
      case (.quoted, _): cell.append(byte)
      case (.closed, UInt8(ascii: "\"")):
        cell.append(byte)
        state = .quoted
      case (_, separator):
        guard cells.count < cellsAtMost else {
          throw .cells(found: cells.count + 1, expected: cellsAtMost)
        }
        cells.append(try text(cell))
        (cell, state) = ([], .start)
      case (.closed, _): throw .quotes
      case (.plain, _), (.start, _):
        cell.append(byte)
        state = .plain
      }
    }
    guard state != .quoted else { throw .quotes }
    return cells + [try text(cell)]
  }

  private enum CellState {
    case start
    case plain
    case quoted
    case closed
  }

  private static func text(_ bytes: [UInt8]) throws(GlucoseTable.Reason) -> String {
    guard !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) else {
      throw .notText
    }
    return trimmed(text)
  }

  private static func trimmed(_ text: String) -> String {
    var rest = text[...].drop { $0.isWhitespace }
    while rest.last?.isWhitespace ?? false { rest.removeLast() }
    return String(rest)
  }
}
