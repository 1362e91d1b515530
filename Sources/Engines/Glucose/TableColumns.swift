import CivilTime
import GlucoseValues
import Moments

/// Which column of a table holds what, and how its cells are parted.
struct TableColumns {
  /// Why a line does not name the columns.
  enum Absence: Error, Hashable {
    /// It names no time, or no level, or two that would have to be guessed between.
    case names
    /// It names a time and a level, and no unit.
    case unit
  }

  /// One line, before it is known which number of its date is the day.
  struct Draft {
    var line: Int
    var level: GlucoseConcentration
    var time: WrittenTime
    var writtenTime: String
    var tag: GlucoseTag?
    var sensor: GlucoseReading.Sensor?
  }

  private enum Layout {
    case named(NamedColumns)
    case sensorExport(SensorExportColumns)
  }

  private let separator: UInt8
  private let layout: Layout

  private init(_ separator: UInt8, _ layout: Layout) {
    self.separator = separator
    self.layout = layout
  }

  /// Finds the columns by their names.
  ///
  /// - Parameter unit: of levels, where no name says one.
  init(_ line: ArraySlice<UInt8>, unit: GlucoseUnit?) throws(Absence) {
    var absence = Absence.names
    for separator in [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "\t")] {
      guard let cells = try? TableCells(line, partedBy: separator) else { continue }
      let names = cells.names
      if let export = SensorExportColumns(names) {
        self.init(separator, .sensorExport(export))
        return
      }
      do throws(Absence) {
        self.init(separator, .named(try NamedColumns(names, unit: unit)))
        return
      } catch { if error == .unit { absence = .unit } }
    }
    throw absence
  }

  /// What a line says; nil for a line that is no glucose.
  func draft(
    _ line: ArraySlice<UInt8>, _ number: Int
  ) throws(GlucoseTable.Reason) -> Draft? {
    let cells = try TableCells(line, partedBy: separator)
    switch layout {
    case .named(let columns): return try columns.draft(cells, number)
    case .sensorExport(let columns): return try columns.draft(cells, number)
    }
  }

  /// The unit that a column's name says: `mg/dL`, `Glucose (mmol/L)`.
  static func unit(in name: String) -> GlucoseUnit? {
    let words = name.split { " ()[]:_".contains($0) }.map(String.init)
    let units = words.compactMap { word in word.contains("/") ? GlucoseUnit(written: word) : nil }
    return units.count == 1 ? units.first : nil
  }

  /// The level of a cell, which may repeat the unit of its column.
  static func level(
    _ cell: String, _ unit: GlucoseUnit
  ) throws(GlucoseTable.Reason) -> GlucoseConcentration {
    var digits = cell
    let letters = cell.drop { $0.isNumber || $0 == "." || $0 == "," || $0 == " " }
    if let named = GlucoseUnit(written: String(letters)) {
      guard named == unit else { throw .otherUnit(named) }
      digits = String(cell.dropLast(letters.count)).withoutBlanks
    }
    let level: GlucoseConcentration
    do throws(GlucoseLevelFault) {
      level = try GlucoseConcentration(text: digits, unit: unit)
    } catch { throw .level(error) }
    guard GlucoseRules.isWithinMeters(level) else { throw .tooHigh(level) }
    return level
  }

  static func time(_ text: String) throws(GlucoseTable.Reason) -> WrittenTime {
    guard !text.isEmpty else { throw .noTime }
    guard let time = WrittenTime(text) else { throw .time(text) }
    return time
  }
}

extension TableColumns.Draft {
  /// Clocks that say more than this are wrong.
  private static let latest = CivilDateTime(year: 2200, month: 1, day: 1).asUTC

  func row(
    _ order: DateOrder, in zone: CivilTimeZone
  ) throws(GlucoseTable.Reason) -> GlucoseTable.Row {
    guard let found = time.resolved(order, in: zone), found.instant >= GlucoseRules.earliest,
      found.instant < Self.latest
    else { throw .time(writtenTime) }
    return GlucoseTable.Row(
      line: line, level: level, time: found.instant, tag: tag, sensor: sensor,
      clock: found.clock)
  }
}

