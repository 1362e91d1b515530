import Bytes
import Care
import CivilTime
import Moments
import Recurrence
import Texts

extension CalendarImport {
  /// Reads an iCalendar file into items.
  ///
  /// Each event and task becomes one item; a date of a series that was moved is left out there and added, or becomes an item
  /// of its own where its words changed too. What cannot be an item is named and nothing else is lost.
  ///
  /// - Throws: ``CalendarFault`` when the file as a whole is no calendar, cut off or too large; nothing is to be changed then.
  /// - Source: RFC 5545.
  public init(_ bytes: [UInt8], _ context: Context) throws(CalendarFault) {
    let file = try CalendarFile(bytes)
    var reader = CalendarReader(
      context: context, zones: try CalendarZones(context, locations: file.zoneLocations))
    reader.report.componentCount = file.components.count
    reader.report.calendarName = file.name.map {
      CalendarText.shortened(CalendarText.line($0), to: 100)
    }
    for series in EventSeries.grouped(file.components) { reader.take(series) }
    self = reader.finished()
  }
}

/// The components of one event: the event, and dates of it that were changed.
struct EventSeries {
  var uid: String
  /// The event as a whole; nil where there are changed dates only.
  var master: CalendarFile.Component?
  /// Dates that were changed.
  var changes: [CalendarFile.Component] = []

  /// Series in the order in which they first appear; of two versions of one event the higher `SEQUENCE`, then the later.
  static func grouped(_ components: [CalendarFile.Component]) -> [EventSeries] {
    var all: [EventSeries] = []
    var places: [String: Int] = [:]
    for (index, component) in components.enumerated() {
      let uid = component["UID"].map { CalendarText.line($0.value) } ?? ""
      // Without an identity it is an event of its own.
      let key = "\(component.isTask) \(uid.isEmpty ? "#\(index)" : uid)"
      if places[key] == nil {
        places[key] = all.count
        all.append(EventSeries(uid: uid))
      }
      guard let place = places[key] else { continue }
      if component["RECURRENCE-ID"] != nil {
        all[place].changes.append(component)
      } else if (all[place].master?.sequence ?? .min) <= component.sequence {
        all[place].master = component
      }
    }
    return all
  }
}

extension CalendarFile.Component {
  fileprivate var sequence: Int { self["SEQUENCE"].flatMap { Int($0.value.prefix(9)) } ?? 0 }
  fileprivate var isCancelled: Bool {
    let status = self["STATUS"]?.value.uppercased() ?? ""
    return status.hasPrefix("CANCELLED") || status.hasPrefix("COMPLETED")
      || self["COMPLETED"] != nil
  }
  /// Title, words and place, to see whether a changed date says something else.
  fileprivate var words: [String] {
    ["SUMMARY", "DESCRIPTION", "LOCATION"].map { self[$0]?.value ?? "" }
  }
}

/// Makes items of series, one after the other.
struct CalendarReader {
  let context: CalendarImport.Context
  var zones: CalendarZones
  var report = CalendarImport()
  /// When a single item is due; nil for one that comes again, or has no time.
  private var singleDue: [Timestamp?] = []
  private var shortened: Set<Int> = []
  private var takenIDs: Set<String> = []
  private var nextNumbers: [String: Int] = [:]
  /// How many repetitions with an end may still be gone through.
  private var countBudget = 2_000_000

  init(context: CalendarImport.Context, zones: CalendarZones) {
    self.context = context
    self.zones = zones
  }

  /// Before everything that a calendar can hold.
  private static let longAgo = CivilDateTime(year: 1899, month: 1, day: 1).asUTC

  private var horizon: Timestamp {
    context.now.advanced(byMilliseconds: -CalendarImport.keptMilliseconds)
  }

  mutating func take(_ series: EventSeries) {
    guard let master = series.master else {
      for change in series.changes { takeSingle(change, series.uid) }
      return
    }
    if master.isCancelled {
      report.cancelledCount += 1
      return
    }
    attempt(master) { reader throws(EventFault) in
      if master["RRULE"] == nil, master["RDATE"] == nil, master["EXRULE"] == nil {
        reader.add(master, series.uid, try reader.onceSchedule(master), single: true)
        for change in series.changes { reader.takeSingle(change, series.uid) }
      } else {
        try reader.takeRepeated(master, series)
      }
    }
  }

  /// A changed date whose event is not in the file.
  private mutating func takeSingle(_ change: CalendarFile.Component, _ uid: String) {
    if change.isCancelled {
      report.cancelledCount += 1
      return
    }
    attempt(change) { reader throws(EventFault) in
      let identity = "\(uid) \(change["RECURRENCE-ID"]?.value ?? "")"
      reader.add(
        change, identity, try reader.onceSchedule(change), single: true, isNamed: !uid.isEmpty)
    }
  }

