import Foundation

/// One row of the closing table.
struct Row: Codable, Equatable {
  var subject: String
  var measured: String
  var budget: String
  /// Whether the budget is kept; nil where there is none.
  var isKept: Bool?
}

/// The closing table against the budgets.
struct Table: Codable, Equatable {
  private(set) var rows: [Row] = []
  /// Parts that could not be measured, and why.
  private(set) var failures: [String] = []

  mutating func add(_ subject: String, _ measured: String, budget: String = "", isKept: Bool? = nil)
  {
    rows.append(Row(subject: subject, measured: measured, budget: budget, isKept: isKept))
    FileHandle.standardOutput.write(Data("… \(subject): \(measured)\n".utf8))
  }

  /// Takes over what another process measured.
  mutating func add(_ other: Table) {
    rows += other.rows
    failures += other.failures
  }

  /// Notes a part that could not be measured.
  mutating func fail(_ part: String, _ reason: String) {
    failures.append("\(part): \(reason)")
    FileHandle.standardOutput.write(Data("… \(part) FAILED: \(reason)\n".utf8))
  }

  /// 0 when something was measured, every part could be, and every budget is kept; 1 otherwise.
  var exitCode: Int32 {
    !rows.isEmpty && failures.isEmpty && rows.allSatisfy { $0.isKept != false } ? 0 : 1
  }

  /// The rows in columns, with a verdict where there is a budget, and the count.
  var text: String {
    let widths = (
      rows.map(\.subject.count).max() ?? 0, rows.map(\.measured.count).max() ?? 0,
      rows.map(\.budget.count).max() ?? 0
    )
    var lines = rows.map { row in
      let verdict = row.isKept.map { $0 ? "kept" : "MISSED" } ?? ""
      return [
        row.subject.padded(to: widths.0), row.measured.padded(to: widths.1),
        row.budget.padded(to: widths.2), verdict,
      ].joined(separator: "  ")
    }
    lines += failures.map { "NOT MEASURED  \($0)" }
    let missed = rows.count { $0.isKept == false }
    let kept = rows.count { $0.isKept == true }
    let rest = failures.isEmpty ? "" : ", \(failures.count) parts not measured"
    return (lines + ["", "budgets: \(kept) kept, \(missed) missed\(rest)"]).joined(separator: "\n")
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
