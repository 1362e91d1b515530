import Care
import JSON
import PluginKit

/// What Home Assistant shows of alarms, and the buttons that act on them.
///
/// Every command that could act on another alarm than the one on the screen says until when it is meant.
extension HomeAssistantDiscovery {
  /// Home Assistant's words for half a minute from now.
  static let expiry =
    "{{ (utcnow() + timedelta(seconds=30)).strftime('%Y-%m-%dT%H:%M:%SZ') }}"

  /// When a press is made and until when it is meant, as members of its message.
  static let times =
    "\"sentAt\":\"{{ utcnow().strftime('%Y-%m-%dT%H:%M:%SZ') }}\",\"expiresAt\":\"\(expiry)\""

  /// The siren where it can be switched off, else whether it sounds.
  var sound: [JSONMember] {
    guard hasSiren else {
      return [
        component(
          "sounding", "binary_sensor", name: gettext("Alarm sounds"),
          ["device_class": "sound", "state_topic": .string(topics.siren)])
      ]
    }
    let command = "{\"state\":\"{{ value }}\",\(Self.times)}"
    return [
      component(
        "siren", "siren", name: gettext("Siren"),
        [
          "icon": "mdi:alarm-light", "state_topic": .string(topics.siren),
          "command_topic": .string(topics.sirenCommand), "command_template": .string(command),
          "command_off_template": .string(command), "support_duration": false,
          "support_volume_set": false, "optimistic": false, "retain": false,
        ])
    ]
  }

  /// How far a resident's alarm is.
  func alarmState(_ key: String, _ name: String, _ resident: ResidentID) -> JSONMember {
    alarmState(
      "\(key)_alarm_state", name: gettext("{name} alarm state", ["name": name]),
      topics.resident(resident, "alarm-state"))
  }

  /// How far an alarm about the gateway itself is.
  var gatewayAlarmState: JSONMember {
    alarmState("gateway_alarm_state", name: gettext("Alarm state"), topics.alarmState)
  }

  private func alarmState(_ key: String, name: String, _ topic: String) -> JSONMember {
    let topic = JSONValue.string(topic)
    return component(
      key, "sensor", name: name,
      [
        "icon": "mdi:alarm-bell", "device_class": "enum",
        "options": ["idle", "prealarm", "dispatched", "acknowledged", "resolved"],
        "state_topic": topic, "value_template": "{{ value_json.state }}",
        "json_attributes_topic": topic,
      ])
  }

  /// Ids and names of those with a button, by id.
  func guardians(among known: [String: String]) -> [(id: String, name: String)] {
    let all = guardians.contains(MQTTSettings.everyGuardian) ? Array(known.keys) : []
    let ids = Set(guardians + all).subtracting([MQTTSettings.everyGuardian])
    return ids.sorted().map { ($0, known[$0] ?? $0) }
  }

  /// Takes charge of the open alarm in a guardian's name.
  func acknowledgeButton(_ guardian: (id: String, name: String)) -> JSONMember {
    button(
      "acknowledge_\(Self.identifier(guardian.id))",
      name: gettext("I am going ({guardian})", ["guardian": guardian.name]),
      icon: "mdi:account-check", topics.acknowledge(guardian: guardian.id))
  }

  /// What became of the last press: without it, a press that was refused would look like one that was heard.
  var lastAnswer: JSONMember {
    component(
      "last_answer", "sensor", name: gettext("Last answer"),
      [
        "icon": "mdi:message-alert", "device_class": "enum", "options": ["done", "refused"],
        "state_topic": .string(topics.lastAnswer), "value_template": "{{ value_json.state }}",
        "json_attributes_topic": .string(topics.lastAnswer),
      ])
  }

  /// Calls for help for a resident.
  func helpButton(_ key: String, _ name: String, _ resident: ResidentID) -> JSONMember {
    button(
      "\(key)_sos", name: gettext("Call for help for {name}", ["name": name]),
      icon: "mdi:alert-octagon",
      topics.helpPress(resident))
  }

  private func button(
    _ key: String, name: String, icon: String, _ topic: String
  ) -> JSONMember {
    component(
      key, "button", name: name,
      [
        "icon": .string(icon), "command_topic": .string(topic),
        "command_template": .string("{\(Self.times)}"), "retain": false,
      ])
  }
}
