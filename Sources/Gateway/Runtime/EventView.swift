import Accounts
import Care
import Door
import JSON
import Privacy

/// What of events somebody may have who does not keep the gateway.
struct EventView {
  let asking: Asking
  let filter: PrivacyFilter
  /// What the grants of a plugin in between let be seen; nil where there is none.
  let granted: Clearance?

  /// The bytes of an event as they may leave; nil when nothing of it may.
  func body(of type: EventType, subject: String, _ body: [UInt8]) -> [UInt8]? {
    // What guardians alone may know reaches them by their messages.
    guard !Audience.isGuardians(type, body) else { return nil }
    guard let resident = Self.resident(in: subject) else {
      return ofGateway(type, body)
    }
    guard may(.journal, .resident(resident)) else { return nil }
    return filter.filtered(body, of: type, clearance(ofResident: true))
  }

  /// That an account is linked to somebody no more, for that account: its pages show them until they hear of it.
  func ofUnlinked(_ type: EventType, _ body: [UInt8]) -> [UInt8]? {
    guard type == .accountLinked, let account = asking.account?.id.rawValue,
      let plain = filter.filtered(body, of: type, Clearance()),
      let facts = (try? JSONValue(parsing: plain))?["data"],
      facts["account"]?.stringContent == account, facts["isLinked"] == false
    else { return nil }
    return plain
  }

  private func ofGateway(_ type: EventType, _ body: [UInt8]) -> [UInt8]? {
    if case .plugin = asking.kind {
      return may(.journal, .everybody)
        ? filter.filtered(body, of: type, clearance(ofResident: false)) : nil
    }
    guard may(.gateway, .gateway),
      let visible = filter.filtered(body, of: type, clearance(ofResident: false)),
      let event = try? JSONValue(parsing: visible, limits: .init(maximumBytes: visible.count))
    else { return nil }
    return event.setting("data", to: withoutOthers(event["data"] ?? .null)).serializedBytes
  }

  /// An account sees all of those whom it is linked to; a plugin in between sees what it was granted.
  private func clearance(ofResident: Bool) -> Clearance {
    granted ?? (ofResident ? .everything : Clearance())
  }

  /// The facts of the gateway without what lists tell of others.
  private func withoutOthers(_ facts: JSONValue) -> JSONValue {
    guard let members = facts.objectContent else { return facts }
    return .object(
      members.map { member in
        guard case .array(let elements) = member.value else { return member }
        let own = elements.filter { element in
          let id = element["resident"] ?? (member.key == "residents" ? element["id"] : nil)
          return id?.stringContent.map { may(.journal, .resident(ResidentID($0))) } ?? true
        }
        return JSONMember(key: member.key, value: .array(own))
      })
  }

  private func may(_ permission: Permission, _ subject: Subject) -> Bool {
    Policy.decide(asking, permission, subject) == .allowed
  }

  private static func resident(in subject: String) -> ResidentID? {
    let prefix = "resident/"
    return subject.hasPrefix(prefix) ? ResidentID(String(subject.dropFirst(prefix.count))) : nil
  }
}
