import Care
import JSON
import Texts

/// What becomes of the items of a calendar that brings them anew, all or nothing.
struct CalendarImport {
  /// Items that it does not bring any more, by id.
  let removed: [RoutineItemID]
  /// Items that are new or others now, by id.
  let changed: [RoutineItem]
  /// The answer to whoever brought them.
  let reply: JSONValue

  /// - Throws: why nothing of it can be taken.
  init(
    _ items: [RoutineItem], of resident: ResidentID, from source: String, over courses: Courses,
    by rules: ItemRules
  ) throws(CommandReply.Refusal) {
    guard (1...100).contains(source.unicodeScalars.count) else {
      throw CommandReply.Refusal(
        .invalid, Message("The name of a calendar has 1 through 100 characters."))
    }
    let held = courses.ids(of: resident).filter { courses[$0]?.item.source == source }
    let elsewhere = courses.events(of: resident, notFrom: source)
    let alreadyThere = items.filter { elsewhere[$0.event] != nil }
    let items = items.filter { elsewhere[$0.event] == nil }
    guard courses.count(of: resident) - held.count + items.count <= ChangeRules.itemsAtMost else {
      throw CommandReply.Refusal(
        .conflict,
        Message(
          "One resident has at most {limit} items. Nothing was changed; import fewer.",
          ["limit": ChangeRules.itemsAtMost]))
    }
    var wanted: Set<RoutineItemID> = []
    for item in items {
      guard item.resident == resident, item.source == source, wanted.insert(item.id).inserted
      else {
        throw CommandReply.Refusal(
          .invalid,
          Message(
            "The item {id} is of another resident or calendar, or is there twice.",
            ["id": String(item.id.rawValue.prefix(64))]))
      }
      try rules.check(item)
      if let old = courses[item.id]?.item, old.source != source || old.resident != resident {
        throw CommandReply.Refusal(
          .conflict,
          Message(
            "There is an item {id} already that is not of this calendar.", ["id": item.id]))
      }
    }
    removed = held.filter { !wanted.contains($0) }
    changed = items.sorted { $0.id < $1.id }.compactMap { item in
      guard let old = courses[item.id]?.item else { return item }
      var item = item
      item.keepWhatPeopleDecided(in: old)
      return item == old ? nil : item
    }
    reply = [
      "items": .integer(Int64(items.count)), "changed": .integer(Int64(changed.count)),
      "removed": .integer(Int64(removed.count)),
      "alreadyThere": .array(
        alreadyThere.map {
          ["title": .string($0.title), "source": .string(elsewhere[$0.event] ?? "")]
        }),
    ]
  }
}

extension RoutineItem {
  /// What a calendar cannot say stays as people set it; a critical item never becomes an ordinary one by itself.
  fileprivate mutating func keepWhatPeopleDecided(in old: RoutineItem) {
    isOn = old.isOn
    isCritical = isCritical || old.isCritical
    recording = recording ?? old.recording
    picture = picture ?? old.picture
    stock = stock ?? old.stock
    if dose.isEmpty { dose = old.dose }
    var timing = old.timing
    timing.noticeMinutes = self.timing.noticeMinutes ?? timing.noticeMinutes
    self.timing = timing
    revision = old.revision
  }
}
