public import Moments

/// How often somebody without a session may try to come in: from one address, and from all together.
///
/// It slows down whoever tries one password for many accounts, which the count of each account does not see. It keeps
/// nobody from an alarm: that goes by a session, a button or a message.
public struct EntryLimit: Sendable {
  /// Tries within a minute from one address.
  public static let ofOne = 20
  /// Tries within a minute from all of them.
  public static let ofAll = 100
  private static let minuteMilliseconds: Int64 = 60_000

  private var tries: [(address: String, at: Tick)] = []

  /// Nobody has tried anything.
  public init() {}

  /// Whether one more may be tried; it counts then. Whoever has no address is one of those without.
  public mutating func takes(from address: String?, at now: Tick) -> Bool {
    let address = address ?? ""
    tries.removeAll { now.milliseconds(since: $0.at) >= Self.minuteMilliseconds }
    guard tries.count < Self.ofAll, tries.count(where: { $0.address == address }) < Self.ofOne
    else {
      return false
    }
    tries.append((address, now))
    return true
  }
}
