import Care
import JSON
import Moments
import Recurrence
import Texts

/// What people and calendars change about the routine.
extension ReminderEngine {
  /// How many items one resident may have.
  public static let itemsAtMost = 1_000

  mutating func carryOut(
    _ request: RoutineRequest, by person: String, _ step: inout Step
  ) throws(CommandReply.Refusal) {
    switch request {
    case .put(let item, let revision): try put(item, revision, by: person, &step)
    case .remove(let id, let revision): try remove(id, revision, by: person, &step)
    case .setOn(let id, let isOn): try switchItem(id, isOn, by: person, &step)
    case .answer(let id, let slot, let answer):
      try self.answer(id, slot: slot, answer, by: person, &step)
    case .restock(let id, let units): try restock(id, units, by: person, &step)
    case .replace(let resident, let source, let items):
      try replace(items, of: resident, from: source, by: person, &step)
    case .answerZone(let resident, let answer):
      try answerZone(answer, of: resident, by: person, &step)
    }
  }

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
    throw refusal(
      .conflict,
      Message(
        "{person} changed {title} on {when}, after you looked (revision {held}, not {seen}). Look again, then change it once more.",
        revisions))
  }

  private func changer(_ course: Course) -> Message {
    course.changedBy.isEmpty ? Message("somebody") : Message(verbatim: course.changedBy)
  }

  // MARK: One item

  private mutating func put(
    _ item: RoutineItem, _ revision: Int64?, by person: String, _ step: inout Step
  ) throws(CommandReply.Refusal) {
    try check(item, pictures: step.pictures)
    if let course = courses[item.id] {
      guard course.item.resident == item.resident else {
        throw refusal(
          .conflict, Message("The item {id} belongs to another resident.", ["id": item.id]))
      }
      try check(revision, course)
    } else {
      if revision ?? 0 > 0 {
        throw refusal(
          .unknownTarget,
          Message("The item {id} was removed meanwhile. Add it as a new one.", ["id": item.id]))
      }
      guard courses.count(of: item.resident) < Self.itemsAtMost else {
        throw refusal(
          .conflict,
          Message(
            "One resident has at most {limit} items. Remove one first.",
            ["limit": Self.itemsAtMost]))
      }
    }
    place(keepingCount(item), by: person, &step)
    step.outcome.reply = view(item.id, at: step.now)?.reply ?? .object([])
  }

  /// What is left of a medicine was counted on since somebody looked at the item; only a restock sets it anew.
  private func keepingCount(_ item: RoutineItem) -> RoutineItem {
    guard let left = courses[item.id]?.item.stock?.units else { return item }
    var item = item
    item.stock?.units = left
    return item
  }

  /// Inserts or replaces a checked item, and tells of it.
  private mutating func place(_ wanted: RoutineItem, by person: String, _ step: inout Step) {
    var item = wanted
    let old = courses[item.id]
    item.revision = (old?.item.revision ?? 0) + 1
    if old == nil { courses.insert(Course(item, in: household, since: Mark(step.now))) }
    change(item.id, &step) { $0.change(to: item, from: old?.item, by: person, &$1) }
    let next = courses[item.id]?.trustedNext(at: step.now)
    step.tellChange("routine.put", item, from: old?.item, next: next, by: person)
  }

  private mutating func remove(
    _ id: RoutineItemID, _ revision: Int64?, by person: String, _ step: inout Step
  ) throws(CommandReply.Refusal) {
    try check(revision, course(id))
    drop(id, by: person, &step)
    step.outcome.reply = ["removed": .string(id.rawValue)]
  }

  private mutating func drop(_ id: RoutineItemID, by person: String, _ step: inout Step) {
    guard let item = courses[id]?.item else { return }
    change(id, &step) { $0.end(by: person, &$1) }
    forget(id)
    step.outcome.changes += [
      .removeRoutineItem(id),
      .removeEngineRow(
        engine: Course.engine, subject: item.resident.rawValue,
        name: Course.prefix + id.rawValue),
    ]
    step.tellChange("routine.remove", item, by: person)
  }

  private mutating func forget(_ id: RoutineItemID) {
    guard courses.remove(id) != nil else { return }
    room.forget(id)
    wakes.set(Wake(item: id))
  }

  private mutating func switchItem(
    _ id: RoutineItemID, _ isOn: Bool, by person: String, _ step: inout Step
  ) throws(CommandReply.Refusal) {
    var item = try course(id).item
    if item.isOn != isOn {
      item.isOn = isOn
      place(item, by: person, &step)
    }
    step.outcome.reply = view(id, at: step.now)?.reply ?? .object([])
  }

  private mutating func restock(
    _ id: RoutineItemID, _ units: UnitCount, by person: String, _ step: inout Step
  ) throws(CommandReply.Refusal) {
    var item = try course(id).item
    guard (UnitCount(0)...100_000).contains(units) else {
      throw refusal(.invalid, Message("A stock has 0 through 100,000 units."))
    }
    item.stock = Stock(
      units: units,
      unitsPerDose: item.stock?.unitsPerDose ?? DoseText.units(in: item.dose) ?? 1,
      warnDays: item.stock?.warnDays ?? 7)
    place(item, by: person, &step)
    let days = courses[id]?.daysLeft(at: step.now.utc)
    step.outcome.reply = .object([
      "id": .string(id.rawValue), "units": units.json, "daysLeft": days.map { .integer($0) },
    ])
  }

  // MARK: A calendar's items

  private mutating func replace(
    _ items: [RoutineItem], of resident: ResidentID, from source: String, by person: String,
    _ step: inout Step
  ) throws(CommandReply.Refusal) {
    guard (1...100).contains(source.unicodeScalars.count) else {
      throw refusal(.invalid, Message("The name of a calendar has 1 through 100 characters."))
    }
    let held = courses.ids(of: resident).filter { courses[$0]?.item.source == source }
    let elsewhere = courses.events(of: resident, notFrom: source)
    let alreadyThere = items.filter { elsewhere[$0.event] != nil }
    let items = items.filter { elsewhere[$0.event] == nil }
    guard courses.count(of: resident) - held.count + items.count <= Self.itemsAtMost else {
      throw refusal(
        .conflict,
        Message(
          "One resident has at most {limit} items. Nothing was changed; import fewer.",
          ["limit": Self.itemsAtMost]))
    }
    var wanted: Set<RoutineItemID> = []
    for item in items {
      guard item.resident == resident, item.source == source, wanted.insert(item.id).inserted
      else {
        throw refusal(
          .invalid,
          Message(
            "The item {id} is of another resident or calendar, or is there twice.",
            ["id": String(item.id.rawValue.prefix(64))]))
      }
      try check(item, pictures: step.pictures)
      if let old = courses[item.id]?.item, old.source != source || old.resident != resident {
        throw refusal(
          .conflict,
          Message(
            "There is an item {id} already that is not of this calendar.", ["id": item.id]))
      }
    }
    for id in held where !wanted.contains(id) { drop(id, by: person, &step) }
    var changed: Int64 = 0
    for item in items.sorted(by: { $0.id < $1.id }) {
      var item = item
      if let old = courses[item.id]?.item {
        item.keepWhatPeopleDecided(in: old)
        if item == old { continue }
      }
      place(item, by: person, &step)
      changed += 1
    }
    step.outcome.reply = [
      "items": .integer(Int64(items.count)), "changed": .integer(changed),
      "removed": .integer(Int64(held.filter { !wanted.contains($0) }.count)),
      "alreadyThere": .array(
        alreadyThere.map {
          ["title": .string($0.title), "source": .string(elsewhere[$0.event] ?? "")]
        }),
    ]
  }

  // MARK: The resident's zone

  /// Asks what becomes of the routine of somebody who moved to another zone.
  mutating func noticeMove(of id: ResidentID, _ step: inout Step) {
    guard let resident = household.residents[id],
      let old = zoneQuestions.noticeMove(of: resident)
    else { return }
    zoneQuestions.ask(resident, from: old, about: courses, &step)
    // Quiet hours go by the clock of the new home.
    for item in courses.ids(of: id) { change(item, &step) { $0.giveWay(&$1) } }
  }

  /// The store erases the rest; what is remembered here and what sounds goes at once.
  mutating func erase(_ id: ResidentID, _ step: inout Step) {
    for item in courses.ids(of: id) {
      hear(.over(item), &step)
      forget(item)
    }
    zoneQuestions.forget(id)
  }

  private mutating func answerZone(
    _ answer: RoutineRequest.ZoneAnswer, of id: ResidentID, by person: String, _ step: inout Step
  ) throws(CommandReply.Refusal) {
    guard let origin = zoneQuestions.origin(of: id), let zone = household.residents[id]?.timeZone
    else {
      throw refusal(
        .conflict,
        Message(
          "The time zone of {name} has not changed; there is nothing to answer.",
          ["name": household.name(of: id)]))
    }
    var moved: Int64 = 0
    if answer == .move {
      guard household.timeZones[zone] != nil else { throw unknownZone(zone) }
      for item in courses.ids(of: id) {
        guard var wanted = courses[item]?.item, wanted.schedule.timeZone == origin else { continue }
        wanted.schedule = wanted.schedule.moved(to: zone)
        place(wanted, by: person, &step)
        moved += 1
      }
    }
    zoneQuestions.end(id, &step)
    step.outcome.reply = ["answer": .string(answer.rawValue), "moved": .integer(moved)]
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
