import GlucoseValues
import JSON
import PluginKit

/// What Home Assistant shows of a resident's glucose: the last reading, in the unit that it came in.
///
/// Each unit is an entity of its own: between a new unit and a new value no moment shows 5.6 as mg/dL, and no history
/// mixes the two. The one whose unit the last reading has not is unknown.
extension HomeAssistantDiscovery {
  /// The entities for the units that readings came in.
  func glucose(_ key: String, _ state: ResidentState) -> [JSONMember] {
    let units = state.glucose.units.sorted { $0.rawValue < $1.rawValue }
    let topic = JSONValue.string(topics.resident(state.id, "glucose"))
    let name = state.displayName
    return units.map { unit in
      component(
        Self.glucoseKey(key, unit), "sensor",
        name: units.count > 1
          ? gettext("{name} glucose in {unit}", ["name": name, "unit": unit.rawValue])
          : gettext("{name} glucose", ["name": name]),
        [
          "icon": "mdi:diabetes", "device_class": "blood_glucose_concentration",
          "unit_of_measurement": .string(unit.rawValue), "state_class": "measurement",
          "state_topic": topic,
          "value_template": .string(
            "{{ value_json.value if value_json.unit == '\(unit.rawValue)' else None }}"),
          "json_attributes_topic": topic,
        ])
    }
  }

  private static func glucoseKey(_ key: String, _ unit: GlucoseUnit) -> String {
    switch unit {
    case .millimolesPerLitre: "\(key)_glucose_mmol"
    case .milligramsPerDecilitre: "\(key)_glucose_mgdl"
    }
  }
}
