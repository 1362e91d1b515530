import Bytes
import Care
import Loop
import Moments
import PluginProtocol
import Ports
import Texts

/// Carries one lane to one plugin: reads the journal, sends batches, keeps the cursor.
///
/// One batch is unanswered at a time, and the next is not sent before the cursor of the last is durable: after a crash
/// at most one batch a lane comes again. Alarms from memory do not wait for the disk, and the other lanes rest while the
/// lane of alarms has something to send.
@LoopActor
final class LaneDelivery {
  /// What the lane needs from its plugin's runner.
  struct Links {
    var plugin: String
    var journal: any Journal
    var timings: PluginHost.Timings
    /// The language of reasons that people read.
    var language: Language
    var wants: @LoopActor (EventType) -> Bool
    /// The bytes of each event that this plugin may see; nil when nothing of it may leave.
    var visible: @LoopActor ([(type: EventType, body: [UInt8])]) -> [[UInt8]?]
    var send:
      @LoopActor (DeliverBatch, _ answer: @escaping @LoopActor (RequestTable.Answer) -> Void) ->
        Void
    var onFault: @LoopActor (PluginFault) -> Void
    /// Whether alarms have something on its way or to send, so that nothing else is sent.
    var alarmsAreBusy: @LoopActor () -> Bool
    /// Alarms have nothing to send for now: the other lanes may go on.
    var alarmsRest: @LoopActor () -> Void
    var log: @LoopActor (PluginLogLevel, String) -> Void
    var moment: @LoopActor () -> Moment
  }

  private enum Batch {
    case fresh(LaneLedger.Plan)
    case exceptions([JournalRow], missing: Set<Int64>)
    case volatile([EncodedEvent])
  }

  let lane: Lane
  private let links: Links
  private(set) var ledger: LaneLedger?
  private var volatile = VolatileAlarms()
  private(set) var head: Int64
  private(set) var credits: DeliveryCredits?
  private var outstanding: (batch: Batch, since: Tick)?
  private var isReading = false
  private var isSaving = false
  private var attachment = 0
  private var unsavedSkips = 0
  private var highestSent: Int64 = 0
  private(set) var lastSuccess: Moment?
  private(set) var delivered: Int64 = 0
  private(set) var redelivered: Int64 = 0
  private lazy var timer = LoopTimer { [weak self] in self?.pump() }

  init(lane: Lane, head: Int64, links: Links) {
    self.lane = lane
    self.head = head
    self.links = links
  }

  /// How long the outstanding batch has waited.
  var outstandingMilliseconds: Int64? {
    outstanding.map { EventLoop.now.milliseconds(since: $0.since) }
  }

  /// Whether the lane has something on its way, or to send at once; what waits to be tried again later does not count.
  var isBusy: Bool {
    guard credits != nil, let ledger else { return false }
    if outstanding != nil || isReading || isSaving { return true }
    let now = EventLoop.now
    return head > ledger.cursor.sequence && ledger.room > 0
      || !ledger.due(at: now, limit: 1).isEmpty || volatile.nextDue.map { $0 <= now } ?? false
  }

  // MARK: Life

  /// Takes the stored cursor.
  func load(_ cursor: PluginCursor) {
    guard ledger == nil else { return }
    ledger = LaneLedger(cursor: cursor)
    pump()
  }

  /// The plugin runs and takes batches of this size.
  func attach(_ credits: DeliveryCredits) {
    attachment += 1
    self.credits = credits
    pump()
  }

  /// The plugin's process is gone; what it had not answered is sent again to the next one.
  func detach() {
    attachment += 1
    credits = nil
    outstanding = nil
    isReading = false
    timer.cancel()
  }

  /// Sends what there is, if anything is to be sent now.
  func goOn() { pump() }

  /// The lane's head moved.
  func advance(to head: Int64) {
    self.head = max(self.head, head)
    pump()
  }

  /// The plugin works again: what it wanted to have again later it gets now, alarms before the records that follow.
  func retryNow() {
    ledger?.forgetWaits()
    volatile.forgetWaits()
    pump()
  }