/// The columns of a table whose names say what they hold.
struct NamedColumns {
  private let count: Int
  private var time: Int?
  private var date: Int?
  private var levels: [(column: Int, unit: GlucoseUnit)] = []
  private var level: Int?
  private var unit: Int?
  private var tag: Int?
  private var sensor: Int?

  init(_ names: [String], unit given: GlucoseUnit?) throws(TableColumns.Absence) {
    count = names.count
    for (column, name) in names.enumerated() { take(name, column) }
    guard time != nil || date != nil else { throw .names }
    if let level, unit == nil, levels.isEmpty {
      guard let given else { throw .unit }
      levels = [(level, given)]
      self.level = nil
    }
    guard !levels.isEmpty || (level != nil && unit != nil) else { throw .names }
    // Two columns of one meaning would have to be guessed between.
    guard levels.count <= 1 || (levels.count == 2 && levels[0].unit != levels[1].unit),
      levels.isEmpty || level == nil
    else { throw .names }
  }

  private mutating func take(_ name: String, _ column: Int) {
    if let named = TableColumns.unit(in: name) { return levels.append((column, named)) }
    // "Timestamp (YYYY-MM-DDThh:mm:ss)" is a timestamp.
    let plain = String(name.prefix { $0 != "(" && $0 != "[" }).withoutBlanks
    switch Self.meanings[plain] {
    case .time: time = time ?? column
    case .date: date = date ?? column
    case .level: level = level ?? column
    case .unit: unit = unit ?? column
    case .tag: tag = tag ?? column
    case .sensor: sensor = sensor ?? column
    case nil: break
    }
  }

  private enum Meaning {
    case time
    case date
    case level
    case unit
    case tag
    case sensor
  }

  /// What programs call their columns, in English, German, French, Spanish, Italian, Dutch, Norwegian and Chinese.
  private static let meanings: [String: Meaning] = {
    let words: [(Meaning, [String])] = [
      (
        .time,
        [
          "time", "timestamp", "datetime", "date/time", "date time", "date and time",
          "measurement time", "device timestamp", "zeit", "uhrzeit", "zeitpunkt", "zeitstempel",
          "datum/uhrzeit", "datum und uhrzeit", "heure", "date et heure", "hora",
          "fecha y hora", "ora", "data e ora", "tijd", "datum en tijd", "tid", "klokkeslett",
          "时间", "测量时间",
        ]
      ),
      (.date, ["date", "day", "datum", "fecha", "data", "dato", "日期"]),
      (
        .level,
        [
          "level", "glucose", "value", "glucose value", "glucose level", "blood glucose",
          "blood sugar", "bg", "result", "reading", "wert", "messwert", "ergebnis", "blutzucker",
          "glukose", "glukosewert", "valeur", "résultat", "glycémie", "valor", "resultado",
          "glucosa", "glucemia", "valore", "risultato", "glicemia", "waarde", "resultaat",
          "verdi", "resultat", "blodsukker", "血糖", "血糖值",
        ]
      ),
      (
        .unit,
        [
          "unit", "units", "einheit", "unité", "unités", "unidad", "unidades", "unità",
          "eenheid", "enhet", "单位",
        ]
      ),
      (.tag, ["tag", "label", "event", "标签"]), (.sensor, ["sensor"]),
    ]
    return Dictionary(
      words.flatMap { meaning, names in names.map { ($0, meaning) } },
      uniquingKeysWith: { first, _ in first })
  }()

  // MARK: A line

  func draft(_ cells: TableCells, _ line: Int) throws(GlucoseTable.Reason) -> TableColumns.Draft {
    guard cells.count == count else { throw .cells(found: cells.count, expected: count) }
    let level = try level(of: cells)
    let time = try time(of: cells)
    return TableColumns.Draft(
      line: line, level: level, time: time.time, writtenTime: time.text,
      tag: try tag(of: cells), sensor: try sensor(of: cells))
  }

  private func tag(of cells: TableCells) throws(GlucoseTable.Reason) -> GlucoseTag? {
    guard let text = try tag.map({ tag throws(GlucoseTable.Reason) in try cells.text(tag) }),
      !text.isEmpty
    else { return nil }
    guard let found = GlucoseTag(written: text) else { throw .tag }
    return found
  }

