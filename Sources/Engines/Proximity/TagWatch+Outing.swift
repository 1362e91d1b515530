import Care
import Moments

/// What is along when the resident goes out, and what stayed.
///
/// Judged a while after going out, by what is heard after it; see ``OutingJudge``.
extension TagWatch {
  mutating func turn(isOut: Bool, at now: Moment, _ outcome: inout Outcome) {
    guard isOut != (session.wentOut != nil) else { return }
    session.wentOut = isOut ? Stamp(now) : nil
    session.turned = Stamp(now)
    session.isJudged = false
    for id in records.keys.sorted() {
      guard let verdict = records[id]?.outing else { continue }
      records[id]?.outing = nil
      ledger.touch(id)
      if verdict == .left, let tag = tags[id] { outcome.events.append(events.over(tag, "home")) }
    }
  }

  /// When it can be judged; nil when nobody is out, or all is judged.
  var outingDeadline: Tick? {
    guard let due = session.wentOut?.tick(after: settings.leftWithoutDelaySeconds),
      !session.isJudged
    else { return nil }
    return due
  }

  mutating func judgeOuting(at now: Moment, _ outcome: inout Outcome) {
    guard let out = session.wentOut,
      out.tick(after: settings.leftWithoutDelaySeconds) <= now.tick
    else { return }
    session.isJudged = true
    let judge = OutingJudge(out: out, hearers: hearers, settings: settings)
    for id in records.keys.sorted() {
      guard let tag = tags[id], tag.belongsAlong, let record = records[id] else { continue }
      guard let verdict = judge.news(of: record) else { continue }
      records[id]?.outing = verdict
      ledger.touch(id)
      switch verdict {
      case .left:
        outcome.events.append(
          events.left(
            tag, record, isAtHome: record.presence(at: hearers.isFixed).isHeard,
            wentOut: session.wentOut, at: now))
      case .along: if record.outing == .left { outcome.events.append(events.over(tag, "along")) }
      }
    }
  }
}
