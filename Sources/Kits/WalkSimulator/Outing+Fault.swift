import Care
import Moments

extension Outing {
  /// Something that goes wrong with the receiver during some seconds.
  public enum Fault: Hashable, Sendable {
    /// It reports a place that lies so many metres to the east, and believes it.
    case lyingFix(seconds: Range<Int>, meters: Double)
    /// It sees no sky and says so.
    case noFix(seconds: Range<Int>)
    /// It says nothing.
    case silence(seconds: Range<Int>)
    /// Its week counter is 1,024 weeks behind.
    case weekRollover(seconds: Range<Int>)
    /// Its clock stands so many seconds in the past.
    case timeBack(seconds: Range<Int>, by: Int)
  }
}

extension Outing.Fault {
  func displaced(_ position: Coordinate, atSecond second: Int) -> Coordinate {
    guard case .lyingFix(let seconds, let meters) = self, seconds.contains(second) else {
      return position
    }
    return position.moved(meters: meters, bearingDegrees: 90)
  }

  func shifted(_ time: Timestamp, atSecond second: Int) -> Timestamp {
    switch self {
    case .weekRollover(let seconds) where seconds.contains(second):
      time.advanced(byMilliseconds: -1024 * 7 * 86_400_000)
    case .timeBack(let seconds, let by) where seconds.contains(second):
      time.advanced(byMilliseconds: Int64(clamping: by).multipliedReportingOverflow(by: -1000).0)
    case .lyingFix, .noFix, .silence, .weekRollover, .timeBack: time
    }
  }

  func takesFix(atSecond second: Int) -> Bool {
    if case .noFix(let seconds) = self { seconds.contains(second) } else { false }
  }

  func silences(second: Int) -> Bool {
    if case .silence(let seconds) = self { seconds.contains(second) } else { false }
  }
}
