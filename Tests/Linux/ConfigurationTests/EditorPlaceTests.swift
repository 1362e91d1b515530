import Configuration
import JSON
import Testing
import Texts

/// Where the editor writes, and what it leaves alone.
@Suite struct EditorPlaceTests {
  private func editor(_ text: String) throws -> ConfigurationEditor {
    try ConfigurationEditor(text: text, path: "h.yaml", schema: schema)
  }

  private func read(_ text: String) throws -> GatewayConfiguration {
    try schema.resolve(
      file: schema.read(text: text, path: "h.yaml"), environment: [:], flags: [:])
  }

  @Test func onlyTheValueChangesAndEverySignAroundItStays() throws {
    let cases: [(before: String, key: String, value: JSONValue, after: String)] = [
      (
        "# 妈妈 👵🏽\r\nlog:\r\n  level: info   # as is\r\n\r\ngateway: {name: hub}\r\n",
        "log.level", "debug",
        "# 妈妈 👵🏽\r\nlog:\r\n  level: debug   # as is\r\n\r\ngateway: {name: hub}\r\n"
      ),
      (
        "gateway: {name: hub, timeZone: Europe/Oslo} # both\nlog: {level: info}", "gateway.name",
        "hub-2", "gateway: {name: hub-2, timeZone: Europe/Oslo} # both\nlog: {level: info}"
      ),
      (
        "gateway:\n    name: \"hub\"  # the old one\n    timeZone: 'Europe/Oslo'\n",
        "gateway.name", "007",
        "gateway:\n    name: \"007\"  # the old one\n    timeZone: 'Europe/Oslo'\n"
      ),
      (
        "gateway:\n  timeZone:   # none\n", "gateway.timeZone", "UTC",
        "gateway:\n  timeZone: UTC   # none\n"
      ),
      // What is new in a group goes before the rest, what is a new group to the end.
      (
        "store:\n   backupsKept: 3 # three\n", "store.retention.trackDays", 45,
        "store:\n   retention:\n     trackDays: 45\n   backupsKept: 3 # three\n"
      ),
      (
        "store: {backupsKept: 3}\n", "store.retention.trackDays", 45,
        "store: {retention: {trackDays: 45}, backupsKept: 3}\n"
      ),
      (
        "log: {level: info} # end", "heartbeat.everyMinutes", 9,
        "log: {level: info} # end\nheartbeat:\n  everyMinutes: 9\n"
      ),
    ]
    for (before, key, value, after) in cases {
      var editor = try editor(before)
      try editor.set(key, to: value)
      #expect(Array(editor.text.utf8) == Array(after.utf8), "\(editor.text)")
    }
  }

