public import Foundation

/// Waiting for facts about other processes, which no event of ours announces.
public enum Eventually {
  /// Whether `fact` became true before so many seconds passed; it is asked again every few milliseconds.
  public static func holds(withinSeconds seconds: Double, _ fact: () throws -> Bool) rethrows
    -> Bool
  {
    let deadline = Date().addingTimeInterval(seconds)
    while true {
      if try fact() { return true }
      if Date() > deadline { return false }
      usleep(3_000)
    }
  }
}

/// Real time, for programs that play a device which reports once a second.
public enum RealTime {
  /// Returns when so many seconds have passed since `start`; at once when they have passed already.
  public static func wait(until seconds: Double, since start: Date) {
    let left = start.addingTimeInterval(seconds).timeIntervalSinceNow
    if left > 0 { usleep(UInt32(left * 1_000_000)) }
  }
}
