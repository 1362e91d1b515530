import Care
import JSON
import PluginKit

/// What Home Assistant shows of a resident's routine: a device of its own, so that a changed title publishes no more than
/// that.
extension HomeAssistantDiscovery {
  /// The device of a resident's routine; nil where there is nothing to show.
  func routineDevice(for state: ResidentState) -> HomeAssistantDevice? {
    let routine = state.routine
    guard !routine.items.isEmpty || allowsMessages || state.message != nil else { return nil }
    let shown = routine.sorted.filter { showsCalendarItems || !$0.isImported }
      .prefix(routineItems)
    let components =
      (routine.items.isEmpty ? [] : [summary(state.id)])
      + shown.flatMap { self.components(of: $0, state.id) } + messages(state)
    guard !components.isEmpty else { return nil }
    return HomeAssistantDevice(
      object: routineObject(state.id),
      device: [
        "identifiers": [.string("homeward_\(routineObject(state.id))")],
        "name": .string(gettext("{name}: routine", ["name": state.displayName])),
        "manufacturer": "Homeward",
        "model": "Routine", "sw_version": .string(version),
        "via_device": .string("homeward_\(Self.identifier(gateway.rawValue))"),
      ], components: components)
  }

  private func routineObject(_ resident: ResidentID) -> String {
    "\(Self.identifier(gateway.rawValue))_\(Self.identifier(resident.rawValue))_routine"
  }

  private func key(_ item: RoutineItemID, _ name: String) -> String {
    "item_\(Self.identifier(item.rawValue))_\(name)"
  }

  /// How many items wait for an answer; which, and what is next, in the attributes.
  private func summary(_ resident: ResidentID) -> JSONMember {
    let topic = JSONValue.string(topics.resident(resident, "routine"))
    return component(
      "\(Self.identifier(resident.rawValue))_open", "sensor",
      name: gettext("Waiting for an answer"),
      [
        "icon": "mdi:clipboard-list", "state_topic": topic,
        "value_template": "{{ value_json.open }}", "json_attributes_topic": topic,
      ])
  }

  /// When an item is due next, with all that is known of it, and a button for *done* where answers are taken.
  private func components(
    of item: ResidentRoutine.Item, _ resident: ResidentID
  ) -> [JSONMember] {
    let topic = JSONValue.string(topics.routine(resident, item.id))
    let next = component(
      key(item.id, "next"), "sensor", name: item.title,
      [
        "icon": "mdi:calendar-check", "device_class": "timestamp", "state_topic": topic,
        "value_template": "{{ value_json.nextDue }}", "json_attributes_topic": topic,
      ])
    guard allowsAnswers else { return [next] }
    let done = component(
      key(item.id, "done"), "button", name: gettext("{title}: done", ["title": item.title]),
      [
        "icon": "mdi:check", "command_topic": .string(topics.routinePress(item.id)),
        "command_template": .string("{\"answer\":\"done\",\"expiresAt\":\"\(Self.expiry)\"}"),
        "retain": false,
      ])
    return [next, done]
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
