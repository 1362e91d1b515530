import Alarms
public import Care
public import CivilTime
import Glucose
public import JSON
import Moments
import Proximity
import Texts
import Tracking

extension GatewayCore {
  // MARK: Tags and meters

  mutating func perform(
    _ request: BluetoothRequest, _ command: Command, at now: Moment, in step: inout Step
  ) throws(CommandReply.Refusal) -> JSONValue {
    let principal = command.principal
    switch request {
    case .putTag(let tag, let identities):
      try check(tag)
      step.changes += try bluetooth.put(
        tag, identities: identities, atMost: ProximityEngine.tagLimit)
      step.note("tag.put", tag.id.rawValue, of: tag.resident, by: principal, tag.json)
      tagsChanged(of: tag.resident, at: now, in: &step)
      return ["id": .string(tag.id.rawValue)]
    case .removeTag(let id):
      let (tag, changes) = try bluetooth.removeTag(id)
      step.changes += changes
      step.note("tag.remove", id.rawValue, of: tag.resident, by: principal, tag.json)
      tagsChanged(of: tag.resident, at: now, in: &step)
      return ["removed": .string(id.rawValue)]
    case .putMeter(let meter):
      try directory.requireResident(meter.resident)
      try Validation.name(meter.name)
      step.changes += try bluetooth.put(meter)
      step.note("meter.put", meter.address.written, of: meter.resident, by: principal, meter.json)
      return ["id": .string(meter.address.written)]
    case .removeMeter(let address):
      let (meter, changes) = try bluetooth.removeMeter(address)
      step.changes += changes
      step.note(
        "meter.remove", address.written, of: meter.resident, by: principal, meter.json)
      return ["removed": .string(address.written)]
    }
  }

  private func check(_ tag: Tag) throws(CommandReply.Refusal) {
    try Validation.id(tag.id.rawValue, of: "tag")
    try Validation.name(tag.name)
    try directory.requireResident(tag.resident)
    if let zone = tag.zone {
      guard let found = directory.zones[zone], found.resident == tag.resident else {
        throw Directory.unknown("zone", zone)
      }
      guard tag.kind == .home else {
        throw CommandReply.Refusal(
          .invalid, Message("Only a tag of kind home stands in a zone. Leave the zone out."))
      }
    }
    if let room = tag.room {
      try Validation.name(room)
      guard tag.kind == .room else {
        throw CommandReply.Refusal(
          .invalid, Message("Only a tag of kind room stands in a room. Leave the room out."))
      }
    }
  }

  /// Whom a request about tags or meters concerns; nil when it names what is not known.
  func resident(concernedBy request: BluetoothRequest) -> ResidentID? {
    switch request {
    case .putTag(let tag, _): tag.resident
    case .removeTag(let id): bluetooth.tags[id]?.resident
    case .putMeter(let meter): meter.resident
    case .removeMeter(let address): bluetooth.meters[address]?.resident
    }
  }

  // MARK: Proximity

  func makeProximity(for resident: Resident, rows: [EngineRow], at now: Moment) -> ProximityEngine {
    ProximityEngine(
      resident: resident, settings: proximitySettings(of: resident.id),
      tags: bluetooth.tags(of: resident.id), hearers: configuration.hearers, rows: rows,
      boot: boot, at: now)
  }

  /// The numbers that a resident's proximity is judged by.
  func proximitySettings(of resident: ResidentID) -> ProximitySettings {
    var settings = ProximitySettings()
    for (name, content) in (directory.settings[resident] ?? [:]).sorted(by: { $0.key < $1.key }) {
      // All were checked when they came; one that a later version no longer allows leaves the default in force.
      try? settings.set(name, to: content)
    }
    settings.language = language(of: resident)
    return settings
  }

  private mutating func tagsChanged(
    of resident: ResidentID, at now: Moment, in step: inout Step
  ) {
    advance(proximityOf: resident, .tagsChanged(bluetooth.tags(of: resident)), at: now, in: &step)
  }

  /// Lets a resident's proximity take an input; what home tags say reaches tracking in the same step.
  mutating func advance(
    proximityOf id: ResidentID, _ input: ProximityInput, at now: Moment, in step: inout Step
  ) {
    guard let outcome = proximities[id]?.handle(input, at: now) else { return }
    step.take(outcome)
    for case .homeTag(let verdict, let resident) in outcome.signals {
      advance(resident, .homeTag(verdict), at: now, in: &step)
    }
  }

  mutating func take(_ sighting: TagSighting, at now: Moment, in step: inout Step) {
    guard let tag = bluetooth.tags[sighting.tag] else { return }
    advance(proximityOf: tag.resident, .sighting(sighting), at: now, in: &step)
  }

  mutating func take(_ report: MeterReport, at now: Moment, in step: inout Step) {
    guard let meter = bluetooth.meters[report.meter] else { return }
    let mine = report.readings.filter { $0.resident == meter.resident && $0.source == .meter }
    if !mine.isEmpty { advanceGlucose(.received(mine), at: now, in: &step) }
    for showing in report.beyondRange {
      advanceGlucose(
        .beyondRange(showing.end, meter.resident, time: showing.time, origin: meter.name),
        at: now, in: &step)
    }
    if let change = bluetooth.setBookmark(report.bookmark, of: report.meter) {
      step.changes.append(change)
    }
  }

  // MARK: Views

  /// What is known of the tags of a resident, or of all when nil.
  public func tagSummaries(of resident: ResidentID?) -> [JSONValue] {
    let wanted = resident.map { [$0] } ?? proximities.keys.sorted()
    return wanted.flatMap { id -> [JSONValue] in
      guard let summary = proximities[id]?.summary else { return [] }
      return (summary["tags"]?.arrayContent ?? []).map { tag in
        let known = tag["tag"]?.stringContent.flatMap { bluetooth.identities[TagID($0)] } ?? []
        // As people may see them: keys stay hidden.
        return tag.setting("resident", to: .string(id.rawValue)).setting(
          "identities", to: .array(known.map { .string($0.description) }))
      }
    }
  }

  /// Each tag as it was put; nil when there is none of that id.
  public func tag(_ id: TagID) -> Tag? { bluetooth.tags[id] }

  /// Every tag with all that it is known by, keys included, and the seconds of silence after which it is away: for whoever
  /// listens.
  public var knownTags: [(id: TagID, identities: [TagIdentity], awaySeconds: Int64)] {
    bluetooth.tags.sorted { $0.key < $1.key }.map { id, tag in
      (id, bluetooth.identities[id] ?? [], tag.awaySeconds ?? tag.kind.usualAwaySeconds)
    }
  }

  /// Every meter, how far it has been fetched, and the zone that its resident lives by.
  public var knownMeters: [(meter: GlucoseMeter, bookmark: JSONValue?, zone: CivilTimeZone?)] {
    bluetooth.meters.sorted { $0.key < $1.key }.compactMap { address, meter in
      directory.residents[meter.resident].map {
        (meter, bluetooth.bookmarks[address], directory.timeZones[$0.timeZone])
      }
    }
  }
}
