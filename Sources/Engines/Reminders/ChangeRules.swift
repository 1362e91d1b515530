import Care
import JSON
import Moments
import Texts

/// Whether an item can be changed as somebody wants it, over what is there.
struct ChangeRules {
  let courses: Courses
  let household: Household
  let items: ItemRules

  /// How many items one resident may have.
  static let itemsAtMost = 1_000

  init(_ courses: Courses, in household: Household, pictures: Set<PictureID>) {
    self.courses = courses
    self.household = household
    items = ItemRules(household: household, pictures: pictures)
  }

  /// The item to put in the place of what is there.
  ///
  /// - Throws: why it cannot be put.
  func put(
    _ item: RoutineItem, _ revision: Int64?
  ) throws(CommandReply.Refusal) -> RoutineItem {
    try items.check(item)
    if let course = courses[item.id] {
      guard course.item.resident == item.resident else {
        throw CommandReply.Refusal(
          .conflict, Message("The item {id} belongs to another resident.", ["id": item.id]))
      }
      try check(revision, course)
    } else {
      if revision ?? 0 > 0 {
        throw CommandReply.Refusal(
          .unknownTarget,
          Message("The item {id} was removed meanwhile. Add it as a new one.", ["id": item.id]))
      }
      guard courses.count(of: item.resident) < Self.itemsAtMost else {
        throw CommandReply.Refusal(
          .conflict,
          Message(
            "One resident has at most {limit} items. Remove one first.",
            ["limit": Self.itemsAtMost]))
      }
    }
    return keepingCount(item)
  }

  /// What is left of a medicine was counted on since somebody looked at the item; only a restock sets it anew.
  private func keepingCount(_ item: RoutineItem) -> RoutineItem {
    guard let left = courses[item.id]?.item.stock?.units else { return item }
    var item = item
    item.stock?.units = left
    return item
  }

  /// - Throws: why an item cannot be removed.
  func remove(_ id: RoutineItemID, _ revision: Int64?) throws(CommandReply.Refusal) {
    try check(revision, courses.existing(id))
  }

  /// An item with so many units left.
  ///
  /// - Throws: why it cannot have them.
  func restock(
    _ id: RoutineItemID, _ units: UnitCount
  ) throws(CommandReply.Refusal) -> RoutineItem {
    var item = try courses.existing(id).item
    guard (UnitCount(0)...100_000).contains(units) else {
      throw CommandReply.Refusal(.invalid, Message("A stock has 0 through 100,000 units."))
    }
    item.stock = Stock(
      units: units,
      unitsPerDose: item.stock?.unitsPerDose ?? DoseText.units(in: item.dose) ?? 1,
      warnDays: item.stock?.warnDays ?? 7)
    return item
  }

  // MARK: Who was faster

  /// The event that tells both sides of a change that another one was faster; nil when the request is not stale.
  ///
  /// It holds both versions, so that nothing is lost, whoever wins.
  func conflict(_ request: RoutineRequest, by person: String) -> EventDraft? {
    let (id, revision, wanted): (RoutineItemID, Int64?, JSONValue) =
      switch request {
      case .put(let item, let revision): (item.id, revision, item.json)
      case .remove(let id, let revision): (id, revision, .null)
      case .setOn, .answer, .restock, .replace, .answerZone: ("", nil, .null)
      }
    guard let revision, let course = courses[id], course.item.revision != revision else {
      return nil
    }
    let words = Message(
      "{person} and {other} changed {title} at the same time. The earlier change holds; please look at both.",
      ["person": person, "other": changer(course), "title": course.item.title])
    return EventDraft(
      type: .changeConflict, lane: .record, resident: course.item.resident,
      facts: .object([
        "target": .string(id.rawValue), "action": .string(request.action), "by": .string(person),
        "changedBy": .string(course.changedBy),
        "changedAt": course.changedAt.map { .string($0.iso8601) }, "held": course.item.json,
        "refused": wanted, "explanation": household.say(words, to: course.item.resident),
      ]))
  }

  private func check(
    _ revision: Int64?, _ course: Course
  ) throws(CommandReply.Refusal) {
    guard let revision, course.item.revision != revision else { return }
    let revisions: Message.Values = [
      "person": changer(course), "title": course.item.title,
      "when": course.changedAt.map { household.spoken($0, course.item) } ?? "-",
      "held": course.item.revision, "seen": revision,
    ]
    throw CommandReply.Refusal(
      .conflict,
      Message(
        "{person} changed {title} on {when}, after you looked (revision {held}, not {seen}). Look again, then change it once more.",
        revisions))
  }

  private func changer(_ course: Course) -> Message {
    course.changedBy.isEmpty ? Message("somebody") : Message(verbatim: course.changedBy)
  }
}
