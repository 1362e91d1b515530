public import Bytes
public import JSON

/// Which ways to people the configured plugins offer now.
public struct WaysReport: Hashable, Sendable {
  /// A plugin that takes messages for a channel.
  public struct Offer: Hashable, Sendable {
    /// The channel.
    public var channel: Guardian.Channel
    /// The plugin that a message would go to.
    public var plugin: String
    /// Whether it runs, or is just being started.
    public var isRunning: Bool

    /// An offer from its parts.
    public init(channel: Guardian.Channel, plugin: String, isRunning: Bool) {
      self.channel = channel
      self.plugin = plugin
      self.isRunning = isRunning
    }
  }

  /// A plugin that does something else than carry messages.
  public struct Service: Hashable, Sendable {
    /// The plugin.
    public var plugin: String
    /// Whether it runs, or is just being started.
    public var isRunning: Bool

    /// A service from its parts.
    public init(plugin: String, isRunning: Bool) {
      self.plugin = plugin
      self.isRunning = isRunning
    }
  }

  /// At most one for each channel, in the order of ``Guardian/Channel``; a channel without one leads nowhere.
  public var offers: [Offer]

  /// What speaks in the room and in calls; nil for nothing.
  public var voice: Service?

  /// What reaches the emergency services; nil for nothing.
  public var emergency: Service?

  /// A report of some offers.
  public init(offers: [Offer], voice: Service? = nil, emergency: Service? = nil) {
    self.offers = offers.sorted { $0.channel < $1.channel }
    self.voice = voice
    self.emergency = emergency
  }
}

extension WaysReport: JSONCodable {
  /// Reads `{"offers": [{"channel", "plugin", "isRunning"}, …], "voice": {"plugin", "isRunning"}, "emergency": …}`.
  public init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    self.init(
      offers: try reader.list("offers") { value throws(DecodeError) in
        let offer = try JSONReader(value)
        return Offer(
          channel: try offer.word("channel", as: Guardian.Channel.self),
          plugin: try offer.string("plugin"), isRunning: try offer.bool("isRunning"))
      }, voice: try Self.service("voice", in: reader),
      emergency: try Self.service("emergency", in: reader))
  }

  private static func service(
    _ name: String, in reader: JSONReader
  ) throws(DecodeError) -> Service? {
    guard reader.optional(name) != nil else { return nil }
    let service = try reader.object(name)
    return Service(
      plugin: try service.string("plugin"), isRunning: try service.bool("isRunning"))
  }

  /// The report as an object.
  public var json: JSONValue {
    .object([
      "offers": .array(
        offers.map {
          [
            "channel": .string($0.channel.rawValue), "plugin": .string($0.plugin),
            "isRunning": .bool($0.isRunning),
          ]
        }),
      "voice": voice?.json, "emergency": emergency?.json,
    ])
  }
}

extension WaysReport.Service {
  fileprivate var json: JSONValue {
    ["plugin": .string(plugin), "isRunning": .bool(isRunning)]
  }
}
