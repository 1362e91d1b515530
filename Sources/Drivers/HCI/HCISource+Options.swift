extension HCISource {
  /// Where homeward-hci is.
  public struct Options: Hashable, Sendable {
    /// The socket on which homeward-hci tells what it hears.
    public var socketPath: String
    var patience = Patience()

    /// Options with the socket of Homeward's package.
    public init(socketPath: String = "/run/homeward-hci/hci.sock") { self.socketPath = socketPath }
  }

  /// How long what may take, in milliseconds.
  struct Patience: Hashable, Sendable {
    /// Before the socket is tried again; doubled with each time.
    var retryMilliseconds: Int64 = 500
    var longestRetryMilliseconds: Int64 = 30_000
    /// Without a line; homeward-hci says its state every 30 s.
    var silenceMilliseconds: Int64 = 100_000
  }
}
