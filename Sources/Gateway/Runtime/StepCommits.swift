import Care
import Core
import JSON
import Loop
import Moments
import Ports
import Texts

/// The way of a step to the disk and of its outcome to everybody: what goes out before the disk has it, and what is not
/// begun because the disk would not keep it.
@LoopActor
final class StepCommits {
  /// What the way goes past.
  struct Links {
    var store: any CareStore
    /// Where committed events go; nil for none.
    var forwarder: (any EventForwarder)?
    /// Sees every event once; nil for nobody.
    var watcher: (@LoopActor (EncodedEvent) -> Void)?
    var log: (@LoopActor (String) -> Void)?
    /// Does what waited for the disk.
    var perform: @LoopActor ([Action]) -> Void
    /// Removes the files that a durable step leaves to nobody.
    var removeFiles: @LoopActor (StepRecord) -> Void
    /// Hears of a step that was taken back, once the core is as it was before.
    var tookBack: @LoopActor (StepRecord) -> Void
    /// Takes how the disk does.
    var observer: @LoopActor (Observation) -> Void
  }

  /// One step on its way.
  struct Pending: Sendable {
    var number: Int64
    var actions: [Action]
    var record: StepRecord
  }

  /// The answer to a command, which waits for the disk.
  struct AwaitedReply {
    var answer: CommandReply
    /// What there was before the command, so that it can be taken back; nil for one that goes on anyway.
    var before: CoreRun.Before?
    var send: @LoopActor (CommandReply) -> Void

    /// Whether it is given also when the disk has not got it.
    var isOfThisMinute: Bool { before == nil }
  }

  /// Why a command is not done.
  static let refusal = CommandReply.Refusal(
    .notNow,
    Message(
      "The disk takes nothing, so this could not be kept. Make room on it or look at the card, then try again. Alarms go on without it."
    ))

  private let links: Links
  private let run: CoreRun
  private(set) var counters = CommitCounters()
  private var alarms = AlarmGuard()
  /// Whether something was said of the disk that was not taken back yet.
  private var areInTrouble = false
  /// Whether the disk refused the last step that it was asked to take.
  private var diskRefuses = false
  /// Alarms that were shown before they were durable and must not be shown again.
  private var shownEarly: Set<EventID> = []
  /// When each step was submitted of which the store has said nothing yet.
  private var unsettled: [Int64: Tick] = [:]
  /// Commands whose answer waits for the disk, by the number of their step.
  private var awaited: [Int64: AwaitedReply] = [:]
  private lazy var alarmTimer = LoopTimer { [weak self] in self?.handOutOverdueAlarms() }

  /// Commits of the steps of a core.
  init(of run: CoreRun, _ links: Links) {
    self.run = run
    self.links = links
  }

  /// Hands nothing out any more of itself; what was submitted is settled.
  func stop() { alarmTimer.cancel() }

  /// Whether a command is not begun, because the disk would not keep it.
  func refuses(_ input: CoreInput) -> Bool { diskRefuses && input.mustBeKept }

  /// How long the oldest step has waited for any answer of the disk, in milliseconds; 0 when none waits.
  var longestWaitMilliseconds: Int64 {
    unsettled.values.min().map { EventLoop.now.milliseconds(since: $0) } ?? 0
  }

  /// Has the store keep the newest step; `reply` is the answer that waits for that.
  func submit(_ pending: Pending, _ reply: AwaitedReply?) {
    if let reply { awaited[pending.number] = reply }
    unsettled[pending.number] = EventLoop.now
    alarms.watch(
      step: pending.number, events: pending.record.events, actions: pending.actions,
      isAwaited: awaited[pending.number]?.isOfThisMinute == true, at: EventLoop.now)
    setAlarmTimer()
    links.store.submit(pending.record) { [weak self] outcome in self?.settle(pending, outcome) }
  }

