import Care
import Core
import JSON
import Testing
import Texts

@Suite("Whose language")
struct LanguageTests {
  private func explanations(_ result: StepResult) -> [String] {
    result.events.compactMap { $0.facts["explanation"]?.stringContent }
  }

  private func core(_ language: Language) -> CoreFixture {
    CoreFixture(configuration: CoreConfiguration(gateway: "test", language: language))
  }

  @Test("What concerns the gateway is said in the gateway's language")
  func gateway() {
    var chinese = core(.zh)
    #expect(explanations(chinese.step(.started(version: "9"))).first == "Homeward 9已启动。")
    var english = core(.en)
    #expect(explanations(english.step(.started(version: "9"))).first == "Homeward 9 started.")
  }

  @Test("What concerns a resident is said in their language, from the change of the setting on")
  func resident() {
    for language in Language.allCases {
      var fixture = core(language)
      fixture.step(.started(version: "9"))
      fixture.perform(.putResident(CoreFixture.mary))
      let off = fixture.perform(.setTracking(resident: "mary", isOn: false))
      #expect(
        explanations(off).last
          == "anna at the gateway switched the tracking of Mary off: nobody is told when Mary leaves."
      )
      #expect(explanations(off).first == "Tracking of Mary was switched off.")
      fixture.perform(.putSetting(resident: "mary", name: "language", value: "zh"))
      let on = fixture.perform(.setTracking(resident: "mary", isOn: true))
      #expect(explanations(on).first == "已打开Mary的定位跟踪。")
      #expect(explanations(on).last == "网关本机上的anna重新打开了Mary的定位跟踪。")
      fixture.perform(.putSetting(resident: "mary", name: "language", value: .null))
      let again = fixture.perform(.setTracking(resident: "mary", isOn: false))
      #expect(explanations(again).first == "Tracking of Mary was switched off.")
    }
  }

  @Test("The language is recorded with the run; runs from before it was there are English")
  func recorded() throws {
    let recorded = CoreConfiguration(gateway: "test", language: .zh).json
    #expect(try CoreConfiguration(json: recorded).language == .zh)
    let members = (recorded.objectContent ?? []).filter { $0.key != "language" }
    #expect(try CoreConfiguration(json: .object(members)).language == .en)
  }

  @Test("A refusal is told in the language of whoever reads it, and keys and codes stay")
  func refusal() throws {
    var fixture = core(.zh)
    let result = fixture.perform(.setTracking(resident: "nobody", isOn: true))
    guard case .refused(let refusal) = result.reply else {
      Issue.record("not refused: \(String(describing: result.reply))")
      return
    }
    #expect(refusal.code == .unknownTarget)
    #expect(
      refusal.message.text(in: .en)
        == "There is no resident \"nobody\". List them with: homeward residents")
    #expect(refusal.message.text(in: .zh) == "没有被照护者“nobody”。查看列表：homeward residents")
  }
}
