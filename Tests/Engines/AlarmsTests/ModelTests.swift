import Bytes
import Care
import JSON
import Moments
import Synchronization
import TestSupport
import Testing

@testable import Alarms

/// Random lives of an alarm, side by side with ``AlarmModel``.
@Suite struct ModelTests {
  static let sequences = TestSize.count(whole: 100_000, usual: 12_000)
  static let seed: UInt64 = 0x5EED_2026

  @Test func noSequenceOfCommandsFailuresAndPowerCutsBreaksAPromise() async {
    // Two halves, so that a second core helps where there is one.
    let halves = await withTaskGroup(of: [String].self) { group in
      for half in 0..<2 {
        group.addTask { Self.run(half * Self.sequences / 2..<(half + 1) * Self.sequences / 2) }
      }
      return await group.reduce(into: [String]()) { $0 += $1 }
    }
    let steps = Self.stepCount.load(ordering: .relaxed)
    print("alarm model: seed \(Self.seed), \(Self.sequences) sequences, \(steps) steps")
    #expect(halves.isEmpty, "\(halves.prefix(5).joined(separator: "\n"))")
    #expect(steps > Self.sequences * 4)
  }

  static let stepCount = Atomic<Int>(0)

  private static func run(_ numbers: Range<Int>) -> [String] {
    var complaints: [String] = []
    for number in numbers where complaints.count < 5 {
      var life = Life(seed: SplitMix64.mixed(seed &+ UInt64(number)))
      let length = 3 + number % 5
      life.begin()
      for _ in 1..<length { life.step() }
      stepCount.add(length, ordering: .relaxed)
      if !life.complaints.isEmpty {
        complaints.append("sequence \(number): \(life.complaints) after \(life.story)")
      }
    }
    return complaints
  }
}

/// One random life: the engine, its store, the model, and what was seen outside.
private struct Life {
  static let residents = [
    Resident(id: "mary", name: "Mary", timeZone: "Etc/UTC", gpsSource: "gps"),
    Resident(id: "tom", name: "Tom", timeZone: "Etc/UTC"),
  ]
  static let guardians = [
    Guardian(id: "anna", resident: "mary", name: "Anna", phone: "+4791234567", email: "a@b.c"),
    Guardian(
      id: "bob", resident: "mary", name: "Bob", push: "ntfy://bob", tier: 2, isCaregiver: true),
    Guardian(id: "carol", resident: "tom", name: "Carol", phone: "+4790000001", isCaregiver: true),
  ]

  var random: SplitMix64
  var engine: AlarmEngine
  var model: AlarmModel
  var store: [StoredRow: EngineRow] = [:]
  let house: Care.House
  var now: Moment
  var boot: BootID = "b"
  /// Seconds since the beginning, which no reboot resets.
  var clock: Int64 = 0
  var alarm: AlarmID?
  var seenTier: Int64 = 0
  /// Ways by which each alarm was told, and those told that it is over.
  var told: [AlarmID: Set<String>] = [:]
  var relieved: [AlarmID: Set<String>] = [:]
  var attempts: [String: Int64] = [:]
  var isResuming = false
  var story: [String] = []
  var complaints: [String] = []

  init(seed: UInt64) {
    random = SplitMix64(seed: seed)
    let isSilent = random.next() % 4 == 0
    house = Care.House(
      residents: Self.residents, guardians: Self.guardians,
      settings: ["mary": isSilent ? ["isSilent": true] : [:]])
    now = Moment(tick: .seconds(100), utc: .seconds(1_800_000_000), quality: .synchronised)
    engine = AlarmEngine(
      stored: StoredState(), seed: seed, in: World(now: now, house: house, boot: boot))
    model = AlarmModel(
      tiers: ["anna": 1, "bob": 2], ways: ["anna": [.sms, .voice, .email], "bob": [.push]],
      caregivers: ["bob"], isSilent: isSilent)
  }

  var world: World { World(now: now, house: house, boot: boot) }

  mutating func pick<Choice>(_ choices: [Choice]) -> Choice {
    choices[Int(random.next() % UInt64(choices.count))]
  }

  // MARK: Steps

  mutating func step() {
    switch random.next() % 16 {
    case 0...2: press()
    case 3...6: pass()
    case 7, 8: acknowledge()
    case 9: resolve()
    case 10, 11: cancel()
    case 12, 13: report()
    case 14: cutPower()
    default: distract()
    }
    check()
  }

  /// Every life begins with a press, for without one nothing can go wrong.
  mutating func begin() {
    offerWays()
    press()
    check()
  }