  @Test func aGroupWhoseKeysWereDeletedIsFilled() throws {
    let cases = [
      (
        "gateway:\nlog: {level: info}\n",
        "gateway:\n  timeZone: Europe/Oslo\nlog: {level: info}\n"
      ),
      (
        "gateway: # mine\n  # name: hub\n",
        "gateway:\n  timeZone: Europe/Oslo # mine\n  # name: hub\n"
      ),
      ("gateway: ~\n", "gateway:\n  timeZone: Europe/Oslo\n"),
      ("gateway:", "gateway:\n  timeZone: Europe/Oslo"),
    ]
    for (before, after) in cases {
      var editor = try editor(before)
      try editor.set("gateway.timeZone", to: "Europe/Oslo")
      #expect(editor.text == after)
    }
    for before in ["store:\n", "store:\n  retention:\n", "store:\n  retention: null\n"] {
      var editor = try editor(before)
      try editor.set("store.retention.trackDays", to: 45)
      #expect(editor.text == "store:\n  retention:\n    trackDays: 45\n")
    }
    var inBraces = try editor("{gateway: , log: {level: info}}")
    let error = #expect(throws: ConfigurationError.self) {
      try inBraces.set("gateway.timeZone", to: "Europe/Oslo")
    }
    #expect(error?.description.hasSuffix("write something below \"gateway\" first.") == true)
  }

  @Test func aPluginWithoutSettingsGetsSomeLater() throws {
    for before in ["", "plugins:\n", "plugins:\n  enabled:\n", "plugins:\n  enabled: []\n"] {
      var editor = try editor(before)
      try editor.enablePlugin("console", grants: ["read:*"], settings: [])
      try editor.enablePlugin("console", grants: [], settings: [("port", 8474), ("listen", "::")])
      let plugin = try #require(read(editor.text).plugins.enabled.first)
      #expect(plugin.settings["port"] == 8474 && plugin.settings["listen"] == "::")
      #expect(plugin.grants == ["read:*"])
    }
  }

  @Test(arguments: [
    "plugins: {}\nlog: {level: info}\n", "plugins: {enabled: []}\n",
    "plugins: {enabled: [{name: mqtt}]}\n", "plugins:\n  enabled: [{name: mqtt}]\n",
  ])
  func aListInBracketsIsLeftToThePersonWhoWroteIt(text: String) throws {
    var editor = try editor(text)
    let error = #expect(throws: ConfigurationError.self) {
      try editor.enablePlugin("console", grants: [], settings: [("port", 1)])
    }
    #expect(
      error?.problems.map(\.message.description)
        == ["write plugins.enabled as lines that start with \"- \" first."])
    #expect(error?.problems.first?.position?.line == (text.hasPrefix("plugins:\n") ? 2 : 1))
    #expect(editor.text == text)
  }

  @Test func whateverIsSetIsWhatIsReadThen() throws {
    let values: [JSONValue] = [
      "plain", "", " ", "two words", "1883", "007", "-1", "-x", "+5", "0x10", "0x-5", "0o7", "1e3",
      ".5", "5.", "..", "...", "---", "~", "null", "Null", "true", "False", "no", "off", "yes", "=",
      "a: b", "a:b", "a #b", "#b", "[a]", "{a: b}", "'q'", "\"q\"", "say \"ah\"", "&a", "*a", "!a",
      "%a", "@a", "`a`", "|", ">", "?", "a\\b", "a\nb", "a\r\nb", "\ta", "\u{1}", "\u{2028}",
      "妈妈", "👵🏽",
      "/etc/homeward/x.y_z-1", "smtp.example.org", "2026-11-29", "12:30", 0, -7,
      9_007_199_254_740_993, 2.5, -0.125, true, false, .null, [], ["a", 1, "b c", [true]],
      ["file": "/x"], ["file": "a b", "n": 1, "deep": ["list": ["x", "1"]]],
    ]
    for value in values {
      var editor = try editor("# kept\n")
      try editor.enablePlugin("mqtt", grants: [], settings: [("before", 1), ("it", value)])
      var plugin = try #require(read(editor.text).plugins.enabled.first)
      #expect(plugin.settings["it"] == value, "\(value.serialized)")
      try editor.enablePlugin("mqtt", grants: [], settings: [("before", value)])
      plugin = try #require(read(editor.text).plugins.enabled.first)
      #expect(plugin.settings["before"] == value && plugin.settings["it"] == value)
      #expect(editor.text.hasPrefix("# kept\n"))
    }
  }

  @Test func aFaultOfAnEditLeavesTheTextAndNamesThePlaceInIt() throws {
    var editor = try editor("store:\n  backupsKept: 3\n")
    let error = #expect(throws: ConfigurationError.self) {
      try editor.set("store.backupsKept", to: 0)
    }
    #expect(
      error?.description
        == "h.yaml:2:16: \"backupsKept\" must be a whole number from 1 to 1000; it is 0.")
    #expect(throws: ConfigurationError.self) { try editor.set("store.backupKept", to: 4) }
    #expect(editor.text == "store:\n  backupsKept: 3\n")
    try editor.set("store.backupsKept", to: 4)
    #expect(editor.text == "store:\n  backupsKept: 4\n")
  }
}
