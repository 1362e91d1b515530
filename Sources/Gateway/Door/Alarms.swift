import Care

extension Route {
  /// Alarms that are open, the most urgent first.
  ///
  /// - Result: `[{alarm, tag, kind, stage, resident, residentName, raisedAt, acknowledgedBy: [guardian], explanation}]`; `kind` and
  ///   `stage` are words of `AlarmKind` and `AlarmStage`.
  public static let alarmsList = Route(
    "alarms.list", needs: [.alarms], of: .residents, isUrgent: true)

  static let alarmRoutes: [Route] = [.alarmsList]
}

extension CommandRule {
  static let alarmRules = [
    CommandRule("sos.raise", .callForHelp, isUrgent: true),
    CommandRule("sos.cancel", .callForHelp, isUrgent: true),
    CommandRule("alarm.acknowledge", .answerAlarms, isUrgent: true, takesGuardian: true),
    CommandRule("alarm.resolve", .answerAlarms, isUrgent: true, takesGuardian: true),
    CommandRule("alarm.silence", .useRoom, isUrgent: true),
    CommandRule("alarm.test", .callForHelp), CommandRule("photo.take", .answerAlarms),
    CommandRule("pin.set", .changeSettings, disarms: always),
    CommandRule("emergency.prepare", .changeSettings, disarms: always),
    CommandRule("emergency.confirm", .changeSettings, disarms: always),
    CommandRule("emergency.disable", .changeSettings, disarms: always),
    CommandRule("emergency.contact", .callForHelp),
  ]

  /// What sounds in the room.
  static let roomRules = [
    CommandRule("sound.play", .useRoom), CommandRule("speech.say", .useRoom),
    CommandRule("help.speak", .useRoom), CommandRule("fake-call.start", .useRoom),
    CommandRule("fake-call.answer", .useRoom), CommandRule("fake-call.end", .useRoom),
  ]
}
