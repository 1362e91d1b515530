public import CareModel
public import EventLoop
public import GatewayCore
public import GatewayPorts

/// Drives the core: takes what sources and people bring, stores what follows, and passes it on.
///
/// Runs on the loop and never waits: the store answers later, and alarms that it cannot write in time go out from memory.
@LoopActor
public final class GatewayRuntime {
  /// Everything outside that the runtime works with.
  public struct Parts {
    /// The journal and everything else that must survive.
    public var store: any CareStore
    /// Both clocks.
    public var clock: any GatewayClock
    /// Devices.
    public var sources: [any ObservationSource]
    /// Where committed events go; nil for none.
    public var forwarder: (any EventForwarder)?
    /// What the owner can do about plugins; nil for none.
    public var plugins: (any PluginAdministration)?
    /// Where backups go that are asked for without a path.
    public var backupDirectory: String
    /// Begins a new run from a core's state, so that old inputs can be forgotten and the rest still replayed; nil for never.
    public var renewRun: (@LoopActor (GatewayCore, Moment) -> Run?)?
    /// Called with a line for the log; never holds names, positions or health values.
    public var log: (@LoopActor (String) -> Void)?
    /// Called with every event as soon as it is durable (or goes out from memory), for people who watch.
    public var watcher: (@LoopActor (EncodedEvent) -> Void)?

    /// Parts from their values.
    public init(
      store: any CareStore, clock: any GatewayClock, sources: [any ObservationSource] = [],
      forwarder: (any EventForwarder)? = nil, plugins: (any PluginAdministration)? = nil,
      backupDirectory: String = "",
      renewRun: (@LoopActor (GatewayCore, Moment) -> Run?)? = nil,
      log: (@LoopActor (String) -> Void)? = nil,
      watcher: (@LoopActor (EncodedEvent) -> Void)? = nil
    ) {
      self.store = store
      self.clock = clock
      self.sources = sources
      self.forwarder = forwarder
      self.plugins = plugins
      self.backupDirectory = backupDirectory
      self.renewRun = renewRun
      self.log = log
      self.watcher = watcher
    }
  }

  /// A stretch of inputs that is recorded from a known state on, and can be replayed.
  public struct Run {
    /// The core at the start.
    public var core: GatewayCore
    /// The run as it is recorded.
    public var record: RunRecord

    /// A run from its core and record.
    public init(core: GatewayCore, record: RunRecord) {
      self.core = core
      self.record = record
    }
  }

  let parts: Parts
  /// Counts commands that came without an id of their own.
  var localCommandCount = 0
  private(set) var core: GatewayCore
  private(set) var health = HealthBoard()
  /// The run that inputs are recorded under.
  public private(set) var run: String
  let startedAt: Moment
  private(set) var counters = RuntimeCounters()

  private var alarms = AlarmGuard()
  private var stepNumber: Int64 = 0
  private var inputNumber: Int64 = 0
  private var runStartedAt: Tick
  private var isRunning = false
  private var commitsAreInTrouble = false
  /// Alarms that were shown before they were durable and must not be shown again.
  private var shownEarly: Set<EventID> = []
  private lazy var wakeTimer = LoopTimer { [weak self] in self?.wake() }
  private lazy var alarmTimer = LoopTimer { [weak self] in self?.handOutOverdueAlarms() }

  /// A runtime over a core that was made from what the store holds.
  public init(run: Run, parts: Parts) {
    core = run.core
    self.run = run.record.run
    startedAt = run.record.moment
    runStartedAt = run.record.moment.tick
    self.parts = parts
  }

  // MARK: Life

  /// Starts the clock and the sources; from here on alarms are possible.
  public func start() {
    isRunning = true
    parts.clock.start { [weak self] report in self?.take(.observation(.clock(report))) }
    take(.started(version: Release.version))
    for source in parts.sources { source.start { [weak self] in self?.observe($0) } }
  }

  /// Stops sources and timers; what was submitted to the store is still written by it.
  public func stop() {
    isRunning = false
    for source in parts.sources { source.stop() }
    parts.clock.stop()
    wakeTimer.cancel()
    alarmTimer.cancel()
  }

  // MARK: Inputs

  /// Takes what a device or plugin saw.
  public func observe(_ observation: Observation) {
    guard isRunning else { return }
    if case .health(let report) = observation {
      if report.state == .working { counters.signs += 1 }
      guard health.take(report, at: EventLoop.now) else { return }
    }
    if case .fix(let report) = observation {
      health.noteSign(of: ComponentID("gps/\(report.source)"), at: EventLoop.now)
      counters.fixes += 1
      if let time = report.receiverTime {
        parts.clock.consider(receiverTime: time, mode: report.mode)
      }
    }
    take(.observation(observation))
  }

  /// Does what somebody asks; `reply` comes when the outcome is durable, or at once when the disk does not answer.
  public func perform(_ command: Command, reply: @escaping @LoopActor (CommandReply) -> Void) {
    guard isRunning else {
      reply(.refused(CommandReply.Refusal(.conflict, "Homeward is stopping. Try again soon.")))
      return
    }
    counters.commands += 1
    take(.command(command), reply: reply)
  }

  private func wake() { take(.wake) }

  private func take(
    _ input: CoreInput, reply: (@LoopActor (CommandReply) -> Void)? = nil
  ) {
    let now = parts.clock.now()
    renewRunIfDue(at: now)
    let result = core.step(input, at: now)
    let events = result.events.map {
      $0.cloudEvent(gateway: core.configuration.gateway, boot: core.boot)
    }
    stepNumber += 1
    inputNumber += 1
    counters.events += Int64(events.count)
    submit(
      Pending(number: stepNumber, events: events, commandReply: result.reply, reply: reply),
      StepRecord(
        input: inputRecord(input, events, result, at: now), events: events,
        changes: result.changes))
    perform(result.actions)
    if isRunning, let next = core.nextWake { wakeTimer.set(at: next) } else { wakeTimer.cancel() }
  }

