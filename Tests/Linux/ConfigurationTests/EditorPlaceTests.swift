import Configuration
import JSON
import Testing

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

  @Test func whateverIsSetIsWhatIsReadThen() throws {
    let values: [JSONValue] = [
      "plain", "", " ", "two words", "1883", "007", "-1", "-x", "+5", "0x10", "0x-5", "0o7", "1e3",
      ".5", "5.", "..", "...", "---", "~", "null", "Null", "true", "False", "no", "off", "yes", "=",
      "a: b", "a:b", "a #b", "#b", "[a]", "{a: b}", "'q'", "\"q\"", "say \"ah\"", "&a", "*a", "!a",
      "%a", "@a", "`a`", "|", ">", "?", "a\\b", "a\nb", "a\r\nb", "\ta", "\u{1}", "\u{2028}",
      "妈妈", "👵🏽", "/etc/homeward/x.y_z-1", "smtp.example.org", "2026-11-29", "12:30", 0, -7,
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
