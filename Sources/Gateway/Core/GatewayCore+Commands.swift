import Absences
import Alarms
import Care
import FakeCall
import Glucose
import JSON
import Moments
import Notebook
import Proximity
import Reminders
import Texts
import Tracking

extension GatewayCore {
  /// Does what a command asks, or throws and leaves a copy behind that is thrown away.
  ///
  /// - Parameter sent: when it was asked, for what means whatever alarm is open.
  mutating func perform(
    _ command: Command, sent: Tick, at now: Moment, in step: inout Step
  ) throws(CommandReply.Refusal) -> JSONValue {
    let principal = command.principal
    switch command.request {
    case .putResident(let resident): return try put(resident, by: principal, at: now, in: &step)
    case .eraseResident(let id): return try erase(id, by: principal, at: now, in: &step)
    case .putZone(let zone): return try put(zone, by: principal, at: now, in: &step)
    case .removeZone(let id): return try removeZone(id, by: principal, at: now, in: &step)
    case .putBookmark(let bookmark): return try put(bookmark, by: principal, in: &step)
    case .removeBookmark(let id): return try removeBookmark(id, by: principal, in: &step)
    case .putSetting(let resident, let name, let content):
      return try putSetting(name, content, of: resident, by: principal, at: now, in: &step)
    case .setTracking(let id, let isOn):
      try directory.requireResident(id)
      if isOn { try requireConsent(.location, of: id) }
      advance(id, .switched(isOn: isOn), at: now, in: &step)
      return ["tracking": .bool(isOn)]
    case .locate(let id):
      try directory.requireResident(id)
      try requireConsent(.location, of: id)
      advance(id, .refreshRequested(by: principal), at: now, in: &step)
      return ["requested": true]
    case .putGuardian(let guardian):
      return try put(guardian, by: principal, at: now, in: &step)
    case .removeGuardian(let id):
      return try removeGuardian(id, by: principal, at: now, in: &step)
    case .alarm(let request):
      return try perform(request, command, sent: sent, at: now, in: &step)
    case .room(let request): return try perform(request, at: now, in: &step)
    case .routine(let request): return try perform(request, command, at: now, in: &step)
    case .note(let request): return try perform(request, command, at: now, in: &step)
    case .glucose(let request): return try perform(request, command, at: now, in: &step)
    case .bluetooth(let request): return try perform(request, command, at: now, in: &step)
    case .absence(let request): return try perform(request, command, at: now, in: &step)
    case .putConsent(let resident, let kind, let isGranted, let who):
      return try putConsent(
        Consent(
          resident: resident, kind: kind, isGranted: isGranted, by: who, at: now.utc,
          principal: principal.description), at: now, in: &step)
    }
  }

  // MARK: Residents

  private mutating func put(
    _ resident: Resident, by principal: Principal, at now: Moment, in step: inout Step
  ) throws(CommandReply.Refusal) -> JSONValue {
    try requireReceiver(of: resident)
    try directory.put(resident)
    if trackers[resident.id] == nil {
      trackers[resident.id] = makeTracker(for: resident, rows: [], at: now)
      proximities[resident.id] = makeProximity(for: resident, rows: [], at: now)
    }
    step.changes.append(.putResident(resident))
    advance(resident.id, .residentChanged(resident), at: now, in: &step)
    advance(proximityOf: resident.id, .residentChanged(resident), at: now, in: &step)
    advanceAlarms(.residentsChanged(directory.sortedResidents), at: now, in: &step)
    advanceReminders(.residentsChanged(directory.sortedResidents), at: now, in: &step)
    advanceNotebook(.circumstancesChanged, at: now, in: &step)
    advanceGlucose(.circumstancesChanged, at: now, in: &step)
    advanceAbsences(at: now, in: &step)
    step.note("resident.put", resident.id.rawValue, of: resident.id, by: principal, resident.json)
    return ["id": .string(resident.id.rawValue)]
  }

  /// Who is to be followed by a receiver that nobody configured would be followed by nothing.
  private func requireReceiver(of resident: Resident) throws(CommandReply.Refusal) {
    guard let source = resident.gpsSource, let known = configuration.receivers,
      !known.contains(source), directory.residents[resident.id]?.gpsSource != source
    else { return }
    guard !known.words.isEmpty else {
      throw CommandReply.Refusal(
        .unknownTarget,
        Message(
          "There is no receiver \"{source}\": none is configured. Add it under gps in the configuration first.",
          ["source": source]))
    }
    throw CommandReply.Refusal(
      .unknownTarget,
      Message(
        "There is no receiver \"{source}\". Configured are: {sources}.",
        ["source": source, "sources": known.words.joined(separator: ", ")]))
  }

