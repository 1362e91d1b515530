import Care
import Texts

/// What zones and absences mean to the alarm about the zones of a resident.
///
/// Leaving one safe zone for another is no danger: the alarm is about being outside of all of them, and being in any of
/// them ends it. A zone whose owner wants to know of every leaving has a cause of its own, which ends where it began.
struct ZoneCauses {
  /// What follows from news.
  enum Verdict {
    /// There is an alarm, for this and for other causes beside it.
    case found(Signal.Finding, beside: [String])
    /// Causes are none any more; with which words the alarm ends follows from its label.
    case over(Set<String>, (String) -> Closing)
  }

  /// The resident is outside of every safe zone.
  private static let outside = "outside"
  /// A cause of an alarm that an earlier version raised, one for each zone.
  private static let zonePrefix = "zone:"
  private static let leavingPrefix = "leaving:"
  /// The resident is outside of every safe zone, and was expected back from an absence.
  private static let absencePrefix = "absence:"

  private let resident: ResidentID
  /// The causes of the alarm that is open.
  private let known: [String]

  init(_ known: [String], of resident: ResidentID) {
    self.known = known
    self.resident = resident
  }

  /// Whether one of some causes is that somebody was expected back and did not come.
  static func isOverdue(_ causes: [String]) -> Bool {
    causes.contains { $0.hasPrefix(absencePrefix) }
  }

  private static func isOutside(_ cause: String) -> Bool {
    cause == outside || cause.hasPrefix(zonePrefix) || cause.hasPrefix(absencePrefix)
  }

  private var outsideCauses: Set<String> { Set(known.filter(Self.isOutside)) }

  private func leaving(_ zone: ZoneNews.Zone) -> String { Self.leavingPrefix + zone.id.rawValue }

  private func found(
    _ cause: String, _ label: String, _ explanation: String, beside: [String] = []
  ) -> Verdict {
    .found(
      Signal.Finding(
        resident: resident, kind: .zone, cause: cause, label: label, explanation: explanation),
      beside: beside)
  }

  // MARK: Zones

  /// What follows from news about zones, in this order.
  func verdicts(on news: ZoneNews) -> [Verdict] {
    switch news.change {
    case .left(let zone, let isExpected): leaving(zone, news, isExpected: isExpected)
    case .entered(let zone), .certain(let zone, isInside: true): [arrival(in: zone)]
    case .certain: []
    case .changed(let zone, let isRemoved, let zonesLeft):
      change(of: zone, isRemoved: isRemoved, zonesLeft: zonesLeft)
    case .turned(let zone, let counts, let isInside, let isExpected):
      hours(of: zone, news, counts: counts, isInside: isInside, isExpected: isExpected)
    // Written after each start and from time to time: what an interrupted run left open ends here.
    case .recorded(let names):
      news.isOutside || names.isEmpty
        ? [] : [.over(outsideCauses) { _ in .inZone(names.joined(separator: ", ")) }]
    }
  }

  private func leaving(
    _ zone: ZoneNews.Zone, _ news: ZoneNews, isExpected: Bool
  ) -> [Verdict] {
    var causes: [String] = []
    if zone.alarmsOnLeaving { causes.append(leaving(zone)) }
    if news.isOutside, !isExpected { causes.append(Self.outside) }
    let new = causes.filter { cause in
      cause == Self.outside ? !known.contains(where: Self.isOutside) : !known.contains(cause)
    }
    guard let first = new.first else { return [] }
    return [found(first, zone.name, news.explanation, beside: Array(new.dropFirst()))]
  }

  /// The resident is in a zone, by coming or because it was drawn around them.
  private func arrival(in zone: ZoneNews.Zone) -> Verdict {
    .over(outsideCauses.union([leaving(zone)])) { label in
      label == zone.name ? .backInZone(zone.name) : .inZone(zone.name)
    }
  }

  private func change(
    of zone: ZoneNews.Zone, isRemoved: Bool, zonesLeft: Int
  ) -> [Verdict] {
    var verdicts: [Verdict] = []
    if isRemoved || !zone.alarmsOnLeaving {
      verdicts.append(
        .over([leaving(zone)]) { _ in
          isRemoved ? .zoneRemoved(zone.name) : .leavingAllowed(zone.name)
        })
    }
    if zonesLeft == 0 { verdicts.append(.over(outsideCauses) { _ in .lastZoneRemoved }) }
    return verdicts
  }

  /// The hours of a zone began or are over. What they find ends nothing that was found before: whoever is missing is
  /// missed until they are back.
  private func hours(
    of zone: ZoneNews.Zone, _ news: ZoneNews, counts: Bool, isInside: Bool, isExpected: Bool
  ) -> [Verdict] {
    if counts, isInside { return [arrival(in: zone)] }
    guard news.isOutside, !isExpected, outsideCauses.isEmpty else { return [] }
    return [found(Self.outside, zone.name, news.explanation)]
  }

  // MARK: Planned absences

  /// What follows from news about absences.
  ///
  /// That somebody is expected to be out ends an alarm only where a person says it now; what was planned before hides
  /// nothing that has happened.
  func verdict(on news: AbsenceNews, in house: House) -> Verdict? {
    guard news.isOutside else { return nil }
    switch news.change {
    case .ended(let isOverdue): return overdue(news, isOverdue: isOverdue, in: house)
    case .began(isAsked: true):
      return .over(outsideCauses) { _ in .expectedOut(news.name, until: news.untilLocal) }
    case .began: return nil
    }
  }

  /// The resident is out, and nothing that was planned explains it any more.
  private func overdue(_ news: AbsenceNews, isOverdue: Bool, in house: House) -> Verdict? {
    guard outsideCauses.isEmpty else { return nil }
    guard isOverdue else {
      let label = gettext("every safe zone", in: house.alarmLanguage(of: resident))
      return found(Self.outside, label, news.explanation)
    }
    return found(
      Self.absencePrefix + news.absence.rawValue, "\(news.untilLocal) \(news.name)",
      news.explanation)
  }
}
