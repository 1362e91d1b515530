import Configuration
import JSON
import Testing

@Suite struct DocumentedDefaultTests {
  @Test func theDocumentedFileParsesToTheDefaults() throws {
    let file = try schema.read(
      text: schema.documentedDefault, path: "homeward.yaml")
    let configuration = try schema.resolve(file: file, environment: [:], flags: [:])
    #expect(configuration == GatewayConfiguration())
  }

  @Test func theDocumentedFileNamesEveryKey() {
    let lists = [
      "gps", "gps.host", "gps.port", "gps.intervalSeconds", "tracking.defaults",
      "plugins.directories", "plugins.enabled", "enabled.grants", "enabled.readPaths",
      "enabled.devicePaths", "enabled.loopback", "enabled.memoryMegabytes", "enabled.settings",
    ]
    for key in schema.scalarKeys + lists {
      let name = key.split(separator: ".").last ?? ""
      #expect(
        schema.documentedDefault.contains(" \(name):") || key == "gps", "\(key)")
    }
  }

  @Test func theCommentedPluginEntryIsRightWhenTheCommentSignsGo() throws {
    let lines = schema.documentedDefault.split(
      separator: "\n", omittingEmptySubsequences: false)
    let entry = lines.drop { !$0.contains("#   - name: mqtt") }.prefix { $0.contains("#   ") }
    let text =
      ["plugins:", "  enabled:"]
      + entry.map { $0.replacing("  #   ", with: "    ", maxReplacements: 1) }
    let file = try schema.read(text: text.joined(separator: "\n"), path: "entry")
    let plugin = try schema.resolve(file: file, environment: [:], flags: [:]).plugins
      .enabled[0]
    #expect(plugin.grants == ["network", "contacts", "health", "places"])
    #expect(plugin.settings["password"]?["file"] == "/etc/homeward/mqtt.password")
  }
}
