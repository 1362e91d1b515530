public import GlucoseFigures
public import GlucoseValues
public import Texts

/// Figures of readings as people read them, each with its name: the same words on a page, in a table and on paper.
public enum GlucoseFacts {
  /// Those of finger-sticks; what there is too little for is left out.
  public static func of(
    _ sticks: GlucoseReport.FingerSticks, _ unit: GlucoseUnit, _ language: Language
  ) -> [(name: String, value: String)] {
    func text(_ message: Message) -> String { message.text(in: language) }
    func level(_ milligrams: Double) -> String {
      let number = GlucoseUnit.milligramsPerDecilitre.convert(milligrams, to: unit)
      return "\(unit.shownDigits(number)) \(unit.rawValue)"
    }
    let summary = sticks.summary
    var facts: [(name: String, value: String)] = [
      (text(Message("Readings")), "\(summary.count)"),
      (text(Message("Days with readings")), "\(summary.dayCount)"),
    ]
    if let mean = summary.mean { facts.append((text(Message("Mean")), level(mean))) }
    if let minimum = summary.minimum {
      facts.append((text(Message("Lowest")), minimum.text(in: unit)))
    }
    if let maximum = summary.maximum {
      facts.append((text(Message("Highest")), maximum.text(in: unit)))
    }
    if let deviation = summary.standardDeviation {
      facts.append((text(Message("Standard deviation")), level(deviation)))
    }
    if let variation = summary.coefficientOfVariation {
      facts.append(
        (text(Message("Coefficient of variation")), "\(tenths(variation)) %"))
    }
    if let low = summary.lowIndex {
      facts.append((text(Message("Low blood glucose index")), tenths(low)))
    }
    if let high = summary.highIndex {
      facts.append((text(Message("High blood glucose index")), tenths(high)))
    }
    return facts
  }

  /// A number with one decimal.
  public static func tenths(_ number: Double) -> String {
    guard let tenths = Int64(exactly: (number * 10).rounded()) else { return "–" }
    return "\(tenths < 0 ? "-" : "")\(tenths.magnitude / 10).\(tenths.magnitude % 10)"
  }
}
