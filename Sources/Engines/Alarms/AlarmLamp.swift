import Care
import Moments

/// The lamp, which shows a press at once and otherwise how far the alarm is that is worst off.
struct AlarmLamp: Sendable {
  /// A press that led to nothing is shown for so long.
  private static let pressMilliseconds: Int64 = 5000

  private var shown: LampSignal
  /// When a button went down that has not led to anything yet.
  private var pressed: Tick?

  init(showing alarms: [LiveAlarm]) { shown = LampSignal(of: alarms) }

  mutating func press(at tick: Tick) { pressed = tick }

  mutating func release() { pressed = nil }

  /// When a press is shown long enough; nil where there is none.
  var deadline: Tick? { pressed?.advanced(byMilliseconds: Self.pressMilliseconds) }

  mutating func forgetPress(by limit: Tick) {
    if let deadline, deadline <= limit { pressed = nil }
  }

  /// Shows what there is now; nil where that is shown already.
  mutating func show(_ alarms: [LiveAlarm]) -> Action? {
    let wanted = pressed == nil ? LampSignal(of: alarms) : .pressed
    guard wanted != shown else { return nil }
    shown = wanted
    return .light(wanted)
  }

  /// Shows the alarms after a start, whatever was shown.
  mutating func showAnew(_ alarms: [LiveAlarm]) -> Action {
    shown = LampSignal(of: alarms)
    return .light(shown)
  }
}

extension LampSignal {
  /// What the lamp shows of some alarms: the one that is worst off decides.
  ///
  /// It is for whoever calls for help or needs it; a part that needs care would only frighten.
  init(of alarms: [LiveAlarm]) {
    let open = alarms.filter { $0.isOpen && !$0.isDuress && $0.kind.isAboutAPerson }
    self = open.map { LampSignal(of: $0) }.max { $0.rank < $1.rank } ?? .off
  }

  private init(of alarm: LiveAlarm) {
    switch alarm.stage {
    case .prealarm: self = .stored
    case .acknowledged: self = .acknowledged
    case .resolved, .cancelled: self = .off
    case .dispatched:
      if alarm.messages.told.contains(where: \.wasDelivered) {
        self = .delivered
      } else if alarm.messages.told.contains(where: \.wasSent) {
        self = .sent
      } else {
        self = alarm.isUnreachable ? .failed : .stored
      }
    }
  }

  private var rank: Int {
    switch self {
    case .off: 0
    case .acknowledged: 1
    case .delivered: 2
    case .sent: 3
    case .pressed: 4
    case .stored: 5
    case .failed: 6
    }
  }
}
