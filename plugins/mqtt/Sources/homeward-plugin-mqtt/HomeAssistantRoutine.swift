import CareModel
import PluginKit

/// What Home Assistant shows of a resident's routine: a device of its own, so that a changed title publishes no more than
/// that.
extension HomeAssistantDiscovery {
  /// The topic of a routine's message, which is retained.
  func routineTopic(_ resident: ResidentID) -> String {
    "\(prefix)/device/\(routineObject(resident))/config"
  }

  /// The message of a resident's routine; nil where there is nothing to show, so that the device goes.
  func routinePayload(for state: ResidentState) -> JSONValue? {
    let routine = state.routine
    guard
      !routine.items.isEmpty || !routine.removed.isEmpty || allowsMessages || state.message != nil
    else { return nil }
    var components = routine.sorted.flatMap { self.components(of: $0, state.id) }
    for id in routine.removed.sorted() { components += removals(of: id, state.id) }
    components += messages(state)
    return [
      "device": [
        "identifiers": [.string("homeward_\(routineObject(state.id))")],
        "name": .string(gettext("{name}: routine", ["name": state.displayName])),
        "manufacturer": "Homeward",
        "model": "Routine", "sw_version": .string(version),
        "via_device": .string("homeward_\(Self.identifier(gateway.rawValue))"),
      ],
      "origin": ["name": "homeward", "sw_version": .string(version)],
      "availability_topic": .string(topics.status), "qos": 1,
      "components": .object(components),
    ]
  }

  private func routineObject(_ resident: ResidentID) -> String {
    "\(Self.identifier(gateway.rawValue))_\(Self.identifier(resident.rawValue))_routine"
  }

  private func key(_ item: RoutineItemID, _ name: String) -> String {
    "item_\(Self.identifier(item.rawValue))_\(name)"
  }

  private func components(
    of item: ResidentRoutine.Item, _ resident: ResidentID
  ) -> [JSONMember] {
    let topic = JSONValue.string(topics.routine(resident, item.id))
    var components = [
      component(
        key(item.id, "state"), "sensor", name: item.title,
        [
          "icon": "mdi:calendar-check", "device_class": "enum",
          "options": ["done", "waiting", "off"], "state_topic": topic,
          "value_template": "{{ value_json.state }}", "json_attributes_topic": topic,
        ]),
      component(
        key(item.id, "next"), "sensor", name: gettext("{title}: next due", ["title": item.title]),
        [
          "device_class": "timestamp", "state_topic": topic,
          "value_template": "{{ value_json.nextDue }}",
        ]),
    ]
    // Without a component a removed one stays; so what is not allowed any more goes by its platform alone.
    components += answerButton(
      item, "done", named: gettext("{title}: done", ["title": item.title]), icon: "mdi:check")
    components += answerButton(
      item, "not_now", named: gettext("{title}: not now", ["title": item.title]),
      icon: "mdi:close")
    components.append(routineSwitch(item, topic))
    return components
  }

  private func answerButton(
    _ item: ResidentRoutine.Item, _ name: String, named words: String, icon: String
  ) -> [JSONMember] {
    let key = key(item.id, name)
    guard allowsAnswers else { return [JSONMember(key: key, value: ["platform": "button"])] }
    let answer = name == "done" ? "done" : "not-now"
    return [
      component(
        key, "button", name: words,
        [
          "icon": .string(icon), "command_topic": .string(topics.routinePress(item.id)),
          "command_template": .string(
            "{\"answer\":\"\(answer)\",\"expiresAt\":\"\(Self.expiry)\"}"), "retain": false,
        ])
    ]
  }

  private func routineSwitch(_ item: ResidentRoutine.Item, _ topic: JSONValue) -> JSONMember {
    let key = key(item.id, "on")
    guard allowsSwitches else { return JSONMember(key: key, value: ["platform": "switch"]) }
    return component(
      key, "switch", name: gettext("{title}: reminds", ["title": item.title]),
      [
        "icon": "mdi:bell", "entity_category": "config", "state_topic": topic,
        "value_template": "{{ 'ON' if value_json.isOn else 'OFF' }}",
        "command_topic": .string(topics.routineSwitch(item.id)),
        // Older versions know no template here and send the bare word: not kept for a gateway that is away.
        "command_template": .string("{\"state\":\"{{ value }}\",\"expiresAt\":\"\(Self.expiry)\"}"),
        "qos": 0, "optimistic": false, "retain": false,
      ])
  }

  private func removals(of item: RoutineItemID, _ resident: ResidentID) -> [JSONMember] {
    [
      ("state", "sensor"), ("next", "sensor"), ("done", "button"), ("not_now", "button"),
      ("on", "switch"),
    ].map { name, platform in
      JSONMember(key: key(item, name), value: ["platform": .string(platform)])
    }
  }

  private func messages(_ state: ResidentState) -> [JSONMember] {
    var components: [JSONMember] = []
    let key = Self.identifier(state.id.rawValue)
    if allowsMessages {
      components.append(
        component(
          "\(key)_message", "notify",
          name: gettext("Message to {name}", ["name": state.displayName]),
          [
            "icon": "mdi:message-text", "command_topic": .string(topics.messageSend(state.id)),
            "command_template": .string(
              "{\"text\":{{ value | tojson }},\"expiresAt\":\"\(Self.expiry)\"}"), "retain": false,
          ]))
    }
    if state.message != nil {
      let topic = JSONValue.string(topics.resident(state.id, "message"))
      components.append(
        component(
          "\(key)_last_message", "sensor", name: gettext("Last message"),
          [
            "icon": "mdi:message-check", "device_class": "enum",
            "options": ["sent", "spoken", "read"], "state_topic": topic,
            "value_template": "{{ value_json.state }}", "json_attributes_topic": topic,
          ]))
      components.append(
        component(
          "\(key)_last_message_read", "sensor", name: gettext("Last message read"),
          [
            "device_class": "timestamp", "state_topic": topic,
            "value_template": "{{ value_json.readAt }}",
          ]))
    }
    return components
  }
}
