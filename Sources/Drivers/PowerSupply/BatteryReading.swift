import Glibc

/// What the kernel says of one battery.
struct BatteryReading: Hashable, Sendable {
  /// The kernel's name, such as `BAT0`.
  var name: String
  /// How full it is, 0 through 100; nil where it does not measure that.
  var percent: Int64?
  /// Whether it is full or on its way there.
  var isCharging: Bool
  /// Whether it says by itself that little is left.
  var saysLow: Bool

  /// The batteries of a folder that the gateway runs on, by name; those of a mouse or a phone are left out.
  static func all(in folder: String) -> [BatteryReading] {
    names(in: folder).compactMap { BatteryReading(name: $0, folder: "\(folder)/\($0)") }
  }

  private init?(name: String, folder: String) {
    guard let type = Self.word("\(folder)/type"), type == "Battery" || type == "UPS",
      Self.word("\(folder)/scope") != "Device", Self.word("\(folder)/present") != "0"
    else { return nil }
    self.name = name
    percent = Self.word("\(folder)/capacity").flatMap { Int64($0) }
      .flatMap { (0...100).contains($0) ? $0 : nil }
    let status = Self.word("\(folder)/status")
    isCharging = status == "Charging" || status == "Full"
    let level = Self.word("\(folder)/capacity_level")
    saysLow = level == "Low" || level == "Critical"
  }

  private static func names(in folder: String) -> [String] {
    guard let directory = opendir(folder) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }

  /// The first line of a file of the kernel's; nil when it cannot be read, as when the driver has no such figure.
  private static func word(_ path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    let bytes = [UInt8](unsafeUninitializedCapacity: 64) { buffer, count in
      count = max(0, read(descriptor, buffer.baseAddress, buffer.count))
    }
    let line = bytes.prefix { $0 != UInt8(ascii: "\n") }
    return line.isEmpty ? nil : String(decoding: line, as: UTF8.self)
  }
}
