import Care
import JSON
import Texts

/// Alarms about safe zones.
///
/// Leaving one safe zone for another is no danger: the alarm is about being outside of all of them, and being in any of
/// them ends it. A zone whose owner wants to know of every leaving has a cause of its own, which ends where it began.
extension AlarmEngine {
  /// The resident is outside of every safe zone.
  private static let outside = "outside"
  /// A cause of an alarm that an earlier version raised, one for each zone.
  private static let zonePrefix = "zone:"
  private static let leavingPrefix = "leaving:"
  /// The resident is outside of every safe zone, and was expected back from an absence.
  static let absencePrefix = "absence:"

  mutating func take(_ news: ZoneNews, of resident: ResidentID, _ step: inout Step) {
    switch news.change {
    case .left(let zone, let isExpected):
      findLeaving(zone, news, isExpected: isExpected, resident, &step)
    case .entered(let zone), .certain(let zone, isInside: true):
      settleArrival(in: zone, resident, &step)
    case .certain: break
    case .changed(let zone, let isRemoved, let zonesLeft):
      settleChange(of: zone, isRemoved: isRemoved, zonesLeft: zonesLeft, resident, &step)
    case .turned(let zone, let counts, let isInside, let isExpected):
      settleHours(
        of: zone, counts: counts, isInside: isInside, isExpected: isExpected, news, resident, &step)
    // Written after each start and from time to time: what an interrupted run left open ends here.
    case .recorded(let names):
      guard !news.isOutside, !names.isEmpty else { return }
      endOutside(resident, in: names.joined(separator: ", "), &step)
    }
  }

  private mutating func findLeaving(
    _ zone: ZoneNews.Zone, _ news: ZoneNews, isExpected: Bool, _ resident: ResidentID,
    _ step: inout Step
  ) {
    var causes: [String] = []
    if zone.alarmsOnLeaving { causes.append(leaving(zone)) }
    if news.isOutside, !isExpected { causes.append(Self.outside) }
    let known = openZoneAlarm(of: resident).map { state.alarms[$0].causes } ?? []
    let new = causes.filter { cause in
      cause == Self.outside ? !known.contains(where: Self.isOutside) : !known.contains(cause)
    }
    guard let first = new.first else { return }
    find(
      Signal.Finding(
        resident: resident, kind: .zone, cause: first, label: zone.name,
        explanation: news.explanation),
      &step)
    guard let index = openZoneAlarm(of: resident) else { return }
    state.alarms[index].causes += new.dropFirst()
  }

  // MARK: Planned absences

  /// That somebody is expected to be out ends an alarm only where a person says it now; what was planned before hides
  /// nothing that has happened.
  mutating func take(_ news: AbsenceNews, of resident: ResidentID, _ step: inout Step) {
    guard news.isOutside else { return }
    switch news.change {
    case .ended(let isOverdue): findOverdue(news, isOverdue: isOverdue, resident, &step)
    case .began(isAsked: true):
      relieve(.zone, resident, of: outsideCauses(of: resident), &step) { _ in
        .expectedOut(news.name, until: news.untilLocal)
      }
    case .began: break
    }
  }

  /// The resident is out, and nothing that was planned explains it any more.
  private mutating func findOverdue(
    _ news: AbsenceNews, isOverdue: Bool, _ resident: ResidentID, _ step: inout Step
  ) {
    guard outsideCauses(of: resident).isEmpty else { return }
    guard isOverdue else {
      let label = gettext("every safe zone", in: house.alarmLanguage(of: resident))
      return find(
        Signal.Finding(
          resident: resident, kind: .zone, cause: Self.outside, label: label,
          explanation: news.explanation),
        &step)
    }
    find(
      Signal.Finding(
        resident: resident, kind: .zone, cause: Self.absencePrefix + news.absence.rawValue,
        label: "\(news.untilLocal) \(news.name)", explanation: news.explanation),
      &step)
  }

  // MARK: Coming into a zone

  /// The resident is in a zone, by coming or because it was drawn around them.
  private mutating func settleArrival(
    in zone: ZoneNews.Zone, _ resident: ResidentID, _ step: inout Step
  ) {
    relieve(
      .zone, resident, of: outsideCauses(of: resident).union([leaving(zone)]), &step
    ) { label in label == zone.name ? .backInZone(zone.name) : .inZone(zone.name) }
  }

  private mutating func settleChange(
    of zone: ZoneNews.Zone, isRemoved: Bool, zonesLeft: Int, _ resident: ResidentID,
    _ step: inout Step
  ) {
    if isRemoved || !zone.alarmsOnLeaving {
      relieve(.zone, resident, of: [leaving(zone)], &step) { _ in
        isRemoved ? .zoneRemoved(zone.name) : .leavingAllowed(zone.name)
      }
    }
    guard zonesLeft == 0 else { return }
    relieve(.zone, resident, of: outsideCauses(of: resident), &step) { _ in .lastZoneRemoved }
  }

  /// The hours of a zone began or are over. What they find ends nothing that was found before: whoever is missing is
  /// missed until they are back.
  private mutating func settleHours(
    of zone: ZoneNews.Zone, counts: Bool, isInside: Bool, isExpected: Bool, _ news: ZoneNews,
    _ resident: ResidentID, _ step: inout Step
  ) {
    if counts, isInside { return settleArrival(in: zone, resident, &step) }
    if news.isOutside, !isExpected, outsideCauses(of: resident).isEmpty {
      find(
        Signal.Finding(
          resident: resident, kind: .zone, cause: Self.outside, label: zone.name,
          explanation: news.explanation),
        &step)
    }
  }

  private mutating func endOutside(
    _ resident: ResidentID?, in zones: String, _ step: inout Step
  ) {
    relieve(.zone, resident, of: outsideCauses(of: resident), &step) { _ in .inZone(zones) }
  }

  private func outsideCauses(of resident: ResidentID?) -> Set<String> {
    let known = openZoneAlarm(of: resident).map { state.alarms[$0].causes } ?? []
    return Set(known.filter(Self.isOutside))
  }

  private static func isOutside(_ cause: String) -> Bool {
    cause == outside || cause.hasPrefix(zonePrefix) || cause.hasPrefix(absencePrefix)
  }

  private func leaving(_ zone: ZoneNews.Zone) -> String { Self.leavingPrefix + zone.id.rawValue }

  private func openZoneAlarm(of resident: ResidentID?) -> Int? {
    state.alarms.firstIndex { $0.isOpen && $0.kind == .zone && $0.resident == resident }
  }
}
