import Care
import Moments

/// What of one alarm is due when, as it is now.
struct AlarmDeadlines {
  /// How long news other than the alarm itself is tried to be delivered.
  private static let newsSeconds: Int64 = 3600
  /// How long an alarm that is over is known, so that a late answer gets a plain reply.
  private static let memorySeconds: Int64 = 86_400
  /// How long a test waits for its messages.
  private static let testSeconds: Int64 = 3600

  private let alarm: LiveAlarm
  private let house: House

  init(_ alarm: LiveAlarm, in house: House) {
    self.alarm = alarm
    self.house = house
  }

  private var settings: AlarmSettings { house.alarmSettings(of: alarm.resident) }

  // MARK: Stages

  /// How long it stays in the house: an SOS that may be heard, to be cancelled; a fault, to mend itself.
  var prealarmSeconds: Int64 {
    switch alarm.kind {
    case .sos: alarm.isSilent ? 0 : settings.prealarmSeconds
    case .fault: settings.faultPatienceSeconds
    case .zone, .position, .glucose, .medicine, .lost, .battery, .test: 0
    }
  }

  /// When guardians are told unless somebody calls it off.
  var dispatch: Tick { alarm.raised.tick(after: prealarmSeconds) }

  /// When the next tier is told.
  var tier: Tick? {
    guard alarm.stage == .dispatched, let since = alarm.tierSince,
      house.tiers(of: alarm).contains(where: { $0 > alarm.tier })
    else { return nil }
    // Where nobody could be told at first, the first guardian added is told at once.
    if alarm.tier == 0 { return since.tick }
    // Nor is there anything to wait for where no plugin reaches any of them.
    if alarm.messages.haveNoWay(alarm.notice) { return since.tick(after: 1) }
    guard house.rule(of: alarm).escalates else { return nil }
    return since.tick(after: settings.tierSeconds)
  }

  /// When a test is over: once every message is on its way, at last after an hour.
  var testEnd: Tick? {
    guard alarm.kind == .test, alarm.isDispatched, let start = alarm.dispatched else { return nil }
    return isSettled ? start.tick : start.tick(after: Self.testSeconds)
  }

  private var isSettled: Bool {
    !alarm.messages.isEmpty
      && alarm.messages.allSatisfy { [.delivered, .sent, .noWay].contains($0.progress) }
  }

  /// When it is forgotten; nil while it is open.
  var forgotten: Tick? { alarm.ended?.tick(after: Self.memorySeconds) }

  // MARK: Positions

  /// Seconds between two positions, often at first.
  func livePeriod(at tick: Tick) -> Int64 {
    guard let start = alarm.dispatched, tick < start.tick(after: settings.liveFastSeconds) else {
      return settings.liveSlowSeconds
    }
    return settings.liveFastPeriodSeconds
  }

  /// When the next position is told.
  var live: Tick? {
    guard alarm.kind == .sos, alarm.isDispatched, alarm.resident != nil else { return nil }
    guard let last = alarm.lastLive else { return alarm.dispatched?.tick }
    return last.tick(after: livePeriod(at: last.tick))
  }

  // MARK: Messages

  /// When the next step of a message is due; nil where none is.
  func message(_ message: GuardianMessage) -> Tick? {
    guard message.progress != .over, alarm.wants(message), house.address(of: message.way) != nil
    else { return nil }
    let age = (alarm.dispatched ?? alarm.raised).tick
    let plan = TellingPlan(
      repeats: message.notice.isAlarm && house.rule(of: alarm).escalates,
      resendSeconds: settings.resendSeconds,
      isLate: message.since.tick.milliseconds(since: age) >= 3_600_000)
    guard let seconds = plan.seconds(message) else { return nil }
    let due = message.since.tick(after: seconds)
    guard !message.notice.isAlarm else { return due }
    return message.progress == .handed ? due : min(due, expiry(of: message))
  }

  /// What is to be done about a message, as far as it is due by a moment.
  func turn(of message: GuardianMessage, until limit: Tick, in world: World) -> MessageTurn {
    guard let due = self.message(message), due <= limit else { return .rest }
    let isExpired = !message.notice.isAlarm && expiry(of: message) <= world.now.tick
    if message.progress == .handed { return .noteSilence(isExpired: isExpired) }
    if isExpired { return .expire }
    let isBegun = message.attempt > 0 || !message.notice.isAlarm
    return isBegun || !isHeld(in: world) ? .hand : .rest
  }

  /// Whether nothing begins to be told of it, as these are its quiet hours.
  private func isHeld(in world: World) -> Bool {
    house.rule(of: alarm).priority == .low && house.quietMinutes(of: alarm, in: world) != nil
  }

  /// When a message is no news any more.
  private func expiry(of message: GuardianMessage) -> Tick {
    message.created.tick(
      after: message.notice == .cancelled ? settings.cancelExpirySeconds : Self.newsSeconds)
  }

  // MARK: All

  /// When something is due next; nil for never.
  ///
  /// - Parameter isHeld: whether what was not told yet waits for the end of quiet hours.
  func next(isHeld: Bool) -> Tick? {
    var ticks = [tier, live, alarm.contact?.deadline, testEnd, forgotten]
    if alarm.stage == .prealarm { ticks.append(dispatch) }
    if alarm.room.phase == .siren { ticks.append(AlarmSound(alarm, in: house).sirenEnd) }
    for message in alarm.messages where message.attempt > 0 || !isHeld {
      ticks.append(self.message(message))
    }
    return .soonest(ticks)
  }
}

/// What is to be done about one message.
enum MessageTurn: Hashable, Sendable {
  case rest
  case hand
  /// It is no news any more.
  case expire
  /// Nothing was heard of it in time; whether it is no news any more either.
  case noteSilence(isExpired: Bool)
}
