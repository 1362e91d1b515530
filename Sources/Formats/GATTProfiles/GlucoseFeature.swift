public import Bytes

/// What a meter can find out: the Glucose Feature characteristic (0x2A51), read.
///
/// - Source: Bluetooth Glucose Service 1.0.1, section 3.3.
public struct GlucoseFeature: OptionSet, Hashable, Sendable {
  /// The bits as sent.
  public let rawValue: UInt16
  /// Features of bits.
  public init(rawValue: UInt16) { self.rawValue = rawValue }

  /// A low battery.
  public static let lowBattery = Self(rawValue: 1 << 0)
  /// A faulty sensor.
  public static let malfunction = Self(rawValue: 1 << 1)
  /// Too small a sample.
  public static let sampleSize = Self(rawValue: 1 << 2)
  /// A strip put in wrongly.
  public static let stripInsertion = Self(rawValue: 1 << 3)
  /// A strip of another type.
  public static let stripType = Self(rawValue: 1 << 4)
  /// A result beyond what it can process.
  public static let resultHighLow = Self(rawValue: 1 << 5)
  /// A temperature that forbids a result.
  public static let temperature = Self(rawValue: 1 << 6)
  /// A strip pulled out too soon.
  public static let readInterrupt = Self(rawValue: 1 << 7)
  /// A general fault.
  public static let generalFault = Self(rawValue: 1 << 8)
  /// A faulty clock.
  public static let timeFault = Self(rawValue: 1 << 9)
  /// It keeps bonds with several collectors.
  public static let multipleBonds = Self(rawValue: 1 << 10)

  /// Names of the bits from 0 upwards, for programs.
  public static let names = [
    "low battery detection", "sensor malfunction detection", "sensor sample size",
    "strip insertion error detection", "strip type error detection",
    "sensor result high-low detection", "sensor temperature high-low detection",
    "sensor read interrupt detection", "general device fault", "time fault", "multiple bonds",
  ]

  /// Reads the two octets of the characteristic; more are ignored.
  ///
  /// - Throws: ``DecodeError`` when there are fewer.
  public init(_ octets: some Collection<UInt8>) throws(DecodeError) {
    var reader = ByteReader(octets)
    self.init(rawValue: try reader.word("feature"))
  }

  /// The two octets.
  public var octets: [UInt8] {
    var octets: [UInt8] = []
    octets.append(word: rawValue)
    return octets
  }
}
