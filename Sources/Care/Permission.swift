/// What somebody must be allowed before a question is answered or something is done.
public enum Permission: String, Hashable, Sendable, CaseIterable {
  // MARK: To see

  /// See who lives here, where they are, their zones, absences, bookmarks and things.
  case position
  /// See readings of glucose.
  case health
  /// See the routine and what became of its due times.
  case routine
  /// See messages.
  case messages
  /// See memos, the diary and their pictures.
  case notes
  /// See who guards somebody and how they are reached.
  case contacts
  /// See alarms that are open.
  case alarms
  /// See settings, and what a resident consented to.
  case settings
  /// See events, those that were and those that happen.
  case journal
  /// See the map, on which nobody is.
  case map
  /// See how the gateway does.
  case gateway
  /// See an account and what speaks for it.
  case account
  /// See where browsers are told while no page is open, with their keys.
  case push
  /// See by which provider one may log in, before one has.
  case entry

  // MARK: To do

  /// Call for help, and say that all is well.
  case callForHelp = "call-for-help"
  /// Take charge of an alarm, end it, and look at what is there.
  case answerAlarms = "answer-alarms"
  /// Have something sound in the room, or be silent.
  case useRoom = "use-room"
  /// Have somebody shown the way.
  case guide
  /// Answer a reminder.
  case answerRoutine = "answer-routine"
  /// Write messages, and say that one was read.
  case sendMessages = "send-messages"
  /// Write and change memos, the diary and their pictures.
  case changeNotes = "change-notes"
  /// Write and change readings of glucose.
  case changeReadings = "change-readings"
  /// Say what a resident consents to.
  case consent
  /// Change residents and guardians.
  case changePeople = "change-people"
  /// Change zones, absences and bookmarks.
  case changePlaces = "change-places"
  /// Change the routine.
  case changeRoutine = "change-routine"
  /// Change settings, and whether somebody is followed.
  case changeSettings = "change-settings"
  /// Change tags and meters.
  case changeDevices = "change-devices"
  /// Sign up and log in.
  case logIn = "log-in"
  /// Change an account, and to whom it is linked.
  case changeAccount = "change-account"
  /// Take away what calls for help.
  case disarm
  /// Keep the gateway itself: plugins, copies, radios.
  case administer

  /// Whether it only lets somebody see.
  public var isToSee: Bool {
    switch self {
    case .position, .health, .routine, .messages, .notes, .contacts, .alarms, .settings, .journal,
      .map, .gateway, .account, .push, .entry:
      true
    case .callForHelp, .answerAlarms, .useRoom, .guide, .answerRoutine, .sendMessages, .changeNotes,
      .changeReadings, .consent, .changePeople, .changePlaces, .changeRoutine, .changeSettings,
      .changeDevices, .logIn, .changeAccount, .disarm, .administer:
      false
    }
  }

  /// The grant that lets a plugin ask, such as `read:health`; nil for what is done, which is granted by the action.
  public var grant: String? { isToSee ? "read:\(rawValue)" : nil }
}
