import Bytes
import JSON

/// What people ask of the routine and its reminders.
public enum RoutineRequest: Hashable, Sendable {
  /// How somebody answers a reminder.
  public enum Answer: Hashable, Sendable {
    /// It was done.
    case done
    /// Not now.
    case notNow
    /// Left out, for a reason.
    case skip(reason: String)
    /// Ask again in so many minutes; nil for the item's own.
    case snooze(minutes: Int64?)
    /// Take back what was said of a due time that has not come yet.
    case undo
  }

  /// What becomes of the items' times when a resident moves to another zone.
  public enum ZoneAnswer: String, Hashable, Sendable, CaseIterable {
    /// They go on by the clock of the old zone.
    case keep
    /// They follow the clock of the new zone.
    case move
  }

  /// Add an item, or replace one with the same id. `revision` is the one that whoever changes it saw; nil for "whatever
  /// is there".
  case put(RoutineItem, revision: Int64?)
  /// Remove an item.
  case remove(RoutineItemID, revision: Int64?)
  /// Switch the reminding of an item on or off.
  case setOn(RoutineItemID, Bool)
  /// Answer an item; `slot` is a due time's key, nil for the one that is due. An as-needed item is answered with done.
  case answer(RoutineItemID, slot: String?, Answer)
  /// Set how many units are left.
  case restock(RoutineItemID, units: UnitCount)
  /// Replace everything that a calendar keeps for a resident, all or nothing; `source` names the calendar.
  case replace(resident: ResidentID, source: String, items: [RoutineItem])
  /// Say what becomes of the items' times after the resident's zone changed.
  case answerZone(resident: ResidentID, ZoneAnswer)
}

extension RoutineRequest {
  /// The request's word.
  public var action: String {
    switch self {
    case .put: "routine.put"
    case .remove: "routine.remove"
    case .setOn: "routine.switch"
    case .answer: "routine.answer"
    case .restock: "routine.restock"
    case .replace: "routine.replace"
    case .answerZone: "routine.zone"
    }
  }

  /// The id of what the request acts on.
  public var target: String {
    switch self {
    case .put(let item, _): item.id.rawValue
    case .remove(let id, _), .setOn(let id, _), .answer(let id, _, _), .restock(let id, _):
      id.rawValue
    case .replace(let id, _, _), .answerZone(let id, _): id.rawValue
    }
  }

  /// Reads a request whose `action` is one of ``action``; nil when it is none of them.
  static func read(_ action: String, _ reader: JSONReader) throws(DecodeError) -> RoutineRequest? {
    func item() throws(DecodeError) -> RoutineItemID { RoutineItemID(try reader.string("target")) }
    switch action {
    case "routine.put":
      return .put(
        try RoutineItem(json: reader.required("item")),
        revision: try reader.optionalInteger("revision"))
    case "routine.remove":
      return .remove(try item(), revision: try reader.optionalInteger("revision"))
    case "routine.switch": return .setOn(try item(), try reader.bool("isOn"))
    case "routine.answer":
      return .answer(
        try item(), slot: try reader.optionalString("slot"), try Answer(reader))
    case "routine.restock":
      return .restock(try item(), units: try UnitCount(json: reader.required("units")))
    case "routine.replace":
      return .replace(
        resident: ResidentID(try reader.string("target")), source: try reader.string("source"),
        items: try reader.list("items") { value throws(DecodeError) in
          try RoutineItem(json: value)
        })
    case "routine.zone":
      return .answerZone(
        resident: ResidentID(try reader.string("target")),
        try reader.word("answer", as: ZoneAnswer.self))
    default: return nil
    }
  }

  /// The request as an object with `action`.
  var json: JSONValue {
    let object: JSONValue = ["action": .string(action)]
    let targeted = object.setting("target", to: .string(target))
    switch self {
    case .put(let item, let revision):
      return object.setting("item", to: item.json)
        .setting("revision", to: revision.map { .integer($0) } ?? .null)
    case .remove(_, let revision):
      return targeted.setting("revision", to: revision.map { .integer($0) } ?? .null)
    case .setOn(_, let isOn): return targeted.setting("isOn", to: .bool(isOn))
    case .answer(_, let slot, let answer):
      return answer.add(to: targeted).setting("slot", to: slot.map { .string($0) } ?? .null)
    case .restock(_, let units): return targeted.setting("units", to: units.json)
    case .replace(_, let source, let items):
      return targeted.setting("source", to: .string(source))
        .setting("items", to: .array(items.map(\.json)))
    case .answerZone(_, let answer):
      return targeted.setting("answer", to: .string(answer.rawValue))
    }
  }
}

extension RoutineRequest.Answer {
  /// Reads `answer` with `reason` or `minutes`.
  fileprivate init(_ reader: JSONReader) throws(DecodeError) {
    let reason = try reader.optionalString("reason")
    let minutes = try reader.optionalInteger("minutes")
    switch try reader.string("answer") {
    case "done": self = .done
    case "not-now": self = .notNow
    case "skip": self = .skip(reason: reason ?? "")
    case "snooze": self = .snooze(minutes: minutes)
    case "undo": self = .undo
    default: throw reader.error(.unknownWord, "answer")
    }
  }

  fileprivate func add(to json: JSONValue) -> JSONValue {
    switch self {
    case .done: json.setting("answer", to: "done")
    case .notNow: json.setting("answer", to: "not-now")
    case .undo: json.setting("answer", to: "undo")
    case .skip(let reason):
      json.setting("answer", to: "skip").setting("reason", to: .string(reason))
    case .snooze(let minutes):
      json.setting("answer", to: "snooze")
        .setting("minutes", to: minutes.map { .integer($0) } ?? .null)
    }
  }
}

extension CommandRule {
  static let routineRules = [
    CommandRule("routine.put", .changeRoutine, [Member("item", RoutineItem.shape), .revision]),
    CommandRule("routine.remove", .changeRoutine, [.target, .revision]),
    CommandRule("routine.switch", .changeRoutine, [.target, Member("isOn", .flag)]),
    CommandRule(
      "routine.answer", .answerRoutine,
      [
        .target, Member("slot", .text).optional,
        Member("answer", .words(["done", "not-now", "skip", "snooze", "undo"])),
        Member("reason", .text).optional, Member("minutes", .whole).optional,
      ]),
    CommandRule("routine.restock", .answerRoutine, [.target, Member("units", .number)]),
    CommandRule(
      "routine.zone", .changeRoutine,
      [.target, Member("answer", .words(of: RoutineRequest.ZoneAnswer.self))]),
    CommandRule(
      "routine.replace", .changeRoutine,
      [
        .target, Member("source", .text), Member("items", .list(RoutineItem.shape)).optional,
      ]),
  ]
}
