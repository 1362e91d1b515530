/// What a family of meters does in its own way, with where that is known from.
public struct MeterQuirk: Hashable, Sendable {
  /// What the meter's clock means.
  public enum Clock: String, Hashable, Sendable, CaseIterable {
    /// Nothing is known.
    case unknown
    /// The base time is UTC and the offset a time zone.
    case baseIsUTC = "base-is-utc"
    /// The base time runs freely; only base time and offset together mean something.
    case baseRunsFreely = "base-runs-freely"
  }

  /// How records are numbered.
  public enum Numbering: String, Hashable, Sendable, CaseIterable {
    /// Every new record has a higher number.
    case rising
    /// The newest record is number 0, so that numbers change with every record.
    case newestIsZero = "newest-is-zero"
  }

  /// What an announced context can turn a record into.
  public enum ContextWeight: String, Hashable, Sendable, CaseIterable {
    /// It may say that the record is no glucose: without it the record is none.
    case decides
    /// It never does: without it the record still is one.
    case informs
  }

  /// The family.
  public var name: String
  /// Where its ways are known from.
  public var source: String
  /// Words of which one stands in the manufacturer's name, in lower case.
  public var manufacturers: [String] = []
  /// Words of which one stands in the model or the advertised name, in lower case; empty for all of the manufacturer's.
  public var models: [String] = []
  /// How records are numbered.
  public var numbering = Numbering.rising
  /// What the clock means.
  public var clock = Clock.unknown
  /// What an announced context can turn a record into.
  public var context = ContextWeight.decides
  /// Whether it sends contexts at all.
  public var hasContext = true
  /// Codes of sample types that are nobody's glucose on these meters.
  public var skippedTypeCodes: [UInt8] = []
  /// Records of this year and later are none: the meter makes them up.
  public var firstMadeUpYear: UInt16?
  /// Where the clock is read inside the Glucose Service (0x2A08) and not from the Current Time Service.
  public var readsClockInGlucoseService = false
  /// Whether the Glucose Service is there; nothing can be downloaded otherwise.
  public var hasGlucoseService = true

  /// A meter that keeps to the specification.
  public static let none = MeterQuirk(
    name: "standard", source: "Bluetooth Glucose Service 1.0.1")

  /// All families that are known, the more particular ones first.
  public static let all: [MeterQuirk] = [
    MeterQuirk(
      name: "Ascensia Contour",
      source:
        "captures in LiamsGitHub/GlucometerBluetoothToHealthKit (README.md); xDrip's quirks: at least is inclusive",
      manufacturers: ["ascensia", "bayer"], models: ["contour"], clock: .baseIsUTC,
      context: .informs),
    MeterQuirk(
      name: "Accu-Chek",
      source:
        "captures in innoveit/react-native-ble-manager issue 1162; xDrip: Date Time in the Glucose Service; Tidepool: type 4 is skipped",
      manufacturers: ["roche"], clock: .baseRunsFreely, context: .informs, skippedTypeCodes: [4],
      readsClockInGlucoseService: true),
    MeterQuirk(
      name: "FORA", source: "xDrip's quirks: numbers from the newest, a HI of 2037 when it is full",
      manufacturers: ["foracare", "fora"], numbering: .newestIsZero, hasContext: false,
      firstMadeUpYear: 2037),
    MeterQuirk(
      name: "TaiDoc",
      source: "xDrip's quirks: numbers from the newest, no context, no time service",
      manufacturers: ["taidoc"], numbering: .newestIsZero, hasContext: false,
      firstMadeUpYear: 2037),
    MeterQuirk(
      name: "CareSens Dual", source: "xDrip's quirks: meal 6 says ketone, a tenth of it is mmol/L",
      manufacturers: ["i-sens", "isens"], models: ["dual"]),
    MeterQuirk(
      name: "CareSens",
      source: "xDrip's quirks: its clock is set by services of its own (FFF0, C4DEA010-…)",
      manufacturers: ["i-sens", "isens"], models: ["caresens"]),
    MeterQuirk(
      name: "OneTouch Verio Flex",
      source: "xDrip and Tidepool: a service of its own (AF9DF7A1-E595-11E3-96B4-0002A5D5C51B)",
      manufacturers: ["lifescan"], hasGlucoseService: false),
  ]

  /// The family of a meter by what it says of itself; ``none`` for one that is not known.
  ///
  /// - Parameters:
  ///   - information: its Device Information.
  ///   - name: the name that it advertises.
  public static func of(_ information: DeviceInformation, name: String? = nil) -> MeterQuirk {
    let manufacturer = information.manufacturer?.lowercased() ?? ""
    let model = [information.model, name].compactMap { $0?.lowercased() }.joined(separator: " ")
    return all.first { quirk in
      quirk.manufacturers.contains { manufacturer.contains($0) }
        && (quirk.models.isEmpty || quirk.models.contains { model.contains($0) })
    } ?? .none
  }
}
