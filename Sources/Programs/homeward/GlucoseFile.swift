import CivilTime
import Glucose
import GlucoseValues
import JSON
import Texts

/// A table of glucose readings that a command is given.
struct GlucoseFile {
  static let datesOption = OptionSpecification.option(
    "dates", "dmy|mdy|ymd",
    gettext("How the file writes dates, where it leaves that open: 20/11/2026 is dmy"))
  static let unitOption = OptionSpecification.option(
    "unit", "mg/dL|mmol/L", gettext("The unit of the levels, where the file does not say"))
  static let sensorOption = OptionSpecification.option(
    "sensor", "finger-stick|cgm",
    gettext("What measured, where the file does not say; finger-stick unless set"))

  var session: Session
  var command: CommandSpecification

  /// Reads the table; asks a person which number is the day where only they can know.
  ///
  /// - Parameter unit: of levels where the file says none.
  func table(in zone: CivilTimeZone, unit: GlucoseUnit?) throws(CommandFailure) -> GlucoseTable {
    let path = session.arguments.operands[0]
    let dates = try dates()
    let bytes: [UInt8]
    do throws(FileFailure) {
      bytes = try FileText.bytes(path, limit: GlucoseTable.maximumBytes + 1)
    } catch {
      throw CommandFailure(
        .failed,
        gettext("{path} cannot be read: {reason}.", ["path": path, "reason": error.reason]))
    }
    do throws(GlucoseTable.Failure) {
      return try GlucoseTable(bytes, in: zone, unit: unit, dates: dates)
    } catch {
      guard path != "-", session.terminal.isInteractive, !session.wantsJSON,
        case .dateOrder(let orders, let text) = error
      else { throw failure(error) }
      let order = try ask(orders, text)
      do throws(GlucoseTable.Failure) {
        return try GlucoseTable(bytes, in: zone, unit: unit, dates: order)
      } catch { throw failure(error) }
    }
  }

  private func failure(_ failure: GlucoseTable.Failure) -> CommandFailure {
    let path = session.arguments.operands[0]
    return CommandFailure(.failed, TextWidth.printable("\(path): \(failure.message.spoken)"))
  }

  private func ask(_ orders: [DateOrder], _ text: String) throws(CommandFailure) -> DateOrder {
    session.terminal.writeError(
      gettext(
        "The file writes dates such as {text}. What comes first?",
        ["text": TextWidth.printable(text)]))
    for (index, order) in orders.enumerated() {
      session.terminal.writeError("  \(index + 1)  \(Self.name(order))")
    }
    while let answer = session.terminal.ask(gettext("Its number: ")) {
      let number = Int(NumberText.trimmed(answer)) ?? 0
      if orders.indices.contains(number - 1) { return orders[number - 1] }
    }
    throw CommandFailure(.failed, gettext("nothing was changed."))
  }

  private static func name(_ order: DateOrder) -> String {
    switch order {
    case .dayFirst: gettext("the day (20/11/2026)")
    case .monthFirst: gettext("the month (11/20/2026)")
    case .yearFirst: gettext("the year (2026-11-20)")
    }
  }

  private func dates() throws(CommandFailure) -> DateOrder? {
    guard let text = session.arguments.option("dates") else { return nil }
    guard let order = DateOrder(rawValue: text) else {
      throw .usage(
        gettext("--dates \"{value}\" must be dmy, mdy or ymd.", ["value": text]), command)
    }
    return order
  }

  /// What measured where the file does not say.
  func sensor() throws(CommandFailure) -> GlucoseReading.Sensor {
    guard let text = session.arguments.option("sensor") else { return .fingerStick }
    guard let sensor = GlucoseReading.Sensor(rawValue: text) else {
      throw .usage(
        gettext("--sensor \"{value}\" must be finger-stick or cgm.", ["value": text]), command)
    }
    return sensor
  }

  /// Lines that are no readings, on standard error.
  func tell(_ faults: [GlucoseTable.Fault]) {
    let shown = 50
    for fault in faults.prefix(shown) {
      // What is wrong may be told with what stands in the cell.
      session.terminal.writeError(
        TextWidth.printable(
          gettext(
            "Line {line}: {reason} {text}",
            ["line": fault.line, "reason": fault.reason.message, "text": fault.text])))
    }
    guard faults.count > shown else { return }
    session.terminal.writeError(
      gettext(
        "… and {count} more; --json lists them all.", ["count": faults.count - shown]))
  }

  static func json(_ faults: [GlucoseTable.Fault]) -> JSONValue {
    .array(
      faults.map { fault in
        [
          "line": .integer(Int64(fault.line)), "text": .string(fault.text),
          "reason": .string(fault.reason.message.text(in: .en)),
        ]
      })
  }

  /// A failure where no line is a reading.
  func require(_ table: GlucoseTable) throws(CommandFailure) {
    guard table.rows.isEmpty else { return }
    throw CommandFailure(
      .failed,
      gettext("{path} has no line that is a reading.", ["path": session.arguments.operands[0]]),
      hint: gettext("Lines look like this: 2026-11-20 07:30,101,before-breakfast"))
  }
}
