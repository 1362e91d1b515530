import Care
import Moments
import PluginProtocol

/// How fast one plugin may tell of rooms; what is too much is dropped and counted.
struct RoomAllowance {
  static let refusal =
    "more than \(PluginLimits.roomMessagesPerSecond) a second; this one was dropped"
  private static let noticeMilliseconds: Int64 = 60_000

  private var windows: [String: RateWindow] = [:]
  /// How many were dropped so far.
  private(set) var dropped = 0
  private var toldDropped = 0
  private var toldAt: Tick?

  mutating func takes(_ message: RoomMessage, at now: Tick) -> Bool {
    let isTaken = windows[
      message.kind, default: RateWindow(limit: PluginLimits.roomMessagesPerSecond)
    ].take(at: now)
    if !isTaken { dropped += 1 }
    return isTaken
  }

  /// What to write into the log: at the first that is dropped, and then once a minute while it goes on.
  mutating func notice(at now: Tick) -> String? {
    if let toldAt, now.milliseconds(since: toldAt) < Self.noticeMilliseconds { return nil }
    let new = dropped - toldDropped
    guard new > 0 else { return nil }
    (toldDropped, toldAt) = (dropped, now)
    return "it tells of rooms more than \(PluginLimits.roomMessagesPerSecond) times a second; "
      + "\(new) dropped, \(dropped) since it started"
  }
}