  private func sensor(
    of cells: TableCells
  ) throws(GlucoseTable.Reason) -> GlucoseReading.Sensor? {
    guard
      let text = try sensor.map({ sensor throws(GlucoseTable.Reason) in try cells.text(sensor) }),
      !text.isEmpty
    else { return nil }
    guard let found = GlucoseReading.Sensor(rawValue: text.lowercased()) else {
      throw .sensor(text)
    }
    return found
  }

  private func level(of cells: TableCells) throws(GlucoseTable.Reason) -> GlucoseConcentration {
    if let level, let unit, levels.isEmpty {
      let (text, unitText) = (try cells.text(level), try cells.text(unit))
      guard !text.isEmpty else { throw .noLevel }
      guard let named = GlucoseUnit(written: unitText) else { throw .unit(unitText) }
      return try TableColumns.level(text, named)
    }
    var found: [GlucoseConcentration] = []
    for (column, unit) in levels {
      let text = try cells.text(column)
      if !text.isEmpty { found.append(try TableColumns.level(text, unit)) }
    }
    guard let first = found.first else { throw .noLevel }
    guard let second = found.dropFirst().first else { return first }
    guard first.isRounded(from: second) else { throw .levelsDiffer }
    return first
  }

  private func time(
    of cells: TableCells
  ) throws(GlucoseTable.Reason) -> (time: WrittenTime, text: String) {
    var parts: [String] = []
    for column in [date, time].compactMap({ $0 }) {
      let text = try cells.text(column)
      if !text.isEmpty { parts.append(text) }
    }
    guard parts.count == (date != nil && time != nil ? 2 : 1) else { throw .noTime }
    let text = parts.joined(separator: " ")
    return (try TableColumns.time(text), text)
  }
}

extension GlucoseConcentration {
  /// Whether two levels may be one, of which a program has rounded one to whole mg/dL or tenths of mmol/L.
  func isRounded(from other: GlucoseConcentration) -> Bool {
    // The difference is less than the last digit of mmol/L.
    abs(milligramsPerDecilitre - other.milligramsPerDecilitre) < 1.81
  }
}

/// The columns of what LibreView exports, and before it the program of the FreeStyle Libre reader.
///
///     Device,Serial Number,Device Timestamp,Record Type,Historic Glucose mmol/L,Scan Glucose mmol/L,…,Strip Glucose mmol/L,…
///     FreeStyle Libre 3,SN,20-11-2026 07:30,0,5.6,,…
///
/// The names are in the language of whoever exported; the order is always this: time, kind of record, two levels of the
/// sensor, later one of a strip, later ketones. Kinds are 0 (every 15 minutes), 1 (looked at) and 2 (a strip); 3 and
/// more are ketones, insulin, food and notes.
///
/// - Source: exports of LibreView as programs in public repositories read and test them.
struct SensorExportColumns {
  private let unit: GlucoseUnit
  private let historic: Int
  private let strip: Int

  private var count: Int { strip + 1 }

  init?(_ names: [String]) {
    let levels = names.indices.compactMap { column in
      TableColumns.unit(in: names[column]).map { (column: column, unit: $0) }
    }
    guard levels.count >= 3, levels[0].column >= 2, levels[1].column == levels[0].column + 1,
      levels[0].unit == levels[1].unit, levels[1].unit == levels[2].unit
    else { return nil }
    (historic, strip, unit) = (levels[0].column, levels[2].column, levels[0].unit)
  }

  func draft(_ cells: TableCells, _ line: Int) throws(GlucoseTable.Reason) -> TableColumns.Draft? {
    guard cells.count > historic else {
      throw .cells(found: cells.count, expected: count)
    }
    let kind = try cells.text(historic - 1)
    guard let number = Int(kind), number >= 0 else { throw .recordType(kind) }
    guard number <= 2 else { return nil }
    let column = number == 2 ? strip : historic + number
    // A line that ends in its level may have been cut off inside it.
    guard cells.count > column + 1 else {
      throw .cells(found: cells.count, expected: count)
    }
    let (text, written) = (try cells.text(column), try cells.text(historic - 2))
    guard !text.isEmpty else { throw .noLevel }
    return TableColumns.Draft(
      line: line, level: try TableColumns.level(text, unit),
      time: try TableColumns.time(written), writtenTime: written,
      sensor: number == 2 ? .fingerStick : .continuous)
  }
}
