import Care
import Core
import Foundation
import JSON
import Moments
import Privacy

extension EventDisclosures {
  /// What all events tell.
  static let all = EventDisclosures(GatewayCore.events)
}

/// Whether events are as their types say.
enum DeclaredEvents {
  private static let types = Dictionary(GatewayCore.events.map { ($0.type, $0) }) { $1 }

  /// What of an event is not as it is declared; empty for all that the core makes.
  static func faults(in event: Event) -> [String] {
    let name = event.type.rawValue
    guard let type = types[event.type] else { return ["\(name) is declared nowhere"] }
    var faults = faults(in: event.facts, type.facts.shape).map { "\(name) \($0)" }
    if !type.lanes.contains(event.lane) { faults.append("\(name): lane \(event.lane.rawValue)") }
    switch (type.subject, event.resident) {
    case (.resident, nil), (.gateway, .some): faults.append("\(name): subject \(event.subject)")
    case (.resident, .some), (.gateway, nil), (.either, _): break
    }
    return faults
  }

  private static func faults(in value: JSONValue, _ shape: JSONShape) -> [String] {
    switch (shape, value) {
    case (.anything, _), (.null, .null), (.flag, .bool): []
    case (.text(let writing), .string(let text)): fits(text, writing) ? [] : ["\"\(text)\""]
    case (.words(let words), .string(let word)): words.contains(word) ? [] : ["\"\(word)\""]
    case (.whole(let range), .integer(let number)):
      range?.contains(number) ?? true ? [] : ["\(number)"]
    case (.number(let range), .integer(let number)):
      range?.contains(Double(number)) ?? true ? [] : ["\(number)"]
    case (.number(let range), .number(let number)):
      range?.contains(number) ?? true ? [] : ["\(number)"]
    case (.list(let element), .array(let values)): values.flatMap { faults(in: $0, element) }
    case (.object(_, let members), .object(let found)): faults(in: found, members)
    case (.either(let shapes), _):
      shapes.contains { faults(in: value, $0).isEmpty } ? [] : ["\(value)"]
    default: ["\(value)"]
    }
  }

  private static func faults(in found: [JSONMember], _ members: [JSONShape.Member]) -> [String] {
    let known = Dictionary(members.map { ($0.name, $0) }) { $1 }
    let absent = members.filter { member in
      !member.isOptional && !found.contains { $0.key == member.name && $0.value != .null }
    }
    return absent.map { "\($0.name) is absent" }
      + found.flatMap { member -> [String] in
        guard let shape = known[member.key]?.shape else { return ["\(member.key) is not declared"] }
        if member.value == .null { return [] }
        return faults(in: member.value, shape).map { "\(member.key): \($0)" }
      }
  }

  private static func fits(_ text: String, _ writing: JSONShape.Writing) -> Bool {
    if let pattern = writing.pattern {
      return text.range(of: pattern, options: .regularExpression) != nil
    }
    switch writing.format {
    case "date-time": return (try? Timestamp(iso8601: text)) != nil
    case "date":
      return text.range(of: "^[0-9]{4}-[0-9]{2}-[0-9]{2}$", options: .regularExpression) != nil
    default: return true
    }
  }
}