  /// Each way is there; answers by telephone come from the plugin that carries messages to it.
  private mutating func offerWays() {
    let plugins: [(Guardian.Channel, String)] = [
      (.sms, "modem"), (.voice, "modem"), (.email, "mail"), (.push, "push"),
    ]
    let offers = plugins.map { WaysReport.Offer(channel: $0, plugin: $1, isRunning: true) }
    handle(.observed(.ways(WaysReport(offers: offers))))
  }

  private mutating func pass() {
    let seconds = pick([1, 4, 9, 10, 11, 35, 61, 95, 181, 400, 3700, 20_000] as [Int64])
    story.append("pass \(seconds)")
    move(seconds)
    model.pass(to: clock)
    handle(.time)
  }

  private mutating func move(_ seconds: Int64) {
    clock += seconds
    now = now.advanced(byMilliseconds: seconds * 1000)
  }

  private mutating func press() {
    story.append("press")
    let wasOpen = model.isOpen && !model.isDuress
    // An SOS under duress looks over; the press is a new one, and this model follows the newest.
    if model.isDuress, model.isOpen { return }
    model.press(clock)
    let reply = ask(.raise(resident: "mary", kind: .sos, trigger: .button, text: ""))
    let id = reply?["alarm"]?.stringContent.map { AlarmID($0) }
    if reply == nil { complaints.append("a press was refused") }
    if wasOpen, id != alarm { complaints.append("a press began a second alarm") }
    if !wasOpen {
      if id == alarm { complaints.append("a new alarm has an old id") }
      seenTier = 0
    }
    alarm = id
  }

  private mutating func acknowledge() {
    let who = pick(["anna", "bob", "carol", "mary", "", "nobody", "+4791234567", "+4790000001"])
    let viaPlugin = random.next() % 2 == 0 && !who.isEmpty
    let isPhone = who.hasPrefix("+")
    story.append("acknowledge \(who)")
    let guardian: GuardianID = who == "+4791234567" ? "anna" : GuardianID(who)
    let isAllowed = model.take(guardian, byPhone: viaPlugin && isPhone)
    let principal =
      viaPlugin
      ? Principal(channel: .plugin, name: (isPhone ? "modem/" : "broker/") + who) : .local
    let reply = ask(.acknowledge(alarm: nil, by: viaPlugin ? nil : who), as: principal)
    if (reply != nil) != isAllowed { complaints.append("acknowledge by \(who): \(reply != nil)") }
  }

  private mutating func resolve() {
    let who = pick(["anna", "bob", "carol", "mary", ""])
    story.append("resolve \(who)")
    let isAllowed = model.resolve(GuardianID(who))
    let reply = ask(.resolve(alarm: nil, by: who, reason: "over"))
    if (reply != nil) != isAllowed { complaints.append("resolve by \(who): \(reply != nil)") }
    if reply != nil { checkRelief() }
  }

  private mutating func cancel() {
    let verdict = pick([PINVerdict.correct, .duress, .wrong, .wrong, .wrong, .notSet])
    story.append("cancel \(verdict.rawValue)")
    let isAllowed = model.cancel(verdict, clock)
    let reply = ask(.cancel(resident: "mary", pin: nil, message: nil), proof: .verdict(verdict))
    if (reply != nil) != isAllowed { complaints.append("cancel \(verdict): \(reply != nil)") }
    if reply != nil, !model.isDuress { checkRelief() }
  }

  private mutating func report() {
    guard let alarm else { return }
    let (who, channel) = pick([
      ("anna", "sms"), ("anna", "voice"), ("anna", "email"), ("bob", "push"), ("eve", "fax"),
    ])
    let outcome = pick(DeliveryReport.Outcome.allCases)
    story.append("\(who)/\(channel) \(outcome.rawValue)")
    handle(
      .observed(
        .delivery(
          DeliveryReport(
            plugin: "p", event: EventID(alarm.rawValue), recipient: who, channel: channel,
            outcome: outcome, notice: pick([.alarm, .duress, .cancelled, nil])))))
  }

  private mutating func distract() {
    switch random.next() % 5 {
    case 0: _ = ask(.silence)
    case 1:
      let report = PhotoReport(alarm: alarm ?? "none", path: nil, detail: "no camera")
      handle(.observed(.photo(report)))
    case 2: handle(.changed(.setting("mary", name: "isSilent")))
    case 3:
      let report = ButtonReport(button: "b", gesture: .down, edge: now.tick)
      for press in Press.meanings(of: report, in: house) { handle(.pressed(press)) }
    default:
      let facts: JSONValue = ["latitude": 52.1, "longitude": 5.1, "accuracyMeters": 9]
      if let signal = Signal(.fixAccepted, facts) { handle(.signalled(signal)) }
    }
    story.append("distract")
  }

