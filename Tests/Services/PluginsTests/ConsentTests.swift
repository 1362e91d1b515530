import Care
import JSON
import Loop
import Plugins
import Testing

@LoopActor @Suite struct ConsentTests {
  /// A plugin that listens for a resident, if the resident lets it.
  private func ears(for resident: String?) -> ZooPlugin {
    var plugin = ZooPlugin("ears")
    plugin.schema = [
      "type": "object",
      "properties": ["who": ["type": "string"], "enabled": ["type": "boolean", "default": true]],
    ]
    plugin.consents = [["kind": "microphone", "resident": "who", "switch": "enabled"]]
    plugin.settings = resident.map { ["who": .string($0)] } ?? .object([])
    return plugin
  }

  @Test("Who refused is listened to no more, and again once they consent")
  func refused() async throws {
    let fixture = try HostFixture()
    try fixture.start([ears(for: "mary"), HostFixture.good])
    await fixture.waitForLog(of: "ears", containing: "listens")
    fixture.refused = [.microphone: ["mary"]]
    fixture.host?.consentChanged()
    await fixture.waitForLog(of: "ears", containing: "is deaf")
    // What is no news starts nothing anew.
    fixture.host?.consentChanged()
    fixture.refused = [.camera: ["mary"], .microphone: ["ada"]]
    fixture.host?.consentChanged()
    await fixture.wait { fixture.log(of: "ears").count == 3 }
    #expect(fixture.log(of: "ears") == ["listens", "is deaf", "listens"])
    let restarts = try await fixture.status("good").restarts
    #expect(restarts == 0)
    await fixture.stop()
  }

  @Test(
    "A plugin that is for nobody, or for somebody else, is not concerned", arguments: [nil, "ada"])
  func others(resident: String?) async throws {
    let fixture = try HostFixture()
    fixture.refused = [.microphone: ["mary"]]
    try fixture.start([ears(for: resident)])
    await fixture.waitForLog(of: "ears", containing: "listens")
    await fixture.stop()
  }

  @Test("Who offers a service is found by the manifest, whatever the plugin is called")
  func offers() async throws {
    let fixture = try HostFixture()
    var voice = ZooPlugin("good", name: "parrot")
    voice.offers = ["speech"]
    voice.schema = ["type": "object", "properties": ["rate": ["type": "integer"]]]
    voice.settings = ["rate": 120]
    try fixture.start([HostFixture.good, voice])
    #expect(fixture.host?.settings(ofWhoOffers: "speech") == ["rate": 120])
    #expect(fixture.host?.settings(ofWhoOffers: "geocode") == nil)
    await fixture.stop()
  }
}
