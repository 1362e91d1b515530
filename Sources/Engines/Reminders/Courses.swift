import Care
import Moments
import Recurrence
import Texts

/// The items of all residents, with where each stands.
struct Courses: Sendable {
  private var courses: [RoutineItemID: Course] = [:]
  /// How many items each resident has.
  private var counts: [ResidentID: Int] = [:]

  subscript(id: RoutineItemID) -> Course? { courses[id] }

  /// An item that somebody names.
  ///
  /// - Throws: that there is none of that id.
  func existing(_ id: RoutineItemID) throws(CommandReply.Refusal) -> Course {
    guard let course = courses[id] else {
      throw CommandReply.Refusal(
        .unknownTarget,
        Message(
          "There is no item \"{id}\". List them with: homeward routine list",
          ["id": String(id.rawValue.prefix(64))]))
    }
    return course
  }

  // MARK: Which there are

  /// All of them, by id.
  var ids: [RoutineItemID] { courses.keys.sorted() }

  /// The items of a resident, by id.
  func ids(of resident: ResidentID) -> [RoutineItemID] {
    guard count(of: resident) > 0 else { return [] }
    return courses.values.filter { $0.item.resident == resident }.map(\.id).sorted()
  }

  /// How many items a resident has.
  func count(of resident: ResidentID) -> Int { counts[resident, default: 0] }

  /// What is critical comes first, then what has been due longer.
  func inOrder(_ ids: [RoutineItemID]) -> [RoutineItemID] {
    guard ids.count > 1 else { return ids }
    return ids.compactMap { courses[$0] }.sorted { left, right in
      if left.item.isCritical != right.item.isCritical { return left.item.isCritical }
      let leftDue = left.open?.occurrence.due ?? left.next?.instant ?? .seconds(0)
      let rightDue = right.open?.occurrence.due ?? right.next?.instant ?? .seconds(0)
      return (leftDue, left.id) < (rightDue, right.id)
    }.map(\.id)
  }

  /// Those of a resident, or of all when nil: what is due first, then the next due.
  func shown(of resident: ResidentID?) -> [Course] {
    let shown = courses.values.filter { resident == nil || $0.item.resident == resident }
    return shown.sorted { left, right in
      if (left.open != nil) != (right.open != nil) { return left.open != nil }
      let never = Timestamp(milliseconds: .max)
      let leftDue = left.open?.occurrence.due ?? left.next?.instant ?? never
      let rightDue = right.open?.occurrence.due ?? right.next?.instant ?? never
      return (leftDue, left.id) < (rightDue, right.id)
    }
  }

  /// The events that other calendars of a resident brought, and which: the same event never reminds twice.
  func events(of resident: ResidentID, notFrom source: String) -> [String: String] {
    var events: [String: String] = [:]
    for id in ids(of: resident) {
      guard let item = courses[id]?.item, !item.event.isEmpty, item.source != source else {
        continue
      }
      events[item.event] = item.source
    }
    return events
  }

  // MARK: Their zones

  /// Zones that items are pinned to and that are not known on this machine, with how many items wait for each.
  var unknownZones: [String: Int] {
    var zones: [String: Int] = [:]
    for course in courses.values {
      guard case .unknown = course.dueTimes.own, let zone = course.item.schedule.timeZone else {
        continue
      }
      zones[zone, default: 0] += 1
    }
    return zones
  }

  /// Zones that items are pinned to.
  var zones: Set<String> { Set(courses.values.compactMap(\.item.schedule.timeZone)) }

  // MARK: What becomes of them

  /// Adds an item, or takes the place of the one with its id.
  mutating func insert(_ course: Course) {
    let old = courses.updateValue(course, forKey: course.id)
    if old == nil { counts[course.item.resident, default: 0] += 1 }
  }

  /// Takes an item away; nil where there is none.
  mutating func remove(_ id: RoutineItemID) -> RoutineItem? {
    guard let item = courses.removeValue(forKey: id)?.item else { return nil }
    let left = counts[item.resident, default: 1] - 1
    counts[item.resident] = left > 0 ? left : nil
    return item
  }

  /// Lets an item do something; answers nil where there is none.
  @discardableResult
  mutating func change<Answer>(
    _ id: RoutineItemID, _ body: (inout Course) -> Answer
  ) -> Answer? {
    guard var course = courses.removeValue(forKey: id) else { return nil }
    let answer = body(&course)
    courses[id] = course
    return answer
  }
}
