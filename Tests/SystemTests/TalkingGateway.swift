import Care

/// A running gateway with Mary in it, and a way to ask it things.
final class TalkingGateway: GatewayKeeper {
  let gateway: RunningGateway

  /// `grants` are those of the plugin that publishes to the broker.
  init(
    broker: Int? = nil, gpsd: Int? = nil,
    grants: [String] = ["network", "contacts", "health", "position.precise"], phone: Bool = false,
    others: [RunningGateway.TestPlugin] = []
  ) throws {
    gateway = try RunningGateway(
      broker: broker, gpsd: gpsd, grants: grants, phone: phone, others: others,
      extra: "sound: {enabled: false}")
    try start()
    try perform(
      .putResident(
        Resident(
          id: "mary", name: "Mary", timeZone: "Europe/Oslo", gpsSource: gpsd == nil ? nil : "gps")))
  }

  deinit { gateway.kill() }
}
