public import Care
import JSON
public import Moments
import Texts

/// Decides what the tags around one resident mean: what is near, who is there, what was left behind.
///
/// Pure: the same inputs give the same outcomes. Of hearing it says near, in the room, away or unknown, and never a
/// distance. Memory is bounded: at most ``tagLimit`` tags and ``hearerLimit`` devices count, the first by id; sightings
/// of any other are ignored.
public struct TagWatch: Sendable {
  /// At most so many tags of one resident count.
  public static let tagLimit = 64
  /// At most so many devices that listen count.
  public static let hearerLimit = 16
  static let engine = ProximityLedger.engine

  var resident: Resident
  var settings: ProximitySettings
  var tags: [TagID: Tag] = [:]
  var hearers: TagHearers
  var records: [TagID: TagRecord] = [:]
  var session = ProximitySession()
  /// What was last said to tracking about each home tag.
  var verdicts = HomeVerdicts()
  var ledger: ProximityLedger
  var isClockTrusted = false
  /// When each tag's record changes by time alone.
  private var dues: [TagID: Tick] = [:]

  /// An engine for one resident.
  ///
  /// - Parameters:
  ///   - rows: the stored rows of engine `proximity` about this resident; empty for a new one.
  ///   - boot: the running boot; ticks in rows of another boot are not compared with its ticks.
  public init(
    resident: Resident, settings: ProximitySettings = ProximitySettings(), tags: [Tag],
    hearers: [TagHearer], rows: [EngineRow] = [], boot: BootID, at now: Moment
  ) {
    self.resident = resident
    self.settings = settings
    ledger = ProximityLedger(of: resident.id, boot: boot, at: now)
    self.hearers = TagHearers(hearers, at: now)
    self.tags = Self.bounded(tags, of: resident.id)
    restore(rows, at: now)
    dropStrangers(at: now)
    for id in records.keys { refreshDue(of: id) }
  }

  /// Takes one input and says what follows from it.
  ///
  /// Whatever was due before `now` happens first; a tag heard exactly at a deadline still counts.
  public mutating func handle(_ input: TagWatchInput, at now: Moment) -> Outcome {
    var outcome = Outcome()
    refineStamps(at: now)
    tellUnreadableRows(&outcome)
    if case .sighting = input {
      pass(until: Tick(nanoseconds: now.tick.nanoseconds &- 1), at: now, &outcome)
    } else {
      pass(until: now.tick, at: now, &outcome)
    }
    apply(input, at: now, &outcome)
    if case .sighting(let sighting) = input {
      refreshDue(of: sighting.tag)
    } else {
      dues = [:]
      for id in records.keys { refreshDue(of: id) }
    }
    judgeOuting(at: now, &outcome)
    outcome.changes += ledger.changes(to: records, session, at: now)
    return outcome
  }

  /// The full state; an engine made from it goes on where this one is.
  public var rows: [EngineRow] { ledger.rows(of: records, session) }

  /// When ``TagWatchInput/time`` is due; nil when nothing is waited for.
  public var nextWake: Tick? {
    let due = dues.values.min()
    guard let outing = outingDeadline else { return due }
    return min(due ?? outing, outing)
  }

  /// How close a tag is to any device that listens.
  public func presence(of tag: TagID) -> TagPresence { records[tag]?.told ?? .unknown }

  /// How close a tag is to the device that moves with the resident.
  public func presenceWithResident(of tag: TagID) -> TagPresence {
    records[tag]?.presence(at: hearers.isCarried) ?? .unknown
  }

  /// Whether somebody who cares is there; nil when that cannot be said.
  public var isCaregiverPresent: Bool? {
    let found = tags.values.filter { $0.kind == .caregiver }.map { presence(of: $0.id) }
    if found.contains(where: \.isHeard) { return true }
    return found.isEmpty || found.contains(.unknown) ? nil : false
  }

  private mutating func apply(
    _ input: TagWatchInput, at now: Moment, _ outcome: inout Outcome
  ) {
    switch input {
    case .sighting(let sighting): take(sighting, at: now, &outcome)
    case .time: break
    case .listening(let hearer, let isListening):
      listen(hearer, isListening, at: now, &outcome)
    case .outing(let isOut): turn(isOut: isOut, at: now, &outcome)
    case .tagsChanged(let changed):
      tags = Self.bounded(changed, of: resident.id)
      dropStrangers(at: now)
      settleAll(at: now, &outcome)
    case .hearersChanged(let changed):
      hearers.replace(changed)
      dropStrangers(at: now)
      settleAll(at: now, &outcome)
    case .settingsChanged(let changed): settings = changed
    case .residentChanged(let changed): resident = changed
    }
  }

