/// What a glucose concentration is counted in.
///
/// Values are stored in the unit that they came in. One constant turns one unit into the other; rounding is for display.
public enum GlucoseUnit: String, Hashable, Sendable, CaseIterable {
  /// Milligrams in a decilitre.
  case milligramsPerDecilitre = "mg/dL"
  /// Millimoles in a litre.
  case millimolesPerLitre = "mmol/L"

  /// Milligrams in a decilitre that one millimole in a litre is: a tenth of glucose's molar mass, 180.156 g/mol.
  ///
  /// - Source: molar mass of C₆H₁₂O₆ from the IUPAC's standard atomic weights.
  public static let milligramsPerDecilitrePerMillimolePerLitre = 18.0156

  /// A value of this unit in another one.
  public func convert(_ value: Double, to unit: GlucoseUnit) -> Double {
    switch (self, unit) {
    case (.milligramsPerDecilitre, .millimolesPerLitre):
      value / Self.milligramsPerDecilitrePerMillimolePerLitre
    case (.millimolesPerLitre, .milligramsPerDecilitre):
      value * Self.milligramsPerDecilitrePerMillimolePerLitre
    default: value
    }
  }
}
