public import Care
import JSON
public import Moments
import Texts

/// Nothing that protects somebody goes off in silence: who cares hears what, by whom, and how to undo it. And guardians
/// hear of everyday life what the resident's settings and consent allow.
public struct ProtectionEngine: Engine {
  /// News, what became of messages, and what it all came to.
  public static var hears: InputKinds { [.arranged, .started, .time, .ways, .signals, .settled] }

  /// What protected everybody before what is being asked.
  private struct Before {
    var guards: [ResidentID: Guards]
    var zones: [ZoneID: SafeZone]
  }

  private var before = Before(guards: [:], zones: [:])
  /// What was taken away and is to be told.
  private var book: GuardBook
  /// What guardians must hear without an alarm.
  private var notices: NoticeDesk

  /// An engine over what is stored: the rows of engine `guards`.
  public init(stored: StoredState, seed: UInt64, in world: World) {
    book = GuardBook(rows: stored.engineRows, boot: world.boot, at: world.now)
    notices = NoticeDesk(rows: stored.engineRows, boot: world.boot, at: world.now)
  }

  /// When ``Input/time`` is due; nil when nothing is waited for.
  public var nextWake: Tick? { .soonest(book.nextWake, notices.nextWake) }

  /// What it has to see of others to take an input.
  public func sees(for input: Input) -> World.Views {
    switch input {
    case .arranged: [.tracked, .reachability]
    case .settled(after: .command(let command)) where Self.concernsGuards(command.request):
      [.tracked, .reachability]
    case .time: [.reachability]
    default: []
    }
  }

  /// Takes one input; nil where it is none of its business.
  public mutating func handle(
    _ input: Input, in world: World
  ) throws(CommandReply.Refusal) -> Outcome? {
    switch input {
    case .arranged:
      before = Before(guards: Self.guards(in: world), zones: world.house.zones)
      return nil
    case .started:
      var outcome = Outcome()
      send(notices.resume(at: world.now), &outcome)
      return outcome
    case .time: return tellDue(in: world)
    case .signalled(.reported(let report)):
      var outcome = Outcome()
      outcome.changes = notices.note(report, at: world.now)
      return outcome
    case .observed(.ways(let report)):
      notices.tryAgain(Set(report.offers.map(\.channel)), at: world.now)
      return nil
    case .signalled(.news(let news, let id)): return tell(news, of: id, in: world)
    case .settled(after: .command(let command)) where Self.concernsGuards(command.request):
      return compare(after: command, in: world)
    default: return nil
    }
  }

  // MARK: What was taken away

