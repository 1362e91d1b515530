public import JSON

/// What `tailscale status --json` tells.
public struct TailscaleStatus: Hashable, Sendable {
  /// The names that it gives certificates for; none while it is not up, or its owner has not switched HTTPS on.
  public var names: [String]
  /// Whether it is up.
  public var isRunning: Bool

  /// Reads an answer.
  public init(json: JSONValue) {
    isRunning = json["BackendState"]?.stringContent == "Running"
    let names = (json["CertDomains"]?.arrayContent ?? []).compactMap(\.stringContent)
    self.names = isRunning ? names.filter { HomeNetwork.isName($0) } : []
  }
}

extension CertificateMaker {
  /// How Tailscale stands here; nil where it is not installed, or says nothing.
  public func tailscale() -> TailscaleStatus? {
    guard let program = find("tailscale"),
      let answer = try? Self.run(program, ["status", "--json"], in: "/", milliseconds: 10_000),
      let json = try? JSONValue(parsing: answer)
    else { return nil }
    return TailscaleStatus(json: json)
  }
}
