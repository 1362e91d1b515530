import Configuration
import Testing
import Texts

/// Each kind of fault of a file, with its place and its whole sentence.
@Suite struct FaultPlaceTests {
  private func problems(_ text: String) -> [String] {
    do {
      _ = try schema.read(text: text, path: "h.yaml")
      return []
    } catch { return error.problems.map { "\($0)" } }
  }

  private static let colons = "Look at the indentation and colons."

  @Test(arguments: [
    ("log: {level: info", "2:1: this is no YAML: did not find expected ',' or '}'. \(colons)"),
    ("gps: [a", "2:1: this is no YAML: did not find expected ',' or ']'. \(colons)"),
    (
      "log: level: info",
      "1:11: this is no YAML: mapping values are not allowed in this context. \(colons)"
    ),
    (
      "log:\n level: info\n  x: 1",
      "3:4: this is no YAML: mapping values are not allowed in this context. \(colons)"
    ),
    (
      "log:\n  level: info\n gateway: {}",
      "3:2: this is no YAML: did not find expected key. \(colons)"
    ),
    ("log: {level: info}}", "1:19: this is no YAML: did not find expected key. \(colons)"),
    ("- a\nlog: {}", "2:1: this is no YAML: did not find expected '-' indicator. \(colons)"),
    ("log: {level: \"info", "2:1: this is no YAML: found unexpected end of stream. \(colons)"),
    (
      "gateway: {name: \"\\q\"}",
      "1:18: this is no YAML: found unknown escape character. \(colons)"
    ),
    (
      "%YAML 9.9\n---\nlog: {}",
      "1:1: this is no YAML: found incompatible YAML document. \(colons)"
    ),
    (
      "log:\n\tlevel: info",
      "2:1: a character stands where it may not; YAML wants spaces, no tabs."
    ),
    ("log: @b", "1:6: a character stands where it may not; YAML wants spaces, no tabs."),
    // In Chinese and with signs of four bytes a column still counts what people see.
    (
      "# 妈妈\n妈妈: 👵 : x",
      "2:7: this is no YAML: mapping values are not allowed in this context. \(colons)"
    ),
    ("log: \u{1}", "1:1: byte 5 is no UTF-8 text (control characters are not allowed)."),
    (
      "a: &x [1]\nb: *x",
      "2:4: \"*\" refers to another place of the file; write the content out instead."
    ),
    ("log: {}\n---\nlog: {}", "2:1: a second document starts here; keep everything in one."),
    ("? [a]\n: b", "1:3: a key must be one word."),
    ("log: {? {a: b} : c}", "1:9: a key must be one word."),
    (String(repeating: "[", count: 40), "1:33: this is nested too deeply."),
  ])
  func whatIsNoYAMLIsToldByItsPlace(text: String, problem: String) {
    #expect(problems(text) == ["h.yaml:\(problem)"])
  }