  private mutating func pass(
    until limit: Tick, at now: Moment, _ outcome: inout Outcome
  ) {
    guard dues.values.contains(where: { $0 <= limit }) else { return }
    for id in dues.filter({ $0.value <= limit }).keys.sorted() {
      pass(id, until: limit, at: now, &outcome)
      refreshDue(of: id)
    }
  }

  private mutating func refreshDue(of id: TagID) { dues[id] = deadline(of: id) }

  // MARK: Tags and devices

  private static func bounded(_ list: [Tag], of resident: ResidentID) -> [TagID: Tag] {
    var found: [TagID: Tag] = [:]
    let mine = list.filter { $0.resident == resident }.sorted { $0.id < $1.id }
    for tag in mine where found[tag.id] != nil || found.count < tagLimit { found[tag.id] = tag }
    return found
  }

  private mutating func dropStrangers(at now: Moment) {
    for id in records.keys where tags[id] == nil {
      records[id] = nil
      verdicts.forget(id)
      ledger.touch(id)
    }
    for id in tags.keys where records[id] == nil {
      records[id] = TagRecord(at: now)
      ledger.touch(id)
    }
    session.listened = session.listened.filter { hearers.isKnown($0.key) }
    for (id, record) in records {
      for hearer in record.links.keys where !hearers.isKnown(hearer) {
        records[id]?.links[hearer] = nil
        ledger.touch(id)
      }
    }
  }

  private mutating func listen(
    _ hearer: SourceID, _ isListening: Bool, at now: Moment, _ outcome: inout Outcome
  ) {
    guard hearers.isKnown(hearer), isListening != (hearers.listens(hearer) != nil) else { return }
    if isListening {
      beginListening(hearer, at: now)
      return settleAll(at: now, &outcome)
    }
    hearers.end(hearer)
    session.listened[hearer] = nil
    for id in records.keys where records[id]?.links[hearer] != nil {
      records[id]?.links[hearer]?.stopListening()
      ledger.touch(id)
    }
    settleAll(at: now, &outcome)
  }

  mutating func beginListening(_ hearer: SourceID, at now: Moment) {
    hearers.begin(hearer, at: now)
    if session.listened[hearer] == nil { session.listened[hearer] = Stamp(now) }
  }

  private mutating func refineStamps(at now: Moment) {
    if now.quality.isTrusted, !isClockTrusted {
      mapStamps { $0.refine(at: now) }
      for id in records.keys { ledger.touch(id) }
    }
    isClockTrusted = now.quality.isTrusted
  }

  private mutating func restore(_ rows: [EngineRow], at now: Moment) {
    let found = ledger.read(rows)
    (records, session) = (found.records, found.session)
    for (id, record) in records {
      for hearer in record.links.keys { records[id]?.links[hearer]?.resume() }
    }
    session.isJudged = false
    if found.isOfOtherBoot {
      mapStamps { $0.rebase(to: now) }
      for id in records.keys { ledger.touch(id) }
    } else if found.hasSession {
      ledger.noteAsWritten(records, session)
    }
    let strangers = records.keys.filter { tags[$0] == nil }.sorted()
    for id in ledger.orphan(strangers) { records[id] = nil }
    isClockTrusted = now.quality.isTrusted && !hasOpenStamps
  }

  private var hasOpenStamps: Bool {
    var isOpen = false
    var copy = self
    copy.mapStamps { isOpen = isOpen || $0.isEstimated || !$0.quality.isTrusted }
    return isOpen
  }

  private mutating func tellUnreadableRows(_ outcome: inout Outcome) {
    let names = ledger.takeUnreadable()
    guard !names.isEmpty else { return }
    outcome.events.append(
      .unreadableRows(names, of: Self.engine, about: resident, in: settings.language))
  }

  private mutating func mapStamps(_ change: (inout Stamp) -> Void) {
    session.mapStamps(change)
    for id in records.keys { records[id]?.mapStamps(change) }
    hearers.mapStamps(change)
  }

  var events: TagEvents { TagEvents(resident: resident, settings: settings) }
}
