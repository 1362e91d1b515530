public import Care
import Texts

/// Every number that guidance decides by; each can be changed per resident.
public struct GuidanceSettings: NamedSettings, Hashable {
  /// Metres of way beyond which nobody is sent on foot, and a person is asked to come.
  public internal(set) var guidanceMaxMeters: Int64 = 3_000
  /// Whether the way is shown in the dark, too; otherwise a person is asked to come.
  public internal(set) var guidanceInTheDark = true
  /// Seconds that somebody stands still on the way before they are asked whether all is well.
  public internal(set) var guidanceStillSeconds: Int64 = 90
  /// Seconds after such a question before guardians are told.
  public internal(set) var guidanceTellSeconds: Int64 = 60

  /// The defaults.
  public init() {}

  /// What can be set, in the order of this type.
  public static let table = SettingTable(
    standard: GuidanceSettings(),
    [
      .whole(
        "guidanceMaxMeters", \.guidanceMaxMeters, 200...20_000, .meters, in: .guidance,
        Message("A longer way is not walked: somebody is asked to come.")),
      .flag(
        "guidanceInTheDark", \.guidanceInTheDark, in: .guidance,
        Message("Whether the way is shown in the dark, too; if not, somebody is asked to come.")),
      .whole(
        "guidanceStillSeconds", \.guidanceStillSeconds, 30...900, .seconds, in: .guidance,
        Message("How long somebody stands still on the way before they are asked how they are.")),
      .whole(
        "guidanceTellSeconds", \.guidanceTellSeconds, 20...900, .seconds, in: .guidance,
        Message("How long after that question guardians are told.")),
    ])
}
