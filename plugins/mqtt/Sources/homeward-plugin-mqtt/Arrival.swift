import JSON
import Loop
import Moments
import PluginKit

/// When a message came, by both clocks.
///
/// Until somebody has set the system's clock the expiry that a sender wrote says nothing here. What is known then is how
/// the message came: the broker had not kept it and did not have it waiting, so it was sent just now.
struct Arrival: Hashable, Sendable {
  /// How long a message that just came is fresh, in milliseconds.
  static let freshMilliseconds: Int64 = 30_000

  /// What the system's clock shows.
  var now: Timestamp
  /// Whether somebody keeps that clock right.
  var isClockKept = true
  /// The monotonic clock.
  var tick = Tick(nanoseconds: 0)

  /// Now.
  static var now: Arrival {
    Arrival(now: WallClock.now, isClockKept: WallClock.isSynchronised, tick: EventLoop.now)
  }

  /// Until when what just came is fresh, in the form of the contract's `freshUntil`.
  var freshUntil: JSONValue {
    .integer(tick.advanced(byMilliseconds: Self.freshMilliseconds).wholeMilliseconds)
  }

  /// The times of a command whose sender said until when it is meant, and perhaps when it was sent.
  ///
  /// The gateway judges the sender's time as soon as it knows its own, and how the message came until then.
  func times(
    of message: BrokerClient.Message, expiresAt: Timestamp, sentAt: Timestamp? = nil
  ) -> [JSONMember] {
    let said =
      [
        JSONMember(key: "expiresAt", value: .string(expiresAt.iso8601))
      ] + (sentAt.map { [JSONMember(key: "sentAt", value: .string($0.iso8601))] } ?? [])
    return message.mayHaveWaited
      ? said : said + [JSONMember(key: "freshUntil", value: freshUntil)]
  }
}
