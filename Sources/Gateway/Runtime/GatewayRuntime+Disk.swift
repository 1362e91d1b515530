import Care
import Core
import JSON
import Loop
import Moments
import Notebook
import Ports
import Texts

/// The way of a step to the disk and of its outcome to everybody: what goes out before the disk has it, and what is not
/// begun because the disk would not keep it.
extension GatewayRuntime {
  /// One step on its way.
  struct Pending: Sendable {
    var number: Int64
    var actions: [Action]
    var record: StepRecord

    /// Residents whose photographs go when the erasure is durable.
    var erased: [ResidentID] {
      record.changes.compactMap { if case .eraseResident(let id) = $0 { id } else { nil } }
    }

    /// Pictures of notes whose files go when it is durable that nobody refers to them.
    var forgotten: [PictureID] {
      record.changes.compactMap(\.removedPicture)
    }

    /// Recordings whose files go when it is durable that they are not kept any more.
    var dropped: [RecordingID] { record.changes.compactMap(\.removedRecording) }
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

  static let diskRefusal = CommandReply.Refusal(
    .notNow,
    Message(
      "The disk takes nothing, so this could not be kept. Make room on it or look at the card, then try again. Alarms go on without it."
    ))

  /// Whether an input asks for something that is worth nothing when a power cut forgets it.
  static func mustBeKept(_ input: CoreInput) -> Bool {
    guard case .command(let command) = input, command.principal.channel != .gateway else {
      return false
    }
    return !command.request.isOfThisMinute
  }

  /// Whether a command is not begun, because the disk would not keep it.
  func refuses(_ input: CoreInput) -> Bool { diskRefuses && Self.mustBeKept(input) }

  /// How long the oldest step has waited for any answer of the disk, in milliseconds; 0 when none waits.
  public var longestWaitMilliseconds: Int64 {
    unsettled.values.min().map { EventLoop.now.milliseconds(since: $0) } ?? 0
  }

  func submit(_ pending: Pending) {
    unsettled[pending.number] = EventLoop.now
    alarms.watch(
      step: pending.number, events: pending.record.events, actions: pending.actions,
      isAwaited: awaited[pending.number]?.isOfThisMinute == true, at: EventLoop.now)
    setAlarmTimer()
    parts.store.submit(pending.record) { [weak self] outcome in self?.settle(pending, outcome) }
  }

  private func settle(_ pending: Pending, _ outcome: CommitOutcome) {
    // The disk may refuse for days and not hang: nothing is gained by starting again.
    unsettled[pending.number] = nil
    let held = alarms.settle(step: pending.number)
    switch outcome {
    case .committed(let heads):
      diskRefuses = false
      answer(pending.number, isDurable: true)
      parts.forwarder?.journalAdvanced(to: heads)
      perform(held.actions)
      for resident in pending.erased { parts.room.pictures?.erase(resident) }
      removeFiles(of: pending.forgotten)
      removeFiles(of: pending.dropped)
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
      case .done = waiting.answer, pending.number == coreRun.stepNumber, pending.actions.isEmpty,
      !pending.record.events.contains(where: { $0.lane == .alarm }),
      parts.store.takeBack(pending.record)
    else { return false }
    awaited[pending.number] = nil
    coreRun.takeBack(to: before)
    setWakeTimer()
    tellBluetooth()
    if pending.record.events.contains(where: { $0.type == .consentChanged }) {
      parts.consentChanged?()
    }
    waiting.send(.refused(Self.diskRefusal))
    return true
  }

  func handOutOverdueAlarms() {
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
    perform(held.actions)
    for event in held.events {
      counters.alarmsBeforeDurable += 1
      parts.log?("alarm \(event.id) goes out before the disk has it")
      parts.forwarder?.forwardBeforeDurable(event)
      guard !event.isForGuardians, let watcher = parts.watcher else { continue }
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
    guard let watcher = parts.watcher else { return }
    for event in events where !event.isForGuardians && shownEarly.remove(event.id) == nil {
      watcher(event)
    }
  }

  private func noteCommits(
    _ state: HealthState, code: String = "", detail: Message = Message(verbatim: "")
  ) {
    guard state != .working || commitsAreInTrouble else { return }
    commitsAreInTrouble = state != .working
    observe(
      .health(HealthReport(component: "store/commit", state: state, code: code, detail: detail)))
  }
}
