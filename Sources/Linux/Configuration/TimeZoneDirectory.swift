import Glibc

/// The time zones that this machine knows.
public enum TimeZoneDirectory {
  private static let root = "/usr/share/zoneinfo"

  /// Whether `name` is an IANA name with a file on this machine.
  public static func contains(_ name: String) -> Bool {
    let isWellFormed = name.utf8.allSatisfy { byte in
      (0x61...0x7A).contains(byte) || (0x41...0x5A).contains(byte)
        || (0x30...0x39).contains(byte) || [0x2B, 0x2D, 0x2F, 0x5F].contains(byte)
    }
    // The kernel would read two slashes as one; whoever loads the zone would not.
    guard isWellFormed, !name.isEmpty, name.utf8.count <= 100, !name.hasPrefix("/"),
      !name.contains("//")
    else { return false }
    return startsLikeAZone("\(root)/\(name)")
  }

  /// The known name that somebody probably meant; a city alone means the zone that ends with it.
  public static func nearest(to name: String) -> String? {
    let words = name.split { $0 == "/" || $0 == " " || $0 == "_" }.joined(separator: "_")
    if !name.contains("/"), let zone = zone(ofCity: words) { return zone }
    let region = name.split(separator: "/").first.map(String.init) ?? ""
    let regions = entries(of: root)
    guard let known = NearestWord.find(region, among: regions) else { return nil }
    let zones = entries(of: "\(root)/\(known)").map { "\(known)/\($0)" }
    return NearestWord.find(name, among: zones.isEmpty ? regions : zones)
  }

  /// The zone of a city: `London` means `Europe/London`; nil for no city, and for a slip that may mean several.
  private static func zone(ofCity city: String) -> String? {
    let zones = continents.flatMap { continent in
      entries(of: "\(root)/\(continent)").map { (city: $0, zone: "\(continent)/\($0)") }
    }
    let wanted = city.lowercased()
    if let exact = zones.first(where: { $0.city.lowercased() == wanted }) { return exact.zone }
    guard let near = NearestWord.find(city, among: zones.map(\.city)) else { return nil }
    return zones.first { $0.city == near }?.zone
  }

  private static let continents = [
    "Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Europe",
    "Indian",
    "Pacific",
  ]

  private static func startsLikeAZone(_ path: String) -> Bool {
    let file = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK)
    guard file >= 0 else { return false }
    defer { close(file) }
    var magic: [UInt8] = [0, 0, 0, 0]
    return read(file, &magic, 4) == 4 && magic == Array("TZif".utf8)
  }

  private static func entries(of path: String) -> [String] {
    guard let directory = opendir(path) else { return [] }
    defer { closedir(directory) }
    var names: [String] = []
    while let entry = readdir(directory) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    return names.sorted()
  }
}
