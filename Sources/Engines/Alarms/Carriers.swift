import Care

/// Which plugins carry messages to guardians, and to the emergency services; nothing is known before one has said.
struct Carriers: Sendable {
  private var offers: [Guardian.Channel: WaysReport.Offer]?
  private var emergencyPlugin: String?

  /// Takes what plugins offer now.
  mutating func take(_ report: WaysReport) {
    offers = Dictionary(report.offers.map { ($0.channel, $0) }) { first, _ in first }
    emergencyPlugin = report.emergency?.plugin
  }

  /// Whether somebody has said what there is.
  var isKnown: Bool { offers != nil }

  /// The channels that a plugin takes messages for; nil as long as nobody has said.
  var channels: Set<Guardian.Channel>? { offers.map { Set($0.keys) } }

  subscript(channel: Guardian.Channel) -> WaysReport.Offer? { offers?[channel] }

  /// Whether a plugin takes messages for a channel; assumed as long as nobody has said.
  func carry(_ channel: Guardian.Channel) -> Bool {
    offers.map { $0[channel] != nil } ?? true
  }

  /// Whether a guardian could be told as far as plugins go.
  func reach(_ guardian: Guardian) -> Bool { guardian.addresses.contains { carry($0.channel) } }

  /// Whether a message of a channel goes by a plugin; an empty name is the gateway's own.
  func carries(_ plugin: some StringProtocol, _ channel: Guardian.Channel) -> Bool {
    offers?[channel]?.plugin ?? "" == plugin
  }

  /// Who is asked to carry a message of a channel now.
  func asked(for channel: Guardian.Channel) -> Asked {
    offers.map { $0[channel].map { .plugin($0.plugin) } ?? .nobody } ?? .whoever
  }

  /// Who is asked to reach the emergency services now.
  var askedInEmergency: Asked {
    offers == nil ? .whoever : emergencyPlugin.map { .plugin($0) } ?? .nobody
  }
}
