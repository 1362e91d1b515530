import Bytes
public import Care
import JSON
public import Moments

/// What sessions were told that it takes away what calls for help, so that the same said once more is a proof of its own.
public struct Confirmations: Sendable {
  /// How long it may be said once more, in milliseconds.
  static let milliseconds: Int64 = 300_000
  /// More are forgotten, the oldest first; then it is asked once more.
  static let mostKept = 256

  private struct Question: Hashable {
    var session: String
    var digest: [UInt8]
  }

  private var asked: [Question: Tick] = [:]

  /// Nobody was told anything.
  public init() {}

  /// Notes that a session was told what a request takes away.
  public mutating func told(_ session: String, _ request: Command.Request, at now: Tick) {
    if asked.count >= Self.mostKept, let oldest = asked.min(by: { $0.value < $1.value }) {
      asked[oldest.key] = nil
    }
    asked[Self.question(session, request)] = now
  }

  /// Whether a session says again what it was told of; it has said so once then.
  public mutating func takes(
    _ session: String, _ request: Command.Request, at now: Tick
  ) -> Bool {
    guard let told = asked.removeValue(forKey: Self.question(session, request)) else {
      return false
    }
    return now.milliseconds(since: told) < Self.milliseconds
  }

  private static func question(_ session: String, _ request: Command.Request) -> Question {
    Question(session: session, digest: SHA256.hash(Array(request.json.serialized.utf8)))
  }
}
