import Glibc

/// The formulas of glucose statistics over levels in mg/dL, without any judgement whether there is enough to apply them
/// to.
///
/// Nil where the formula has nothing to work with. Who shows results to people asks ``GlucoseSummary`` and
/// ``SensorSummary``, which know how much is enough.
public enum GlucoseFormulas {
  /// The mean; nil of nothing.
  public static func mean(_ levels: some Collection<Double>) -> Double? {
    levels.isEmpty ? nil : levels.reduce(0, +) / Double(levels.count)
  }

  /// The sample standard deviation, with n - 1; nil of fewer than two.
  public static func standardDeviation(_ levels: some Collection<Double>) -> Double? {
    guard levels.count > 1, let mean = mean(levels) else { return nil }
    let squares = levels.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
    return (squares / Double(levels.count - 1)).squareRoot()
  }

  /// The coefficient of variation in percent; nil of fewer than two.
  public static func coefficientOfVariation(_ levels: some Collection<Double>) -> Double? {
    guard let deviation = standardDeviation(levels), let mean = mean(levels), mean > 0 else {
      return nil
    }
    return 100 * deviation / mean
  }

  /// The low blood glucose index; nil of nothing. Levels are above 1 mg/dL.
  ///
  /// - Source: Kovatchev et al., "Symmetrization of the blood glucose measurement scale and its applications", Diabetes
  ///   Care 20 (1997); 10 × mean of f² over levels below 112.5 mg/dL, f = 1.509 × (ln(level)^1.084 - 5.381).
  public static func lowIndex(_ levels: some Collection<Double>) -> Double? {
    mean(levels.map { level in level < 112.5 ? risk(min(symmetrized(level), 0)) : 0 })
  }

  /// The high blood glucose index; nil of nothing. See ``lowIndex(_:)``; levels from 112.5 mg/dL on.
  public static func highIndex(_ levels: some Collection<Double>) -> Double? {
    mean(levels.map { level in level < 112.5 ? 0 : risk(max(symmetrized(level), 0)) })
  }

  private static func symmetrized(_ level: Double) -> Double {
    1.509 * (pow(log(max(level, 1)), 1.084) - 5.381)
  }

  private static func risk(_ symmetrized: Double) -> Double { 10 * symmetrized * symmetrized }

  /// The glucose management indicator in percent; nil of nothing.
  ///
  /// - Source: Bergenstal et al., "Glucose Management Indicator (GMI)", Diabetes Care 41 (2018): 3.31 + 0.02392 × mean.
  public static func managementIndicator(_ levels: some Collection<Double>) -> Double? {
    mean(levels).map { 3.31 + 0.02392 * $0 }
  }

  /// A percentile, 0 through 100, interpolated between neighbours; nil of nothing.
  ///
  /// - Source: Hyndman and Fan, "Sample Quantiles in Statistical Packages" (1996), definition 7.
  /// - Parameter sorted: ascending.
  public static func percentile(_ percent: Double, ofSorted sorted: [Double]) -> Double? {
    guard let last = sorted.last else { return nil }
    let place = Double(sorted.count - 1) * min(max(percent, 0), 100) / 100
    let index = Int(place)
    guard index + 1 < sorted.count else { return last }
    return sorted[index] + (sorted[index + 1] - sorted[index]) * (place - Double(index))
  }

  /// The heights of excursions: from turning point to turning point, where each is higher than `threshold`.
  ///
  /// A rise or fall that does not exceed the threshold belongs to the excursion around it. The stretch before the first
  /// turning point and the one behind the last are left out, because nobody saw where they began or ended.
  public static func excursions(_ levels: some Collection<Double>, above threshold: Double)
    -> [Double]
  {
    guard let first = levels.first else { return [] }
    var turns: [Double] = []
    var (lowest, highest) = (first, first)
    var isRising: Bool?
    for level in levels {
      switch isRising {
      case nil:
        lowest = min(lowest, level)
        highest = max(highest, level)
        guard highest - lowest > threshold else { continue }
        isRising = level == highest
        turns.append(level == highest ? lowest : highest)
      case true?:
        if level > highest { highest = level }
        guard highest - level > threshold else { continue }
        turns.append(highest)
        (lowest, isRising) = (level, false)
      case false?:
        if level < lowest { lowest = level }
        guard level - lowest > threshold else { continue }
        turns.append(lowest)
        (highest, isRising) = (level, true)
      }
    }
    return zip(turns, turns.dropFirst()).map { abs($1 - $0) }.dropFirst().map { $0 }
  }
}
