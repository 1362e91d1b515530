public import Care

extension GPSDSource {
  /// How often positions are taken.
  public enum Sampling: Hashable, Sendable {
    /// Every report, as it comes.
    case continuous
    /// A few fixes, then silence for so many seconds, so that gpsd may switch the receiver off meanwhile.
    ///
    /// Needs a gpsd that was started without `-n`. Without a fix the source stays awake.
    case economy(intervalSeconds: Int)
  }

  /// Where a gpsd is and what is wanted from it.
  public struct Options: Hashable, Sendable {
    /// The name from the configuration; the health component is `gps/` and this name.
    public var id: SourceID
    /// Name or address of the machine where gpsd runs.
    public var host: String
    /// TCP port of gpsd.
    public var port: Int
    /// The only receiver to listen to, as gpsd names it (`/dev/ttyACM0`); nil for any.
    public var device: String?
    /// Seconds without a report after which the receiver counts as silent, at least 1.
    public var noReportSeconds: Int
    /// How often positions are taken.
    public var sampling: Sampling

    /// Options with gpsd's usual address, any receiver, every report.
    public init(
      id: SourceID, host: String = "127.0.0.1", port: Int = 2947, device: String? = nil,
      noReportSeconds: Int = 10, sampling: Sampling = .continuous
    ) {
      self.id = id
      self.host = host
      self.port = port
      self.device = device
      self.noReportSeconds = max(1, noReportSeconds)
      self.sampling = sampling
    }
  }
}