  /// An alarm that the disk has not taken yet.
  func addVolatile(_ event: EncodedEvent) {
    guard links.wants(event.type), !event.isForGuardians else { return }
    volatile.add(event)
    pump()
  }

  /// Opens dead letters again and makes that durable; answers those opened.
  func reopen(
    _ letters: [(letter: DeadLetter, subject: String)],
    completion: @escaping @LoopActor @Sendable ([DeadLetter]) -> Void
  ) {
    guard !isSaving else {
      return afterSave.append { [weak self] in self?.reopen(letters, completion: completion) }
    }
    guard var ledger else { return completion([]) }
    let opened = ledger.reopen(letters)
    self.ledger = ledger
    guard !opened.isEmpty else { return completion([]) }
    save(deadLetters: [], whenDurable: { completion(opened) })
  }

  /// Saves what was skipped without a save, at a clean stop.
  func flush() {
    if unsavedSkips > 0, !isSaving { save(deadLetters: []) }
  }

  // MARK: What next

  private func pump() {
    guard let credits, outstanding == nil else { return }
    let now = EventLoop.now
    if lane == .alarm, sendVolatile(credits, now: now) { return }
    guard let ledger, !isReading, !isSaving else { return rearm() }
    if lane != .alarm, links.alarmsAreBusy() { return }
    let due = ledger.due(at: now, limit: credits.events)
    if !due.isEmpty { return readExceptions(due) }
    if head > ledger.cursor.sequence, ledger.room > 0 {
      return readFresh(after: ledger.cursor.sequence)
    }
    rearm()
  }

  private func rearm() {
    let next = Tick.soonest(ledger?.nextDue, volatile.nextDue)
    if let next { timer.set(at: next) } else { timer.cancel() }
    if lane == .alarm { links.alarmsRest() }
  }

  // MARK: Reading

  private func readFresh(after sequence: Int64) {
    guard let credits else { return }
    isReading = true
    let (current, headAtReading) = (attachment, head)
    links.journal.read(
      lane: lane, after: sequence, limit: credits.events, maximumBytes: credits.bytes
    ) { [weak self] answer in
      self?.rowsArrived(answer, attachment: current) { self?.offerFresh($0, head: headAtReading) }
    }
  }

  private func readExceptions(_ sequences: [Int64]) {
    isReading = true
    let current = attachment
    links.journal.read(lane: lane, sequences: sequences) { [weak self] answer in
      self?.rowsArrived(answer, attachment: current) { rows in
        let missing = Set(sequences).subtracting(rows.map(\.sequence))
        self?.offerExceptions(rows.sorted { $0.sequence < $1.sequence }, missing: missing)
      }
    }
  }

  private func rowsArrived(
    _ answer: Result<[JournalRow], StoreError>, attachment: Int,
    _ offer: @LoopActor ([JournalRow]) -> Void
  ) {
    guard attachment == self.attachment else { return }
    isReading = false
    switch answer {
    case .success(let rows):
      if outstanding == nil { offer(rows) }
    case .failure(let error):
      links.log(.warning, "the journal cannot be read, trying again: \(error)")
      timer.set(afterMilliseconds: links.timings.storeRetryMilliseconds)
    }
  }

  // MARK: Sending

  private func offerFresh(_ rows: [JournalRow], head: Int64) {
    guard let ledger, let last = rows.last else {
      // The head speaks of rows that were erased or thinned since.
      return skip(to: head)
    }
    let plan = ledger.plan(rows) { judge($0) }
    guard plan.through != nil else { return rearm() }
    if plan.sent.isEmpty { return settleFresh(plan, outcomes: [], skipped: last.sequence) }
    redelivered += Int64(plan.sent.count { $0.sequence <= highestSent })
    highestSent = max(highestSent, plan.sent.last?.sequence ?? 0)
    dispatch(
      .fresh(plan), events: plan.sent.map { ($0.type, $0.body) },
      sequences: plan.sent.map(\.sequence))
  }

