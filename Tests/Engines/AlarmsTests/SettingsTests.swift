import Care
import JSON
import Moments
import Testing
import Texts

@testable import Alarms

@Suite struct SettingsTests {
  @Test func theDefaultsAreThoseOfTheCatalogue() {
    let settings = AlarmSettings()
    let expected: [(String, JSONValue)] = [
      ("profile", "dementia"), ("country", ""), ("language", "en"), ("prealarmSeconds", 10),
      ("isSilent", false), ("resendSeconds", 60), ("tierSeconds", 180), ("reassureSeconds", 30),
      ("sirenSeconds", 240), ("liveFastSeconds", 300), ("liveFastPeriodSeconds", 10),
      ("liveSlowSeconds", 30), ("wrongPINLimit", 5), ("cancelExpirySeconds", 3600),
      ("quietHours", "22:00-07:00"), ("zoneAlarm", true), ("zonePriority", "high"),
      ("faultEscalates", false), ("faultQuietHours", "20:00-09:00"), ("medicineSound", "medium"),
    ]
    for (name, content) in expected { #expect(settings.value(name) == content, "\(name)") }
    #expect(settings.value("nothing") == nil)
  }

  @Test func everyNameIsKnownOnceAndKeepsItsOwnValue() throws {
    #expect(Set(AlarmSettings.names).count == AlarmSettings.names.count)
    for name in AlarmSettings.names {
      var settings = AlarmSettings()
      let usual = try #require(settings.value(name))
      try settings.set(name, to: usual)
      #expect(settings == AlarmSettings(), "\(name)")
      try settings.set(name, to: .null)
      #expect(settings == AlarmSettings(), "\(name)")
    }
  }

  @Test func valuesThatDoNotFitAreRefusedWithWhatWould() {
    let wrong: [(String, JSONValue, String)] = [
      ("prealarmSeconds", 61, "0 through 60"), ("prealarmSeconds", "ten", "0 through 60"),
      ("prealarmSeconds", -1, "0 through 60"), ("isSilent", 1, "true or false"),
      ("profile", "other", "dementia, protego"), ("language", "de", "en, zh"),
      ("country", "gb", "two capital letters"), ("country", "GBR", "two capital letters"),
      ("country", "XX", "two capital letters"),
      ("quietHours", "22-7", "22:00-07:00"), ("quietHours", "25:00-07:00", "22:00-07:00"),
      ("quietHours", "07:00-07:00", "22:00-07:00"), ("zonePriority", "urgent", "high, medium, low"),
      ("zoneSound", 3, "none, speech, low, medium, high"), ("zoneAlarm", "yes", "true or false"),
      ("zoneQuietHours", "night", "22:00-07:00"), ("wrongPINLimit", 1, "2 through 10"),
      ("fakeCallScript", .string(String(repeating: "x", count: 2001)), "2000"),
    ]
    for (name, content, hint) in wrong {
      var settings = AlarmSettings()
      let refusal = #expect(throws: CommandReply.Refusal.self) {
        try settings.set(name, to: content)
      }
      #expect(
        refusal?.code == .invalid && refusal?.message.description.contains(hint) == true, "\(name)")
      #expect(settings == AlarmSettings())
    }
    var settings = AlarmSettings()
    let unknown = #expect(throws: CommandReply.Refusal.self) {
      try settings.set("prealarm", to: 5)
    }
    #expect(unknown?.code == .unknownTarget)
  }

  @Test func quietHoursMayLastOverMidnight() throws {
    let night = try #require(DailyHours("22:00-07:00"))
    let day = try #require(DailyHours("09:00-20:30"))
    func at(_ hour: Int, _ minute: Int) -> CivilDateTime {
      CivilDateTime(year: 2026, month: 11, day: 20, hour: hour, minute: minute)
    }
    #expect(night.minutesLeft(at: at(21, 59)) == nil)
    #expect(night.minutesLeft(at: at(22, 0)) == 540)
    #expect(night.minutesLeft(at: at(6, 59)) == 1)
    #expect(night.minutesLeft(at: at(7, 0)) == nil)
    #expect(day.minutesLeft(at: at(20, 29)) == 1)
    #expect(day.minutesLeft(at: at(20, 30)) == nil)
  }
}
