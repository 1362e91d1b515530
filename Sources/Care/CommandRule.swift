/// What one must be allowed for a command of an action, declared once, beside the request.
public struct CommandRule: Sendable {
  /// The action, such as `zone.put`.
  public let action: String
  /// What one must be allowed over everybody whom the command touches.
  public let needs: Permission
  /// Whether it calls for help or answers an alarm, and so has places of its own.
  public let isUrgent: Bool
  /// Whether only a guardian does it, or whoever says for which one they speak.
  public let takesGuardian: Bool
  /// Whether a command takes away what calls for help, by what it says and by the household as it is.
  public let disarms: @Sendable (Command.Request, any Household) -> Bool

  init(
    _ action: String, _ needs: Permission, isUrgent: Bool = false, takesGuardian: Bool = false,
    disarms: @escaping @Sendable (Command.Request, any Household) -> Bool = { _, _ in false }
  ) {
    self.action = action
    self.needs = needs
    self.isUrgent = isUrgent
    self.takesGuardian = takesGuardian
    self.disarms = disarms
  }

  /// The grant that lets a plugin hand it in, such as `command:zone.put`.
  public var grant: String { "command:\(action)" }

  /// Every rule, feature by feature.
  public static let all: [CommandRule] =
    peopleRules + placeRules + settingRules + absenceRules + alarmRules + roomRules + routineRules
    + noteRules + glucoseRules + guidanceRules + bluetoothRules + accountRules

  /// The rule of an action; nil when there is none.
  public static func of(_ action: String) -> CommandRule? { byAction[action] }

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
    CommandRule("glucose.put", .changeReadings), CommandRule("glucose.remove", .changeReadings),
    CommandRule("glucose.showing", .changeReadings), CommandRule("glucose.import", .changeReadings),
  ]
}

extension CommandRule {
  static let guidanceRules = [
    CommandRule("guidance.start", .guide, isUrgent: true),
    CommandRule("guidance.answer", .guide, isUrgent: true),
    CommandRule("guidance.repeat", .guide, isUrgent: true), CommandRule("guidance.cancel", .guide),
    CommandRule("guidance.keep", .guide), CommandRule("guidance.forget", .guide),
  ]
}