  @Test(arguments: [
    ("- a", "1:1: the file must be a group of keys; it is a list."),
    ("hello", "1:1: the file must be a group of keys; it is \"hello\"."),
    ("log: debug", "1:6: \"log\" must be a group of keys; it is \"debug\"."),
    ("log: [debug]", "1:6: \"log\" must be a group of keys; it is a list."),
    ("store: {retention: 30}", "1:20: \"retention\" must be a group of keys; it is 30."),
    ("log:\n  lvel: info", "2:3: there is no key \"lvel\" in \"log\". Did you mean \"level\"?"),
    ("log:\n  colour: red", "2:3: there is no key \"colour\" in \"log\". Known are: level."),
    (
      "gateway:\n  name: {a: b}",
      "2:9: \"name\" must be a text; it is a group of keys."
    ),
    ("gateway:\n  name:", "2:8: \"name\" must be a text; it is nothing."),
    (
      "gateway: {name: a b}",
      "1:17: \"name\" must be 1 to 64 letters, digits, \"-\", \".\" or \"_\"; it is \"a b\"."
    ),
    (
      "gateway: {state: var/lib}",
      "1:18: \"state\" must be a whole path that starts with \"/\"; it is \"var/lib\"."
    ),
    (
      "gateway: {pages: http://home.example.org}",
      "1:18: \"pages\" must be where browsers find the pages, at most 100 letters, such as "
        + "\"https://home.example.org:8474\"; it is \"http://home.example.org\"."
    ),
    (
      "gateway: {timeZone: Oslo}",
      "1:21: \"timeZone\" must be the name of a time zone such as Europe/Oslo; it is \"Oslo\". "
        + "Did you mean \"Europe/Oslo\"?"
    ),
    (
      "gateway: {signUp: yes}",
      "1:19: \"signUp\" must be anybody or invited or nobody; it is \"yes\"."
    ),
    (
      "log: {level: [info]}",
      "1:14: \"level\" must be error or warning or info or debug; it is a list."
    ),
    (
      "store: {backupsKept: 1.5}",
      "1:22: \"backupsKept\" must be a whole number from 1 to 1000; it is 1.5."
    ),
    (
      "store: {backupsKept: \"3\"}",
      "1:22: \"backupsKept\" must be a whole number from 1 to 1000; it is \"3\"."
    ),
    (
      "store: {backupsKept: 0x-5}",
      "1:22: \"backupsKept\" must be a whole number from 1 to 1000; it is \"0x-5\"."
    ),
    (
      "store: {backupsKept: true}",
      "1:22: \"backupsKept\" must be a whole number from 1 to 1000; it is true."
    ),
    (
      "store: {backupEveryHours: 169}",
      "1:27: \"backupEveryHours\" must be a whole number from 1 to 168, or 0 for no backups; "
        + "it is 169."
    ),
    (
      "store: {retention: {trackDays: -1}}",
      "1:32: \"trackDays\" must be a whole number from 1 to 36500, or 0 for ever; it is -1."
    ),
    (
      "tracking:\n  defaults: 5",
      "2:13: \"defaults\" must be a group of settings; it is 5."
    ),
    (
      "gps: gps",
      "1:6: \"gps\" must be a list of entries, each on a line that starts with \"- \"; "
        + "it is \"gps\"."
    ),
    ("gps:\n  - port: 5", "2:5: each entry of \"gps\" needs a \"name\"."),
    ("gps:\n  - belt", "2:5: each entry of \"gps\" needs a \"name\"."),
    (
      "gps:\n  - name: a\n  - port: 9\n    name: a",
      "4:11: \"a\" is named in line 2 already; names are unique."
    ),
    (
      "gps: [{name: a, host: localhost}]",
      "1:23: \"host\" must be a numeric address such as 127.0.0.1, for a name has to be looked up "
        + "and that may hang; it is \"localhost\"."
    ),
    (
      "plugins:\n  directories: /p",
      "2:16: \"directories\" must be a list of words, each on a line that starts with \"- \"; "
        + "it is \"/p\"."
    ),
    (
      "plugins:\n  directories:\n    - /a\n    - b",
      "4:7: \"directories\" must be a whole path that starts with \"/\"; it is \"b\"."
    ),
    (
      "plugins: {enabled: [{name: m, loopback: 8123}]}",
      "1:41: \"loopback\" must be a list of numbers, each on a line that starts with \"- \"; "
        + "it is 8123."
    ),
    (
      "plugins: {enabled: [{name: m, loopback: [1, 65536]}]}",
      "1:45: \"loopback\" must hold whole numbers from 1 to 65535; this is 65536."
    ),
    (
      "plugins: {enabled: [{name: m, memoryMegabytes: 15}]}",
      "1:48: \"memoryMegabytes\" must be a whole number from 16 to 65536; it is 15."
    ),
    (
      "plugins: {enabled: [{name: M}]}",
      "1:28: \"name\" must be 1 to 32 lower-case letters, digits or \"-\"; it is \"M\"."
    ),
    (
      "plugins: {enabled: [{name: m, settings: [a]}]}",
      "1:41: \"settings\" must be a group of keys; it is a list."
    ),
  ])
  func whatDoesNotFitIsToldByItsPlace(text: String, problem: String) {
    #expect(problems(text) == ["h.yaml:\(problem)"])
  }

  @Test func aFaultIsToldInChineseAtTheSamePlace() throws {
    let error = #expect(throws: ConfigurationError.self) {
      try schema.read(text: "log: {levl: info}\nstore: {backupsKept: 0}", path: "h.yaml")
    }
    let lines = try #require(error).text(in: .zh).split(separator: "\n")
    #expect(lines.count == 2)
    for (line, start) in zip(lines, ["h.yaml:1:7: ", "h.yaml:2:22: "]) {
      #expect(line.hasPrefix(start) && !line.contains("must be") && !line.contains("there is"))
    }
  }
}
