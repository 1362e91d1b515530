import Care
import JSON
import Moments

/// Events as a gateway would send them, for checking a plugin: of each type one that holds all that it may hold, and one
/// that holds no more than it has to.
struct SampleEvents {
  /// The types that there are.
  let events: [EventDeclaration]

  /// Stored bytes of the events of a lane that a plugin wants; at least two, of a type that nobody knows where it wants none.
  func bodies(_ lane: Lane, wants: (EventType) -> Bool, types: [String]) -> [[UInt8]] {
    let wanted = events.filter { $0.lanes.contains(lane) && wants($0.type) }
    let known = wanted.isEmpty ? [unknown(lane, types.first)] : wanted
    return known.enumerated().flatMap { place, event in
      [true, false].map { isWhole in
        body(event, lane: lane, number: 2 * place + (isWhole ? 0 : 1), isWhole: isWhole)
      }
    }
  }

  /// What a later gateway may send.
  private func unknown(_ lane: Lane, _ type: String?) -> EventDeclaration {
    let type = type.flatMap { $0 == "*" ? nil : $0 } ?? "later.than-this"
    return EventDeclaration(EventType(rawValue: type), [lane], about: .either, "", [.explanation])
  }

  private func body(
    _ event: EventDeclaration, lane: Lane, number: Int, isWhole: Bool
  ) -> [UInt8] {
    let moment = Moment(
      tick: .seconds(Int64(100 + number)), utc: .seconds(1_795_000_000 + Int64(number)),
      quality: .synchronised)
    let isAboutResident = event.subject == .resident || event.subject == .either && isWhole
    let id = EventID("check-\(lane.rawValue)-\(number)")
    var facts = Self.sample(event.facts, isWhole: isWhole)
    if event.type == .alarmRaised { facts = facts.setting("alarm", to: .string(id.rawValue)) }
    return Event(
      id: id, type: event.type, lane: lane, resident: isAboutResident ? "mary" : nil,
      moment: moment, facts: facts
    ).cloudEvent(gateway: "check", boot: "0c9a4f86-8a0e-4f3a-9d7e-2f5d9a2f6b11").body
  }

  /// Facts with what trips careless programs: other scripts, quotes, an emoji, a very small number, an empty list, members
  /// that are not there.
  private static func sample(_ facts: [EventFact], isWhole: Bool) -> JSONValue {
    .object(
      facts.compactMap { fact in
        if fact.isOptional, !isWhole { return nil }
        return JSONMember(key: fact.name, value: sample(fact.shape, fact.name, isWhole))
      })
  }

  private static func sample(_ shape: JSONShape, _ name: String, _ isWhole: Bool) -> JSONValue {
    switch shape {
    case .text(let writing):
      if name == "explanation" {
        return "林奶奶 left \"Home\" 🏡, 73 m beyond the edge.\n\tNothing else is known."
      }
      if name.lowercased().hasSuffix("name") { return "外婆的家 \\ \"Home\"" }
      return .string(writing.example)
    case .words(let words): return .string((isWhole ? words.first : words.last) ?? "")
    case .whole(let range): return .integer(isWhole ? 7 : range?.lowerBound ?? 0)
    case .number(let range): return .number(isWhole ? 4.5 : range?.lowerBound ?? 1e-9)
    case .flag: return .bool(isWhole)
    case .list(let element): return .array(isWhole ? [sample(element, name, isWhole)] : [])
    case .object(_, let members):
      return .object(
        members.compactMap { member in
          if member.isOptional, !isWhole { return nil }
          return JSONMember(key: member.name, value: sample(member.shape, member.name, isWhole))
        })
    case .either(let shapes):
      return shapes.isEmpty ? .null : sample(shapes[isWhole ? 0 : shapes.count - 1], name, isWhole)
    case .null: return .null
    case .anything: return ["id": "sample", "name": "外婆的家 \\ \"Home\"", "small": 1e-9]
    }
  }
}
