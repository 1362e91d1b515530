import Alarms
import Care
import CivilTime
import JSON
import Moments
import Texts
import Tracking

/// Nothing that protects somebody goes off in silence: who cares hears what, by whom, and how to undo it.
extension GatewayCore {
  /// What protected everybody before a command, as far as the command can take it away.
  struct GuardsBefore {
    var all: [ResidentID: Guards]
    var zone: SafeZone?
  }

  func guardsBefore(_ input: CoreInput) -> GuardsBefore? {
    guard case .command(let command) = input, Self.concernsGuards(command.request) else {
      return nil
    }
    return GuardsBefore(
      all: guards(command.request),
      zone: Self.zone(of: command.request).flatMap { directory.zones[$0] })
  }

  private static func concernsGuards(_ request: Command.Request) -> Bool {
    switch request {
    case .putResident, .eraseResident, .putZone, .removeZone, .putSetting, .setTracking,
      .putGuardian,
      .removeGuardian, .alarm(.setPIN), .putConsent:
      true
    case .putBookmark, .removeBookmark, .locate, .alarm, .room, .routine, .note,
      .glucose, .bluetooth, .absence:
      false
    }
  }

  private static func zone(of request: Command.Request) -> ZoneID? {
    switch request {
    case .putZone(let zone): zone.id
    case .removeZone(let id): id
    default: nil
    }
  }

  private func guards(_ request: Command.Request) -> [ResidentID: Guards] {
    directory.residents.mapValues { resident in
      let settings = directory.alarmSettings(of: resident.id)
      var on = Set<Protection>()
      if trackers[resident.id]?.isOn == true { on.insert(.tracking) }
      if resident.gpsSource != nil { on.insert(.receiver) }
      if !settings.isSilent { on.insert(.sound) }
      for kind in AlarmKind.allCases where settings.isRaised(kind) { on.insert(.alarm(kind)) }
      let guardians = directory.guardians(of: resident.id)
      if !guardians.isEmpty { on.insert(.guardians) }
      if Self.zone(of: request) != nil, !directory.zones(of: resident.id).isEmpty {
        on.insert(.zones)
      }
      var pins: [PINKind: String] = [:]
      for kind in PINKind.allCases { pins[kind] = alarms.pinHash(kind, of: resident.id) }
      return Guards(resident: resident, guardians: guardians, on: on, pins: pins)
    }
  }

  /// Finds out what a command took away or gave back, notes it as an event, and has those told who cared before.
  mutating func compareGuards(
    with before: GuardsBefore, _ input: CoreInput, at now: Moment, in step: inout Step
  ) {
    guard case .command(let command) = input else { return }
    let after = guards(command.request)
    for id in before.all.keys.sorted() {
      guard let old = before.all[id] else { continue }
      let who = speaker(of: command.principal, to: id)
      var changes: [ProtectionChange]
      if let new = after[id] {
        changes = new.changes(since: old, by: who)
        if let zone = before.zone, zone.resident == id {
          changes += change(of: zone, isLast: !new.on.contains(.zones), by: who)
        }
      } else {
        changes = [ProtectionChange(protection: .resident, isOn: false, who: who)]
      }
      // That something is there for the first time is no news.
      changes.removeAll { $0.isOn && !guardBook.knowsOff($0.protection, of: id) }
      guard !changes.isEmpty else { continue }
      note(changes, of: old, by: command.principal, isErased: after[id] == nil, at: now, in: &step)
    }
  }

  private func change(of old: SafeZone, isLast: Bool, by who: String) -> [ProtectionChange] {
    guard !isLast, let new = directory.zones[old.id],
      new.alarmsOnLeaving != old.alarmsOnLeaving
    else { return [] }
    return [
      ProtectionChange(
        protection: .zone(old.id), isOn: new.alarmsOnLeaving, label: new.name, who: who)
    ]
  }

