import Configuration
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
}