  private func skip(to sequence: Int64) {
    guard let ledger, sequence > ledger.cursor.sequence else { return }
    settleFresh(LaneLedger.Plan(through: sequence), outcomes: [], skipped: sequence)
  }

  private func judge(_ row: JournalRow) -> LaneLedger.Judgement {
    // What guardians alone may know travels in their messages and never in a lane.
    guard links.wants(row.type), !row.isForGuardians else { return .skip }
    switch volatile.verdict(on: row.id) {
    case .accepted: return .skip
    case .refused(let reason): return .deadLetter(deadLetter(row, reason: reason))
    case nil: break
    }
    if row.body.count > PluginLimits.batchBytes {
      return .deadLetter(
        deadLetter(
          row, reason: gettext("it is larger than a batch may be", in: links.language)))
    }
    return .send
  }

  private func offerExceptions(_ rows: [JournalRow], missing: Set<Int64>) {
    guard let credits else { return }
    var fitting: [JournalRow] = []
    var bytes = 0
    for row in rows.prefix(credits.events) {
      bytes += row.body.count
      if bytes > credits.bytes, !fitting.isEmpty { break }
      fitting.append(row)
    }
    if fitting.isEmpty { return settleExceptions([], missing: missing, outcomes: []) }
    dispatch(
      .exceptions(fitting, missing: missing), events: fitting.map { ($0.type, $0.body) },
      sequences: fitting.map(\.sequence))
  }

  private func sendVolatile(_ credits: DeliveryCredits, now: Tick) -> Bool {
    let events = volatile.due(at: now, limit: credits.events, maximumBytes: credits.bytes)
    guard !events.isEmpty else { return false }
    dispatch(.volatile(events), events: events.map { ($0.type, $0.body) }, sequences: [])
    return true
  }

  /// Sends what may leave. Bytes that cannot be filtered never leave; the event counts as refused.
  private func dispatch(
    _ batch: Batch, events: [(type: EventType, body: [UInt8])], sequences: [Int64]
  ) {
    let visible = links.visible(events)
    let isDurable = if case .volatile = batch { false } else { true }
    outstanding = (batch, EventLoop.now)
    let current = attachment
    let positions = visible.indices.filter { visible[$0] != nil }
    guard !positions.isEmpty else {
      return answered(batch, outcomes: merged([], at: [], count: events.count))
    }
    var range: ClosedRange<Int64>?
    if let first = sequences.first, let last = sequences.last, first <= last {
      range = first...last
    }
    let message = DeliverBatch(
      lane: lane, isDurable: isDurable, sequences: range, bodies: visible.compactMap { $0 })
    links.send(message) { [weak self] answer in
      guard let self, current == self.attachment else { return }
      self.received(answer, for: batch, positions: positions, count: events.count)
    }
  }

  private func received(
    _ answer: RequestTable.Answer, for batch: Batch, positions: [Int], count: Int
  ) {
    switch answer {
    case .cancelled: return
    case .timedOut:
      links.onFault(
        .noAnswer(
          method: "\(PluginMethod.deliver) (\(lane.rawValue))",
          milliseconds: links.timings.deliverMilliseconds))
    case .failure(let error): links.onFault(.deliverFailed(lane, error))
    case .result(let message):
      do throws(DecodeError) {
        let outcomes = try BatchOutcomes(json: message.payload(), count: positions.count)
        answered(batch, outcomes: merged(outcomes.expanded, at: positions, count: count))
      } catch {
        links.onFault(.wrongOutcomes(lane, error))
      }
    }
  }

  private func merged(
    _ outcomes: [EventOutcome], at positions: [Int], count: Int
  ) -> [EventOutcome] {
    if positions.count == count { return outcomes }
    let reason = gettext("the privacy filter cannot read it", in: links.language)
    var merged = [EventOutcome](repeating: .refused(reason: reason), count: count)
    for (position, outcome) in zip(positions, outcomes) { merged[position] = outcome }
    return merged
  }

  // MARK: Settling

