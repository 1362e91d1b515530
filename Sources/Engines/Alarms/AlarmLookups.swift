import Care
import Moments

/// Where among the alarms is what somebody means, and what there is of them.
extension AlarmState {
  /// The alarm of that id.
  func place(of alarm: AlarmID) -> Int? { alarms.firstIndex { $0.id == alarm } }

  /// The open alarm of a kind.
  func openAlarm(_ kind: AlarmKind, _ resident: ResidentID?) -> Int? {
    alarms.firstIndex { $0.isOpen && $0.kind == kind && $0.resident == resident }
  }

  /// The open alarm that another raise belongs to.
  ///
  /// One that looks over in the room is not joined: nothing may show that it goes on.
  func joined(_ kind: AlarmKind, _ resident: ResidentID?) -> Int? {
    alarms.firstIndex {
      $0.isOpen && $0.kind == kind && $0.resident == resident && !$0.isDuress
    }
  }

  /// An SOS that is open and looks so, and was raised before something was sent.
  func openSOS(_ id: ResidentID, _ sent: Tick = Tick(nanoseconds: .max)) -> Int? {
    alarms.firstIndex {
      $0.isOpen && $0.kind == .sos && $0.resident == id && !$0.isDuress && $0.raised.tick <= sent
    }
  }

  /// An SOS that looks over and is not, whoever it is about: a resident's, or one of which nobody knows whose it is.
  func forcedSOS(_ id: ResidentID, _ sent: Tick) -> Int? {
    alarms.firstIndex {
      $0.isOpen && $0.kind == .sos && ($0.resident == id || $0.resident == nil) && $0.isDuress
        && $0.callsSince(sent)
    }
  }

  /// A resident's own SOS that looks over and is not.
  func ownForcedSOS(_ id: ResidentID) -> Int? {
    alarms.firstIndex {
      $0.isOpen && $0.kind == .sos && $0.resident == id && $0.isDuress
    }
  }

  /// An SOS of which nobody knows whose it is, and which looks open.
  func somebodysSOS(_ sent: Tick) -> Int? {
    alarms.firstIndex {
      $0.isOpen && $0.isForSomebody && !$0.isDuress && $0.raised.tick <= sent
    }
  }

  /// Where the resident was last whom an alarm is about.
  func position(of index: Int) -> KnownPosition? {
    alarms[index].resident.flatMap { care[$0]?.position }
  }

  // MARK: What there is

  /// Whether an alarm of a resident is open, so that positions go out precisely.
  ///
  /// Not before the end of the pre-alarm, not for a test or a device, and not for one that must look over.
  func hasOpenAlarm(_ resident: ResidentID) -> Bool {
    alarms.contains { $0.isOpen(for: resident) && !$0.isDuress }
  }

  /// Whether help is about to be called for a resident; a fault that may pass by itself is none of their business.
  func isInPrealarm(_ resident: ResidentID) -> Bool {
    alarms.contains { $0.resident == resident && $0.isInPrealarm }
  }

  /// Whether somebody at the gateway needs help or is about to call for it, and nobody knows who.
  var isSomebodyInNeed: Bool {
    alarms.contains { $0.isOpen && $0.isForSomebody && !$0.isDuress }
  }

  /// Whether an alarm sounds in the room now and a press would silence it.
  var isSounding: Bool { alarms.contains(where: \.isSounding) }

  /// Whether what is told to guardians alone about an alarm must not be shown to anybody else.
  ///
  /// For duress until it is truly over; for the resident's own word, which it must look like, as long as it is remembered.
  func isConcealed(_ alarm: AlarmID) -> Bool {
    alarms.contains { $0.id == alarm && ($0.isDuress ? $0.isOpen : $0.isEndedByResident) }
  }

  /// Who needs help, for other engines.
  var need: World.Need {
    var need = World.Need()
    for alarm in alarms {
      guard let resident = alarm.resident else { continue }
      if alarm.isOpen(for: resident), !alarm.isDuress { need.open.insert(resident) }
      if alarm.isInPrealarm { need.prealarm.insert(resident) }
    }
    need.isSomebodys = isSomebodyInNeed
    need.isSounding = isSounding
    return need
  }

  /// Whether a resident has a PIN that says that they are all right.
  func hasPIN(_ resident: ResidentID?) -> Bool {
    resident.flatMap { care[$0]?.pins[PINKind.okay.rawValue] } != nil
  }

  /// Whose PINs of which kinds are set, as they are stored.
  var pins: [ResidentID: [String: String]] { care.mapValues(\.pins).filter { !$0.value.isEmpty } }

  // MARK: Reports

  /// What a report is about: something that whoever reports was asked to do, and of which nothing final was heard yet.
  func subject(of report: DeliveryReport, or news: ToldNews) -> ReportSubject? {
    let id = report.event.rawValue
    if report.recipient == "emergency",
      let index = alarms.firstIndex(where: { $0.contact?.id == id })
    {
      guard let call = alarms[index].contact, call.asked.takesWord(of: report.plugin),
        call.expects(report.outcome)
      else { return nil }
      return .contact(alarm: index)
    }
    guard let channel = Guardian.Channel(rawValue: report.channel) else { return nil }
    if let index = alarms.firstIndex(where: { $0.id.rawValue == id }) {
      let notice = report.notice ?? alarms[index].notice
      let place = alarms[index].messages.firstIndex {
        $0.guardian.rawValue == report.recipient && $0.channel == channel && $0.notice == notice
      }
      guard let place, alarms[index].messages[place].isAwaited(report) else { return nil }
      return .message(alarm: index, place: place)
    }
    return news.place(of: report).map { .news($0) }
  }
}

/// What a report of a plugin is about.
enum ReportSubject: Hashable {
  case contact(alarm: Int)
  case message(alarm: Int, place: Int)
  case news(Int)
}
