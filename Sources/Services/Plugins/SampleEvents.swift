import Care
import JSON
import Moments

/// Events as a gateway would send them, for checking a plugin.
enum SampleEvents {
  private static let kinds: [Lane: [EventType]] = [
    .alarm: [.zoneLeft, .zoneChanged, .positionUnknown, .faultRaised],
    .record: [
      .zoneEntered, .locationRecorded, .locationSampled, .trackingChanged, .faultCleared,
      .heartbeat, .deliveryReported,
    ],
    .trace: [.fixAccepted, .fixRejected],
  ]

  /// Stored bytes of at least two events of a lane, of types that the plugin wants.
  static func bodies(_ lane: Lane, wants: (EventType) -> Bool, types: [String]) -> [[UInt8]] {
    let known = (kinds[lane] ?? []).filter(wants)
    let wanted = known.isEmpty ? types.prefix(1).map { EventType(rawValue: $0) } : known
    return (0..<max(2, wanted.count)).map { index in
      let type = wanted.isEmpty ? EventType(rawValue: "zone.left") : wanted[index % wanted.count]
      return body(type, lane: lane, number: index)
    }
  }

  private static func body(_ type: EventType, lane: Lane, number: Int) -> [UInt8] {
    let moment = Moment(
      tick: .seconds(Int64(100 + number)), utc: .seconds(1_795_000_000 + Int64(number)),
      quality: .synchronised)
    return Event(
      id: EventID("check-\(lane.rawValue)-\(number)"), type: type, lane: lane,
      resident: number % 2 == 0 ? "mary" : nil, moment: moment, facts: facts(type, number: number)
    ).cloudEvent(gateway: "check", boot: "0c9a4f86-8a0e-4f3a-9d7e-2f5d9a2f6b11").body
  }

  /// Facts with what trips careless programs: other scripts, quotes, an emoji, a very small number, an empty list.
  private static func facts(_ type: EventType, number: Int) -> JSONValue {
    [
      "explanation": "林奶奶 left \"Home\" 🏡, 73 m beyond the edge.\n\tNothing else is known.",
      "latitude": 59.913_868, "longitude": 10.752_245, "accuracyMeters": 4.5, "zone": "home",
      "zoneName": "外婆的家 \\ \"Home\"", "number": .integer(Int64(number)), "small": 1e-9,
      "component": "gps/gps", "state": "failed", "code": "no-fix", "detail": "No fix for 60 s.",
      "fixes": [], "isOn": true, "event": "check", "recipient": "anna", "channel": "sms",
      "outcome": "sent", "type": .string(type.rawValue),
    ]
  }
}
