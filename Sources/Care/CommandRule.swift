public import JSON

/// What one must be allowed for a command of an action, and what it says, declared once, beside the request.
public struct CommandRule: Sendable {
  /// The action, such as `zone.put`.
  public let action: String
  /// What one must be allowed over everybody whom the command touches.
  public let needs: Permission
  /// What stands in the request besides its action.
  public let takes: [JSONShape.Member]
  /// Whether it calls for help or answers an alarm, and so has places of its own.
  public let isUrgent: Bool
  /// Whether only a guardian does it, or whoever says for which one they speak.
  public let takesGuardian: Bool
  /// What one must be allowed instead for what concerns nobody but the resident, by what a command says; nil for ``needs``.
  public private(set) var eases: @Sendable (Command.Request) -> Permission? = { _ in nil }
  /// Whether a command takes away what calls for help, by what it says and by the household as it is.
  public let disarms: @Sendable (Command.Request, any Household) -> Bool

  init(
    _ action: String, _ needs: Permission, _ takes: [JSONShape.Member], isUrgent: Bool = false,
    takesGuardian: Bool = false,
    disarms: @escaping @Sendable (Command.Request, any Household) -> Bool = { _, _ in false }
  ) {
    self.action = action
    self.needs = needs
    self.takes = takes
    self.isUrgent = isUrgent
    self.takesGuardian = takesGuardian
    self.disarms = disarms
  }

  /// The rule, with what some of its commands need instead.
  func easing(_ eases: @escaping @Sendable (Command.Request) -> Permission?) -> CommandRule {
    var rule = self
    rule.eases = eases
    return rule
  }

  /// The grant that lets a plugin hand it in, such as `command:zone.put`.
  public var grant: String { "command:\(action)" }

  /// Every rule, feature by feature.
  public static let all: [CommandRule] =
    peopleRules + placeRules + settingRules + absenceRules + alarmRules + roomRules + routineRules
    + noteRules + glucoseRules + guidanceRules + bluetoothRules + accountRules

  /// The rules of all that people may do, without what only whoever keeps the gateway may.
  public static let ofPeople = all.filter { $0.needs != .administer }

  /// The rule of an action; nil when there is none.
  public static func of(_ action: String) -> CommandRule? { byAction[action] }

  /// The names of all that is a secret in the request of any rule.
  public static let secrets = Set(all.flatMap(\.takes).filter(\.isSecret).map(\.name))

  private static let byAction = Dictionary(all.map { ($0.action, $0) }) { first, _ in first }
}

extension CommandRule {
  /// What always takes away what calls for help.
  static let always: @Sendable (Command.Request, any Household) -> Bool = { _, _ in true }
}

/// What the door has to look up before it decides: whose something is.
public protocol Household {
  /// All whom a command touches: whom it names, and whose the thing is that it changes; the gateway where that is nobody.
  func subjects(of command: Command) -> Set<Subject>
  /// Whether nobody would be left to be told when this guardian went.
  func isLast(_ guardian: GuardianID) -> Bool
}

/// Whose data it is that is asked for or changed.
public enum Subject: Hashable, Sendable {
  /// The gateway itself, its rooms, and what concerns nobody who is known.
  case gateway
  /// One resident.
  case resident(ResidentID)
  /// One account.
  case account(AccountID)
  /// All residents at once, so that nothing can be left out for whoever may not see it.
  case everybody

  /// Whether it is an account, which is nobody's but whose it is.
  public var isAccount: Bool {
    if case .account = self { return true }
    return false
  }
}

extension CommandRule {
  static let glucoseRules = [
    CommandRule("glucose.put", .changeReadings, [Member("reading", glucoseReading), .revision]),
    CommandRule("glucose.remove", .changeReadings, [.target, .revision]),
    CommandRule(
      "glucose.showing", .changeReadings,
      [
        .target, Member("showing", .words(["HI", "LO"])), Member("time", .time),
        Member("by", .text).optional,
      ]),
    CommandRule(
      "glucose.import", .changeReadings,
      [.target, Member("readings", .list(glucoseReading)).optional]),
    CommandRule("profile.put", .changeReadings, [.target, Member("profile", healthProfile)]),
    CommandRule("report.order", .consent, [Member("order", reportOrder)]),
    CommandRule("report.cancel", .consent, [.target]),
    CommandRule("report.settle", .administer, [.target, Member("fault", .text).optional]),
  ]

  /// A report that goes out by e-mail, as the module that knows it reads it.
  public static let reportOrder = JSONShape.object(
    name: "ReportOrder",
    [
      Member("id", .text), Member("resident", .text), Member("kind", .words(["doctor", "week"])),
      Member("email", .text(JSONShape.Writing(format: "email", example: "practice@example.org"))),
      Member("every", .words(["once", "weekly", "monthly"])),
      Member("language", .words(["en", "zh"])).optional,
      Member("paper", .words(["a4", "letter"])).optional,
    ])

  /// What a resident tells of themselves, as the module that knows it reads it.
  public static let healthProfile = JSONShape.object(
    name: "HealthProfile",
    [
      Member("name", .text).optional,
      Member("birthDate", .text(JSONShape.Writing(format: "date", example: "1948-03-07")))
        .optional,
      Member("sex", .words(["female", "male", "intersex"])).optional,
      Member("diabetes", .words(["none", "type-1", "type-2", "gestational", "other"])).optional,
    ])

  /// A reading, as the module that knows it reads one.
  public static let glucoseReading = JSONShape.object(
    name: "GlucoseReading",
    [
      Member("id", .text), Member("resident", .text),
      Member(
        "level",
        .text(JSONShape.Writing(pattern: "^[0-9]+([.,][0-9]+)?$", example: "20"))),
      Member("unit", .words(["mg/dL", "mmol/L"])), Member("tag", .text).optional,
      Member("time", .time), Member("receivedAt", .time),
      Member("source", .words(["meter", "hand", "file"])), Member("origin", .text).optional,
      Member(
        "timeDoubts", .list(.words(["meter-clock", "meter-fault", "gateway-clock", "future"]))
      ).optional,
      Member("sensor", .words(["finger-stick", "cgm"])).optional,
      Member("sample", .text(JSONShape.Writing(example: "capillary-plasma"))).optional,
      Member("revision", .whole).optional,
    ])
}

extension CommandRule {
  static let guidanceRules = [
    CommandRule(
      "guidance.start", .guide, [.target, Member("to", goal), Member("asks", .flag).optional],
      isUrgent: true),
    CommandRule("guidance.answer", .guide, [.target, Member("yes", .flag)], isUrgent: true),
    CommandRule("guidance.repeat", .guide, [.target], isUrgent: true),
    CommandRule("guidance.cancel", .guide, [.target]),
    CommandRule(
      "guidance.keep", .guide,
      [.target, Member("name", .text), Member("at", Coordinate.shape).optional]),
    CommandRule("guidance.forget", .guide, [.target, Member("place", .text)]),
  ]

  private static let goal = JSONShape.either([
    .object(name: "HomeGoal", [Member("home", .flag)]), .object([Member("bookmark", .text)]),
    .object([Member("kept", .text)]),
    .object([Member("name", .text)] + Coordinate.members),
  ])
}

/// A member of a request.
typealias Member = JSONShape.Member

extension Member {
  /// The id of what a command acts on.
  static let target = Member("target", .text)
  /// The revision that whoever changes something saw.
  static let revision = Member("revision", .whole).optional
}