  private mutating func erase(
    _ id: ResidentID, by principal: Principal, at now: Moment, in step: inout Step
  ) throws(CommandReply.Refusal) -> JSONValue {
    try directory.erase(id)
    trackers[id] = nil
    proximities[id] = nil
    bluetooth.erase(id)
    absences.erase(id)
    homes.erase(id)
    advanceAlarms(.guardiansChanged(directory.sortedGuardians), at: now, in: &step)
    advanceAlarms(.residentsChanged(directory.sortedResidents), at: now, in: &step)
    advanceReminders(.residentsChanged(directory.sortedResidents), at: now, in: &step)
    if fakeCall.resident == id, let ended = try? fakeCall.handle(.end, at: now) {
      // What is told of the resident would outlive them; the sound ends all the same.
      step.actions += ended.actions
      step.changes += ended.changes
    }
    step.take(notebook.erase(id))
    glucose.erase(id)
    consents.erase(id)
    step.changes.append(.eraseResident(id))
    let event = newEventID(at: now)
    step.drafts.append(
      EventDraft(
        type: .residentErased, lane: .record, resident: nil,
        facts: [
          // An id may be a name, and this event stays: only who knows the id already can tell whose it was.
          "erased": .string(id.digest(in: event)), "by": .string(principal.description),
          "explanation": say(Message("A resident was erased with everything known about them.")),
        ], id: event))
    return ["erased": .string(id.rawValue)]
  }

  // MARK: Zones

  private mutating func put(
    _ zone: SafeZone, by principal: Principal, at now: Moment, in step: inout Step
  ) throws(CommandReply.Refusal) -> JSONValue {
    let old = try directory.put(zone)
    step.changes.append(.putZone(zone))
    step.changes += homes.note(old, becomes: zone)
    if zone.isHome { clearOtherHomes(than: zone, in: &step) }
    step.note("zone.put", zone.id.rawValue, of: zone.resident, by: principal, zone.json)
    advance(zone.resident, .zonesChanged(directory.zones(of: zone.resident)), at: now, in: &step)
    if let change = ZoneChange(from: old, to: zone) {
      tell(change, of: zone, by: principal, in: &step)
    }
    return ["id": .string(zone.id.rawValue)]
  }

  /// A resident has one home: the zone marked last.
  private mutating func clearOtherHomes(than home: SafeZone, in step: inout Step) {
    for var other in directory.zones(of: home.resident) where other.isHome && other.id != home.id {
      step.changes += homes.note(other, becomes: nil)
      other.isHome = false
      _ = try? directory.put(other)
      step.changes.append(.putZone(other))
    }
  }

  private mutating func removeZone(
    _ id: ZoneID, by principal: Principal, at now: Moment, in step: inout Step
  ) throws(CommandReply.Refusal) -> JSONValue {
    let zone = try directory.removeZone(id)
    step.changes.append(.removeZone(id))
    step.changes += homes.note(zone, becomes: nil)
    step.note("zone.remove", id.rawValue, of: zone.resident, by: principal, zone.json)
    advance(zone.resident, .zonesChanged(directory.zones(of: zone.resident)), at: now, in: &step)
    tell(.removed, of: zone, by: principal, in: &step)
    return ["removed": .string(id.rawValue)]
  }

  /// Tells every caregiver that somebody changed where the resident counts as safe, and whether they are outside now.
  private func tell(
    _ change: ZoneChange, of zone: SafeZone, by principal: Principal, in step: inout Step
  ) {
    let who = principal.name.isEmpty ? principal.description : principal.name
    let sentence = change.sentence([
      "who": who, "name": name(of: zone.resident), "zone": zone.name,
    ])
    step.drafts.append(
      EventDraft(
        // A further safe place is news, and never a danger.
        type: .zoneChanged, lane: change == .added ? .record : .alarm, resident: zone.resident,
        facts: [
          "severity": "notice", "zone": .string(zone.id.rawValue),
          "zoneName": .string(zone.name), "change": .string(change.rawValue),
          "alarmOnLeaving": .bool(change != .removed && zone.alarmsOnLeaving),
          "zonesLeft": .integer(Int64(directory.zones(of: zone.resident).count)),
          "isOutside": .bool(trackers[zone.resident]?.isOutside ?? false),
          "by": .string(principal.description), "isRemote": .bool(principal.channel == .plugin),
          "explanation": .string(
            sentence.text(in: language(of: zone.resident))),
        ],
        signal: .zone(
          ZoneNews(
            .changed(
              ZoneNews.Zone(zone), isRemoved: change == .removed,
              zonesLeft: directory.zones(of: zone.resident).count),
            isOutside: trackers[zone.resident]?.isOutside ?? false), of: zone.resident)))
  }

  private func name(of resident: ResidentID) -> String {
    directory.residents[resident]?.name ?? resident.rawValue
  }

  // MARK: Bookmarks

