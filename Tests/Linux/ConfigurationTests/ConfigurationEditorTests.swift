import Configuration
import JSON
import Testing

@Suite struct ConfigurationEditorTests {
  private func edited(
    _ text: String, _ edit: (inout ConfigurationEditor) throws -> Void
  ) throws -> (text: String, configuration: GatewayConfiguration) {
    var editor = try ConfigurationEditor(text: text, path: "h.yaml", schema: schema)
    try edit(&editor)
    let file = try schema.read(text: editor.text, path: "h.yaml")
    let read = try schema.resolve(file: file, environment: [:], flags: [:])
    return (editor.text, read)
  }

  @Test func aChangedKeyLeavesEveryOtherLineAsItWas() throws {
    let before = schema.documentedDefault
    let (after, read) = try edited(before) {
      try $0.set("gateway.timeZone", to: "Europe/Oslo")
      try $0.set("store.retention.trackDays", to: 45)
    }
    #expect(read.gateway.timeZone == "Europe/Oslo")
    #expect(read.store.retention.trackDays == 45)
    let lines = (
      before.split(separator: "\n", omittingEmptySubsequences: false),
      after.split(separator: "\n", omittingEmptySubsequences: false)
    )
    let changed = zip(lines.0, lines.1).filter { $0 != $1 }.map { String($1) }
    #expect(changed == ["  timeZone: Europe/Oslo", "    trackDays: 45"])
    #expect(lines.0.count == lines.1.count)
  }

  @Test func portsOfAPluginThatIsThereStayAndGetCompany() throws {
    let before =
      "plugins:\n  enabled:\n    - name: mqtt\n      loopback: [8123]\n      settings: {port: 1}\n"
    let (text, read) = try edited(before) {
      try $0.enablePlugin(
        "mqtt", grants: [], loopback: [8123, 18_830], settings: [("port", 18_830)])
    }
    #expect(read.plugins.enabled.map(\.loopback) == [[8123, 18_830]])
    #expect(text.contains("loopback: [8123, 18830]"))
  }

  @Test(
    "Paths of a plugin that is there stay and get company; what is there already is not written again"
  )
  func paths() throws {
    let entry =
      "plugins:\n  enabled:\n    - name: console\n      readPaths:\n        - /a  # mine\n"
    let (text, read) = try edited(entry) {
      try $0.enablePlugin("console", grants: [], readPaths: ["/b"], settings: [("port", 1)])
    }
    #expect(read.plugins.enabled.map(\.readPaths) == [["/a", "/b"]])
    let again = try edited(text) {
      try $0.enablePlugin("console", grants: [], readPaths: ["/b"], settings: [("port", 1)])
    }
    #expect(again.text == text)
    let (_, new) = try edited("") {
      try $0.enablePlugin(
        "console", grants: ["read:*"], readPaths: ["/etc/homeward/tls"], settings: [("port", 1)])
    }
    #expect(new.plugins.enabled.map(\.readPaths) == [["/etc/homeward/tls"]])
    #expect(new.plugins.enabled.map(\.grants) == [["read:*"]])
  }

  @Test func aPluginIsEnabledInTheDocumentedFile() throws {
    let (text, read) = try edited(schema.documentedDefault) {
      try $0.enablePlugin(
        "mqtt", grants: ["network", "command:locate"], loopback: [18_830],
        settings: [
          ("host", "1883.example.org"), ("port", 1883), ("username", "妈妈 \"x\""),
          ("password", ["file": "/etc/homeward/secrets/mqtt password"]),
        ])
    }
    let plugin = read.plugins.enabled[0]
    #expect(plugin.grants == ["network", "command:locate"])
    #expect(plugin.settings["username"] == "妈妈 \"x\"")
    #expect(plugin.settings["password"]?["file"] == "/etc/homeward/secrets/mqtt password")
    #expect(plugin.settings["port"] == 1883)
    #expect(plugin.loopback == [18_830])
    #expect(text.contains("# An entry:") || text.contains("An entry:"))
    #expect(
      text.contains("\n  enabled:\n    - name: mqtt\n      grants: [network, \"command:locate\"]\n")
    )
  }

  @Test(arguments: [
    "plugins:\n  enabled:\n    - name: webhook  # posts\n      settings: {url: x}\n# end\nlog: {level: info}\n",
    "plugins:\n  enabled:\n  - name: webhook\n    settings: {url: x}\nlog:\n  level: info\n",
  ]) func aPluginGoesBeforeThoseThatAreThere(text: String) throws {
    let (_, read) = try edited(text) {
      try $0.enablePlugin("mqtt", grants: ["network"], settings: [("host", "localhost")])
    }
    #expect(read.plugins.enabled.map(\.name) == ["mqtt", "webhook"])
    #expect(read.plugins.enabled[1].settings["url"] == "x")
    #expect(read.log.level == .info)
  }

  @Test func aPluginThatIsThereKeepsItsOtherSettings() throws {
    let text =
      "plugins:\n  enabled:\n    - name: mqtt\n      settings:\n        host: old  # mine\n        topicPrefix: care\n"
    let (after, read) = try edited(text) {
      try $0.enablePlugin("mqtt", grants: [], settings: [("host", "new"), ("port", 1884)])
    }
    let settings = read.plugins.enabled[0].settings
    #expect(settings["host"] == "new" && settings["port"] == 1884)
    #expect(settings["topicPrefix"] == "care")
    #expect(after.contains("host: new  # mine"))
  }

  @Test(arguments: [
    "", "# only a comment\n", "log: {level: debug}", "gateway:\n  name: x\n", "gateway: {}\n",
    "gateway: {name: x}\n",
  ])
  func missingGroupsAreMade(text: String) throws {
    let (_, read) = try edited(text) {
      try $0.set("gateway.timeZone", to: "Asia/Shanghai")
      try $0.enablePlugin("mqtt", grants: ["network"], settings: [("host", "h")])
    }
    #expect(read.gateway.timeZone == "Asia/Shanghai")
    #expect(read.plugins.enabled.map(\.name) == ["mqtt"])
    #expect(text.contains("name: x") == (read.gateway.name == "x"))
  }

  @Test func aValueThatDoesNotFitChangesNothing() throws {
    var editor = try ConfigurationEditor(text: "log: {level: info}\n", path: "h.yaml")
    #expect(throws: ConfigurationError.self) { try editor.set("log.level", to: "loud") }
    #expect(editor.text == "log: {level: info}\n")
    #expect(throws: ConfigurationError.self) {
      try ConfigurationEditor(text: "lgo: 1", path: "h.yaml")
    }
  }
}
