import Care
import CivilTime
import JSON
import Moments
import Recurrence

/// What a resident is to do or take within some times, so that somebody thinks of it.
struct ComingDues {
  let courses: Courses
  /// The zone of the clock by which the times are said.
  let zone: CivilTimeZone

  /// What falls due for a resident within some times: `[{item, title, kind, times: ["12:00"]}]`.
  func list(during times: [ClosedRange<Timestamp>], of resident: ResidentID) -> [JSONValue] {
    let due = times.flatMap {
      dueTimes(of: resident, from: $0.lowerBound, through: $0.upperBound)
    }
    let items = Dictionary(grouping: due, by: \.item.id)
    return items.sorted { $0.key < $1.key }.compactMap { id, found in
      guard let item = found.first?.item else { return nil }
      let times = Set(found.map { String(zone.local(at: $0.due).civil.iso8601Time.prefix(5)) })
      return [
        "item": .string(id.rawValue), "title": .string(item.title),
        "kind": .string(item.kind.rawValue),
        "times": .array(times.sorted().map { .string($0) }),
      ]
    }
  }

  /// What falls due for a resident within a span, its end included: at most 48 times for each item.
  private func dueTimes(
    of resident: ResidentID, from start: Timestamp, through end: Timestamp
  ) -> [(item: RoutineItem, due: Timestamp)] {
    courses.ids(of: resident).flatMap { id -> [(item: RoutineItem, due: Timestamp)] in
      guard let course = courses[id], course.item.isOn else { return [] }
      var slots = course.dueTimes.slots(
        from: start, through: end, limit: CalendarSchedule.maximumTimes)
      // What is due so long after the last time has no times of the calendar.
      if slots.isEmpty, let next = course.next, start <= next.instant, next.instant <= end {
        slots = [next]
      }
      return slots.map { (course.item, $0.instant) }
    }
  }
}
