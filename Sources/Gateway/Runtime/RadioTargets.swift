import Care
import Core
import Ports

/// What the radio listens for, and what it fetches from.
struct RadioTargets {
  let tags: [KnownTag]
  let meters: [KnownMeter]

  /// The tags and meters that the core knows.
  init(_ core: GatewayCore) {
    tags = core.nearby.knownTags.map {
      KnownTag(id: $0.id, identities: $0.identities, awaySeconds: $0.awaySeconds)
    }
    meters = core.nearby.knownMeters.map {
      KnownMeter(meter: $0.meter, bookmark: $0.bookmark, zone: $0.zone)
    }
  }
}

extension CoreInput {
  /// Whether an input may change what is listened for.
  var concernsBluetooth: Bool {
    switch self {
    case .command(let command):
      switch command.request {
      case .bluetooth, .putResident, .eraseResident: true
      default: false
      }
    case .timeZone: true
    case .observation, .wake, .started: false
    }
  }
}
