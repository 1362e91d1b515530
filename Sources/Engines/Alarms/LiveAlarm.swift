import Care
import Moments

/// One alarm, from its raising until nothing about it is left to tell.
struct LiveAlarm: Hashable, Sendable {
  let id: AlarmID
  /// Four letters and digits for people.
  let tag: String
  let kind: AlarmKind
  /// Whom it is about; nil for the gateway itself.
  let resident: ResidentID?
  let trigger: AlarmTrigger
  /// Never to be heard in the room.
  let isSilent: Bool
  /// Why, in the words of who asked or of the engine that found it.
  var text: String
  /// A few words for messages, such as the name of the zone.
  var label: String
  /// What keeps it up: zones left, parts at fault. It resolves itself when the last one is over.
  var causes: [String]
  var stage = AlarmStage.prealarm
  var raised: Stamp
  var raises: Int64 = 1
  /// When telling began, or began anew.
  var dispatched: Stamp?
  /// The highest tier told; 0 before there is one.
  var tier: Int64 = 0
  var tierSince: Stamp?
  var acknowledgedBy: [GuardianID] = []
  var ended: Stamp?
  var closing: Closing?
  var isDuress = false
  /// Whether the resident ended it by their own word, as duress seems to be.
  var isEndedByResident = false
  var wrongPINs: Int64 = 0
  var room = RoomState()
  var lastLive: Stamp?
  var photo = AlarmPhoto()
  /// The newest contact with the emergency services.
  var contact: EmergencyCall?
  var messages = AlarmMessages()

  /// Whether somebody at the gateway needs help, and nobody knows who.
  var isForSomebody: Bool { resident == nil && kind.isAboutAPerson }

  /// Whether it still asks for somebody.
  var isOpen: Bool { ended == nil }

  /// Whether guardians are being told or have somebody in charge.
  var isDispatched: Bool { isOpen && stage != .prealarm }

  /// Whether help is about to be called.
  var isInPrealarm: Bool {
    isOpen && !isDuress && stage == .prealarm && kind.isAboutAPerson
  }

  /// Whether guardians know that a resident needs help.
  func isOpen(for resident: ResidentID) -> Bool {
    isDispatched && self.resident == resident && kind.isAboutAPerson
  }

  /// Whether it was open, and called for somebody as it does now, at a moment.
  func callsSince(_ moment: Tick) -> Bool { (dispatched ?? raised).tick <= moment }

  /// Whether what happens to it is for guardians alone.
  ///
  /// Duress must look like the resident's own word to whoever sees the gateway, its plugins or its events. So what becomes
  /// of the messages after the one is kept from them as after the other.
  var isConcealed: Bool { isDuress || isEndedByResident }

  /// Whether somebody was expected back from a planned absence and did not come.
  var isOverdue: Bool { ZoneCauses.isOverdue(causes) }

  /// What guardians are told while it is open.
  var notice: AlarmNotice { kind == .test ? .test : isDuress ? .duress : .alarm }

  /// Whether a message is still to be told.
  func wants(_ message: GuardianMessage) -> Bool {
    switch message.notice {
    case .alarm, .duress, .test: stage == .dispatched && message.notice == notice
    case .acknowledged: stage == .acknowledged
    case .photo: isDispatched
    case .cancelled: !isOpen
    // Told without an alarm, and never again.
    case .news: false
    }
  }

  /// Whether every way of telling has failed and none ever worked.
  var isUnreachable: Bool { messages.areFailing && (!messages.ofAlarm.isEmpty || tier == 0) }

  mutating func mapStamps(_ change: (inout Stamp) -> Void) {
    change(&raised)
    for path in [\LiveAlarm.dispatched, \.tierSince, \.ended, \.lastLive] {
      guard var stamp = self[keyPath: path] else { continue }
      change(&stamp)
      self[keyPath: path] = stamp
    }
    contact?.mapStamps(change)
    room.mapStamps(change)
    messages.mapStamps(change)
  }
}

extension AlarmNotice {
  /// Whether it says that help is needed, rather than what became of that.
  var isAlarm: Bool {
    switch self {
    case .alarm, .duress, .test: true
    case .acknowledged, .cancelled, .photo, .news: false
    }
  }
}
