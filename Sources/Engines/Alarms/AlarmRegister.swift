import Bytes
import Care
import Moments

/// All alarms with what is kept beside them: how they begin, what names them, and who carries what is told of them.
struct AlarmRegister: Sendable {
  /// What survives a restart.
  var state = AlarmState()
  private(set) var carriers = Carriers()
  private var toldNews = ToldNews()
  private var identifiers: IdentifierGenerator
  private var codes: CodeWords

  /// One without alarms.
  ///
  /// - Parameter seed: for identifiers and codes.
  init(seed: UInt64) {
    // Other engines may draw identifiers from the same seed: theirs must never meet with these.
    let own = ~seed
    identifiers = IdentifierGenerator(seed: SplitMix64.mixed(own ^ 0x616C_6172_6D73))
    codes = CodeWords(seed: SplitMix64.mixed(own ^ 0x7461_6773))
  }

  /// A new identifier of something that begins now.
  mutating func newIdentifier(at now: Moment) -> String { identifiers.next(at: now.utc) }

  /// A new code, to be typed again.
  mutating func newCode() -> String { codes.code() }

  // MARK: Beginning

  /// Raises an alarm or joins the open one of its kind; answers its place.
  @discardableResult
  mutating func raise(_ finding: Finding, _ step: inout Step) -> Int {
    if let index = state.joined(finding.kind, finding.resident) {
      state.alarms[index].join(finding, &step)
      return index
    }
    return begin(finding, &step)
  }

  private mutating func begin(_ finding: Finding, _ step: inout Step) -> Int {
    let id = AlarmID(newIdentifier(at: step.now))
    let alarm = LiveAlarm(finding, id: id, tag: codes.tag(unlike: state.alarms), step)
    state.alarms.append(alarm)
    state.alarms.sort(by: LiveAlarm.isBefore)
    let index = state.place(of: id) ?? state.alarms.endIndex - 1
    step.hasNewAlarm = true
    alarm.tellRaised(at: state.position(of: index), &step)
    if AlarmDeadlines(alarm, in: step.house).prealarmSeconds == 0 { dispatch(index, &step) }
    return index
  }

  /// Has guardians told of an alarm.
  mutating func dispatch(_ index: Int, _ step: inout Step) {
    state.alarms[index].dispatch(by: carriers, at: state.position(of: index), &step)
  }

  /// Raises what another engine found, where its kind is on.
  mutating func find(_ finding: Signal.Finding, _ step: inout Step) {
    guard step.house.alarmSettings(of: finding.resident).isRaised(finding.kind) else { return }
    raise(Finding(finding), &step)
  }

  // MARK: Going on

  /// Does what is due by a moment.
  mutating func advance(until limit: Tick, _ step: inout Step) {
    runSchedule(until: limit, &step)
    state.advance(until: limit, by: carriers, &step)
  }

  // MARK: Ways

  /// Takes what plugins offer now; what waited for a way that did not exist goes out when it does.
  mutating func take(_ report: WaysReport, _ step: inout Step) {
    carriers.take(report)
    for index in state.alarms.indices {
      state.alarms[index].messages.takeUp(by: carriers, at: step.now)
    }
    settleWays(in: step.house, at: step.now)
  }

  /// Forgets what is known of ways that are gone, and begins to know those that are new.
  mutating func settleWays(in house: House, at now: Moment) {
    state.ways.settle(in: house, begins: carriers.isKnown, at: now)
  }

  // MARK: News

  /// Remembers news that a guardian is being told.
  mutating func noteTold(_ message: AlarmMessage) {
    toldNews.note(message, by: carriers.asked(for: message.channel))
  }

  /// Takes what became of something that was told, and learns from it which ways work.
  mutating func note(_ report: DeliveryReport, _ step: inout Step) {
    switch state.subject(of: report, or: toldNews) {
    case nil: return
    case .contact(let index):
      state.alarms[index].noteContact(report.outcome, report.detail, &step)
    case .news(let place):
      state.ways.learn(from: report, in: step.house, at: step.now)
      toldNews.take(report.outcome, at: place)
    case .message(let index, let place):
      state.ways.learn(from: report, in: step.house, at: step.now)
      state.alarms[index].note(report, of: place, &step)
    }
  }

  /// Whether a report is of something that whoever reports was asked to do, and of which nothing final was heard yet.
  ///
  /// What the gateway says of itself always is.
  func isAwaited(_ report: DeliveryReport) -> Bool {
    report.plugin.isEmpty || state.subject(of: report, or: toldNews) != nil
  }
}
