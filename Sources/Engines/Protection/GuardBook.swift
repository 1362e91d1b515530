import Bytes
import Care
import JSON
import Moments

/// What of the residents' protection was taken away and has to be told, gathered for a moment, and what was told of it.
///
/// Somebody who changes three settings is told of once, and what is put right within seconds is not told at all.
struct GuardBook: Hashable, Sendable {
  /// What is about to be told of one resident.
  struct Gathering: Hashable, Sendable {
    var resident: Resident
    /// Those who cared before the first of the changes.
    var guardians: [Guardian]
    /// The event of the first change.
    let event: EventID
    var due: Stamp
    var changes: [ProtectionChange] = []
  }

  static let engine = "guards"
  private static let prefix = "gathering:"
  private static let toldName = "told"
  /// Milliseconds in which changes become one message.
  static let gatheringMilliseconds: Int64 = 3000
  /// Milliseconds between two messages about one resident.
  static let pauseMilliseconds: Int64 = 60_000

  private var gatherings: [ResidentID: Gathering] = [:]
  /// What guardians believe to be off.
  private var told: [ResidentID: Set<Safeguard>] = [:]
  private var lastTold: [ResidentID: Tick] = [:]
  private let boot: BootID

  init(rows: [EngineRow], boot: BootID, at now: Moment) {
    self.boot = boot
    for row in rows where row.engine == Self.engine {
      if row.name == Self.toldName {
        let words = row.content.arrayContent?.compactMap(\.stringContent) ?? []
        told[ResidentID(row.subject)] = Set(words.compactMap { Safeguard(word: $0) })
      } else if row.name.hasPrefix(Self.prefix),
        let gathering = try? Gathering(row: row, boot: boot, at: now)
      {
        gatherings[gathering.resident.id] = gathering
      }
    }
  }

  var nextWake: Tick? { gatherings.values.map(\.due.tick).min() }

  var rows: [EngineRow] {
    gatherings.keys.sorted().compactMap { gatherings[$0].map(row) }
      + told.keys.sorted().filter { told[$0]?.isEmpty == false }.map(toldRow)
  }

  /// Takes what changed for a resident; `guardians` are those of before.
  mutating func take(
    _ changes: [ProtectionChange], of resident: Resident, guardians: [Guardian], event: EventID,
    at now: Moment
  ) -> [StateChange] {
    let earliest = now.tick.advanced(byMilliseconds: Self.gatheringMilliseconds)
    let pause = lastTold[resident.id]?.advanced(byMilliseconds: Self.pauseMilliseconds)
    var due = Stamp(now)
    due.tick = max(earliest, pause ?? earliest)
    let known = gatherings[resident.id]
    var gathering =
      known
      ?? Gathering(
        resident: resident, guardians: guardians, event: event, due: due)
    for change in changes { add(change, to: &gathering) }
    for guardian in guardians where !gathering.guardians.contains(guardian) {
      gathering.guardians.append(guardian)
    }
    guard gathering != known else { return [] }
    guard !gathering.changes.isEmpty else {
      gatherings[resident.id] = nil
      return known == nil ? [] : [removal(of: gathering)]
    }
    gatherings[resident.id] = gathering
    return [.putEngineRow(row(gathering))]
  }

  /// Whether somebody heard, or is about to hear, that a protection is off.
  func knowsOff(_ protection: Safeguard, of resident: ResidentID) -> Bool {
    told[resident]?.contains(protection) == true
      || gatherings[resident]?.changes.contains { $0.protection == protection } == true
  }

  private func add(_ change: ProtectionChange, to gathering: inout Gathering) {
    let same = gathering.changes.firstIndex { $0.protection == change.protection }
    guard change.protection.isSwitch else {
      if let same { gathering.changes[same] = change } else { gathering.changes.append(change) }
      return
    }
    if let same {
      if gathering.changes[same].isOn != change.isOn { gathering.changes.remove(at: same) }
    } else if !change.isOn || told[gathering.resident.id]?.contains(change.protection) == true {
      gathering.changes.append(change)
    }
  }

  /// Takes out what is to be told now.
  mutating func takeDue(at now: Moment) -> (gatherings: [Gathering], changes: [StateChange]) {
    let due = gatherings.values.filter { $0.due.tick <= now.tick }
      .sorted { $0.resident.id < $1.resident.id }
    var changes: [StateChange] = []
    for gathering in due {
      let id = gathering.resident.id
      gatherings[id] = nil
      changes.append(removal(of: gathering))
      lastTold[id] = now.tick
      let isErased = gathering.changes.contains { $0.protection == .resident }
      let before = told[id] ?? []
      var after = before
      for change in gathering.changes where change.protection.isSwitch {
        if change.isOn { after.remove(change.protection) } else { after.insert(change.protection) }
      }
      if isErased { after = [] }
      guard after != before else { continue }
      told[id] = after.isEmpty ? nil : after
      if !isErased { changes.append(.putEngineRow(toldRow(id))) }
    }
    return (due, changes)
  }

  private func toldRow(_ resident: ResidentID) -> EngineRow {
    let words = (told[resident] ?? []).map(\.word).sorted()
    return EngineRow(
      engine: Self.engine, subject: resident.rawValue, name: Self.toldName,
      content: .array(words.map { .string($0) }))
  }

  private func row(_ gathering: Gathering) -> EngineRow {
    EngineRow(
      engine: Self.engine, subject: "gateway", name: Self.prefix + gathering.resident.id.rawValue,
      content: [
        "resident": gathering.resident.json,
        "guardians": .array(gathering.guardians.map(\.json)),
        "event": .string(gathering.event.rawValue), "due": gathering.due.json,
        "changes": .array(gathering.changes.map(\.json)), "boot": .string(boot.rawValue),
      ])
  }

  private func removal(of gathering: Gathering) -> StateChange {
    .removeEngineRow(
      engine: Self.engine, subject: "gateway",
      name: Self.prefix + gathering.resident.id.rawValue)
  }
}

extension GuardBook.Gathering {
  fileprivate init(row: EngineRow, boot: BootID, at now: Moment) throws(DecodeError) {
    let reader = try JSONReader(row.content)
    var due = try reader.stamp("due")
    if try reader.string("boot") != boot.rawValue { due = Stamp(now) }
    var guardians: [Guardian] = []
    for json in try reader.array("guardians") { guardians.append(try Guardian(json: json)) }
    var changes: [ProtectionChange] = []
    for json in try reader.array("changes") { changes.append(try ProtectionChange(json: json)) }
    self.init(
      resident: try Resident(json: reader.required("resident")), guardians: guardians,
      event: EventID(try reader.string("event")), due: due, changes: changes)
  }
}