  private mutating func attempt(
    _ component: CalendarFile.Component,
    _ body: (inout CalendarReader) throws(EventFault) -> Void
  ) {
    do throws(EventFault) {
      if component.isTooLong { throw .tooLong }
      try body(&self)
    } catch { report.leave(title(of: component), error.code, error.reason) }
  }

  // MARK: Schedules

  /// The beginning: of a task that comes once, when it is due.
  private func beginning(
    _ component: CalendarFile.Component, isRepeated: Bool
  ) throws(EventFault) -> CalendarTime? {
    let names =
      !component.isTask ? ["DTSTART"] : isRepeated ? ["DTSTART", "DUE"] : ["DUE", "DTSTART"]
    guard let line = names.lazy.compactMap({ component[$0] }).first else {
      if component.isTask, !isRepeated { return nil }
      throw .start
    }
    guard let time = CalendarTime.one(line) else { throw .start }
    return time
  }

  private mutating func onceSchedule(
    _ component: CalendarFile.Component
  ) throws(EventFault) -> Schedule {
    guard let time = try beginning(component, isRepeated: false) else { return .never }
    var (local, zone) = try zones.own(time)
    if case .utc = time {
      local = try zones.local(time, in: zones.home)
      zone = zones.home
    }
    return .calendar(CalendarSchedule(start: local, timeZone: zone.name))
  }

  private mutating func takeRepeated(
    _ master: CalendarFile.Component, _ series: EventSeries
  ) throws(EventFault) {
    guard let start = try beginning(master, isRepeated: true) else { throw .start }
    let (local, zone) = try zones.own(start)
    let rules = master.all("RRULE")
    if rules.count > 1 || master["EXRULE"] != nil { throw .severalRules }
    var schedule = CalendarSchedule(start: local, timeZone: zone.name)
    if let rule = rules.first {
      do throws(RecurrenceFault) {
        schedule.rule = try RecurrenceRule(text: CalendarText.line(rule.value))
      } catch { throw EventFault(code: .rule, reason: error.message) }
    }
    schedule.excluded = try dates("EXDATE", of: master, in: zone)
    schedule.added = try dates("RDATE", of: master, in: zone)
    let extras = try apply(series.changes, of: master, to: &schedule, zone)
    schedule.excluded = Set(schedule.excluded).sorted()
    schedule.added = Set(schedule.added).sorted()
    if let fault = Schedule.calendar(schedule).fault {
      throw EventFault(
        code: fault.code == .listTooLong ? .tooLong : .rule, reason: fault.message)
    }
    if case .count(let count) = schedule.rule?.end {
      countBudget -= count
      if countBudget < 0 { throw .tooLong }
    }
    if Self.next(schedule, zone, after: Self.longAgo) == nil { throw .never }
    add(master, series.uid, .calendar(schedule), single: false)
    for extra in extras { takeSingle(extra, series.uid) }
  }

  private mutating func dates(
    _ name: String, of component: CalendarFile.Component, in zone: CivilTimeZone
  ) throws(EventFault) -> [CivilDateTime] {
    var dates: [CivilDateTime] = []
    for line in component.all(name) {
      guard let times = CalendarTime.all(line) else {
        throw EventFault(
          code: .rule,
          reason: Message(
            "One of its dates in {property} cannot be read. Make the event anew.",
            ["property": name]))
      }
      for time in times { dates.append(try zones.local(time, in: zone)) }
    }
    return dates
  }

  /// Moves dates within the schedule; answers those that say something else and become items of their own.
  private mutating func apply(
    _ changes: [CalendarFile.Component], of master: CalendarFile.Component,
    to schedule: inout CalendarSchedule, _ zone: CivilTimeZone
  ) throws(EventFault) -> [CalendarFile.Component] {
    var extras: [CalendarFile.Component] = []
    for change in changes {
      if change.isTooLong { throw .tooLong }
      guard let line = change["RECURRENCE-ID"], let old = CalendarTime.one(line) else {
        throw .start
      }
      if line.parameters["RANGE"] != nil { throw .range }
      let nominal = try zones.local(old, in: zone)
      if change.isCancelled {
        schedule.excluded.append(nominal)
      } else if change.words != master.words {
        schedule.excluded.append(nominal)
        extras.append(change)
      } else if let new = try beginning(change, isRepeated: true) {
        let moved = try zones.local(new, in: zone)
        if moved != nominal {
          schedule.excluded.append(nominal)
          schedule.added.append(moved)
        }
      }
    }
    return extras
  }

