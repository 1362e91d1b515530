import Care
import CivilTime
import JSON
import Moments
import Recurrence
import Texts

/// The residents as the routine needs them: how they are reminded, by which clock they live, and what is said in their language.
struct Household: Sendable {
  private var house: House
  private var settings: [ResidentID: ReminderSettings]

  init(_ house: House) {
    self.house = house
    settings = Self.settings(in: house)
  }

  /// Knows the house as it is now.
  mutating func meet(_ house: House) {
    guard house.version != self.house.version else { return }
    self.house = house
    settings = Self.settings(in: house)
  }

  private static func settings(in house: House) -> [ResidentID: ReminderSettings] {
    house.residents.mapValues { house.settings(ReminderSettings.self, of: $0.id) }
  }

  var residents: [ResidentID: Resident] { house.residents }
  /// The zones whose rules are known on this machine, by name.
  var timeZones: [String: CivilTimeZone] { house.timeZones }

  // MARK: How they are reminded

  /// The settings that hold for an item.
  func timing(of item: RoutineItem) -> ReminderSettings {
    (settings[item.resident] ?? ReminderSettings()).timing(of: item)
  }

  /// When an item is due by its own rule.
  func times(of item: RoutineItem) -> ItemTimes {
    ItemTimes(item.schedule, zones: house.timeZones)
  }

  /// How the due times of an item give way to the quiet hours of its resident; nil where there are none.
  func quietTimes(of item: RoutineItem) -> QuietTimes? {
    let timing = timing(of: item)
    guard let hours = DailyHours(timing.quietHours) else { return nil }
    let home = house.residents[item.resident]?.timeZone ?? "UTC"
    let own = item.schedule.timeZone ?? home
    let zone = house.timeZones[home] ?? house.timeZones[own]
    return QuietTimes(
      rule: QuietTimes.Rule(hours: hours, policy: item.quietPolicy, zone: zone?.name ?? home),
      zone: zone)
  }

  // MARK: What is said

  /// A sentence in the language of a resident, as a fact.
  func say(_ words: Message, to resident: ResidentID) -> JSONValue {
    .string(words.text(in: house.language(of: resident)))
  }

  /// The name that people know a resident by.
  func name(of resident: ResidentID) -> String {
    house.residents[resident]?.name ?? resident.rawValue
  }

  /// What is spoken to a resident.
  func sentences(of resident: ResidentID) -> ReminderSentences {
    ReminderSentences(language: house.language(of: resident), name: name(of: resident))
  }
}

// MARK: Local time

extension Household {
  /// What the clock on the resident's wall shows; the item's own zone where theirs is not known.
  private func localTime(of item: RoutineItem, at utc: Timestamp) -> LocalTime? {
    let home = house.residents[item.resident].flatMap { house.timeZones[$0.timeZone] }
    return (home ?? item.schedule.timeZone.flatMap { house.timeZones[$0] })?.local(at: utc)
  }

  /// The time of day on the resident's wall: `08:00`.
  func clockText(_ utc: Timestamp, _ item: RoutineItem) -> String? {
    localTime(of: item, at: utc).map { String($0.civil.iso8601Time.prefix(5)) }
  }

  /// A moment in the item's own zone, with its offset: `2026-03-29T03:30:00+02:00`.
  func localText(_ utc: Timestamp, of item: RoutineItem) -> String? {
    let zone = item.schedule.timeZone ?? house.residents[item.resident]?.timeZone
    guard let local = zone.flatMap({ house.timeZones[$0] })?.local(at: utc) else { return nil }
    let minutes = local.offsetSeconds.magnitude / 60
    let sign = local.offsetSeconds < 0 ? "-" : "+"
    func two(_ number: UInt) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return
      "\(local.civil.iso8601Date)T\(local.civil.iso8601Time)\(sign)\(two(minutes / 60)):\(two(minutes % 60))"
  }

  /// A moment as people read it: `2026-11-20 18:00`.
  func spoken(_ utc: Timestamp, _ item: RoutineItem) -> String {
    guard let text = localText(utc, of: item) else { return utc.iso8601 }
    return "\(text.prefix(10)) \(text.dropFirst(11).prefix(5))"
  }

  /// When the item's own times say a due time, where quiet hours moved it.
  func ownTime(of occurrence: Occurrence, _ item: RoutineItem) -> Timestamp {
    switch item.schedule {
    case .calendar(let calendar):
      guard let local = try? CivilDateTime(localText: occurrence.slot),
        let zone = house.timeZones[calendar.timeZone]
      else { return occurrence.due }
      return zone.instant(of: local)
    case .elapsed: return (try? Timestamp(iso8601: occurrence.slot)) ?? occurrence.due
    case .never, .asNeeded: return occurrence.due
    }
  }

  /// The day on which something of a resident is counted, in days since 1970.
  func localDay(of resident: ResidentID, at utc: Timestamp) -> Int64 {
    let zone = house.residents[resident]?.timeZone
    let local = zone.flatMap { house.timeZones[$0] }?.local(at: utc).civil
    return (local ?? CivilDateTime(utc: utc)).daysSinceEpoch
  }
}
