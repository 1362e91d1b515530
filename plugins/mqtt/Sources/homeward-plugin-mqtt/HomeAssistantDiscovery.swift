import Care
import JSON
import PluginKit

/// What Home Assistant is to show of one gateway.
///
/// - Source: Home Assistant documentation, "MQTT", sections "Device discovery payload" and "Single component discovery
///   payload".
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
  /// Whether messages can be sent to residents.
  var allowsMessages = false
  /// Ids of those who can take charge; `*` for everybody whom the gateway knows.
  var guardians: [String] = []
  /// Items of a routine that are entities, at most.
  var routineItems = MQTTSettings.usualRoutineItems
  /// Whether items of an imported calendar are entities, too.
  var showsCalendarItems = false
  /// The daemon's version.
  var version: String

  /// Where Home Assistant says that it has started.
  var birthTopic: String { "\(prefix)/status" }

  /// The gateway's part of topics and identities.
  var object: String { Self.identifier(gateway.rawValue) }

  /// What every message says beside its device.
  func frame(_ mode: DiscoveryMode) -> DiscoveryBook.Frame {
    DiscoveryBook.Frame(
      prefix: prefix, gateway: object, mode: mode,
      origin: ["name": "homeward", "sw_version": .string(version)],
      availabilityTopic: topics.status)
  }

  /// Every device for what is known now: the gateway, each resident's routine, each tag.
  func devices(for board: StateBoard) -> [HomeAssistantDevice] {
    let residents = board.residents.values.sorted { $0.id < $1.id }
    return [gatewayDevice(board, residents)] + residents.compactMap(routineDevice)
      + residents.flatMap { state in state.tags.sorted.map { tagDevice(for: $0, of: state) } }
  }

  private func gatewayDevice(
    _ board: StateBoard, _ residents: [ResidentState]
  ) -> HomeAssistantDevice {
    var components =
      [health(heartbeatSeconds: board.heartbeatSeconds)] + sound + [gatewayAlarmState]
    components += guardians(among: board.guardians).map(acknowledgeButton)
    if takesCommands { components.append(lastAnswer) }
    for state in residents { components += self.components(of: state) }
    return HomeAssistantDevice(
      object: object,
      device: [
        "identifiers": [.string("homeward_\(object)")],
        "name": .string("Homeward \(gateway.rawValue)"), "manufacturer": "Homeward",
        "model": "Gateway", "sw_version": .string(version),
      ], components: components)
  }

  /// Whether what a topic told is judged by what is known: a device that is shown, or one of nobody whom the gateway knows.
  ///
  /// Of a resident who is known, a device or entity may only have to be told of again; it stays.
  func isOurs(_ object: String, devices: [HomeAssistantDevice], on board: StateBoard) -> Bool {
    if devices.contains(where: { $0.object == object }) { return true }
    return !board.residents.keys.contains { resident in
      let key = "\(Self.identifier(resident.rawValue))_"
      return object.hasPrefix(key) || object.hasPrefix("\(self.object)_\(key)")
    }
  }

  /// Whether anything that Home Assistant shows can be pressed.
  private var takesCommands: Bool {
    hasLocateButton || hasSiren || hasHelpButton || allowsAnswers || allowsMessages
      || !guardians.isEmpty
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
          // Nothing is an empty message: nobody may say where the resident is.
          "value_template": "{{ value if value else None }}",
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