  private static func next(
    _ schedule: CalendarSchedule, _ zone: CivilTimeZone, after moment: Timestamp
  ) -> Slot? {
    (try? OccurrenceFinder(schedule, zone: zone))?.next(after: moment)
  }

  // MARK: Items

  private mutating func add(
    _ component: CalendarFile.Component, _ identity: String, _ schedule: Schedule, single: Bool,
    isNamed: Bool = true
  ) {
    var due: Timestamp?
    if case .calendar(let calendar) = schedule {
      guard let zone = try? zones.zone(calendar.timeZone) else { return }
      guard let next = Self.next(calendar, zone, after: horizon) else {
        report.pastCount += 1
        return
      }
      if single { due = next.instant }
    }
    let (title, isTitleCut) = text(component, "SUMMARY", 200)
    let (place, isPlaceCut) = text(component, "LOCATION", 200)
    let details = CalendarText.lines(component["DESCRIPTION"]?.value ?? "")
    var item = RoutineItem(
      id: freshID(identity), resident: context.resident, kind: kind(of: component),
      title: title.isEmpty ? untitled(component) : title,
      details: CalendarText.shortened(details, to: 10_000), place: place, schedule: schedule,
      source: context.source,
      // Without a name of its own nobody can say whether it is the same elsewhere.
      event: isNamed && !identity.isEmpty ? Fingerprint([identity]).hexadecimal : "")
    item.timing.noticeMinutes = noticeMinutes(of: component)
    if isTitleCut || isPlaceCut || item.details != details
      || component["DESCRIPTION"]?.isCut == true
    {
      shortened.insert(report.items.count)
    }
    report.items.append(item)
    singleDue.append(due)
  }

  private func title(of component: CalendarFile.Component) -> String {
    let title = text(component, "SUMMARY", 200).text
    return title.isEmpty ? untitled(component) : title
  }

  /// What an event without a title is called, as the resident hears it.
  private func untitled(_ component: CalendarFile.Component) -> String {
    component.isTask
      ? gettext("Task", in: context.language) : gettext("Appointment", in: context.language)
  }

  private func text(
    _ component: CalendarFile.Component, _ name: String, _ limit: Int
  ) -> (text: String, isCut: Bool) {
    let whole = CalendarText.line(component[name]?.value ?? "")
    let text = CalendarText.shortened(whole, to: limit)
    return (text, text != whole)
  }

  private func kind(of component: CalendarFile.Component) -> RoutineItem.Kind {
    let words = component.all("CATEGORIES").flatMap { $0.value.uppercased().split(separator: ",") }
      .map { CalendarText.line(String($0)) }
    if words.contains("MEDICINE") || words.contains("MEDICATION") { return .medicine }
    if words.contains("ROUTINE") { return .routine }
    if words.contains("APPOINTMENT") { return .appointment }
    return component.isTask ? .routine : .appointment
  }

  /// The longest warning of at most four hours.
  private func noticeMinutes(of component: CalendarFile.Component) -> Int64? {
    component.triggers.compactMap { line -> Int64? in
      guard line.parameters["RELATED"]?.uppercased() != "END",
        let seconds = CalendarDuration.seconds(CalendarText.line(line.value)), seconds < 0
      else { return nil }
      let minutes = -seconds / 60
      return (1...240).contains(minutes) ? minutes : nil
    }.max()
  }

  private mutating func freshID(_ identity: String) -> RoutineItemID {
    let parts = [context.resident.rawValue, context.source, identity]
    let base = "cal-" + Fingerprint(parts).hexadecimal
    var id = base
    // A file may say the same of an event a hundred thousand times: each time goes on where the last one ended.
    var number = nextNumbers[base] ?? 2
    while !takenIDs.insert(id).inserted {
      id = "\(base)-\(number)"
      number += 1
    }
    if number > 2 { nextNumbers[base] = number }
    return RoutineItemID(id)
  }

  // MARK: The whole

  /// The report with no more items than there is room for: what comes again first, then the soonest.
  mutating func finished() -> CalendarImport {
    var kept = Array(report.items.indices)
    if kept.count > CalendarImport.maximumItems {
      let order = kept.sorted { left, right in
        let (one, other) = (singleDue[left], singleDue[right])
        if one == other { return left < right }
        guard let one, let other else { return one == nil }
        return one < other
      }
      report.laterCount = kept.count - CalendarImport.maximumItems
      kept = order.prefix(CalendarImport.maximumItems).sorted()
    }
    report.shortenedCount = kept.count { shortened.contains($0) }
    report.items = kept.map { report.items[$0] }
    return report
  }
}