  /// A day is the unit in which recorded inputs are kept and forgotten.
  private static let runMilliseconds: Int64 = 86_400_000

  private func renewRunIfDue(at now: Moment) {
    guard now.tick.milliseconds(since: runStartedAt) >= Self.runMilliseconds,
      let next = parts.renewRun?(core, now)
    else { return }
    core = next.core
    run = next.record.run
    runStartedAt = now.tick
    inputNumber = 0
  }

  private func inputRecord(
    _ input: CoreInput, _ events: [EncodedEvent], _ result: StepResult, at now: Moment
  ) -> InputRecord {
    InputRecord(
      run: run, number: inputNumber, moment: now, resident: core.resident(concernedBy: input),
      body: input.json.serializedBytes,
      outcomeDigest: OutcomeDigest(
        events: events, changes: result.changes, actions: result.actions
      ).digest)
  }

  private func perform(_ actions: [Action]) {
    for action in actions {
      switch action {
      case .sampleBurst(let source, let until):
        parts.sources.first { $0.id == source }?.sampleBurst(until: until)
      }
    }
  }

  // MARK: The way to the disk

  private struct Pending: Sendable {
    var number: Int64
    var events: [EncodedEvent]
    var commandReply: CommandReply?
    var reply: (@LoopActor (CommandReply) -> Void)?
  }

  /// When each step was submitted that has not been settled yet.
  private var unsettled: [Int64: Tick] = [:]

  /// How long the oldest step has waited for the disk, in milliseconds; 0 when none waits.
  public var longestWaitMilliseconds: Int64 {
    unsettled.values.min().map { EventLoop.now.milliseconds(since: $0) } ?? 0
  }

  private func submit(_ pending: Pending, _ record: StepRecord) {
    unsettled[pending.number] = EventLoop.now
    alarms.watch(step: pending.number, events: pending.events, at: EventLoop.now)
    setAlarmTimer()
    parts.store.submit(record) { [weak self] outcome in self?.settle(pending, outcome) }
  }

  private func settle(_ pending: Pending, _ outcome: CommitOutcome) {
    switch outcome {
    case .committed(let heads):
      unsettled[pending.number] = nil
      _ = alarms.settle(step: pending.number)
      answer(pending)
      parts.forwarder?.journalAdvanced(to: heads)
      show(pending.events)
      noteCommits(.working)
    case .delayed(let error):
      counters.delayedCommits += 1
      handOut(alarms.settle(step: pending.number))
      answer(pending)
      noteCommits(.failed, code: error.code.rawValue, detail: error.message)
    case .dropped(let error):
      unsettled[pending.number] = nil
      counters.droppedSteps += 1
      handOut(alarms.settle(step: pending.number))
      answer(pending)
      noteCommits(.failed, code: error.code.rawValue, detail: error.message)
    }
    setAlarmTimer()
  }

  private func answer(_ pending: Pending) {
    guard let reply = pending.reply, let commandReply = pending.commandReply else { return }
    if answered.insert(pending.number).inserted { reply(commandReply) }
    if answered.count > 1024 { answered = answered.filter { $0 > pending.number - 1024 } }
  }

  /// Steps whose command has been answered; a delayed commit answers early and must not answer again.
  private var answered: Set<Int64> = []

  private func handOutOverdueAlarms() {
    let overdue = alarms.takeOverdue(at: EventLoop.now)
    if !overdue.isEmpty {
      noteCommits(
        .degraded, code: "slow",
        detail: "The disk did not answer in time; alarms go out from memory. Check the memory card."
      )
    }
    handOut(overdue)
    setAlarmTimer()
  }

  private func handOut(_ events: [EncodedEvent]) {
    for event in events {
      counters.alarmsBeforeDurable += 1
      parts.log?("alarm \(event.id) goes out before the disk has it")
      parts.forwarder?.forwardBeforeDurable(event)
      parts.watcher?(event)
      if parts.watcher != nil { shownEarly.insert(event.id) }
    }
  }

  private func setAlarmTimer() {
    if let deadline = alarms.nextDeadline {
      alarmTimer.set(at: deadline)
    } else {
      alarmTimer.cancel()
    }
  }

  /// Shows events to whoever watches, each once: those that went out from memory have been shown.
  private func show(_ events: [EncodedEvent]) {
    guard let watcher = parts.watcher else { return }
    for event in events where shownEarly.remove(event.id) == nil { watcher(event) }
  }

  private func noteCommits(_ state: HealthState, code: String = "", detail: String = "") {
    guard state != .working || commitsAreInTrouble else { return }
    commitsAreInTrouble = state != .working
    observe(
      .health(HealthReport(component: "store/commit", state: state, code: code, detail: detail)))
  }
}

/// What the runtime has counted since its start.
struct RuntimeCounters {
  /// Fixes received.
  var fixes: Int64 = 0
  /// Commands received.
  var commands: Int64 = 0
  /// Events made.
  var events: Int64 = 0
  /// Health reports of working parts.
  var signs: Int64 = 0
  /// Steps whose commit failed at first.
  var delayedCommits: Int64 = 0
  /// Steps that could not be kept.
  var droppedSteps: Int64 = 0
  /// Alarms that went out before they were durable.
  var alarmsBeforeDurable: Int64 = 0
}
