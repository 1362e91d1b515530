import Configuration
import JSON
import Testing

@Suite struct PrecedenceTests {
  private func keep(
    file: String?, environment: [String: String] = [:], flags: [String: String] = [:]
  ) throws -> Int {
    let read = try file.map { try schema.read(text: $0, path: "h.yaml") }
    return try schema.resolve(file: read, environment: environment, flags: flags)
      .store.backupsKept
  }

  @Test func flagsGoBeforeEnvironmentBeforeFileBeforeDefault() throws {
    let file = "store: {backupsKept: 2}"
    let environment = ["HOMEWARD_STORE_BACKUPS_KEPT": "3", "PATH": "/bin", "HOMEWARD_PLUGIN": "x"]
    #expect(try keep(file: nil) == GatewayConfiguration().store.backupsKept)
    #expect(try keep(file: file) == 2)
    #expect(try keep(file: file, environment: environment) == 3)
    #expect(try keep(file: file, environment: environment, flags: ["store.backupsKept": "4"]) == 4)
  }

  @Test func everyScalarKeyHasItsOwnVariable() {
    let variables = schema.scalarKeys.map(ConfigurationSchema.environmentVariable)
    #expect(Set(variables).count == schema.scalarKeys.count)
    #expect(variables.contains("HOMEWARD_STORE_RETENTION_TRACK_DAYS"))
    #expect(variables.contains("HOMEWARD_GATEWAY_NAME"))
  }

  @Test func aTextFromTheEnvironmentMayLookLikeANumber() throws {
    let read = try schema.resolve(
      file: nil, environment: ["HOMEWARD_GATEWAY_NAME": "007"], flags: [:])
    #expect(read.gateway.name == "007")
  }

  @Test func faultsOfEnvironmentAndFlagsNameTheirSourceAndTheNearestName() {
    let error = #expect(throws: ConfigurationError.self) {
      try schema.resolve(
        file: nil,
        environment: ["HOMEWARD_STORE_BACKUP_KEPT": "3", "HOMEWARD_LOG_LEVEL": "loud"],
        flags: ["store.backupKept": "4", "log.level": "info"])
    }
    #expect(
      error?.description == """
        environment variable HOMEWARD_LOG_LEVEL: "level" must be error or warning or info or debug; it is "loud".
        environment variable HOMEWARD_STORE_BACKUP_KEPT: there is no such variable. Did you mean \
        "HOMEWARD_STORE_BACKUPS_KEPT"?
        --set store.backupKept: there is no such key. Did you mean "store.backupsKept"?
        """)
  }

  @Test func everySourceIsReadAsTheFileIs() throws {
    let cases: [(file: String, key: String, text: String, path: [String], value: JSONValue)] = [
      ("log: {level: debug}", "log.level", "warning", ["log", "level"], "warning"),
      ("gateway: {name: hub}", "gateway.name", "1e3", ["gateway", "name"], "1e3"),
      // Nothing means none, also where the file says something.
      (
        "gateway: {timeZone: Europe/Oslo}", "gateway.timeZone", "", ["gateway", "timeZone"], .null
      ),
      (
        "store: {retention: {trackDays: 9}}", "store.retention.trackDays", "0x10",
        ["store", "retention", "trackDays"], 16
      ),
      (
        "heartbeat: {everyMinutes: 9}", "heartbeat.everyMinutes", "0",
        ["heartbeat", "everyMinutes"], 0
      ),
    ]
    for (text, key, value, path, expected) in cases {
      let file = try schema.read(text: text, path: "h.yaml")
      let variable = ConfigurationSchema.environmentVariable(of: key)
      let read = [
        try schema.resolve(file: file, environment: [variable: value], flags: [:]),
        try schema.resolve(file: file, environment: [:], flags: [key: value]),
      ]
      for one in read {
        let told = path.reduce(schema.json(of: one)) { $0[$1] ?? .string("absent") }
        #expect(told == expected, "\(key)")
      }
    }
  }

  @Test func aFaultOfASourceIsOneWhateverTheNextSays() {
    let error = #expect(throws: ConfigurationError.self) {
      try schema.resolve(
        file: nil, environment: ["HOMEWARD_STORE_BACKUPS_KEPT": "many", "HOMEWARD_LOGS": "x"],
        flags: ["store.backupsKept": "4", "gps": "x", "": "x"])
    }
    #expect(
      error?.problems.map { "\($0)" } == [
        "environment variable HOMEWARD_STORE_BACKUPS_KEPT: \"backupsKept\" must be a whole number "
          + "from 1 to 1000; it is \"many\".",
        "--set : there is no such key. Known are: \(schema.scalarKeys.joined(separator: ", ")).",
        "--set gps: there is no such key. Known are: \(schema.scalarKeys.joined(separator: ", ")).",
      ])
  }

  @Test func aSectionThatIsAsTheDefaultsIsNoDifference() {
    var configuration = GatewayConfiguration()
    configuration.log.level = .debug
    configuration[SampleSection.self].receivers = []
    #expect(configuration != GatewayConfiguration())
    configuration.log.level = .info
    #expect(configuration != GatewayConfiguration())
    configuration[SampleSection.self] = SampleSection()
    #expect(configuration == GatewayConfiguration())
  }
}
