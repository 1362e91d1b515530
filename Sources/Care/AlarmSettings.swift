/// Settings of a resident's alarms.
public struct AlarmSettings: NamedSettings, Hashable {
  /// `dementia`: after dispatch a caregiver ends an SOS; `protego`: the resident's PIN does.
  public internal(set) var profile = "dementia"
  /// Country as ISO 3166-1 alpha-2, for numbers and emergency services; empty for none.
  public internal(set) var country = ""
  /// Language of all messages and sentences: `en` or `zh`.
  public internal(set) var language = "en"
  /// Seconds of pre-alarm in which an SOS can be cancelled without a PIN.
  public internal(set) var prealarmSeconds: Int64 = 10
  /// Whether an SOS makes no sound and has no pre-alarm.
  public internal(set) var isSilent = false
  /// Seconds that a part must be at fault before anybody is told; most come back by themselves.
  public internal(set) var faultPatienceSeconds: Int64 = 600
  /// Seconds after which a guardian who has not taken charge is told again, for the first hour.
  public internal(set) var resendSeconds: Int64 = 60
  /// Seconds after which the next tier of guardians is told as well.
  public internal(set) var tierSeconds: Int64 = 180
  /// Seconds between two "help is being called".
  public internal(set) var reassureSeconds: Int64 = 30
  /// Seconds of siren after a dispatch; then there is only speech.
  public internal(set) var sirenSeconds: Int64 = 240
  /// Which map the link in messages opens.
  public internal(set) var mapLink = MapLink.openStreetMap
  /// Seconds after dispatch in which positions are told often.
  public internal(set) var liveFastSeconds: Int64 = 300
  /// Seconds between two live positions at first.
  public internal(set) var liveFastPeriodSeconds: Int64 = 10
  /// Seconds between two live positions later.
  public internal(set) var liveSlowSeconds: Int64 = 30
  /// The wrong PIN that counts as duress.
  public internal(set) var wrongPINLimit: Int64 = 5
  /// Seconds after which the news that an alarm is over is no news any more.
  public internal(set) var cancelExpirySeconds: Int64 = 3600
  /// Whether the gateway tests its sound once a week.
  public internal(set) var selfTest = true
  /// Whether guardians get a test message once a month.
  public internal(set) var monthlyTest = true
  /// The resident's quiet hours, `hh:mm-hh:mm`.
  public internal(set) var quietHours = "22:00-07:00"
  /// Whether guardians are told of the resident's messages, and when the resident heard theirs.
  public internal(set) var tellMessages = true
  /// Whether guardians are told of reminders that nobody answered, and of medicines that run out.
  public internal(set) var tellRoutine = true
  /// Country whose ringing a fake call uses, as ISO 3166-1 alpha-2; empty for ``country``.
  public internal(set) var fakeCallCountry = ""
  /// What is heard in a fake call; empty for the built-in talk.
  public internal(set) var fakeCallScript = ""

  /// What holds for the kind of that name.
  public internal(set) var zone = KindRule()
  /// What holds for the kind of that name.
  public internal(set) var position = KindRule()
  /// What holds for the kind of that name.
  public internal(set) var glucose = KindRule(sound: .high)
  /// What holds for the kind of that name.
  public internal(set) var medicine = KindRule(priority: .medium, sound: .medium)
  /// What holds for the kind of that name.
  public internal(set) var lost = KindRule()
  /// What holds for the kind of that name.
  public internal(set) var fault = KindRule.upkeep
  /// What holds for the kind of that name.
  public internal(set) var battery = KindRule.upkeep

  /// The defaults.
  public init() {}

  /// What holds for a kind of alarm.
  public func rule(_ kind: AlarmKind) -> KindRule {
    switch kind {
    case .sos: .sos
    case .zone: zone
    case .position: position
    case .glucose: glucose
    case .medicine: medicine
    case .lost: lost
    case .fault: fault
    case .battery: battery
    case .test: .test
    }
  }

  /// Whether what a kind is about raises an alarm.
  public func isRaised(_ kind: AlarmKind) -> Bool { rule(kind).isEnabled }

  /// The quiet hours of a kind; nil when it has none.
  public func quietHours(_ kind: AlarmKind) -> DailyHours? {
    let text = rule(kind).quiet
    return DailyHours(text == "default" ? quietHours : text)
  }
}
