import Care
import JSON

extension Route {
  /// Tracking settings in force for `{resident}`.
  ///
  /// - Result: `{name: value, …}`.
  public static let settingsList = Route(
    "settings.list", [.text("resident")], needs: [.settings], of: .resident, gives: .object([]))
  /// Every setting with what it does and may be: `{resident?, language?}`.
  ///
  /// - Result: `[{name, group: resident, tracking, alarms, kinds, reminders, glucose or tags, kind: whole, number, flag, choice
  ///   or text, lowest?, highest?, unit?, choices?: [], expectation, words, default, value?}]`; `default` is what holds for
  ///   everybody, `value` what holds for the resident, `expectation` follows "must be".
  public static let settingsDescribe = Route(
    "settings.describe", [.text("resident").optional, .text("language").optional],
    needs: [.settings], of: .gatewayOrResident,
    gives: .list(
      .object(
        name: "Setting",
        [
          Member("name", .text), Member("group", .text), Member("kind", .text),
          Member("lowest", .number).optional, Member("highest", .number).optional,
          Member("unit", .text).optional, Member("choices", .texts).optional,
          Member("expectation", .text), Member("words", .text), Member("default", .anything),
          Member("value", .anything).optional,
        ])),
    answer: .plain([
      "name", "group", "kind", "lowest", "highest", "unit", "choices", "expectation", "words",
    ]) + ["default": .settingValue, "value": .settingValue])
  /// What residents consented to and refused: all, or `{resident?}`; what was never asked is missing.
  ///
  /// - Result: `[{resident, kind: location, camera, microphone, notifications, calls or reports, isGranted, by, at, principal}]`.
  public static let consentsList = Route(
    "consents.list", [.text("resident").optional], needs: [.settings], of: .residents,
    gives: .list(
      .object(
        name: "Consent",
        [
          Member("resident", .text), Member("kind", .words(of: ConsentKind.self)),
          Member("isGranted", .flag), Member("by", .text), Member("at", .time),
          Member("principal", .text).optional,
        ])),
    answer: .plain(["resident", "kind", "isGranted", "at"]) + .contacts(["by", "principal"]))

  static let settingRoutes: [Route] = [.settingsList, .settingsDescribe, .consentsList]
}