  /// Who asked, as people know them: a guardian's name, or a user of this machine.
  private func speaker(of principal: Principal, to resident: ResidentID) -> String {
    let language = language(of: resident)
    switch principal.channel {
    case .local:
      return Message("{user} at the gateway", ["user": principal.name]).text(in: language)
    case .gateway: return Message("The gateway").text(in: language)
    case .plugin:
      let parts = principal.name.split(separator: "/", maxSplits: 1).map(String.init)
      let person = alarms.nameOfGuardian(String((parts.last ?? principal.name).prefix(200)))
      return "\(person) (\(parts.first ?? ""))"
    }
  }

  private mutating func note(
    _ changes: [ProtectionChange], of old: Guards, by principal: Principal, isErased: Bool,
    at now: Moment, in step: inout Step
  ) {
    let language = language(of: old.resident.id)
    var first: EventID?
    for change in changes {
      let id = newEventID(at: now)
      first = first ?? id
      // What stays of somebody who was erased names nobody.
      if isErased { continue }
      step.drafts.append(
        EventDraft(
          type: .protectionChanged, lane: change.isOn ? .record : .alarm,
          resident: old.resident.id,
          facts: .object([
            "protection": .string(change.protection.word), "isOn": .bool(change.isOn),
            "by": .string(principal.description),
            "explanation": .string(
              change.sentence(about: old.resident.name).text(in: language)),
            "undo": change.undoing(for: old.resident.id).map { .string($0.text(in: language)) },
          ]), id: id))
    }
    guard let first else { return }
    step.changes += guardBook.take(
      changes, of: old.resident, guardians: old.guardians, event: first, at: now)
  }

  // MARK: Telling

  /// Does what is due: gathered changes become messages, and messages go out.
  mutating func tellOfGuards(at now: Moment, in step: inout Step) {
    if let due = guardBook.nextWake, due <= now.tick {
      let (gatherings, changes) = guardBook.takeDue(at: now)
      step.changes += changes
      for gathering in gatherings { tell(gathering, at: now, in: &step) }
    }
    guard let due = notices.nextWake, due <= now.tick else { return }
    let (messages, changes) = notices.takeDue(at: now)
    step.changes += changes
    send(messages, in: &step)
  }

  mutating func send(_ messages: [AlarmMessage], in step: inout Step) {
    for message in messages {
      alarms.noteTold(message)
      step.actions.append(.notify(message))
    }
  }

  private mutating func tell(
    _ gathering: GuardBook.Gathering, at now: Moment, in step: inout Step
  ) {
    let id = gathering.resident.id
    var told: Set<String> = []
    for guardian in gathering.guardians {
      let own = guardian.language.flatMap(Language.init(tag:))
      let language = own ?? language(of: id)
      let what = gathering.changes.map {
        $0.sentence(about: gathering.resident.name).text(in: language)
      }.joined(separator: " ")
      let undo = gathering.changes.compactMap { $0.undoing(for: id)?.text(in: language) }
        .joined(separator: "\n")
      for (channel, address) in guardian.addresses where channel != .voice {
        guard told.insert("\(channel) \(address)").inserted else { continue }
        let text =
          channel == .sms ? NewsText.shortened(what) : [what, undo].joined(separator: "\n")
        step.changes += notices.put(
          AlarmMessage(
            alarm: AlarmID(gathering.event.rawValue), tag: "", notice: .news,
            guardian: guardian.id, channel: channel, address: address, attempt: 0,
            text: text, spokenText: what, language: language.rawValue,
            asksForAcknowledgement: false),
          isReserve: channel == .sms && hasQuieterWay(guardian, of: gathering.resident, at: now),
          at: now)
      }
    }
  }

  /// Whether it is night and a way that wakes nobody may reach a guardian.
  private func hasQuieterWay(_ guardian: Guardian, of resident: Resident, at now: Moment) -> Bool {
    let quiet = guardian.addresses.filter { ![.voice, .sms].contains($0.channel) }
    return isNight(for: resident, at: now) && quiet.contains { alarms.isOffered($0.channel) }
  }

  private func isNight(for resident: Resident, at now: Moment) -> Bool {
    if case .minutes = world(at: now).quiet(of: resident.id) { true } else { false }
  }
}