  private func settle(_ pending: Pending, _ outcome: CommitOutcome) {
    // The disk may refuse for days and not hang: nothing is gained by starting again.
    unsettled[pending.number] = nil
    let held = alarms.settle(step: pending.number)
    switch outcome {
    case .committed(let heads):
      diskRefuses = false
      answer(pending.number, isDurable: true)
      links.forwarder?.journalAdvanced(to: heads)
      links.perform(held.actions)
      links.removeFiles(pending.record)
      show(pending.record.events)
      noteCommits(.working)
    case .delayed(let error):
      counters.delayedCommits += 1
      diskRefuses = true
      handOut(held)
      if !takeBack(pending) { answer(pending.number, isDurable: false) }
      noteCommits(.failed, code: error.code.rawValue, detail: error.message)
    case .dropped(let error):
      counters.droppedSteps += 1
      handOut(held)
      answer(pending.number, isDurable: false)
      noteCommits(.failed, code: error.code.rawValue, detail: error.message)
    }
    setAlarmTimer()
  }

  /// Answers whoever waits for a step, once, and says whether a power cut could forget it.
  private func answer(_ number: Int64, isDurable: Bool) {
    guard let waiting = awaited.removeValue(forKey: number) else { return }
    switch waiting.answer {
    case .done(let result):
      let members: JSONValue = result.objectContent == nil ? .object([]) : result
      waiting.send(.done(members.setting("durable", to: .bool(isDurable))))
    case .refused: waiting.send(waiting.answer)
    }
  }

  /// Undoes a command that the disk does not keep, so that it can be refused: the newest step, when nobody outside has
  /// heard of it and no alarm came of it.
  private func takeBack(_ pending: Pending) -> Bool {
    guard let waiting = awaited[pending.number], let before = waiting.before,
      case .done = waiting.answer, pending.number == run.stepNumber, pending.actions.isEmpty,
      !pending.record.events.contains(where: { $0.lane == .alarm }),
      links.store.takeBack(pending.record)
    else { return false }
    awaited[pending.number] = nil
    run.takeBack(to: before)
    links.tookBack(pending.record)
    waiting.send(.refused(Self.refusal))
    return true
  }

  private func handOutOverdueAlarms() {
    let overdue = alarms.takeOverdue(at: EventLoop.now)
    if !overdue.events.isEmpty || !overdue.actions.isEmpty {
      noteCommits(
        .degraded, code: "slow",
        detail: Message(
          "The disk did not answer in time; alarms go out from memory. Check the memory card.")
      )
    }
    handOut(overdue)
    setAlarmTimer()
  }

  private func handOut(_ held: AlarmGuard.Held) {
    links.perform(held.actions)
    for event in held.events {
      counters.alarmsBeforeDurable += 1
      links.log?("alarm \(event.id) goes out before the disk has it")
      links.forwarder?.forwardBeforeDurable(event)
      guard !event.isForGuardians, let watcher = links.watcher else { continue }
      watcher(event)
      shownEarly.insert(event.id)
    }
    for number in held.answers { answer(number, isDurable: false) }
  }

  private func setAlarmTimer() {
    if let deadline = alarms.nextDeadline {
      alarmTimer.set(at: deadline)
    } else {
      alarmTimer.cancel()
    }
  }

  /// Shows events to whoever watches, each once: those that went out from memory have been shown. What guardians alone may
  /// know is not shown.
  private func show(_ events: [EncodedEvent]) {
    guard let watcher = links.watcher else { return }
    for event in events where !event.isForGuardians && shownEarly.remove(event.id) == nil {
      watcher(event)
    }
  }

  private func noteCommits(
    _ state: HealthState, code: String = "", detail: Message = Message(verbatim: "")
  ) {
    guard state != .working || areInTrouble else { return }
    areInTrouble = state != .working
    links.observer(
      .health(HealthReport(component: "store/commit", state: state, code: code, detail: detail)))
  }
}

extension CoreInput {
  /// Whether an input asks for something that is worth nothing when a power cut forgets it.
  var mustBeKept: Bool {
    guard case .command(let command) = self, command.principal.channel != .gateway else {
      return false
    }
    return !command.request.isOfThisMinute
  }
}
