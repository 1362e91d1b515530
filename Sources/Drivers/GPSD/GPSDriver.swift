import Care
public import Configuration
import Loop
public import Ports

/// GPS receivers, by way of gpsd.
public enum GPSDriver: Driver {
  /// The receivers of the configuration.
  public struct Section: ConfigurationPart {
    /// The receivers; one of this machine's gpsd unless said otherwise.
    public var receivers = [Receiver(name: "gps")]

    /// The defaults.
    public init() {}

    /// Its keys.
    public static let field = ConfigurationField<Self>.items(receiver, \.receivers) { name, _ in
      Receiver(name: name)
    }

    private static let receiver = ConfigurationSection<Receiver>(
      name: "gps",
      fields: [
        .text("name", \.name, fault: ConfigurationChecks.name),
        .text("host", \.host, fault: ConfigurationChecks.numericAddress),
        .integer("port", \.port, in: 1...65_535),
        .optionalText("device", \.device, fault: ConfigurationChecks.absolutePath),
        .word("sampling", \.sampling),
        .integer("intervalSeconds", \.intervalSeconds, in: 1...3600),
        .integer("noReportSeconds", \.noReportSeconds, in: 5...3600),
      ])

    /// The section of the documented file.
    public static let documentation =
      """
      # GPS receivers, by way of gpsd; none with []. A resident is tied to a receiver by its name. A compass of this machine
      # (magnetometer and accelerometer of the kernel's IIO) is used by itself, and moves with the first receiver here.
      gps:
        - name: gps
          # Numeric address and port of gpsd.
          host: 127.0.0.1
          port: 2947
          # The device as gpsd names it, such as /dev/ttyACM0; empty for all of them.
          device:
          # continuous: every report. economy: a position every intervalSeconds, and more often when in doubt.
          sampling: continuous
          intervalSeconds: 60
          # Seconds without any report before the receiver counts as failed, 5 to 3600.
          noReportSeconds: 30
      """
  }

  /// A GPS receiver that gpsd watches.
  public struct Receiver: Sendable, Hashable {
    /// How often positions are taken.
    public enum Sampling: String, Sendable, Hashable, CaseIterable {
      /// Every report of the receiver.
      case continuous
      /// One position every ``Receiver/intervalSeconds``, more in doubt.
      case economy
    }

    /// The source's name, which a resident is tied to.
    public var name: String
    /// Numeric address of gpsd.
    public var host = "127.0.0.1"
    /// TCP port of gpsd, 1 through 65535.
    public var port = 2947
    /// The device as gpsd names it, such as `/dev/ttyACM0`; nil for all of them.
    public var device: String?
    /// How often positions are taken.
    public var sampling = Sampling.continuous
    /// Seconds between positions in economy, 1 through 3600.
    public var intervalSeconds = 60
    /// Seconds without any report before the receiver counts as failed, 5 through 3600.
    public var noReportSeconds = 30

    /// A receiver with the default settings.
    public init(name: String) { self.name = name }

    /// Whether gpsd, and with it the receiver, is on this machine.
    var isOfMachine: Bool { host.hasPrefix("127.") || host == "::1" }

    /// What the source is told.
    var options: GPSDSource.Options {
      GPSDSource.Options(
        id: SourceID(name), host: host, port: port, device: device,
        noReportSeconds: noReportSeconds,
        sampling: sampling == .economy ? .economy(intervalSeconds: intervalSeconds) : .continuous)
    }
  }

  /// A source for each receiver.
  public static func add(
    _ section: Section, to devices: inout Devices, in surroundings: Surroundings
  ) {
    let receivers = section.receivers
    devices.sources += receivers.map {
      GPSDSource(options: $0.options, clock: surroundings.clock)
    }
    devices.receivers += receivers.map { SourceID($0.name) }
    devices.receiverOfMachine = receivers.first(where: \.isOfMachine).map { SourceID($0.name) }
    // A receiver that sleeps between positions is silent for so long on purpose; twice that is a fault.
    let sleepers = receivers.filter { $0.sampling == .economy }
    devices.longestSilenceSeconds = sleepers.map { 2 * $0.intervalSeconds + 60 }.max()
  }
}
