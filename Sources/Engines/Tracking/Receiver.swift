import Bytes
import Care
import JSON
import Moments
import Texts

/// What is known about the receiver, and which of its faults were told.
struct Receiver: Hashable, Sendable {
  /// When it last reported anything.
  private(set) var lastReport: Stamp?
  /// Since when its reports hold no position.
  private(set) var noFixSince: Stamp?
  /// The codes of the faults told and not cleared, in the order told.
  private(set) var faults: [String] = []
  /// What the source said last; not kept over restarts, because the source says it again.
  var health: HealthReport?

  init(lastReport: Stamp? = nil) { self.lastReport = lastReport }

  /// Notes a sign of life, with or without a position.
  mutating func note(
    _ report: FixReport, isOn: Bool, at now: Moment, by settings: TrackingSettings
  ) -> [ReceiverFault.Change] {
    lastReport = Stamp(now)
    let heard = clear(.noReport, Message("The receiver reports again."))
    guard !report.mode.hasPosition else {
      noFixSince = nil
      return heard + clear(.noFix, Message("The receiver has a position again."))
    }
    let since = noFixSince ?? Stamp(now)
    noFixSince = since
    guard isOn, since.tick(after: settings.noFixSeconds) <= now.tick else { return heard }
    let seconds = wholeSeconds(since.age(at: now))
    return heard
      + raise(
        .noFix, .degraded,
        Message(
          "The receiver reports, but has had no position for {duration}. "
            + "Indoors that is usual; otherwise give it a view of the sky.",
          ["duration": duration(seconds: seconds)]))
  }

  /// When silence becomes a fault; nil when it has been told.
  ///
  /// - Parameter switched: when tracking was switched on.
  func silenceDeadline(switched: Stamp, by settings: TrackingSettings) -> Tick? {
    guard !faults.contains(ReceiverFault.noReport.rawValue) else { return nil }
    let heard = lastReport ?? switched
    let basis = heard.tick < switched.tick ? switched : heard
    return basis.tick(after: settings.noReportSeconds)
  }

  /// Silence is a fault from now on.
  mutating func fallSilent(_ detail: Message) -> [ReceiverFault.Change] {
    raise(.noReport, .failed, detail)
  }

  /// Silence while the gateway itself was down is not the receiver's.
  mutating func forgiveDowntime(at now: Moment, by settings: TrackingSettings) {
    guard let heard = lastReport, heard.tick(after: settings.noReportSeconds) < now.tick,
      !faults.contains(ReceiverFault.noReport.rawValue)
    else { return }
    lastReport = Stamp(now)
    noFixSince = nil
  }

  /// Compares the receiver's time with a trusted clock; a position stays usable with a wrong one.
  mutating func judgeClock(
    of fix: AcceptedFix, at now: Moment, by settings: TrackingSettings
  ) -> [ReceiverFault.Change] {
    switch ReceiverClock.judge(fix.receiverTime, now, settings) {
    case .unjudged: return []
    case .right:
      return clear(.weekRollover, Message("The receiver's date is right again."))
        + clear(.clockWrong, Message("The receiver's clock is right again."))
    case .rolledOver(let periods):
      return clear(.clockWrong, Message("The receiver's clock is wrong in another way now."))
        + raise(
          .weekRollover, .degraded,
          Message(
            "The receiver's date is off by {periods} × 1,024 weeks, because its week counter ran "
              + "over. Its positions are used with this gateway's time; update or replace it.",
            ["periods": abs(periods)]))
    case .wrong(let seconds):
      return clear(.weekRollover, Message("The receiver's clock is wrong in another way now."))
        + raise(
          .clockWrong, .degraded,
          seconds < 0
            ? Message(
              "The receiver's clock is {duration} slow. "
                + "Its positions are used with this gateway's time.",
              ["duration": duration(seconds: abs(seconds))])
            : Message(
              "The receiver's clock is {duration} fast. "
                + "Its positions are used with this gateway's time.",
              ["duration": duration(seconds: seconds)]))
    }
  }

  /// Clears every open fault, because the receiver was exchanged.
  mutating func clearFaults() -> [ReceiverFault.Change] {
    faults.compactMap { ReceiverFault(rawValue: $0) }.flatMap { fault in
      clear(fault, Message("The receiver was exchanged for another."))
    }
  }

  mutating func mapStamps(_ change: (inout Stamp) -> Void) {
    lastReport?.map(change)
    noFixSince?.map(change)
  }

  private mutating func raise(
    _ fault: ReceiverFault, _ health: HealthState, _ detail: Message
  ) -> [ReceiverFault.Change] {
    guard !faults.contains(fault.rawValue) else { return [] }
    faults.append(fault.rawValue)
    return [ReceiverFault.Change(fault: fault, health: health, detail: detail)]
  }

  private mutating func clear(
    _ fault: ReceiverFault, _ detail: Message
  ) -> [ReceiverFault.Change] {
    guard let index = faults.firstIndex(of: fault.rawValue) else { return [] }
    faults.remove(at: index)
    return [ReceiverFault.Change(fault: fault, health: .working, detail: detail)]
  }
}

extension Receiver {
  init(json: JSONValue) throws(DecodeError) {
    let reader = try JSONReader(json)
    lastReport = try reader.optionalStamp("lastReport")
    noFixSince = try reader.optionalStamp("noFixSince")
    faults = try reader.array("faults").compactMap(\.stringContent)
  }

  var json: JSONValue? {
    guard lastReport != nil || !faults.isEmpty else { return nil }
    return .object([
      "lastReport": lastReport?.json, "noFixSince": noFixSince?.json,
      "faults": .array(faults.map(JSONValue.string)),
    ])
  }
}
