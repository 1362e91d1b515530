public import Care

/// Services that glucose meters and continuous monitors have.
///
/// - Source: Bluetooth SIG, Assigned Numbers, 16-bit UUIDs.
public enum GATTService {
  /// Glucose.
  public static let glucose = BluetoothUUID(0x1808)
  /// Continuous Glucose Monitoring.
  public static let continuousGlucoseMonitoring = BluetoothUUID(0x181F)
  /// Current Time.
  public static let currentTime = BluetoothUUID(0x1805)
  /// Battery.
  public static let battery = BluetoothUUID(0x180F)
  /// Device Information.
  public static let deviceInformation = BluetoothUUID(0x180A)
}

/// Characteristics that this module reads or writes.
///
/// - Source: Bluetooth SIG, Assigned Numbers, 16-bit UUIDs.
public enum GATTCharacteristic {
  /// Glucose Measurement, notified: ``GlucoseMeasurement``.
  public static let glucoseMeasurement = BluetoothUUID(0x2A18)
  /// Glucose Measurement Context, notified where there is one: ``GlucoseContext``.
  public static let glucoseContext = BluetoothUUID(0x2A34)
  /// Glucose Feature, read: ``GlucoseFeature``.
  public static let glucoseFeature = BluetoothUUID(0x2A51)
  /// Record Access Control Point, written and indicated: ``RecordAccess``.
  public static let recordAccess = BluetoothUUID(0x2A52)
  /// CGM Measurement, notified: ``CGMMeasurement``.
  public static let cgmMeasurement = BluetoothUUID(0x2AA7)
  /// CGM Feature, read: ``CGMFeature``.
  public static let cgmFeature = BluetoothUUID(0x2AA8)
  /// CGM Status, read: ``CGMStatus``.
  public static let cgmStatus = BluetoothUUID(0x2AA9)
  /// CGM Session Start Time, read: ``CGMSessionStart``.
  public static let cgmSessionStart = BluetoothUUID(0x2AAA)
  /// CGM Session Run Time, read: ``CGMSessionRunTime``.
  public static let cgmSessionRunTime = BluetoothUUID(0x2AAB)
  /// CGM Specific Ops Control Point, written and indicated: ``CGMControl``.
  public static let cgmControl = BluetoothUUID(0x2AAC)
  /// Date Time, read: ``DateTime``.
  public static let dateTime = BluetoothUUID(0x2A08)
  /// Current Time, read: ``CurrentTime``.
  public static let currentTime = BluetoothUUID(0x2A2B)
  /// Local Time Information, read: ``LocalTimeInformation``.
  public static let localTimeInformation = BluetoothUUID(0x2A0F)
  /// Battery Level, read: ``BatteryLevel``.
  public static let batteryLevel = BluetoothUUID(0x2A19)
}
