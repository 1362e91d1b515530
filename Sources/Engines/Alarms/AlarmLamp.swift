import Care

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
      if alarm.told.contains(where: \.wasDelivered) {
        self = .delivered
      } else if alarm.told.contains(where: \.wasSent) {
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
