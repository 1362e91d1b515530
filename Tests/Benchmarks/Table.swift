import Foundation

/// One row of the closing table.
struct Row {
  var subject: String
  var measured: String
  var budget: String
  /// Whether the budget is kept; nil where there is none.
  var isKept: Bool?
}

/// The closing table against the budgets.
struct Table {
  private var rows: [Row] = []

  mutating func add(_ subject: String, _ measured: String, budget: String = "", isKept: Bool? = nil)
  {
    rows.append(Row(subject: subject, measured: measured, budget: budget, isKept: isKept))
    FileHandle.standardOutput.write(Data("… \(subject): \(measured)\n".utf8))
  }

  func show() {
    let widths = (
      rows.map(\.subject.count).max() ?? 0, rows.map(\.measured.count).max() ?? 0,
      rows.map(\.budget.count).max() ?? 0
    )
    print("")
    for row in rows {
      let verdict = row.isKept.map { $0 ? "kept" : "MISSED" } ?? ""
      print(
        row.subject.padded(to: widths.0), row.measured.padded(to: widths.1),
        row.budget.padded(to: widths.2), verdict, separator: "  ")
    }
    let missed = rows.count { $0.isKept == false }
    print("\nbudgets: \(rows.count { $0.isKept == true }) kept, \(missed) missed")
  }
}

extension String {
  fileprivate func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}

/// A number with so many decimals.
func decimal(_ number: Double, _ places: Int = 1) -> String {
  String(format: "%.\(places)f", number)
}

/// Seconds that a piece of work takes.
func seconds(_ work: () throws -> Void) rethrows -> Double {
  let start = ContinuousClock.now
  try work()
  let (seconds, attoseconds) = (ContinuousClock.now - start).components
  return Double(seconds) + Double(attoseconds) / 1e18
}

/// The middle of an odd number of measurements.
func median(_ measurements: [Double]) -> Double {
  measurements.sorted()[measurements.count / 2]
}
