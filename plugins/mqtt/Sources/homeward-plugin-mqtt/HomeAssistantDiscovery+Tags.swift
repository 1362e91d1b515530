import Care
import JSON
import PluginKit

/// What Home Assistant shows of a Bluetooth tag: a device of its own, as its own integrations have one for each sender.
///
/// There is no `device_tracker`: what the device with the resident hears may be anywhere, and none of it means *home*.
extension HomeAssistantDiscovery {
  /// The device of a tag.
  func tagDevice(for tag: ResidentTags.Tag, of state: ResidentState) -> HomeAssistantDevice {
    let object = tagObject(state.id, tag.id)
    let topic = JSONValue.string(topics.tag(state.id, tag.id))
    return HomeAssistantDevice(
      object: object,
      device: [
        "identifiers": [.string("homeward_\(object)")],
        "name": .string("\(state.displayName): \(tag.name.value)"), "manufacturer": "Homeward",
        "model": "Bluetooth tag", "sw_version": .string(version),
        "via_device": .string("homeward_\(Self.identifier(gateway.rawValue))"),
      ], components: components(of: tag, state.id, topic))
  }

  private func tagObject(_ resident: ResidentID, _ tag: TagID) -> String {
    "\(Self.identifier(gateway.rawValue))_\(tagKey(resident, tag))"
  }

  private func tagKey(_ resident: ResidentID, _ tag: TagID) -> String {
    "\(Self.identifier(resident.rawValue))_tag_\(Self.identifier(tag.rawValue))"
  }

  private func components(
    of tag: ResidentTags.Tag, _ resident: ResidentID, _ topic: JSONValue
  ) -> [JSONMember] {
    let key = tagKey(resident, tag.id)
    var components = [
      component(
        "\(key)_presence", "sensor", name: gettext("Presence"),
        [
          "icon": "mdi:bluetooth", "device_class": "enum", "options": ["near", "room", "away"],
          "state_topic": topic,
          "value_template":
            "{{ value_json.presence if value_json.presence != 'unknown' else None }}",
          "json_attributes_topic": topic,
        ]),
      component(
        "\(key)_silent", "binary_sensor", name: gettext("Not heard for long"),
        [
          "device_class": "problem", "entity_category": "diagnostic", "state_topic": topic,
          "value_template": "{{ 'ON' if value_json.isSilent else 'OFF' }}",
        ]),
    ]
    if tag.batteryPercent.value != nil {
      components.append(
        component(
          "\(key)_battery", "sensor", name: gettext("Battery"),
          [
            "device_class": "battery", "unit_of_measurement": "%", "state_class": "measurement",
            "entity_category": "diagnostic", "state_topic": topic,
            "value_template": "{{ value_json.batteryPercent }}",
          ]))
    }
    if tag.room.isKnown {
      components.append(
        component(
          "\(key)_room", "sensor", name: gettext("Room"),
          [
            "icon": "mdi:floor-plan", "state_topic": topic,
            "value_template": "{{ value_json.room }}",
          ]))
    }
    return components + leftBehind(tag, key, topic) + isThere(tag, key, topic)
  }

  /// What stays at home is not left behind.
  private func leftBehind(
    _ tag: ResidentTags.Tag, _ key: String, _ topic: JSONValue
  ) -> [JSONMember] {
    guard tag.kind != "home", tag.kind != "room" else { return [] }
    let left = component(
      "\(key)_left", "binary_sensor", name: gettext("Left behind"),
      [
        "device_class": "problem", "state_topic": topic,
        "value_template": "{{ 'ON' if value_json.isLeftBehind else 'OFF' }}",
      ])
    return [left]
  }

  private func isThere(
    _ tag: ResidentTags.Tag, _ key: String, _ topic: JSONValue
  ) -> [JSONMember] {
    guard tag.kind == "caregiver" else { return [] }
    let there = component(
      "\(key)_there", "binary_sensor", name: gettext("Is there"),
      [
        "device_class": "occupancy", "state_topic": topic,
        "value_template":
          "{{ None if value_json.isPresent is none else 'ON' if value_json.isPresent else 'OFF' }}",
      ])
    return [there]
  }
}
