import Care
import Moments
import Texts

/// What became of telling one guardian one thing by one channel.
struct GuardianMessage: Hashable, Sendable {
  /// How far the newest attempt has come.
  enum Progress: String, Hashable, Sendable {
    /// Not handed to a transport yet.
    case waiting
    /// Handed over, and nothing heard since.
    case handed
    /// A transport took it.
    case sent
    /// A receipt came back.
    case delivered
    /// It will not arrive, or nobody answered.
    case failed
    /// No plugin takes it; said once, and tried when one does.
    case noWay = "no-way"
    /// Given up: it is no news any more.
    case over
  }

  let notice: AlarmNotice
  let guardian: GuardianID
  let channel: Guardian.Channel
  /// When there was something to tell.
  var created: Stamp
  var progress = Progress.waiting
  /// When the progress was made.
  var since: Stamp
  /// Attempts so far; 0 before the first.
  var attempt: Int64 = 0
  /// Attempts that failed, in a row.
  var failures: Int64 = 0
  /// Whether an attempt ever got as far as being sent.
  var wasSent = false
  /// Whether an attempt ever brought a receipt.
  var wasDelivered = false
  /// Whether the newest attempt may have cost a message though it failed.
  var mayHaveCost = false
  /// Why the newest attempt failed.
  var detail = ""
  /// Who was asked to carry the newest attempt.
  var asked = Asked.whoever

  init(_ notice: AlarmNotice, _ guardian: GuardianID, _ channel: Guardian.Channel, at now: Moment) {
    self.notice = notice
    self.guardian = guardian
    self.channel = channel
    created = Stamp(now)
    since = Stamp(now)
  }

  /// The way that it goes.
  var way: GuardianWay { GuardianWay(guardian: guardian, channel: channel) }

  /// Names the row, unique within the alarm.
  var name: String { "\(notice.rawValue)/\(guardian.rawValue)/\(channel.rawValue)" }

  /// Asks for one more attempt at once; one that is under way is left alone.
  mutating func renew(at now: Moment) {
    guard progress != .handed else { return }
    progress = .waiting
    created = Stamp(now)
    since = Stamp(now)
    failures = 0
  }

  /// Waits for a plugin to offer the way; answers whether that is news.
  mutating func waitForWay(saying why: String, at now: Moment) -> Bool {
    guard progress != .noWay else { return false }
    advance(to: .noWay, at: now)
    failures = max(1, failures)
    detail = why
    return true
  }

  /// Is handed over once more.
  mutating func hand(to asked: Asked, at now: Moment) {
    attempt += 1
    advance(to: .handed, at: now)
    mayHaveCost = false
    self.asked = asked
  }

  /// Is given up.
  mutating func expire(at now: Moment) { advance(to: .over, at: now) }

  /// Goes out now that there is a way; until when it is news does not change.
  mutating func takeUp(at now: Moment) {
    advance(to: .waiting, at: now)
    failures = 0
    detail = ""
  }

  /// Whether such an outcome of the newest attempt can still follow.
  func expects(_ outcome: DeliveryReport.Outcome) -> Bool {
    guard attempt > 0, ![.waiting, .noWay, .over].contains(progress) else { return false }
    return switch outcome {
    case .sent: progress == .handed || progress == .failed
    case .delivered: progress != .delivered
    case .failed: progress == .handed || progress == .sent
    }
  }

  /// Notes a step; false when nothing new was learnt.
  mutating func note(
    _ outcome: DeliveryReport.Outcome, _ why: String, at now: Moment
  ) -> Bool {
    guard expects(outcome) else { return false }
    switch outcome {
    case .sent:
      advance(to: .sent, at: now)
      wasSent = true
    case .delivered:
      // The next attempt counts from the sending, which a receipt does not move.
      if progress != .sent { since = Stamp(now) }
      progress = .delivered
      wasSent = true
      wasDelivered = true
    case .failed:
      mayHaveCost = progress == .sent
      advance(to: .failed, at: now)
      failures += 1
    }
    if outcome != .failed { failures = 0 }
    let isNew = outcome != .failed || failures == 1 || detail != why
    detail = outcome == .failed ? why : ""
    return isNew
  }

  /// No transport answered in time; whether it was sent nobody knows.
  mutating func noteSilence(saying silence: String, at now: Moment) -> Bool {
    let isNew = note(.failed, silence, at: now)
    mayHaveCost = true
    return isNew
  }

  /// What is said where no transport answered.
  static func silence(in house: House, of alarm: LiveAlarm) -> String {
    Message("Nothing was heard from the transport.").text(
      in: house.alarmLanguage(of: alarm.resident))
  }

  private mutating func advance(to next: Progress, at now: Moment) {
    progress = next
    since = Stamp(now)
  }
}

/// When the next attempt is due.
struct TellingPlan: Hashable, Sendable {
  /// Whether the message is repeated until somebody takes charge.
  var repeats: Bool
  var resendSeconds: Int64
  /// Whether the alarm has been told for more than an hour.
  var isLate: Bool

  /// Seconds between attempts that fail.
  private static let retries: [Int64] = [3, 5, 7, 15, 30, 60]
  /// From the second hour on nobody gets a message more often than this.
  private static let lateSeconds: Int64 = 900

  /// Seconds after ``GuardianMessage/since`` at which something is due; nil for never.
  func seconds(_ message: GuardianMessage) -> Int64? {
    switch message.progress {
    case .waiting: 0
    // A call that is not answered takes up to a minute.
    case .handed: message.channel == .voice ? 90 : 30
    case .sent, .delivered: repeats ? resend(message) : nil
    case .failed: retry(message)
    case .noWay, .over: nil
    }
  }

  private func resend(_ message: GuardianMessage) -> Int64 {
    let usual = message.channel == .voice ? max(60, resendSeconds) : resendSeconds
    return isLate ? max(Self.lateSeconds, usual) : usual
  }

  private func retry(_ message: GuardianMessage) -> Int64 {
    if isLate, message.mayHaveCost { return Self.lateSeconds }
    let place = Int(clamping: message.failures - 1)
    return Self.retries[min(max(0, place), Self.retries.count - 1)]
  }
}
