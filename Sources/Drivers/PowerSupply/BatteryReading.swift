import Loop

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
    Folder.entries(of: folder)
      .compactMap { BatteryReading(name: $0, folder: "\(folder)/\($0)") }
  }

  private init?(name: String, folder: String) {
    guard let type = KernelFile.word("\(folder)/type"), type == "Battery" || type == "UPS",
      KernelFile.word("\(folder)/scope") != "Device", KernelFile.word("\(folder)/present") != "0"
    else { return nil }
    self.name = name
    percent = KernelFile.word("\(folder)/capacity").flatMap { Int64($0) }
      .flatMap { (0...100).contains($0) ? $0 : nil }
    let status = KernelFile.word("\(folder)/status")
    isCharging = status == "Charging" || status == "Full"
    let level = KernelFile.word("\(folder)/capacity_level")
    saysLow = level == "Low" || level == "Critical"
  }
}