  private static func concernsGuards(_ request: Command.Request) -> Bool {
    switch request {
    case .putResident, .eraseResident, .putZone, .removeZone, .putSetting, .setTracking,
      .putGuardian, .removeGuardian, .alarm(.setPIN), .putConsent:
      true
    case .putBookmark, .removeBookmark, .locate, .alarm, .room, .routine, .note,
      .bluetooth, .absence, .feature:
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

  private static func guards(in world: World) -> [ResidentID: Guards] {
    let house = world.house
    let safe = Set(house.zones.values.lazy.map(\.resident))
    return house.residents.mapValues { resident in
      let settings = house.people[resident.id]?.alarms ?? AlarmSettings()
      var on = Set<Safeguard>()
      if world.tracked.contains(resident.id) { on.insert(.tracking) }
      if resident.gpsSource != nil { on.insert(.receiver) }
      if !settings.isSilent { on.insert(.sound) }
      for kind in AlarmKind.allCases where settings.isRaised(kind) { on.insert(.alarm(kind)) }
      let guardians = house.guardians(of: resident.id)
      if !guardians.isEmpty { on.insert(.guardians) }
      if safe.contains(resident.id) { on.insert(.zones) }
      return Guards(
        resident: resident, guardians: guardians, on: on,
        pins: world.reachability.pins[resident.id] ?? [:])
    }
  }

  /// Finds out what a command took away or gave back, notes it as an event, and has those told who cared before.
  private mutating func compare(after command: Command, in world: World) -> Outcome? {
    let old = before
    before = Before(guards: Self.guards(in: world), zones: world.house.zones)
    let changed = Self.zone(of: command.request).flatMap { old.zones[$0] }
    var step = Step(world: world, command: command)
    for id in old.guards.keys.sorted() {
      guard let was = old.guards[id] else { continue }
      let who = world.house.speaker(command.principal, account: command.account)
        .text(in: world.language(of: id))
      var changes: [ProtectionChange]
      if let new = before.guards[id] {
        changes = new.changes(since: was, by: who)
        if let changed, changed.resident == id {
          changes += change(of: changed, isLast: !new.on.contains(.zones), by: who, in: world)
        }
      } else {
        changes = [ProtectionChange(protection: .resident, isOn: false, who: who)]
      }
      // That something is there for the first time is no news.
      changes.removeAll { $0.isOn && !book.knowsOff($0.protection, of: id) }
      guard !changes.isEmpty else { continue }
      note(changes, of: was, isErased: before.guards[id] == nil, &step)
    }
    return step.outcome
  }

  /// What one command brings about.
  private struct Step {
    let world: World
    let command: Command
    var outcome = Outcome()

    mutating func newEventID() -> EventID {
      var identifiers = outcome.identifiers ?? world.identifiers
      defer { outcome.identifiers = identifiers }
      return EventID(identifiers.next(at: world.now.utc))
    }
  }

  private func change(
    of old: SafeZone, isLast: Bool, by who: String, in world: World
  ) -> [ProtectionChange] {
    guard !isLast, let new = world.house.zones[old.id],
      new.alarmsOnLeaving != old.alarmsOnLeaving
    else { return [] }
    return [
      ProtectionChange(
        protection: .zone(old.id), isOn: new.alarmsOnLeaving, label: new.name, who: who)
    ]
  }

  private mutating func note(
    _ changes: [ProtectionChange], of old: Guards, isErased: Bool, _ step: inout Step
  ) {
    let language = step.world.language(of: old.resident.id)
    var first: EventID?
    for change in changes {
      let id = step.newEventID()
      first = first ?? id
      // What stays of somebody who was erased names nobody.
      if isErased { continue }
      step.outcome.events.append(
        EventDraft(
          type: .protectionChanged, lane: change.isOn ? .record : .alarm,
          resident: old.resident.id,
          facts: .object([
            "protection": .string(change.protection.word), "isOn": .bool(change.isOn),
            "by": .string(step.command.principal.description),
            "explanation": .string(
              change.sentence(about: old.resident.name).text(in: language)),
            "undo": change.undoing(for: old.resident.id).map { .string($0.text(in: language)) },
          ]), id: id))
    }
    guard let first else { return }
    step.outcome.changes += book.take(
      changes, of: old.resident, guardians: old.guardians, event: first, at: step.world.now)
  }

  // MARK: Telling

  /// Does what is due: gathered changes become messages, and messages go out.
  private mutating func tellDue(in world: World) -> Outcome {
    var outcome = Outcome()
    if let due = book.nextWake, due <= world.now.tick {
      let (gatherings, changes) = book.takeDue(at: world.now)
      outcome.changes += changes
      for gathering in gatherings { tell(gathering, in: world, &outcome) }
    }
    guard let due = notices.nextWake, due <= world.now.tick else { return outcome }
    let (messages, changes) = notices.takeDue(at: world.now)
    outcome.changes += changes
    send(messages, &outcome)
    return outcome
  }

  private func send(_ messages: [AlarmMessage], _ outcome: inout Outcome) {
    for message in messages {
      outcome.signals.append(.told(message))
      outcome.actions.append(.notify(message))
    }
  }

  private mutating func tell(
    _ gathering: GuardBook.Gathering, in world: World, _ outcome: inout Outcome
  ) {
    let id = gathering.resident.id
    var told: Set<String> = []
    for guardian in gathering.guardians {
      let own = guardian.language.flatMap(Language.init(tag:))
      let language = own ?? world.language(of: id)
      let what = gathering.changes.map {
        $0.sentence(about: gathering.resident.name).text(in: language)
      }.joined(separator: " ")
      let undo = gathering.changes.compactMap { $0.undoing(for: id)?.text(in: language) }
        .joined(separator: "\n")
      for (channel, address) in guardian.addresses where channel != .voice {
        guard told.insert("\(channel) \(address)").inserted else { continue }
        let text =
          channel == .sms ? NewsText.shortened(what) : [what, undo].joined(separator: "\n")
        outcome.changes += notices.put(
          AlarmMessage(
            alarm: AlarmID(gathering.event.rawValue), tag: "", notice: .news,
            guardian: guardian.id, channel: channel, address: address, attempt: 0,
            text: text, spokenText: what, language: language.rawValue,
            asksForAcknowledgement: false),
          isReserve: channel == .sms && hasQuieterWay(guardian, of: id, in: world),
          at: world.now)
      }
    }
  }

  /// Whether it is night and a way that wakes nobody may reach a guardian.
  private func hasQuieterWay(
    _ guardian: Guardian, of resident: ResidentID, in world: World
  ) -> Bool {
    guard case .minutes = world.quiet(of: resident) else { return false }
    return guardian.addresses.contains {
      ![.voice, .sms].contains($0.channel) && world.reachability.isOffered($0.channel)
    }
  }

  // MARK: News

  /// Tells the guardians what an event means for them, where the resident's settings and consent allow it.
  private func tell(_ piece: Signal.News, of id: ResidentID, in world: World) -> Outcome? {
    guard let person = world.people[id], !world.house.isRefused(.notifications, by: id),
      let event = world.event
    else { return nil }
    let news = NewsText(name: person.name, news: piece)
    guard news.isAboutMessage ? person.alarms.tellMessages : person.alarms.tellRoutine else {
      return nil
    }
    var outcome = Outcome()
    outcome.event = event
    send(
      world.house.guardians(of: id).compactMap { guardian in
        guard let (channel, address) = guardian.newsAddress else { return nil }
        let language = news.language(for: guardian, of: person.language)
        let text = news.text(in: language)
        return AlarmMessage(
          alarm: AlarmID(event.rawValue), tag: "", notice: .news, guardian: guardian.id,
          channel: channel, address: address, attempt: 1,
          text: channel == .sms ? NewsText.shortened(text) : text, spokenText: text,
          language: language.rawValue, asksForAcknowledgement: false)
      }, &outcome)
    return outcome
  }

  // MARK: What is stored

  /// Adds all that it holds to what is stored.
  public func store(in state: inout StoredState) { state.engineRows += book.rows + notices.rows }
}
