import Configuration
import JSON
import Testing

@Suite struct DocumentedDefaultTests {
  @Test func theDocumentedFileParsesToTheDefaults() throws {
    let file = try ConfigurationFile.read(
      text: GatewayConfiguration.documentedDefault, path: "homeward.yaml")
    let configuration = try GatewayConfiguration.resolve(file: file, environment: [:], flags: [:])
    #expect(configuration == GatewayConfiguration())
  }

  @Test func theDocumentedFileNamesEveryKey() {
    let lists = [
      "gps", "tracking.defaults", "plugins.directories", "plugins.enabled", "gps.host", "gps.port",
      "gps.device", "gps.sampling", "gps.intervalSeconds", "gps.noReportSeconds",
      "buttons", "buttons.gpio", "buttons.chip", "buttons.line", "buttons.activeLow",
      "buttons.bias", "buttons.input", "buttons.holdSeconds", "buttons.resident",
      "buttons.caregiver", "buttons.press", "buttons.double", "buttons.triple", "lamp.led",
      "sound.mixerElements",
      "enabled.grants", "enabled.readPaths", "enabled.devicePaths", "enabled.loopback",
      "enabled.memoryMegabytes", "enabled.settings",
    ]
    for key in GatewayConfiguration.scalarKeys + lists {
      let name = key.split(separator: ".").last ?? ""
      #expect(
        GatewayConfiguration.documentedDefault.contains(" \(name):")
          || ["gps", "buttons"].contains(key), "\(key)")
    }
  }

  @Test func theCommentedButtonIsRightWhenTheCommentSignsGo() throws {
    let lines = GatewayConfiguration.documentedDefault.split(
      separator: "\n", omittingEmptySubsequences: false)
    let entry = lines.drop { !$0.hasPrefix("#   - name: sos") }.prefix { $0.hasPrefix("#   ") }
    let text = ["buttons:"] + entry.map { $0.replacing("#   ", with: "  ", maxReplacements: 1) }
    let file = try ConfigurationFile.read(text: text.joined(separator: "\n"), path: "entry")
    let button = try GatewayConfiguration.resolve(file: file, environment: [:], flags: [:]).buttons
      .first
    #expect(button?.gpio.line == "GPIO17")
    var usual = GatewayConfiguration.Button(name: "sos")
    usual.gpio.chip = "pinctrl-bcm2711"
    usual.gpio.line = "GPIO17"
    #expect(button == usual, "every other key stands there with its default")
  }

  @Test func theCommentedPluginEntryIsRightWhenTheCommentSignsGo() throws {
    let lines = GatewayConfiguration.documentedDefault.split(
      separator: "\n", omittingEmptySubsequences: false)
    let entry = lines.drop { !$0.contains("#   - name: mqtt") }.prefix { $0.contains("#   ") }
    let text =
      ["plugins:", "  enabled:"]
      + entry.map { $0.replacing("  #   ", with: "    ", maxReplacements: 1) }
    let file = try ConfigurationFile.read(text: text.joined(separator: "\n"), path: "entry")
    let plugin = try GatewayConfiguration.resolve(file: file, environment: [:], flags: [:]).plugins
      .enabled[0]
    #expect(plugin.grants == ["network", "contacts", "health", "places"])
    #expect(plugin.settings["password"]?["file"] == "/etc/homeward/mqtt.password")
  }
}
