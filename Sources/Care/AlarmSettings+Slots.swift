import PhoneNumbers
import Texts

/// The table behind the names of ``AlarmSettings``.
extension AlarmSettings {
  /// Every setting, in the order shown.
  public static let table = SettingTable(
    standard: AlarmSettings(),
    general
      + kind("zone", \.zone, Message("a safe zone that was left"))
      + kind("position", \.position, Message("an unknown position"))
      + kind("glucose", \.glucose, Message("a glucose reading"))
      + kind("medicine", \.medicine, Message("a critical item of the routine that nobody answered"))
      + kind("lost", \.lost, Message("somebody who needs a person on the way"))
      + kind("fault", \.fault, Message("a part that fails"))
      + kind("battery", \.battery, Message("a low battery")))

  private typealias Row = SettingTable<AlarmSettings>.Row

  private static let general: [Row] = [
    .choice(
      "profile", \.profile, ["dementia", "protego"], in: .resident,
      Message(
        "Who ends an SOS once guardians were told: a caregiver (with dementia), or the resident's own PIN."
      )),
    .text(
      "country", \.country, countryExpectation, in: .resident,
      Message(
        "The country whose telephone numbers and emergency services are meant; empty for none."),
      fits: isCountry, meant: PhoneNumber.countryMeant(by:)),
    .choice(
      "language", \.language, ["en", "zh"], in: .resident,
      Message(
        "The language of everything that is said and written to the resident and guardians.")),
    .whole(
      "prealarmSeconds", \.prealarmSeconds, 0...60, .seconds, in: .alarms,
      Message("How long an SOS can be cancelled before guardians are told.")),
    .flag(
      "isSilent", \.isSilent, in: .alarms,
      Message("Whether an SOS makes no sound and goes out at once.")),
    .whole(
      "resendSeconds", \.resendSeconds, 30...3600, .seconds, in: .alarms,
      Message("After how long guardians are told again while nobody has taken charge.")),
    .whole(
      "faultPatienceSeconds", \.faultPatienceSeconds, 0...86_400, .seconds, in: .alarms,
      Message("How long a part may fail before anybody is told.")),
    .whole(
      "tierSeconds", \.tierSeconds, 30...3600, .seconds, in: .alarms,
      Message("After how long the next tier of guardians is told as well.")),
    .whole(
      "reassureSeconds", \.reassureSeconds, 10...600, .seconds, in: .alarms,
      Message("How often the resident hears that help is being called.")),
    .whole(
      "sirenSeconds", \.sirenSeconds, 0...3600, .seconds, in: .alarms,
      Message("How long the siren sounds; afterwards there is only speech.")),
    .choice(
      "mapLink", \.mapLink, in: .alarms,
      Message("Which map opens from the link in a guardian's message.")),
    .whole(
      "liveFastSeconds", \.liveFastSeconds, 0...3600, .seconds, in: .alarms,
      Message("How long after an SOS guardians get positions often.")),
    .whole(
      "liveFastPeriodSeconds", \.liveFastPeriodSeconds, 5...600, .seconds, in: .alarms,
      Message("How often guardians get a position at first.")),
    .whole(
      "liveSlowSeconds", \.liveSlowSeconds, 5...3600, .seconds, in: .alarms,
      Message("How often guardians get a position later.")),
    .whole(
      "wrongPINLimit", \.wrongPINLimit, 2...10, in: .alarms,
      Message("Which wrong PIN in a row counts as a call for help under duress.")),
    .whole(
      "cancelExpirySeconds", \.cancelExpirySeconds, 60...86_400, .seconds, in: .alarms,
      Message("How long the news that an alarm is over is still worth sending.")),
    .flag(
      "selfTest", \.selfTest, in: .alarms,
      Message("Whether the gateway tests its sound once a week.")),
    .flag(
      "monthlyTest", \.monthlyTest, in: .alarms,
      Message("Whether guardians get a test message once a month.")),
    .text(
      "quietHours", \.quietHours, Message("hours as 22:00-07:00, or none"), in: .resident,
      Message("When the room is not disturbed, where an alarm or reminder minds it."),
      fits: { $0 == "none" || DailyHours($0) != nil }),
    .flag(
      "tellMessages", \.tellMessages, in: .alarms,
      Message("Whether guardians are told of the resident's messages, and when theirs were heard.")),
    .flag(
      "tellRoutine", \.tellRoutine, in: .alarms,
      Message("Whether guardians are told of reminders nobody answered and medicine that runs out.")
    ),
    .text(
      "fakeCallCountry", \.fakeCallCountry, countryExpectation, in: .resident,
      Message(
        "The country whose telephone ringing a fake call uses; empty for the resident's country."),
      fits: isCountry, meant: PhoneNumber.countryMeant(by:)),
    .text(
      "fakeCallScript", \.fakeCallScript, Message("a text of at most 2000 characters"),
      in: .resident,
      Message("What is heard in a fake call; empty for the built-in talk."),
      fits: { $0.count <= 2000 }),
  ]

  private static let countryExpectation = Message(
    "a country's two capital letters such as GB, or empty")

  private static let isCountry: @Sendable (String) -> Bool = { text in
    text.isEmpty || PhoneNumber.isCountry(text)
  }

  /// What can be set of the rule for one kind of alarm.
  private static func kind(
    _ word: String, _ path: any WritableKeyPath<AlarmSettings, KindRule> & Sendable,
    _ cause: Message
  ) -> [Row] {
    let rows: [SettingTable<KindRule>.Row] = [
      .flag(
        word + "Alarm", \.isEnabled, in: .kinds,
        Message("Whether {cause} raises an alarm.", ["cause": cause])),
      .choice(
        word + "Priority", \.priority, in: .kinds,
        Message("How urgent the alarm for {cause} is.", ["cause": cause])),
      .choice(
        word + "Sound", \.sound, in: .kinds,
        Message("What the room hears of the alarm for {cause}.", ["cause": cause])),
      .flag(
        word + "Escalates", \.escalates, in: .kinds,
        Message(
          "Whether guardians are told of {cause} again and again until somebody takes charge.",
          ["cause": cause])),
      .text(
        word + "QuietHours", \.quiet,
        Message("hours as 22:00-07:00, default for the resident's quiet hours, or none"),
        in: .kinds,
        Message("When the room hears nothing of the alarm for {cause}.", ["cause": cause]),
        fits: { ["none", "default"].contains($0) || DailyHours($0) != nil }),
    ]
    return rows.map { $0.lifted(to: path) }
  }
}
