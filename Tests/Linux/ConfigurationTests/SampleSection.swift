import Configuration

/// A section as a driver brings one: a list with keys of most kinds.
struct SampleSection: ConfigurationPart {
  struct Receiver: Hashable {
    var name: String
    var host = "127.0.0.1"
    var port = 2947
    var intervalSeconds = 60
    var key: String?
  }

  var receivers = [Receiver(name: "gps")]

  static let field = ConfigurationField<Self>.items(receiver, \.receivers) { name, _ in
    Receiver(name: name)
  }

  private static let receiver = ConfigurationSection<Receiver>(
    name: "gps",
    fields: [
      .text("name", \.name, fault: ConfigurationChecks.name),
      .text("host", \.host, fault: ConfigurationChecks.numericAddress),
      .integer("port", \.port, in: 1...65_535),
      .integer("intervalSeconds", \.intervalSeconds, in: 1...3600),
      .optionalText("key", \.key, isSecret: true),
    ])

  static let documentation = """
    # Receivers.
    gps:
      - name: gps
        host: 127.0.0.1
        port: 2947
        intervalSeconds: 60
        key:
    """
}

/// The sections of the gateway and one of a driver.
let schema = ConfigurationSchema(drivers: [SampleSection.self])
