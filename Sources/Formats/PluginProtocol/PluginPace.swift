/// How much a plugin may ask at a time, and how fast.
public struct PluginPace: Hashable, Sendable {
  /// The most requests that it may have open.
  public var openRequests: Int
  /// Messages a second that it may send on average.
  public var messagesPerSecond: Int
  /// Messages that it may send at once.
  public var messageBurst: Int

  /// Of a plugin that speaks for itself.
  public static let ordinary = PluginPace(
    openRequests: 16, messagesPerSecond: 100, messageBurst: 1000)
  /// Of one that serves as many people as have accounts, each with a page that asks several things at once.
  public static let ofAccounts = PluginPace(
    openRequests: 256, messagesPerSecond: 1000, messageBurst: 4000)

  /// The pace that grants give.
  public static func granted(_ grants: some Sequence<String>) -> PluginPace {
    grants.contains(Grant.accounts.rawValue) ? ofAccounts : ordinary
  }
}
