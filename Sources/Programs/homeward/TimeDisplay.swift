import CGatewayShims
import CivilTime
import Glibc
import Moments

/// Shows and reads times as people at this place write them.
struct TimeDisplay: Sendable {
  let zone: CivilTimeZone

  /// The configured zone, else that of `TZ`, else the machine's, else UTC.
  init(configuredZone: String?) {
    let names = [configuredZone, Environment.value("TZ"), Self.machineZone].compactMap { $0 }
    let zones = names.lazy.compactMap { try? TimeZoneFile.load(name: $0) }
    zone = zones.first ?? .utc
  }

  init(zone: CivilTimeZone) { self.zone = zone }

  static var now: Timestamp { Timestamp(milliseconds: homeward_realtime_milliseconds()) }

  /// `2026-11-20 15:32:05 CET`.
  func text(_ moment: Timestamp) -> String {
    let local = zone.local(at: moment)
    return "\(date(local.civil)) \(time(local.civil)) \(local.abbreviation)"
  }

  /// As ``text(_:)``, of a time in ISO 8601; other texts as they are.
  func text(_ iso: String?) -> String {
    guard let iso else { return "-" }
    guard let moment = try? Timestamp(iso8601: iso) else { return iso }
    return text(moment)
  }

  func date(_ civil: CivilDateTime) -> String {
    "\(civil.year)-\(two(civil.month))-\(two(civil.day))"
  }

  func time(_ civil: CivilDateTime) -> String {
    "\(two(civil.hour)):\(two(civil.minute)):\(two(civil.second))"
  }

  /// Reads `2026-11-20`, `2026-11-20 15:30`, an ISO 8601 time with zone, `today`, `yesterday`, or `90m`, `2h`, `7d` ago.
  func read(_ text: String, option: String, now: Timestamp = Self.now) throws(CommandFailure)
    -> Timestamp
  {
    if let ago = Self.span(text) { return now.advanced(byMilliseconds: -ago) }
    if text == "today" || text == "yesterday" {
      var day = zone.local(at: now).civil
      if text == "yesterday" {
        day = CivilDateTime(utc: day.asUTC.advanced(byMilliseconds: -86_400_000))
      }
      return zone.instant(of: CivilDateTime(year: day.year, month: day.month, day: day.day))
    }
    if let moment = try? Timestamp(iso8601: text) { return moment }
    let full =
      text.count == 10 ? "\(text)T00:00:00Z" : text.count == 16 ? "\(text):00Z" : "\(text)Z"
    guard let civil = try? Timestamp(iso8601: full) else {
      throw .usage(
        gettext(
          "--{option} \"{text}\" is no time. Write 2026-11-20, \"2026-11-20 15:30\", today, "
            + "yesterday, 90m, 2h or 7d.", ["option": option, "text": text]))
    }
    return zone.instant(of: CivilDateTime(utc: civil))
  }

  /// `3 min`, `2 h 5 min`, `4 d`.
  static func span(seconds: Int64) -> String {
    switch max(0, seconds) {
    case 0..<60: gettext("{seconds} s", ["seconds": max(0, seconds)])
    case 60..<3600: gettext("{minutes} min", ["minutes": seconds / 60])
    case 3600..<86_400:
      seconds / 60 % 60 == 0
        ? gettext("{hours} h", ["hours": seconds / 3600])
        : gettext(
          "{hours} h {minutes} min", ["hours": seconds / 3600, "minutes": seconds / 60 % 60])
    default: gettext("{days} d", ["days": seconds / 86_400])
    }
  }

  private static func span(_ text: String) -> Int64? {
    let units: [Character: Int64] = ["s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000]
    guard let unit = text.last.flatMap({ units[$0] }), let count = Int64(text.dropLast()),
      (0...1_000_000).contains(count)
    else { return nil }
    return count * unit
  }

  private static var machineZone: String? {
    if let name = try? FileText.read("/etc/timezone").split(whereSeparator: \.isNewline).first {
      return String(name)
    }
    var target = [CChar](repeating: 0, count: 256)
    let count = readlink("/etc/localtime", &target, 255)
    guard count > 0 else { return nil }
    let path = String(decoding: target.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    return path.split(separator: "zoneinfo/").last.map(String.init)
  }

  private func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
