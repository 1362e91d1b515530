public import Texts

/// How lengths are told; the gateway itself counts in metres.
public enum LengthUnits: String, Hashable, Sendable, CaseIterable {
  /// In metres and kilometres.
  case metric
  /// In feet and miles.
  case imperial

  /// Metres in a foot.
  ///
  /// - Source: International yard and pound agreement, 1959.
  public static let metersInFoot = 0.3048
  private static let feetInMile = 5280.0

  /// A length as people say it: whole metres or feet, and with a tenth in kilometres or miles what is longer.
  ///
  /// - Parameter kilometersFrom: metres from which on kilometres are told; feet are told up to 1,000.
  public func text(meters: Double, kilometersFrom: Double = 1000) -> Message {
    switch self {
    case .metric where meters < kilometersFrom: Message("{n} m", ["n": Self.whole(meters)])
    case .metric: Message("{n} km", ["n": Self.tenths(meters / 1000)])
    case .imperial:
      Self.imperial(feet: meters / Self.metersInFoot)
    }
  }

  private static func imperial(feet: Double) -> Message {
    feet < 1000
      ? Message("{n} ft", ["n": whole(feet)]) : Message("{n} mi", ["n": tenths(feet / feetInMile)])
  }

  private static func whole(_ number: Double) -> String {
    Int64(exactly: number.rounded()).map(String.init) ?? "\(number)"
  }

  private static func tenths(_ number: Double) -> String {
    guard let tenths = Int64(exactly: (number * 10).rounded()) else { return "\(number)" }
    return "\(tenths / 10).\(tenths % 10)"
  }
}
