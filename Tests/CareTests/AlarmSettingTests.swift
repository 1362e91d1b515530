import Care
import JSON
import Testing
import Texts

/// What can be set of a resident's alarms, and what somebody is told who sets something else.
@Suite("Settings of alarms") struct AlarmSettingTests {
  private func refusal(
    _ name: String, _ content: JSONValue, in settings: inout AlarmSettings
  ) -> CommandReply.Refusal? {
    do throws(CommandReply.Refusal) { try settings.set(name, to: content) } catch { return error }
    return nil
  }

  @Test("Names are unique, and each is what the setting says of itself")
  func names() {
    #expect(Set(AlarmSettings.names).count == AlarmSettings.names.count)
    for setting in AlarmSettings.settings {
      #expect(AlarmSettings.table.setting(setting.name) == setting)
      #expect(AlarmSettings().value(setting.name) != nil)
      #expect(setting.words.text(in: .zh) != setting.words.text(in: .en), "\(setting.name)")
    }
    #expect(AlarmSettings.table.setting("colour") == nil)
    #expect(AlarmSettings().value("colour") == nil)
  }

  /// Contents that fit a setting, and some that do not.
  private func samples(_ setting: Setting) -> (fit: [JSONValue], unfit: [JSONValue]) {
    switch setting.range {
    case .whole(let range):
      (
        [.integer(range.lowerBound), .integer(range.upperBound)],
        [
          .integer(range.lowerBound - 1), .integer(range.upperBound + 1), 30.5, "30", true,
          .integer(.max),
        ]
      )
    case .flag: ([true, false], [0, "true", []])
    case .choice(let words): (words.map { .string($0) }, ["nonsense", 7, "", true])
    case .number, .text: ([AlarmSettings().value(setting.name) ?? .null], [7, true, [], [:]])
    }
  }

  @Test("What fits is kept, what does not changes nothing, and null is the default again")
  func bounds() throws {
    var count = 0
    for setting in AlarmSettings.settings {
      let (fit, unfit) = samples(setting)
      for content in fit {
        var settings = AlarmSettings()
        try settings.set(setting.name, to: content)
        #expect(settings.value(setting.name) == content, "\(setting.name)")
        let kept = settings
        for wrong in unfit {
          #expect(refusal(setting.name, wrong, in: &settings)?.code == .invalid, "\(setting.name)")
          #expect(settings == kept, "\(setting.name) \(wrong)")
        }
        try settings.set(setting.name, to: .null)
        #expect(settings == AlarmSettings())
        count += 1
      }
    }
    #expect(count > 60)
  }

  @Test("A whole number may be written with a fraction of nothing")
  func wholeAsNumber() throws {
    var settings = AlarmSettings()
    try settings.set("tierSeconds", to: 90.0)
    #expect(settings.tierSeconds == 90 && settings.value("tierSeconds") == 90)
  }

  @Test(
    "Texts are judged by what they mean",
    arguments: [
      ("country", "GB", true), ("country", "", true), ("country", "gb", false),
      ("country", "XX", false), ("country", "Britain", false), ("quietHours", "none", true),
      ("quietHours", "22:00-07:00", true), ("quietHours", "default", false),
      ("quietHours", "22:00-22:00", false), ("quietHours", "", false),
      ("zoneQuietHours", "default", true), ("zoneQuietHours", "none", true),
      ("faultQuietHours", "00:00-23:59", true), ("faultQuietHours", "0:00-23:59", false),
      ("fakeCallScript", "", true), ("fakeCallScript", String(repeating: "陳", count: 2000), true),
      ("fakeCallScript", String(repeating: "a", count: 2001), false),
      ("fakeCallCountry", "CN", true), ("fakeCallCountry", "中国", false),
    ])
  func texts(name: String, text: String, fits: Bool) throws {
    var settings = AlarmSettings()
    #expect((refusal(name, .string(text), in: &settings) == nil) == fits)
    #expect((settings.value(name) == .string(text)) == fits)
  }

  @Test(
    "Who sets something that does not fit is told what would, and what they may have meant",
    arguments: [
      ("prealarmSeconds", 61, "prealarmSeconds must be a whole number, 0 through 60."),
      ("language", "nb", "language must be one of en, zh."),
      ("isSilent", "no", "isSilent must be true or false."),
      ("zonePriority", "urgent", "zonePriority must be one of high, medium, low."),
      ("mapLink", "bing", "mapLink must be one of openstreetmap, geo, google."),
      ("quietHours", "22-07", "quietHours must be hours as 22:00-07:00, or none."),
      (
        "country", "Atlantis",
        "country must be a country's two capital letters such as GB, or empty."
      ),
      (
        "country", "uk",
        "country must be a country's two capital letters such as GB, or empty. Did you mean GB?"
      ),
      (
        "fakeCallCountry", "no",
        "fakeCallCountry must be a country's two capital letters such as GB, or empty. Did you mean NO?"
      ),
    ] as [(String, JSONValue, String)])
  func messages(name: String, content: JSONValue, message: String) throws {
    var settings = AlarmSettings()
    let refusal = try #require(refusal(name, content, in: &settings))
    #expect(refusal.code == .invalid && refusal.message.description == message)
    #expect(refusal.message.text(in: .zh) != message)
  }

