import Care
import Moments
import Texts

/// Says how a receiver does, and only when that changes.
struct ReceiverHealth {
  /// What is known of the way from the satellites to here.
  enum Condition: Hashable {
    case starting
    case gpsdGone
    case noReceiver(wanted: String?)
    case receiverGone(path: String)
    case noReport(seconds: Int)
    case noFix
    case clockOff(days: Int64, isRollover: Bool)
    case working
  }

  private let component: ComponentID
  private let address: String
  private(set) var condition: Condition?

  init(source: SourceID, address: String) {
    component = ComponentID("gps/\(source)")
    self.address = address
  }

  /// The report to hand in when the condition is another than before.
  mutating func become(_ next: Condition) -> HealthReport? {
    guard next != condition else { return nil }
    condition = next
    let (state, code) = Self.summary(of: next)
    return HealthReport(component: component, state: state, code: code, detail: detail(of: next))
  }

  private static func summary(of condition: Condition) -> (HealthState, String) {
    switch condition {
    case .starting: (.starting, "starting")
    case .gpsdGone: (.failed, "gpsd-gone")
    case .noReceiver: (.failed, "no-receiver")
    case .receiverGone: (.failed, "receiver-gone")
    case .noReport: (.failed, "no-report")
    case .noFix: (.degraded, "no-fix")
    case .clockOff(_, let isRollover): (.degraded, isRollover ? "rolled-over" : "receiver-clock")
    case .working: (.working, "")
    }
  }

  private func detail(of condition: Condition) -> Message {
    switch condition {
    case .starting: Message("Waiting for the first report of the receiver.")
    case .gpsdGone:
      Message(
        "gpsd does not answer at {address}. Is it running? Try: systemctl status gpsd",
        ["address": address])
    case .noReceiver(let wanted?):
      Message(
        "gpsd does not have the receiver {wanted}. Plug it in, or name another in the configuration.",
        ["wanted": wanted])
    case .noReceiver(nil):
      Message("gpsd has no receiver. Plug one in, or name it in DEVICES in /etc/default/gpsd.")
    case .receiverGone(let path):
      Message(
        "The receiver {path} is gone. Check that it is plugged in and that its cable is whole.",
        ["path": path])
    case .noReport(let seconds):
      Message(
        "The receiver has reported nothing for {seconds} s. Check its cable and power, then try: cgps",
        ["seconds": seconds])
    case .noFix:
      Message("The receiver works but does not know where it is. It needs a view of the sky.")
    case .clockOff(let days, true):
      Message(
        "The receiver's date is {days} days off: its week counter rolled over. Positions are used, its time is not.",
        ["days": days])
    case .clockOff(let days, false):
      Message(
        "The receiver's date is {days} days off. Positions are used, its time is not.",
        ["days": days])
    case .working: Message("The receiver reports positions.")
    }
  }
}

extension ReceiverHealth.Condition {
  /// Days between a receiver's clock and ours that cannot be true; nil when the two agree within a day.
  ///
  /// A GPS week number has ten bits: a receiver past its date is wrong by whole multiples of 1,024 weeks.
  static func clockOff(receiver: Timestamp, ours: Timestamp) -> Self? {
    let day: Int64 = 86_400_000
    let days = receiver.milliseconds(since: ours) / day
    guard days != 0 else { return nil }
    let era: Int64 = 1024 * 7
    let distance = days.magnitude % UInt64(era)
    let isRollover =
      days.magnitude >= UInt64(era) - 1 && (distance <= 1 || distance >= UInt64(era) - 1)
    return .clockOff(days: days, isRollover: isRollover)
  }
}
