/// What a continuous monitor finds out about itself: status (bits 0...7), calibration and temperature (8...15),
/// warnings (16...23).
///
/// - Source: Bluetooth Continuous Glucose Monitoring Service 1.0.2, section 3.1.
public struct CGMAnnunciation: OptionSet, Hashable, Sendable {
  /// The bits: three octets, the first sent lowest.
  public let rawValue: UInt32
  /// An annunciation of bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue & 0xFF_FFFF }

  /// The session has ended.
  public static let sessionStopped = Self(rawValue: 1 << 0)
  /// The battery is low.
  public static let batteryLow = Self(rawValue: 1 << 1)
  /// The sensor is of another type.
  public static let wrongSensorType = Self(rawValue: 1 << 2)
  /// The sensor is faulty.
  public static let malfunction = Self(rawValue: 1 << 3)
  /// An alert of the device's own.
  public static let deviceAlert = Self(rawValue: 1 << 4)
  /// A general fault.
  public static let generalFault = Self(rawValue: 1 << 5)
  /// The device must be told the time.
  public static let timeSynchronisationRequired = Self(rawValue: 1 << 8)
  /// Calibration is not allowed now.
  public static let calibrationNotAllowed = Self(rawValue: 1 << 9)
  /// Calibration is recommended.
  public static let calibrationRecommended = Self(rawValue: 1 << 10)
  /// Calibration is required.
  public static let calibrationRequired = Self(rawValue: 1 << 11)
  /// Too warm for a valid result.
  public static let temperatureTooHigh = Self(rawValue: 1 << 12)
  /// Too cold for a valid result.
  public static let temperatureTooLow = Self(rawValue: 1 << 13)
  /// Below the patient's low level.
  public static let belowPatientLow = Self(rawValue: 1 << 16)
  /// Above the patient's high level.
  public static let abovePatientHigh = Self(rawValue: 1 << 17)
  /// Below the level of hypoglycaemia.
  public static let belowHypo = Self(rawValue: 1 << 18)
  /// Above the level of hyperglycaemia.
  public static let aboveHyper = Self(rawValue: 1 << 19)
  /// Falls faster than the level of alert.
  public static let fallingFast = Self(rawValue: 1 << 20)
  /// Rises faster than the level of alert.
  public static let risingFast = Self(rawValue: 1 << 21)
  /// Below what the device can process.
  public static let resultTooLow = Self(rawValue: 1 << 22)
  /// Above what the device can process.
  public static let resultTooHigh = Self(rawValue: 1 << 23)

  /// Faults that leave no result to believe in.
  static let faults: Self = [
    .sessionStopped, .wrongSensorType, .malfunction, .generalFault, .temperatureTooHigh,
    .temperatureTooLow,
  ]

  /// Names of the bits from 0 upwards, for programs; empty for reserved bits.
  public static let names = [
    "session stopped", "battery low", "sensor type incorrect", "sensor malfunction",
    "device specific alert", "general fault", "", "", "time synchronisation required",
    "calibration not allowed", "calibration recommended", "calibration required",
    "temperature too high", "temperature too low", "", "", "below patient low level",
    "above patient high level", "below hypo level", "above hyper level",
    "rate of decrease exceeded",
    "rate of increase exceeded", "result too low", "result too high",
  ]

  /// The three octets: status, calibration and temperature, warnings.
  var octets: [UInt8] {
    [0, 8, 16].map { UInt8(truncatingIfNeeded: rawValue >> UInt32($0)) }
  }
}