  private mutating func put(
    _ bookmark: Bookmark, by principal: Principal, in step: inout Step
  ) throws(CommandReply.Refusal) -> JSONValue {
    try directory.put(bookmark)
    step.changes.append(.putBookmark(bookmark))
    step.note(
      "bookmark.put", bookmark.id.rawValue, of: bookmark.resident, by: principal, bookmark.json)
    return ["id": .string(bookmark.id.rawValue)]
  }

  private mutating func removeBookmark(
    _ id: BookmarkID, by principal: Principal, in step: inout Step
  ) throws(CommandReply.Refusal) -> JSONValue {
    let bookmark = try directory.removeBookmark(id)
    step.changes.append(.removeBookmark(id))
    step.note("bookmark.remove", id.rawValue, of: bookmark.resident, by: principal, bookmark.json)
    return ["removed": .string(id.rawValue)]
  }

  // MARK: Settings

  private mutating func putSetting(
    _ name: String, _ content: JSONValue, of resident: ResidentID, by principal: Principal,
    at now: Moment, in step: inout Step
  ) throws(CommandReply.Refusal) -> JSONValue {
    try directory.requireResident(resident)
    try checkSetting(name, content, of: resident)
    directory.putSetting(resident, name, content)
    step.changes.append(
      content == .null
        ? .removeSetting(resident: resident, name: name)
        : .putSetting(resident: resident, name: name, value: content))
    step.note(
      "setting.put", name, of: resident, by: principal, ["name": .string(name), "value": content])
    if TrackingSettings.names.contains(name) || name == "language" {
      advance(resident, .settingsChanged(settings(of: resident)), at: now, in: &step)
    }
    if ProximitySettings.names.contains(name) || name == "language" {
      let settings = proximitySettings(of: resident)
      advance(proximityOf: resident, .settingsChanged(settings), at: now, in: &step)
    }
    if !TrackingSettings.names.contains(name) {
      let settings = directory.settings[resident] ?? [:]
      advanceAlarms(.settingsChanged(resident, settings), at: now, in: &step)
      advanceReminders(.settingsChanged(resident, settings), at: now, in: &step)
      advanceNotebook(.circumstancesChanged, at: now, in: &step)
      advanceGlucose(.settingsChanged(resident, settings), at: now, in: &step)
    }
    return ["name": .string(name), "value": settingInForce(name, of: resident)]
  }
}

/// How a zone changed, as far as safety is concerned.
enum ZoneChange: String {
  case added, shrunk, enlarged, moved, removed
  case marginChanged = "margin-changed"
  case alarmOnLeaving = "alarm-on-leaving"
  case noAlarmOnLeaving = "no-alarm-on-leaving"

  /// The most telling difference, or nil when only words changed.
  init?(from old: SafeZone?, to new: SafeZone) {
    guard let old else {
      self = .added
      return
    }
    if old.center != new.center {
      self = .moved
    } else if new.radiusMeters < old.radiusMeters {
      self = .shrunk
    } else if new.radiusMeters > old.radiusMeters {
      self = .enlarged
    } else if new.exitMarginMeters != old.exitMarginMeters {
      self = .marginChanged
    } else if old.alarmsOnLeaving != new.alarmsOnLeaving {
      self = new.alarmsOnLeaving ? .alarmOnLeaving : .noAlarmOnLeaving
    } else {
      return nil
    }
  }

  /// Who changed where somebody counts as safe, and how.
  func sentence(_ values: Message.Values) -> Message {
    switch self {
    case .added:
      Message("{who} changed where {name} counts as safe: the zone {zone} was added.", values)
    case .shrunk:
      Message(
        "{who} changed where {name} counts as safe: the zone {zone} was made smaller.", values)
    case .enlarged:
      Message("{who} changed where {name} counts as safe: the zone {zone} was made larger.", values)
    case .moved:
      Message("{who} changed where {name} counts as safe: the zone {zone} was moved.", values)
    case .removed:
      Message("{who} changed where {name} counts as safe: the zone {zone} was removed.", values)
    case .marginChanged:
      Message(
        "{who} changed where {name} counts as safe: the zone {zone} was given another margin.",
        values)
    case .alarmOnLeaving:
      Message("{who} changed the zone {zone}: leaving it is an alarm for {name} each time.", values)
    case .noAlarmOnLeaving:
      Message(
        "{who} changed the zone {zone}: {name} may leave it for another safe zone without alarm.",
        values)
    }
  }
}

extension Step {
  /// Notes that a command changed something, for backends and other caregivers.
  mutating func note(
    _ action: String, _ target: String, of resident: ResidentID, by principal: Principal,
    _ content: JSONValue
  ) {
    drafts.append(
      EventDraft(
        type: .recordChanged, lane: .record, resident: resident,
        facts: [
          "action": .string(action), "target": .string(target),
          "by": .string(principal.description), "content": content,
        ]))
  }
}
