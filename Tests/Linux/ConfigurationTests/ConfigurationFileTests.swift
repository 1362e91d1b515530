import Configuration
import JSON
import Testing

@Suite struct ConfigurationFileTests {
  /// The problems of a text, as `line:column message`.
  private func problems(_ text: String) -> [String] {
    do {
      _ = try schema.read(text: text, path: "h.yaml")
      return []
    } catch {
      return error.problems.map { problem in
        "\(problem.position?.line ?? 0):\(problem.position?.column ?? 0) \(problem.message)"
      }
    }
  }

  private func configuration(_ text: String) throws -> GatewayConfiguration {
    try schema.resolve(
      file: schema.read(text: text, path: "h.yaml"), environment: [:], flags: [:])
  }

  @Test(arguments: [
    "", "\n", "# nothing\n", "---\n", "gateway:\n", "gateway: {}\ngps:\n  - name: gps\n",
  ])
  func aFileThatSaysNothingGivesTheDefaults(text: String) throws {
    #expect(try configuration(text) == GatewayConfiguration())
  }

  @Test func everyKeyIsTakenOver() throws {
    let read = try configuration(
      """
      gateway: {name: hub-7, state: /s, runtime: /r, timeZone: Europe/Oslo}
      gps:
        - {name: belt, host: "::1", port: 2950, key: sesame}
        - {name: car, intervalSeconds: 5}
      tracking: {defaults: {recordDistanceMeters: 30}}
      store:
        backupEveryHours: 0
        backupsKept: 3
        minimumFreeMegabytes: 50
        retention: {trackDays: 1, alarmDays: 2, auditDays: 0, inputDays: 4}
      plugins:
        directories: [/p]
        enabled:
          - name: mqtt
            grants: [network]
            readPaths: [/etc/ssl]
            devicePaths: [/dev/ttyUSB2]
            loopback: [8123, 53]
            memoryMegabytes: 64
            settings: {host: "1883", port: 1883, tls: true, password: {file: /x}, limits: [1, 2.5, off]}
      heartbeat: {everyMinutes: 5}
      log: {level: debug}
      """)
    #expect(read.gateway.controlSocket == "/r/control.sock")
    #expect(read.gateway.timeZone == "Europe/Oslo")
    let receivers = read[SampleSection.self].receivers
    #expect(receivers.map(\.name) == ["belt", "car"])
    #expect(receivers.map(\.port) == [2950, 2947])
    #expect(receivers.map(\.intervalSeconds) == [60, 5])
    #expect(receivers.map(\.key) == ["sesame", nil])
    #expect(read.tracking.defaults.first?.value == 30)
    #expect(read.tracking.defaults.first?.position == TextPosition(line: 5, column: 23))
    #expect(read.store.retention.auditDays == 0)
    #expect(read.plugins.enabled[0].memoryMegabytes == 64)
    #expect(read.plugins.enabled[0].devicePaths == ["/dev/ttyUSB2"])
    #expect(read.plugins.enabled[0].loopback == [8123, 53])
    #expect(
      read.plugins.enabled[0].settings.serialized
        == #"{"host":"1883","port":1883,"tls":true,"password":{"file":"/x"},"limits":[1,2.5,"off"]}"#
    )
    #expect(read.retired.isEmpty)
    #expect(read.log.level == .debug)
  }

  @Test(
    "A section of an earlier version keeps no gateway from starting, and is told of",
    arguments: [
      "operations: {listen: 192.168.1.4, port: 8473x}", "operations:", "operations: [a]",
    ])
  func retired(text: String) throws {
    let file = try schema.read(text: "log: {level: debug}\n\(text)\n", path: "h.yaml")
    let read = try schema.resolve(
      file: file, environment: ["HOMEWARD_OPERATIONS_PORT": "0"], flags: [:])
    #expect(read.log.level == .debug)
    #expect(read.retired.count == 1)
    let notice = try #require(read.retired.first).description
    #expect(notice.hasPrefix("h.yaml:2:"))
    #expect(notice.contains("\"operations\" is of an earlier version and changes nothing"))
    #expect(notice.contains("plugin metrics"))
  }

  @Test func allProblemsAreListedAtOnceInTheOrderOfTheFile() {
    let found = problems(
      """
      gatewya: {}
      store:
        backupsKept: 0
        backupsKept: 4
        retention: {trackDay: 9}
      log: {level: inof}
      """)
    #expect(
      found == [
        "1:1 there is no key \"gatewya\". Did you mean \"gateway\"?",
        "3:16 \"backupsKept\" must be a whole number from 1 to 1000; it is 0.",
        "4:3 the key \"backupsKept\" stands here a second time; it was first in line 3. "
          + "Remove one of them.",
        "5:15 there is no key \"trackDay\" in \"retention\". Did you mean \"trackDays\"?",
        "6:14 \"level\" must be error or warning or info or debug; it is \"inof\". "
          + "Did you mean \"info\"?",
      ])
  }

  @Test("What a program does not know is somebody else's, unless it is nearly a section of its own")
  func skipped() throws {
    let common = ConfigurationSchema.common
    let file = try common.read(
      text: "gps: [{port: nonsense}]\nlog: {level: debug}\n", path: "h.yaml")
    let read = try common.resolve(file: file, environment: ["HOMEWARD_GPS_X": "1"], flags: [:])
    #expect(read.log.level == .debug)
    #expect(throws: ConfigurationError.self) {
      try common.read(text: "gatway: {name: x}", path: "h.yaml")
    }
    #expect(throws: ConfigurationError.self) {
      try common.read(text: "log: {levl: debug}", path: "h.yaml")
    }
  }

  @Test("What counts is told as JSON, without secrets and settings of plugins")
  func json() throws {
    let read = try configuration(
      """
      gps: [{name: belt, key: sesame}]
      plugins: {enabled: [{name: mqtt, settings: {password: sesame}}]}
      """)
    let told = schema.json(of: read)
    #expect(
      told["gps"]?.serialized
        == #"[{"name":"belt","host":"127.0.0.1","port":2947,"intervalSeconds":60}]"#)
    #expect(told["gateway"]?["timeZone"] == .null)
    #expect(told["store"]?["retention"]?["trackDays"] == 30)
    #expect(told["plugins"]?["enabled"]?.arrayContent?.first?["name"] == "mqtt")
    #expect(!told.serialized.contains("sesame"))
  }

  @Test(arguments: [
    ("gateway: {language: de}", "\"language\" must be en or zh; it is \"de\"."),
    ("gateway: {timeZone: Europe/Olso}", "Did you mean \"Europe/Oslo\"?"),
    ("gateway: {timeZone: ../../etc/passwd}", "must be the name of a time zone"),
    ("gateway: {name: \"\"}", "must be 1 to 64 letters"),
    ("gateway: {name: 妈妈}", "must be 1 to 64 letters"),
    ("gateway: {name: [a]}", "must be a text; it is a list"),
    ("gateway: {state: var/lib}", "must be a whole path"),
    ("gateway: 5", "\"gateway\" must be a group of keys; it is 5"),
    ("- a", "the file must be a group of keys; it is a list"),
    ("gps: {name: a}", "must be a list of entries"),
    ("gps: [{port: 5}]", "needs a \"name\""),
    ("gps: [{name: a}, {name: a}]", "is named in line 1 already"),
    ("gps: [{name: a, host: gps.example.org}]", "must be a numeric address"),
    ("gps: [{name: a, port: 70000}]", "from 1 to 65535; it is 70000"),
    ("gps: [{name: a, port: 99999999999999999999}]", "must be a whole number"),
    ("gps: [{name: a, intervalSeconds: .nan}]", "must be a whole number"),
    ("plugins: {enabled: [{name: MQTT}]}", "lower-case letters"),
    ("plugins: {enabled: [{name: mqtt, settings: 4}]}", "must be a group of keys"),
    ("plugins: {enabled: [{name: mqtt, loopback: 8123}]}", "must be a list"),
    (
      "plugins: {enabled: [{name: mqtt, loopback: [0]}]}",
      "whole numbers from 1 to 65535; this is 0"
    ),
    ("plugins: {enabled: [{name: mqtt, loopback: [http]}]}", "whole numbers from 1 to 65535"),
    ("plugins: {directories: [plugins]}", "must be a whole path"),
    ("gateway: {signUp: invted}", "Did you mean \"invited\"?"),
    ("a: &x [1]\nb: *x", "refers to another place"),
    ("log: {level: info}\n---\nlog: {level: info}", "a second document"),
    ("log:\n\tlevel: info", "no tabs"),
    ("log: {level: info", "this is no YAML"),
    ("? [a]\n: b", "a key must be one word"),
    (String(repeating: "[", count: 40), "nested too deeply"),
  ]) func aFaultHasASentence(text: String, sentence: String) {
    let found = problems(text)
    #expect(found.contains { $0.contains(sentence) }, "\(found)")
  }

  @Test func aFileOverOneMebibyteIsRefusedUnread() {
    let found = problems(String(repeating: "#", count: 1 << 21))
    #expect(found.map { $0.contains("larger than 1 MiB") } == [true])
  }

  @Test func noPrefixOfTheDocumentedFileTraps() {
    let text = schema.documentedDefault
    var refused = 0
    for length in stride(from: 0, through: text.count, by: 7) {
      refused += problems(String(text.prefix(length))).isEmpty ? 0 : 1
    }
    #expect(refused > 0)
  }

  @Test func flippedBytesAreReadOrRefusedButNeverTrap() {
    let bytes = Array(schema.documentedDefault.utf8)
    var state: UInt64 = 7
    var refused = 0
    for _ in 0..<400 {
      var damaged = bytes
      for _ in 0..<4 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        damaged[Int(state >> 33) % damaged.count] ^= UInt8(truncatingIfNeeded: state >> 24) | 1
      }
      refused += problems(String(decoding: damaged, as: UTF8.self)).isEmpty ? 0 : 1
    }
    #expect(refused > 100)
  }
}
