import Care
import Core
import JSON
import Testing
import Texts

@Suite("Settings by name")
struct SettingTests {
  @Test("Every setting has one name, words, a range, and a default that fits it")
  func everySetting() throws {
    var fixture = CoreFixture()
    fixture.perform(.putResident(CoreFixture.mary))
    let settings = ResidentSettings.all
    #expect(settings.count >= 99)
    #expect(Set(settings.map(\.name)).count == settings.count)
    #expect(Set(settings.map(\.group)) == Set(Setting.Group.allCases))
    for setting in settings {
      let words = setting.words.description
      #expect(words.hasSuffix(".") && !words.contains("{"), "\(setting.name): \(words)")
      #expect(!setting.range.expectation.description.isEmpty, "\(setting.name)")
    }
    #expect(Set(settings.map(\.words.description)).count == settings.count)
    for described in fixture.core.settings.descriptions(for: "mary", in: .en) {
      let name = try #require(described["name"]?.stringContent)
      let standard = try #require(described["default"])
      #expect(described["value"] == standard, "\(name)")
      let reply = fixture.perform(
        .putSetting(resident: "mary", name: name, value: standard)
      ).reply
      #expect(reply?.refusalCode == nil, "\(name)")
    }
  }

  @Test(
    "A setting of each engine can be changed, is shown as changed, and refuses with its range",
    arguments: [
      ("exitFixCount", 3, 9, "2 through 5"), ("prealarmSeconds", 20, 61, "0 through 60"),
      ("reminderAttempts", 2, 0, "1 through 20"), ("glucoseFreshMinutes", 30, 5, "10 through 1440"),
      ("holdSeconds", 30, 4, "5 through 300"),
      ("glucoseLow", "4.0 mmol/L", 4, "a level with its unit"),
      ("zoneSound", "low", "loud", "one of none, speech, low, medium, high"),
    ] as [(String, JSONValue, JSONValue, String)])
  func changed(name: String, good: JSONValue, bad: JSONValue, range: String) throws {
    var fixture = CoreFixture()
    fixture.perform(.putResident(CoreFixture.mary))
    let done = fixture.perform(.putSetting(resident: "mary", name: name, value: good))
    #expect(done.reply?.refusalCode == nil)
    let described = fixture.core.settings.descriptions(for: "mary", in: .en)
    for setting in described {
      let isThis = setting["name"] == .string(name)
      #expect((setting["value"] == setting["default"]) == !isThis, "\(setting)")
      if isThis { #expect(setting["value"] == good) }
    }
    guard
      case .refused(let refusal)? = fixture.perform(
        .putSetting(resident: "mary", name: name, value: bad)
      ).reply
    else {
      Issue.record("\(bad) was taken")
      return
    }
    #expect(refusal.message.description.contains(range), "\(refusal.message)")
  }

  @Test(
    "A country that is none is refused with the one that was probably meant",
    arguments: [("UK", "Did you mean GB?"), ("no", "Did you mean NO?"), ("XX", "capital letters")])
  func country(letters: String, hint: String) {
    var fixture = CoreFixture()
    fixture.perform(.putResident(CoreFixture.mary))
    for name in ["country", "fakeCallCountry"] {
      let reply = fixture.perform(
        .putSetting(resident: "mary", name: name, value: .string(letters))
      ).reply
      guard case .refused(let refusal)? = reply else {
        Issue.record("\(letters) was taken")
        continue
      }
      #expect(refusal.message.description.contains(hint), "\(refusal.message)")
    }
  }

  @Test("What the configuration sets for everybody is the default; a resident's own is the change")
  func defaultOfTheHouse() throws {
    var fixture = CoreFixture(
      configuration: CoreConfiguration(
        gateway: "hub", trackingDefaults: [("exitFixCount", 4)]))
    fixture.perform(.putResident(CoreFixture.mary))
    func described() throws -> JSONValue {
      let all = fixture.core.settings.descriptions(for: "mary", in: .en)
      return try #require(all.first { $0["name"] == "exitFixCount" })
    }
    #expect(try described()["default"] == 4 && described()["value"] == 4)
    fixture.perform(.putSetting(resident: "mary", name: "exitFixCount", value: 2))
    #expect(try described()["default"] == 4 && described()["value"] == 2)
  }
}
