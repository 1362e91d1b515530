import CareModel
import PluginKit

/// Home Assistant's device discovery message of one gateway.
///
/// - Source: Home Assistant documentation, "MQTT", section "Device discovery payload".
struct HomeAssistantDiscovery: Hashable, Sendable {
  /// The prefix of discovery topics, `homeassistant` unless changed.
  var prefix: String
  /// The gateway's name.
  var gateway: GatewayID
  /// The gateway's topics.
  var topics: Topics
  /// Whether button presses are taken.
  var hasLocateButton: Bool
  /// Whether the siren can be switched off.
  var hasSiren = false
  /// Whether help can be called for.
  var hasHelpButton = false
  /// Whether reminders can be answered.
  var allowsAnswers = false
  /// Whether reminding can be switched on and off.
  var allowsSwitches = false
  /// Whether messages can be sent to residents.
  var allowsMessages = false
  /// Ids of those who can take charge.
  var guardians: [String] = []
  /// The daemon's version.
  var version: String

  /// The topic of the message, which is retained.
  var topic: String { "\(prefix)/device/\(object)/config" }

  /// Where Home Assistant says that it has started.
  var birthTopic: String { "\(prefix)/status" }

  private var object: String { Self.identifier(gateway.rawValue) }

  /// The message for what is known now.
  func payload(for board: StateBoard) -> JSONValue {
    var components =
      [health(heartbeatSeconds: board.heartbeatSeconds)] + sound + [gatewayAlarmState]
    components += guardians.map(acknowledgeButton)
    for state in board.residents.values.sorted(by: { $0.id < $1.id }) {
      components += self.components(of: state)
    }
    for resident in board.erased.sorted() { components += removals(of: resident) }
    return [
      "device": [
        "identifiers": [.string("homeward_\(object)")],
        "name": .string("Homeward \(gateway.rawValue)"), "manufacturer": "Homeward",
        "model": "Gateway", "sw_version": .string(version),
      ],
      "origin": ["name": "homeward", "sw_version": .string(version)],
      "availability_topic": .string(topics.status), "qos": 1,
      "components": .object(components),
    ]
  }

  private func health(heartbeatSeconds: Int64?) -> JSONMember {
    component(
      "health", "binary_sensor", name: gettext("Problem"),
      [
        "device_class": "problem", "entity_category": "diagnostic",
        "state_topic": .string(topics.health),
        "value_template": "{{ 'OFF' if value_json.state == 'working' else 'ON' }}",
        "json_attributes_topic": .string(topics.health),
        "expire_after": heartbeatSeconds.map { .integer($0 + max(60, $0 / 2)) },
      ])
  }

  private func components(of state: ResidentState) -> [JSONMember] {
    let key = Self.identifier(state.id.rawValue)
    let name = state.displayName
    var components = [
      component(
        "\(key)_position", "device_tracker", name: gettext("{name} position", ["name": name]),
        [
          "json_attributes_topic": .string(topics.resident(state.id, "position")),
          "source_type": "gps",
        ]),
      component(
        "\(key)_zone", "sensor", name: gettext("{name} zone", ["name": name]),
        [
          "icon": "mdi:map-marker-radius",
          "state_topic": .string(topics.resident(state.id, "zone")),
        ]
      ),
      component(
        "\(key)_alarm", "binary_sensor", name: gettext("{name} alarm", ["name": name]),
        ["device_class": "problem", "state_topic": .string(topics.resident(state.id, "alarm"))]),
      alarmState(key, name, state.id),
    ]
    if state.batteryPercent != nil {
      components.append(
        component(
          "\(key)_battery", "sensor", name: gettext("{name} battery", ["name": name]),
          [
            "device_class": "battery", "unit_of_measurement": "%", "state_class": "measurement",
            "state_topic": .string(topics.resident(state.id, "battery")),
          ]))
    }
    components += glucose(key, state)
    if hasLocateButton { components.append(locateButton(key, name, state.id)) }
    if hasHelpButton { components.append(helpButton(key, name, state.id)) }
    return components
  }

  private func locateButton(_ key: String, _ name: String, _ resident: ResidentID) -> JSONMember {
    component(
      "\(key)_locate", "button", name: gettext("Locate {name}", ["name": name]),
      [
        "icon": "mdi:crosshairs-gps", "command_topic": .string(topics.locatePress(resident)),
        "payload_press": "PRESS", "retain": false,
      ])
  }

  func component(
    _ key: String, _ platform: String, name: String, _ details: KeyValuePairs<String, JSONValue?>
  ) -> JSONMember {
    let common: [JSONMember] = [
      JSONMember(key: "platform", value: .string(platform)),
      JSONMember(key: "unique_id", value: .string("homeward_\(object)_\(key)")),
      JSONMember(key: "name", value: .string(name)),
    ]
    let rest = details.compactMap { key, content in
      content.map { JSONMember(key: key, value: $0) }
    }
    return JSONMember(key: key, value: .object(common + rest))
  }

  /// A component with nothing but its platform is removed.
  private func removals(of resident: ResidentID) -> [JSONMember] {
    let key = Self.identifier(resident.rawValue)
    return [
      ("position", "device_tracker"), ("zone", "sensor"), ("alarm", "binary_sensor"),
      ("battery", "sensor"), ("locate", "button"), ("alarm_state", "sensor"), ("sos", "button"),
    ].map { name, platform in
      JSONMember(key: "\(key)_\(name)", value: ["platform": .string(platform)])
    } + Self.glucoseKeys(key).map { JSONMember(key: $0, value: ["platform": "sensor"]) }
  }

  /// A name as an identifier of Home Assistant: letters, digits, `_` and `-`; any other byte in hexadecimal, so that
  /// different names stay different.
  static func identifier(_ name: String) -> String {
    name.utf8.map { byte in
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D: String(UnicodeScalar(byte))
      default: "_" + String(byte, radix: 16)
      }
    }.joined()
  }
}