  private mutating func cutPower() {
    let seconds = pick([1, 12, 200] as [Int64])
    let isTrusted = now.quality.isTrusted && random.next() % 4 != 0
    story.append("power cut \(seconds) \(isTrusted)")
    move(seconds)
    now.tick = .seconds(20)
    now.quality = isTrusted ? .synchronised : .untrusted
    // Without a clock nobody knows how long it was dark: what was running counts from now.
    if !isTrusted { model.since = clock }
    boot = BootID(boot.rawValue + "+")
    let rows = store.sorted { $0.key < $1.key }.map(\.value)
    engine = AlarmEngine(
      stored: StoredState(engineRows: rows), seed: random.next(), in: world)
    model.pass(to: clock)
    isResuming = true
    handle(.started(version: "0"))
    offerWays()
    isResuming = false
  }

  // MARK: The engine and what is seen of it

  private mutating func handle(_ input: Input) {
    do {
      let outcome = try engine.handle(input, in: world)
      if let outcome { take(outcome) }
    } catch { complaints.append("\(input) was refused") }
  }

  private mutating func ask(
    _ request: AlarmRequest, as principal: Principal = .local, proof: Command.PINProof? = nil
  ) -> JSONValue? {
    let command = Command(
      id: "c", principal: principal, request: .alarm(request), pinProof: proof)
    do {
      let outcome = try engine.handle(.asked(command, sent: now.tick), in: world)
      if let outcome { take(outcome) }
      return outcome?.reply
    } catch {
      // A refusal writes nothing itself; what counts all the same is told at once.
      for signal in error.signals { handle(.signalled(signal)) }
      return nil
    }
  }

  private mutating func take(_ outcome: Outcome) {
    for change in outcome.changes {
      switch change {
      case .putEngineRow(let row):
        store[StoredRow(subject: row.subject, name: row.name)] = row
      case .removeEngineRow(_, let subject, let name):
        store[StoredRow(subject: subject, name: name)] = nil
      default: complaints.append("a foreign change")
      }
    }
    for action in outcome.actions {
      if case .notify(let message) = action { see(message) }
    }
    for event in outcome.events where event.type == .alarmAcknowledged {
      let by = event.facts["by"]?.stringContent ?? ""
      if !["anna", "bob"].contains(by) { complaints.append("taken by \(by)") }
    }
  }

  private mutating func see(_ message: AlarmMessage) {
    let way = "\(message.guardian)/\(message.channel.rawValue)"
    let isAlarm = message.notice == .alarm || message.notice == .duress
    if isAlarm { told[message.alarm, default: []].insert(way) }
    if message.notice == .cancelled { relieved[message.alarm, default: []].insert(way) }
    let key = "\(message.alarm) \(message.notice) \(way)"
    let last = attempts[key] ?? 0
    let isNext = message.attempt == last + 1 || isResuming && message.attempt == last
    if !isNext { complaints.append("attempt \(message.attempt) after \(last)") }
    attempts[key] = message.attempt
    if message.channel == .sms, message.text.count > 160 { complaints.append("a long text") }
  }

  // MARK: Promises

  private mutating func check() {
    let known = engine.state.alarms.first { $0.id == alarm }
    let expected: Set<AlarmStage> =
      switch model.phase {
      case .none: [.cancelled]
      case .prealarm: [.prealarm]
      case .told: [.dispatched]
      case .taken: [.acknowledged]
      case .over: [.resolved]
      }
    if let known, !expected.contains(known.stage) {
      complaints.append("\(known.stage) instead of \(model.phase)")
    }
    if known == nil, model.isOpen { complaints.append("the alarm was lost") }
    guard let known else { return }
    if known.tier < seenTier { complaints.append("escalation went back") }
    seenTier = max(seenTier, known.tier)
    if model.isOpen, known.isDuress != model.isDuress { complaints.append("duress differs") }
    if told[known.id] ?? [] != model.told {
      complaints.append("told \(told[known.id] ?? []), not \(model.told)")
    }
    if Set(known.acknowledgedBy) != model.takenBy { complaints.append("taken by others") }
    checkOthers(known)
  }

  private mutating func checkOthers(_ known: LiveAlarm) {
    let others = engine.state.alarms.filter { $0.id != known.id && $0.isOpen }
    if !others.isEmpty { complaints.append("a second alarm") }
    if model.phase == .told {
      let patience = now.tick.advanced(byMilliseconds: 1_000_000)
      if engine.nextWake.map({ $0 > patience }) ?? true { complaints.append("nothing is due") }
    }
    if known.isOpen, !(relieved[known.id] ?? []).isEmpty { complaints.append("over too early") }
  }

  /// The news that it is over reaches exactly those who were told that help is needed.
  private mutating func checkRelief() {
    guard let alarm else { return }
    if told[alarm] ?? [] != relieved[alarm] ?? [] {
      complaints.append("relieved \(relieved[alarm] ?? []), told \(told[alarm] ?? [])")
    }
  }
}
