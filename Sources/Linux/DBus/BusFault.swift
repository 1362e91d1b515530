/// Why a call on the bus failed.
public struct BusFault: Error, Hashable, Sendable {
  /// The name of the error, such as `org.freedesktop.DBus.Error.NoReply`.
  public var name: String
  /// What the other side says.
  public var message: String

  /// A fault from its parts.
  public init(name: String, message: String) {
    self.name = name
    self.message = message
  }

  /// Whether the other side did not answer in time, and may have done it or not.
  public var isTimeOut: Bool {
    name == "org.freedesktop.DBus.Error.NoReply" || name == "org.freedesktop.DBus.Error.Timeout"
  }

  /// The connection ended before an answer came.
  public static let noConnection = BusFault(
    name: "org.freedesktop.DBus.Error.Disconnected", message: "the connection is gone")

  /// The library did not take the arguments.
  static let unspeakable = BusFault(
    name: "org.freedesktop.DBus.Error.InvalidArgs",
    message: "that cannot be said on the bus")
}
