public import Moments

/// Hours of each day, such as `22:00-07:00`: those in which the house is left in peace, or in which a zone counts.
public struct DailyHours: Hashable, Sendable {
  /// Minute of the day at which it begins.
  public let start: Int
  /// Minute of the day at which it is over; smaller than ``start`` when it lasts over midnight.
  public let end: Int

  /// Reads `hh:mm-hh:mm`; nil for anything else and for hours without length.
  public init?(_ text: String) {
    let ends = text.split(separator: "-", omittingEmptySubsequences: false).map(Self.minute)
    guard ends.count == 2, let start = ends[0], let end = ends[1], start != end else { return nil }
    self.start = start
    self.end = end
  }

  /// The hours as they are read: `hh:mm-hh:mm`.
  public var text: String { "\(Self.text(start))-\(Self.text(end))" }

  /// Whether a local time is within them; the minute at which they end is not.
  public func contains(_ local: CivilDateTime) -> Bool {
    let minute = local.hour * 60 + local.minute
    return start < end ? (start..<end).contains(minute) : minute >= start || minute < end
  }

  /// Minutes until it is over; nil outside of it.
  public func minutesLeft(at local: CivilDateTime) -> Int? {
    guard contains(local) else { return nil }
    let minute = local.hour * 60 + local.minute
    return minute < end ? end - minute : end + 1440 - minute
  }

  /// The first local time after another at which they begin or end.
  public func nextTurn(after local: CivilDateTime) -> CivilDateTime {
    let minute = local.hour * 60 + local.minute
    let ahead = [start, end].map { ($0 - minute + 1439) % 1440 + 1 }.min() ?? 1440
    var midnight = local
    (midnight.hour, midnight.minute, midnight.second, midnight.millisecond) = (0, 0, 0, 0)
    let turn = midnight.asUTC.advanced(byMilliseconds: Int64(minute + ahead) * 60_000)
    return CivilDateTime(utc: turn)
  }

  /// The local times at which the hours around a local time begin and end; nil outside of them.
  public func night(around local: CivilDateTime) -> (start: CivilDateTime, end: CivilDateTime)? {
    guard minutesLeft(at: local) != nil else { return nil }
    let minute = local.hour * 60 + local.minute
    let isOvernight = start > end
    func day(_ offset: Int64, _ minute: Int) -> CivilDateTime {
      var day = CivilDateTime(utc: local.asUTC.advanced(byMilliseconds: offset * 86_400_000))
      (day.hour, day.minute, day.second, day.millisecond) = (minute / 60, minute % 60, 0, 0)
      return day
    }
    return (
      day(isOvernight && minute < end ? -1 : 0, start),
      day(isOvernight && minute >= start ? 1 : 0, end)
    )
  }

  private static func text(_ minute: Int) -> String {
    func digits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(digits(minute / 60)):\(digits(minute % 60))"
  }

  private static func minute(_ text: Substring) -> Int? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    // A sign is no digit, though numbers may have one.
    let digits: ClosedRange<UInt8> = 0x30...0x39
    guard parts.count == 2,
      parts.allSatisfy({ $0.utf8.count == 2 && $0.utf8.allSatisfy { digits.contains($0) } }),
      let hour = Int(parts[0]), let minute = Int(parts[1]), (0...23).contains(hour),
      (0...59).contains(minute)
    else { return nil }
    return hour * 60 + minute
  }
}
