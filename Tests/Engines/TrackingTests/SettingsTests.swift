import Care
import JSON
import Testing
import Texts

@testable import Tracking

@Suite struct SettingsTests {
  @Test func theDefaultsAreThoseOfTheCatalogue() {
    let settings = TrackingSettings()
    let expected: [(String, JSONValue)] = [
      ("checkIntervalSeconds", 300), ("recordDistanceMeters", 25.0),
      ("recordMaximumAgeSeconds", 3600), ("outsideMovingIntervalSeconds", 15),
      ("sampleIntervalSeconds", 300), ("accuracyLimitMeters", 100.0), ("exitFixCount", 2),
      ("exitConfirmWindowSeconds", 60), ("unknownNoticeSeconds", 900),
      ("unknownAlarmSeconds", 1800),
    ]
    for (name, value) in expected { #expect(settings.value(name) == value, "\(name)") }
  }

  @Test func everyNameCanBeReadSetToBothEndsOfItsRangeAndRestored() throws {
    #expect(Set(TrackingSettings.names).count == TrackingSettings.names.count)
    for name in TrackingSettings.names {
      guard let range = TrackingSettings.range(name) else {
        // What is a word of two, and no number.
        #expect(name == "lengthUnits")
        continue
      }
      var settings = TrackingSettings()
      let usual = settings.value(name)
      for end in [range.lowerBound, range.upperBound] {
        try settings.set(name, to: .number(end))
        #expect(settings.value(name)?.doubleContent == end)
      }
      try settings.set(name, to: .null)
      #expect(settings.value(name) == usual)
      #expect(settings == TrackingSettings())
    }
  }

  @Test func valuesOutsideTheirRangeAreRefusedWithTheRange() {
    for name in TrackingSettings.names {
      guard let range = TrackingSettings.range(name) else { continue }
      for value in [
        .number(range.lowerBound - 1), .number(range.upperBound + 1), "five", .number(.nan), [],
      ] as [JSONValue] {
        var settings = TrackingSettings()
        #expect(throws: CommandReply.Refusal.self) { try settings.set(name, to: value) }
        #expect(settings == TrackingSettings())
      }
    }
  }

  @Test func refusalsSayWhatWouldFit() throws {
    var settings = TrackingSettings()
    let range = #expect(throws: CommandReply.Refusal.self) {
      try settings.set("exitFixCount", to: 1)
    }
    #expect(range?.message.description == "exitFixCount must be a whole number, 2 through 5.")
    let unknown = #expect(throws: CommandReply.Refusal.self) {
      try settings.set("exitFixes", to: 3)
    }
    #expect(unknown?.code == .unknownTarget)
    #expect(unknown?.message.description.contains("exitFixCount") == true)
  }
}
