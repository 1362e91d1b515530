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

  mutating func noticeZone(_ draft: EventDraft, _ step: inout Step) {
    switch draft.type {
    case .zoneLeft: findLeaving(draft, &step)
    case .zoneEntered: settleArrival(draft, &step)
    case .zoneCertain:
      if text(draft, "presence") == "inside" { settleArrival(draft, &step) }
    case .zoneChanged: settleChange(draft, &step)
    // Written after each start and from time to time: what an interrupted run left open ends here.
    case .locationRecorded:
      let names = (draft.facts["zones"]?.arrayContent ?? []).compactMap(\.stringContent)
      if draft.facts["isOutside"]?.boolContent == false, !names.isEmpty {
        endOutside(draft.resident, in: names.joined(separator: ", "), &step)
      }
    default: break
    }
  }

  private mutating func findLeaving(_ draft: EventDraft, _ step: inout Step) {
    var causes: [String] = []
    if draft.facts["alarmOnLeaving"]?.boolContent == true { causes.append(leaving(draft)) }
    // Whatever does not say so is taken for the worse.
    let isOutside = draft.facts["isOutside"]?.boolContent ?? true
    let isExpected = draft.facts["isExpected"]?.boolContent ?? false
    if isOutside, !isExpected { causes.append(Self.outside) }
    let known = openZoneAlarm(of: draft.resident).map { state.alarms[$0].causes } ?? []
    let news = causes.filter { cause in
      cause == Self.outside ? !known.contains(where: Self.isOutside) : !known.contains(cause)
    }
    guard let first = news.first else { return }
    find(.zone, draft, first, text(draft, "zoneName"), &step)
    guard let index = openZoneAlarm(of: draft.resident) else { return }
    state.alarms[index].causes += news.dropFirst()
  }

  // MARK: Planned absences

  /// That somebody is expected to be out ends an alarm only where a person says it now; what was planned before hides
  /// nothing that has happened.
  mutating func noticeAbsence(_ draft: EventDraft, _ step: inout Step) {
    guard draft.facts["isOutside"]?.boolContent == true else { return }
    if draft.type == .absenceEnded { return findOverdue(draft, &step) }
    guard draft.facts["isAsked"]?.boolContent == true else { return }
    let (absence, time) = (text(draft, "absenceName"), text(draft, "untilLocal"))
    relieve(.zone, draft.resident, of: outsideCauses(of: draft.resident), &step) { _ in
      .expectedOut(absence, until: time)
    }
  }

  /// The resident is out, and nothing that was planned explains it any more.
  private mutating func findOverdue(_ draft: EventDraft, _ step: inout Step) {
    guard outsideCauses(of: draft.resident).isEmpty else { return }
    guard text(draft, "reason") == "overdue" else {
      let label = gettext("every safe zone", in: language(of: draft.resident))
      return find(.zone, draft, Self.outside, label, &step)
    }
    let label = "\(text(draft, "untilLocal")) \(text(draft, "absenceName"))"
    find(.zone, draft, Self.absencePrefix + text(draft, "absence"), label, &step)
  }

  // MARK: Coming into a zone

  /// The resident is in a zone, by coming or because it was drawn around them.
  private mutating func settleArrival(_ draft: EventDraft, _ step: inout Step) {
    let (zone, cause) = (text(draft, "zoneName"), leaving(draft))
    relieve(
      .zone, draft.resident, of: outsideCauses(of: draft.resident).union([cause]), &step
    ) { label in label == zone ? .backInZone(zone) : .inZone(zone) }
  }

  private mutating func settleChange(_ draft: EventDraft, _ step: inout Step) {
    let (zone, cause) = (text(draft, "zoneName"), leaving(draft))
    if draft.facts["alarmOnLeaving"]?.boolContent == false {
      let isRemoved = text(draft, "change") == "removed"
      relieve(.zone, draft.resident, of: [cause], &step) { _ in
        isRemoved ? .zoneRemoved(zone) : .leavingAllowed(zone)
      }
    }
    guard draft.facts["zonesLeft"]?.integerContent == 0 else { return }
    relieve(.zone, draft.resident, of: outsideCauses(of: draft.resident), &step) { _ in
      .lastZoneRemoved
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

  private func leaving(_ draft: EventDraft) -> String {
    Self.leavingPrefix + text(draft, "zone")
  }

  private func openZoneAlarm(of resident: ResidentID?) -> Int? {
    state.alarms.firstIndex { $0.isOpen && $0.kind == .zone && $0.resident == resident }
  }
}