  private func answered(_ batch: Batch, outcomes: [EventOutcome]) {
    outstanding = nil
    let accepted = outcomes.count { $0 == .accepted }
    delivered += Int64(accepted)
    if accepted > 0 { lastSuccess = links.moment() }
    switch batch {
    case .fresh(let plan): settleFresh(plan, outcomes: outcomes, skipped: nil)
    case .exceptions(let rows, let missing):
      settleExceptions(rows, missing: missing, outcomes: outcomes)
    case .volatile(let events):
      volatile.settle(
        events, outcomes: outcomes, now: EventLoop.now,
        retrySecondMilliseconds: links.timings.retrySecondMilliseconds)
      pump()
    }
  }

  private func settleFresh(_ plan: LaneLedger.Plan, outcomes: [EventOutcome], skipped: Int64?) {
    guard var ledger else { return }
    let refused = ledger.settle(
      plan, outcomes: outcomes, now: EventLoop.now,
      retrySecondMilliseconds: links.timings.retrySecondMilliseconds)
    let before = self.ledger?.cursor.sequence ?? 0
    self.ledger = ledger
    let settled = zip(plan.sent, outcomes).filter { !$0.1.isRetry }.map(\.0.id)
    volatile.forget(settled + plan.deadLetters.map(\.event))
    let letters = plan.deadLetters + refused.map { deadLetter($0.row, reason: $0.reason) }
    if skipped != nil, plan.held.isEmpty, letters.isEmpty {
      unsavedSkips += Int(clamping: ledger.cursor.sequence - before)
      guard unsavedSkips >= 1000 else { return pump() }
    }
    save(deadLetters: letters)
  }

  private func settleExceptions(
    _ rows: [JournalRow], missing: Set<Int64>, outcomes: [EventOutcome]
  ) {
    guard var ledger else { return }
    let refused = ledger.settleExceptions(
      rows, outcomes: outcomes, missing: missing, now: EventLoop.now,
      retrySecondMilliseconds: links.timings.retrySecondMilliseconds)
    self.ledger = ledger
    save(deadLetters: refused.map { deadLetter($0.row, reason: $0.reason) })
  }

  private func deadLetter(_ row: JournalRow, reason: String) -> DeadLetter {
    DeadLetter(
      plugin: links.plugin, lane: lane, sequence: row.sequence, event: row.id, reason: reason,
      time: links.moment().utc)
  }

  private func save(
    deadLetters: [DeadLetter], whenDurable: (@LoopActor @Sendable () -> Void)? = nil
  ) {
    guard let cursor = ledger?.cursor else { return }
    isSaving = true
    if !deadLetters.isEmpty {
      links.log(
        .error, "\(deadLetters.count) events were refused for ever: \(deadLetters[0].reason)")
    }
    links.journal.save(cursor: cursor, deadLetters: deadLetters) { [weak self] outcome in
      guard let self else { return }
      switch outcome {
      case .committed:
        self.isSaving = false
        self.unsavedSkips = 0
        whenDurable?()
        let waiting = self.afterSave
        self.afterSave = []
        for work in waiting { work() }
        self.pump()
      case .delayed: break
      case .dropped(let error): self.saveAgain(deadLetters, after: error, whenDurable)
      }
    }
  }

  private func saveAgain(
    _ deadLetters: [DeadLetter], after error: StoreError,
    _ whenDurable: (@LoopActor @Sendable () -> Void)?
  ) {
    guard error.code != .closed else { return }
    links.log(.warning, "the cursor cannot be saved, trying again: \(error)")
    let retry = LoopTimer { [weak self] in
      self?.saveTimer = nil
      self?.save(deadLetters: deadLetters, whenDurable: whenDurable)
    }
    saveTimer = retry
    retry.set(afterMilliseconds: links.timings.storeRetryMilliseconds)
  }

  private var saveTimer: LoopTimer?
  private var afterSave: [@LoopActor () -> Void] = []
}

extension EventOutcome {
  var isRetry: Bool {
    if case .retry = self { true } else { false }
  }
}
