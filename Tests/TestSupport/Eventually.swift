import Foundation

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
