/// What the objects of BTHome 2 are: how long, in which unit, and what to divide them by.
///
/// - Source: bthome.io/format, as of 2025; 3B, 5C through 65 and 81 of the buttons as Home Assistant reads them.
struct BTHomeObject {
  enum Form {
    /// A number with or without a sign, times `factor` and divided by `divisor`.
    case number(bytes: Int, factor: Int64, divisor: Double, isSigned: Bool)
    /// Yes or no.
    case flag
    case button
    case dimmer
    case command
    /// Seconds since 1970.
    case moment
    case text
    case raw
    /// So many bytes, the highest place last.
    case version(bytes: Int)
  }

  var name: String
  var unit = ""
  var form: Form

  /// The object of an id; nil for one that is not known, of which nobody can tell the length.
  static func of(_ id: UInt8) -> BTHomeObject? { table[Int(id)] }

  private static let table: [BTHomeObject?] = {
    var table = [BTHomeObject?](repeating: nil, count: 256)
    for row in numbers {
      table[Int(row.id)] = BTHomeObject(
        name: row.name, unit: row.unit,
        form: .number(
          bytes: row.bytes, factor: row.factor, divisor: row.divisor, isSigned: row.isSigned))
    }
    for (id, name) in flags { table[Int(id)] = BTHomeObject(name: name, form: .flag) }
    for (id, name, form) in others { table[Int(id)] = BTHomeObject(name: name, form: form) }
    return table
  }()

  private struct Row {
    var id: UInt8
    var name: String
    var bytes: Int
    var divisor: Double
    var unit: String
    var isSigned: Bool
    var factor: Int64

    init(
      _ id: UInt8, _ name: String, _ bytes: Int, _ divisor: Double = 1, _ unit: String = "",
      isSigned: Bool = false, times factor: Int64 = 1
    ) {
      (self.id, self.name, self.bytes) = (id, name, bytes)
      (self.divisor, self.unit, self.isSigned) = (divisor, unit, isSigned)
      self.factor = factor
    }
  }

  private static let numbers: [Row] = [
    Row(0x00, "packet-id", 1),
    Row(0x01, "battery", 1, 1, "%"),
    Row(0x02, "temperature", 2, 100, "°C", isSigned: true),
    Row(0x03, "humidity", 2, 100, "%"),
    Row(0x04, "pressure", 3, 100, "hPa"),
    Row(0x05, "illuminance", 3, 100, "lx"),
    Row(0x06, "mass", 2, 100, "kg"),
    Row(0x07, "mass", 2, 100, "lb"),
    Row(0x08, "dew-point", 2, 100, "°C", isSigned: true),
    Row(0x09, "count", 1),
    Row(0x0A, "energy", 3, 1000, "kWh"),
    Row(0x0B, "power", 3, 100, "W"),
    Row(0x0C, "voltage", 2, 1000, "V"),
    Row(0x0D, "pm2.5", 2, 1, "µg/m³"),
    Row(0x0E, "pm10", 2, 1, "µg/m³"),
    Row(0x12, "co2", 2, 1, "ppm"),
    Row(0x13, "tvoc", 2, 1, "µg/m³"),
    Row(0x14, "moisture", 2, 100, "%"),
    Row(0x2E, "humidity", 1, 1, "%"),
    Row(0x2F, "moisture", 1, 1, "%"),
    Row(0x3D, "count", 2),
    Row(0x3E, "count", 4),
    Row(0x3F, "rotation", 2, 10, "°", isSigned: true),
    Row(0x40, "distance", 2, 1, "mm"),
    Row(0x41, "distance", 2, 10, "m"),
    Row(0x42, "duration", 3, 1000, "s"),
    Row(0x43, "current", 2, 1000, "A"),
    Row(0x44, "speed", 2, 100, "m/s"),
    Row(0x45, "temperature", 2, 10, "°C", isSigned: true),
    Row(0x46, "uv-index", 1, 10),
    Row(0x47, "volume", 2, 10, "L"),
    Row(0x48, "volume", 2, 1, "mL"),
    Row(0x49, "volume-flow-rate", 2, 1000, "m³/h"),
    Row(0x4A, "voltage", 2, 10, "V"),
    Row(0x4B, "gas", 3, 1000, "m³"),
    Row(0x4C, "gas", 4, 1000, "m³"),
    Row(0x4D, "energy", 4, 1000, "kWh"),
    Row(0x4E, "volume", 4, 1000, "L"),
    Row(0x4F, "water", 4, 1000, "L"),
    Row(0x51, "acceleration", 2, 1000, "m/s²"),
    Row(0x52, "gyroscope", 2, 1000, "°/s"),
    Row(0x55, "volume-storage", 4, 1000, "L"),
    Row(0x56, "conductivity", 2, 1, "µS/cm"),
    Row(0x57, "temperature", 1, 1, "°C", isSigned: true),
    Row(0x58, "temperature", 1, 20, "°C", isSigned: true, times: 7),
    Row(0x59, "count", 1, isSigned: true),
    Row(0x5A, "count", 2, isSigned: true),
    Row(0x5B, "count", 4, isSigned: true),
    Row(0x5C, "power", 4, 100, "W", isSigned: true),
    Row(0x5D, "current", 2, 1000, "A", isSigned: true),
    Row(0x5E, "direction", 2, 100, "°"),
    Row(0x5F, "precipitation", 2, 10, "mm"),
    Row(0x60, "channel", 1),
    Row(0x61, "rotational-speed", 2, 1, "rpm"),
    Row(0x62, "speed", 4, 1_000_000, "m/s", isSigned: true),
    Row(0x63, "acceleration", 4, 1_000_000, "m/s²", isSigned: true),
    Row(0x64, "light-level", 1),
    Row(0x65, "settings-revision", 1),
    Row(0xF0, "device-type", 2),
  ]

  private static let flags: [(UInt8, String)] = [
    (0x0F, "generic"), (0x10, "power"), (0x11, "opening"), (0x15, "battery-low"),
    (0x16, "battery-charging"), (0x17, "carbon-monoxide"), (0x18, "cold"),
    (0x19, "connectivity"), (0x1A, "door"), (0x1B, "garage-door"), (0x1C, "gas"), (0x1D, "heat"),
    (0x1E, "light"), (0x1F, "lock"), (0x20, "moisture"), (0x21, "motion"), (0x22, "moving"),
    (0x23, "occupancy"), (0x24, "plug"), (0x25, "presence"), (0x26, "problem"),
    (0x27, "running"), (0x28, "safety"), (0x29, "smoke"), (0x2A, "sound"), (0x2B, "tamper"),
    (0x2C, "vibration"), (0x2D, "window"),
  ]

  private static let others: [(UInt8, String, Form)] = [
    (0x3A, "button", .button), (0x3B, "command", .command), (0x3C, "dimmer", .dimmer),
    (0x50, "timestamp", .moment), (0x53, "text", .text), (0x54, "raw", .raw),
    (0xF1, "firmware", .version(bytes: 4)), (0xF2, "firmware", .version(bytes: 3)),
  ]
}
