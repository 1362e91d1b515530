import Care
import Configuration
import ControlSocket
import Door
import Foundation
import Glibc
import JSON
import TestSupport
import Testing

@Suite struct SetupTests {
  /// A configuration in a directory of its own; gpsd and broker are where nobody listens unless told.
  private func configuration(
    in directory: TemporaryDirectory, gpsdPort: Int = 1, extra: String = ""
  ) throws -> String {
    try directory.write(
      """
      # my own words
      gateway: {state: \(directory.path), runtime: \(directory.path)}  # and these
      gps:
        - {name: belt, port: \(gpsdPort)}
      \(extra)
      """, to: "homeward.yaml")
  }

  private func read(_ path: String) throws -> GatewayConfiguration {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    return try ConfigurationSchema.common.resolve(
      file: ConfigurationSchema.common.read(text: text, path: path), environment: [:], flags: [:])
  }

  /// Whether something may sound by the configuration, as the daemon reads it.
  private func hasSound(_ path: String) throws -> Bool {
    let check = try Tool(program: "homewardd").run(["--check", "--json", "--config", path])
    let sections = try JSONValue(parsing: check.output)["configuration"]
    return try #require(sections)["sound"]?["enabled"] == true
  }

  @Test func withoutADaemonResidentAndHomeAreLeftForItsStart() throws {
    let directory = try TemporaryDirectory()
    let path = try configuration(in: directory)
    let outcome = try Tool().run([
      "setup", "--config", path, "--yes", "--name", "王奶奶", "--time-zone", "Asia/Shanghai", "--home",
      "39.9042,116.4074", "--radius", "40", "--json",
    ])
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("\"applied\":\"at-next-start\""))
    let lines = try String(
      contentsOfFile: directory.path(of: "pending-commands.jsonl"), encoding: .utf8
    )
    .split(separator: "\n")
    let commands = try lines.map { try Command(json: JSONValue(parsing: String($0))) }
    let resident = try #require(commands.first.flatMap(Self.resident))
    #expect(
      resident.name == "王奶奶" && resident.timeZone == "Asia/Shanghai" && resident.gpsSource == "belt"
    )
    guard case .putZone(let home) = commands.last?.request else {
      Issue.record("no zone")
      return
    }
    #expect(home.resident == resident.id && home.radiusMeters == 40 && home.isHome)
    #expect(commands.allSatisfy { $0.principal.channel == .local })
    let mode = try FileManager.default.attributesOfItem(
      atPath: directory.path(of: "pending-commands.jsonl"))[.posixPermissions]
    #expect(mode as? Int == 0o600)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    #expect(text.contains("# my own words") && text.contains("# and these"))
    #expect(try read(path).gateway.timeZone == "Asia/Shanghai")
  }

  private static func resident(_ command: Command) -> Resident? {
    guard case .putResident(let resident) = command.request else { return nil }
    return resident
  }

  @Test func withADaemonTheyAreCommandsAndASecondRunChangesTheSameOnes() async throws {
    let directory = try TemporaryDirectory()
    let known = Resident(id: "granny", name: "Mary", timeZone: "Europe/Oslo")
    let home = SafeZone(
      id: "nest", resident: "granny", name: "Nest", center: try place(1, 2), radiusMeters: 9,
      isHome: true)
    let daemon = try await FakeDaemon { request in
      switch request.method {
      case .residentsList: .success([known.json])
      case .zonesList: .success([home.json])
      case .guardiansList: .success([])
      case .settingsList: .success(["language": "en"])
      default: .success(["id": "x"])
      }
    }
    let path = try configuration(in: directory)
    let outcome = try daemon.tool.run([
      "setup", "--config", path, "--yes", "--name", "Mary", "--home", "59.9,10.7",
    ])
    #expect(outcome.code == 0, "\(outcome.errors)")
    let commands = await daemon.commands
    #expect(commands.map { $0["action"] } == ["resident.put", "zone.put"])
    #expect(commands.first?["resident"]?["id"] == "granny")
    #expect(commands.last?["zone"]?["id"] == "nest")
    await daemon.stop()
  }

  /// A daemon that knows Mary, her home and who is told.
  private func settled(language: String = "en") async throws -> FakeDaemon {
    let mary = Resident(
      id: "granny", name: "Mary", timeZone: "Europe/Lisbon", gpsSource: "old-belt")
    let home = SafeZone(
      id: "nest", resident: "granny", name: "Nest", center: try place(51.507351, -0.127758),
      radiusMeters: 3, isHome: true)
    let anna = Guardian(
      id: "anna", resident: "granny", name: "Anna", phone: nil, email: "anna@example.org")
    return try await FakeDaemon { request in
      switch request.method {
      case .residentsList: .success([mary.json])
      case .zonesList: .success([home.json])
      case .guardiansList: .success([anna.json])
      case .settingsList: .success(["language": .string(language)])
      default: .success(["id": "x"])
      }
    }
  }

  @Test("Run again, Enter at every question leaves everything as it is")
  func enterChangesNothing() async throws {
    let directory = try TemporaryDirectory()
    let path = try configuration(
      in: directory,
      extra: """
        sound: {enabled: false}
        plugins:
          enabled:
            - name: mqtt
              grants: [network]
              settings: {host: 127.0.0.1, port: 1, username: hub}
        """)
    let daemon = try await settled()
    let outcome = try daemon.tool.talk(
      ["setup", "--config", path, "--pages", "no"],
      typing: [
        ("(name)? [Mary]", ""), ("Time zone? [Europe/Lisbon]", ""), ("(en or zh)? [en]", ""),
        ("[51.50735,-0.12776]", ""), ("or such as 82ft? [3]", ""),
        ("Anna is told in an emergency. Who else (name, or none)? [none]", ""),
        ("(yes or no)? [no]", ""), ("[127.0.0.1:1]", ""),
      ])
    #expect(outcome.code == 0, "\(outcome.shown)")
    let commands = await daemon.commands
    #expect(commands.map { $0["action"] } == ["resident.put"])
    #expect(commands.first?["resident"]?["gpsSource"] == "old-belt")
    #expect(commands.first?["resident"]?["timeZone"] == "Europe/Lisbon")
    let read = try read(path)
    #expect(try !hasSound(path))
    #expect(
      read.plugins.enabled.first?.settings
        == ["host": "127.0.0.1", "port": 1, "username": "hub"])
    await daemon.stop()
  }

  @Test("A first set-up asks who is told; mistakes are answered without names of options")
  func firstDialogue() async throws {
    let directory = try TemporaryDirectory()
    let path = try configuration(in: directory)
    let outcome = try Tool(environment: ["LANG": "zh_CN.UTF-8"]).talk(
      ["setup", "--config", path, "--broker", "none", "--sound", "no", "--pages", "no"],
      typing: [
        ("？", "Mary"), ("Europe/Oslo]", "London"), ("Europe/London", "Europe/London"),
        ("[zh]", ""), ("[none]", "y"), ("[none]", "51.5,-0.1"), ("[25]", "100000"), ("[25]", "40"),
        ("[none]", "Anna"), ("[none]", "12"), ("[none]", "+44 7400 123456"), ("[none]", "none"),
      ])
    #expect(outcome.code == 0, "\(outcome.shown)")
    for option in ["--home", "--radius", "--time-zone", "--guardian"] {
      #expect(!outcome.shown.contains(option), "\(outcome.shown)")
    }
    let lines = try String(
      contentsOfFile: directory.path(of: "pending-commands.jsonl"), encoding: .utf8
    ).split(separator: "\n")
    let requests = try lines.map { try Command(json: JSONValue(parsing: String($0))).request.json }
    #expect(
      requests.map { $0["action"] }
        == ["resident.put", "setting.put", "zone.put", "guardian.put"])
    #expect(requests[1]["name"] == "language" && requests[1]["value"] == "zh")
    #expect(requests[2]["zone"]?["radiusMeters"] == 40.0)
    #expect(requests[3]["guardian"]?["phone"] == "+447400123456")
    #expect(requests[3]["guardian"]?["isCaregiver"] == true)
    #expect(try !hasSound(path))
    // What was left is known when it is run again before the first start, and stays.
    let again = try Tool().run(["setup", "--config", path, "--yes", "--name", "Mary", "--json"])
    #expect(again.code == 0, "\(again.errors)")
    #expect(try JSONValue(parsing: again.output)["zone"]?["radiusMeters"] == 40.0)
  }

  @Test(
    "Who may not write the configuration is told so before the first question",
    .enabled(if: geteuid() == 0, "only root can become somebody else"))
  func withoutRoot() throws {
    let directory = try TemporaryDirectory()
    let path = try configuration(in: directory)
    for file in [directory.path, path] { chmod(file, file == path ? 0o644 : 0o755) }
    let errors = directory.path(of: "errors")
    let child = try ChildProcess(
      "/usr/bin/setpriv",
      [
        "--reuid", "65534", "--regid", "65534", "--clear-groups", Tool.path, "setup", "--config",
        path, "--name", "Mary",
      ], errors: errors)
    #expect(child.wait() == 1)
    let said = try String(contentsOfFile: errors, encoding: .utf8)
    #expect(said.contains("cannot be written") && said.contains("sudo homeward setup"), "\(said)")
    #expect(!said.contains("Configuration:"), "\(said)")
  }

  @Test func aRunningBrokerIsTriedAndItsPluginEnabled() throws {
    let directory = try TemporaryDirectory()
    let path = try configuration(in: directory)
    let broker = try Broker(in: directory)
    let outcome = try Tool().run([
      "setup", "--config", path, "--yes", "--name", "Mary", "--broker", "127.0.0.1:\(broker.port)",
    ])
    #expect(outcome.code == 0)
    #expect(
      outcome.errors.contains("broker: 127.0.0.1:\(broker.port) accepts"), "\(outcome.errors)")
    let plugin = try #require(try read(path).plugins.enabled.first)
    #expect(plugin.name == "mqtt" && plugin.grants == ["network", "contacts", "health", "places"])
    #expect(plugin.settings["host"] == "127.0.0.1")
    #expect(plugin.settings["port"] == .integer(Int64(broker.port)))
    broker.stop()
  }

  @Test func aBrokerThatWantsAPasswordIsToldApart() throws {
    let directory = try TemporaryDirectory()
    let path = try configuration(in: directory)
    let broker = try Broker(in: directory, password: "s3cret")
    let secret = try directory.write("s3cret\n", to: "secret")
    let arguments = [
      "setup", "--config", path, "--yes", "--name", "Mary", "--broker", "127.0.0.1:\(broker.port)",
    ]
    let without = try Tool().run(arguments)
    #expect(without.errors.contains("it wants a user name and password"), "\(without.errors)")
    let with = try Tool().run(
      arguments + ["--broker-user", "hub", "--broker-password-file", secret])
    #expect(with.errors.contains("accepts"), "\(with.errors)")
    let plugin = try #require(try read(path).plugins.enabled.first)
    #expect(plugin.settings["password"] == ["file": .string(secret)])
    #expect(try !String(contentsOfFile: path, encoding: .utf8).contains("s3cret"))
    broker.stop()
  }

  @Test func aBrokerThatIsNotThereIsKeptAndSaid() throws {
    let directory = try TemporaryDirectory()
    let path = try configuration(in: directory)
    let outcome = try Tool().run([
      "setup", "--config", path, "--yes", "--name", "Mary", "--broker", "127.0.0.1:1",
    ])
    #expect(outcome.code == 0)
    #expect(outcome.errors.contains("FAILED    broker: 127.0.0.1:1: Connection refused"))
    #expect(try read(path).plugins.enabled.map(\.name) == ["mqtt"])
  }

  @Test(arguments: [
    (["--time-zone", "Europe/Olso"], "Did you mean Europe/Oslo?"),
    (["--home", "here"], "\"here\" is no place."),
    (["--home", "1,2", "--radius", "0"], "from 5 to 2000"),
    (["--broker", "a b"], "write a name or address"),
    (["--broker", "host:99999"], "write a name or address"),
  ]) func wrongOptionsChangeNothing(options: [String], sentence: String) throws {
    let directory = try TemporaryDirectory()
    let path = try configuration(in: directory)
    let before = try String(contentsOfFile: path, encoding: .utf8)
    let outcome = try Tool().run(["setup", "--config", path, "--yes", "--name", "Mary"] + options)
    #expect(outcome.code == 2)
    #expect(outcome.errors.contains(sentence), "\(outcome.errors)")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == before)
  }

  @Test func aFaultyConfigurationIsNotTouched() throws {
    let directory = try TemporaryDirectory()
    let path = try configuration(in: directory, extra: "stroe: {}")
    let outcome = try Tool().run(["setup", "--config", path, "--yes", "--name", "Mary"])
    #expect(outcome.code == 1)
    #expect(
      outcome.errors.contains(":5:1: there is no key \"stroe\". Did you mean \"store\"?"),
      "\(outcome.errors)")
  }
}