  @Test("Who names no setting is told which there are")
  func unknown() throws {
    var settings = AlarmSettings()
    let refusal = try #require(refusal("colour", "red", in: &settings))
    #expect(refusal.code == .unknownTarget)
    #expect(
      refusal.message.description.hasPrefix(
        "There is no setting \"colour\". Known settings: profile, country, language, "))
    #expect(settings == AlarmSettings())
  }

  @Test("Of what was stored, what no longer fits leaves its default, and nothing else is lost")
  func stored() {
    let settings = AlarmSettings([
      "tierSeconds": 1, "resendSeconds": 90, "language": "zh", "colour": "red",
      "zoneAlarm": "yes", "glucoseSound": "speech",
    ])
    #expect(settings.tierSeconds == 180 && settings.resendSeconds == 90)
    #expect(settings.language == "zh" && settings.zone == AlarmSettings().zone)
    #expect(settings.glucose.sound == .speech)
  }

  // MARK: Kinds

  @Test("Each kind has its own rule, and nothing switches off an SOS")
  func rules() throws {
    for kind in AlarmKind.allCases {
      let name = "\(kind.rawValue)Alarm"
      var settings = AlarmSettings()
      #expect(settings.isRaised(kind))
      guard AlarmSettings.names.contains(name) else {
        #expect([.sos, .test].contains(kind))
        continue
      }
      try settings.set(name, to: false)
      for other in AlarmKind.allCases { #expect(settings.isRaised(other) == (other != kind)) }
    }
    #expect(AlarmSettings().rule(.sos).sound == .high && AlarmSettings().rule(.sos).escalates)
    #expect(!AlarmSettings().rule(.test).escalates && AlarmSettings().rule(.test).sound == .none)
  }

  @Test("A kind minds its own hours, the resident's, or none")
  func quietHours() throws {
    var settings = AlarmSettings()
    try settings.set("quietHours", to: "21:00-06:00")
    #expect(settings.quietHours(.zone) == nil && settings.quietHours(.sos) == nil)
    #expect(settings.quietHours(.fault)?.text == "20:00-09:00")
    try settings.set("zoneQuietHours", to: "default")
    #expect(settings.quietHours(.zone)?.text == "21:00-06:00")
    try settings.set("quietHours", to: "none")
    #expect(settings.quietHours(.zone) == nil)
    try settings.set("zoneQuietHours", to: "23:00-05:00")
    #expect(settings.quietHours(.zone)?.text == "23:00-05:00")
  }

  // MARK: Settings of others

  /// An owner whose numbers have fractions.
  private struct Scale: Sendable, Equatable {
    var level = 1.5

    static let table = SettingTable(
      standard: Scale(),
      [
        .number(
          "level", \.level, 0.5...10, .decibels, in: .tags, Message(verbatim: "How loud it is."))
      ])
  }

  @Test("A number is within its bounds, both of them included", arguments: [0.5, 10, 3.25])
  func numbers(number: Double) throws {
    var scale = Scale()
    try Scale.table.set("level", to: .number(number), in: &scale)
    #expect(scale.level == number)
    for wrong: JSONValue in [0.49, 11, "3", .number(.nan), .number(.infinity), .bool(true)] {
      let error = #expect(throws: CommandReply.Refusal.self) {
        try Scale.table.set("level", to: wrong, in: &scale)
      }
      #expect(error?.message.description == "level must be a number, 0.5 through 10.")
      #expect(scale.level == number)
    }
    try Scale.table.set("level", to: .null, in: &scale)
    #expect(scale == Scale())
  }

  @Test("A setting tells programs and people what it may be")
  func described() throws {
    #expect(
      Scale.table.settings.map { $0.json(in: .en).serialized } == [
        #"{"name":"level","group":"tags","kind":"number","lowest":0.5,"highest":10.0,"unit":"dB","#
          + #""expectation":"a number, 0.5 through 10","words":"How loud it is."}"#
      ])
    let language = try #require(AlarmSettings.table.setting("language")).json(in: .en)
    #expect(language["kind"] == "choice" && language["choices"] == ["en", "zh"])
    #expect(language["unit"] == nil && language["lowest"] == nil)
    let tier = try #require(AlarmSettings.table.setting("tierSeconds")).json(in: .zh)
    #expect(tier["lowest"] == 30 && tier["highest"] == 3600 && tier["unit"] == "s")
    #expect(tier["choices"] == nil && tier["kind"] == "whole")
  }
}
