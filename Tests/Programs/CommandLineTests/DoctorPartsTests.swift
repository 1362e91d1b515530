import Care
import ControlSocket
import Door
import Glibc
import JSON
import TestSupport
import Testing
import Texts

@testable import homeward

@Suite("What the doctor looks at, part by part")
struct DoctorPartsTests {
  private func findings(_ tool: Tool, _ path: String) throws -> [JSONValue] {
    let outcome = try tool.run(["doctor", "--config", path, "--json"])
    return try JSONValue(parsing: outcome.output).arrayContent ?? []
  }

  private func states(_ findings: [Finding]) -> [String: Finding.State] {
    Dictionary(findings.map { ($0.subject, $0.state) }, uniquingKeysWith: { first, _ in first })
  }

  @Test("A state that is no folder or not there fails; others who may look into it are a warning")
  func state() throws {
    let directory = try TemporaryDirectory()
    let file = try directory.write("", to: "file")
    func look(_ path: String) -> [String: Finding.State] {
      states(MachineChecks.state(at: path, minimumFreeMegabytes: 0))
    }
    #expect(look(directory.path(of: "missing")) == ["state": .failed])
    #expect(look(file)["state"] == .failed)
    for (mode, state) in [
      (0o700, .working), (0o755, .warning), (0o701, .warning), (0o770, .warning),
    ] as [(mode_t, Finding.State)] {
      chmod(directory.path, mode)
      #expect(look(directory.path) == ["state": state, "disk": .working], "\(mode)")
    }
    chmod(directory.path, 0o700)
  }

  @Test(
    "A disk with less room than is wanted fails, and no wish makes one of what is no number",
    arguments: [(0, true), (-5, true), (.max, false), (.min, true)] as [(Int, Bool)])
  func disk(megabytes: Int, isEnough: Bool) throws {
    let directory = try TemporaryDirectory()
    let found = states(
      MachineChecks.state(at: directory.path, minimumFreeMegabytes: megabytes))
    #expect(found["disk"] == (isEnough ? .working : .failed))
  }

  @Test("Without a receiver nothing is at fault, and nobody is located")
  func noReceiver() {
    #expect(states(ReceiverChecks(receivers: []).all()) == ["gps": .unused])
  }

  @Test(
    "Findings are a line each with what to do below, and no colour of theirs reaches a terminal")
  func lines() {
    let finding = Finding(
      subject: "clock", state: .failed, found: "odd\u{1B}[31m", advice: "set\nit")
    let lines = finding.line.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 2 && lines[0].hasSuffix("  clock: odd [31m"))
    #expect(lines[1] == "          -> set it")
    let well = Finding(subject: "clock", state: .working, found: "well")
    #expect(!well.line.contains("\n"))
    #expect(finding.json["state"] == "failed" && well.json["advice"] == "")
  }

  @Test("Who was not asked what may be used is named with what to ask")
  func consents() async throws {
    let mary = AlarmPeople.mary.json.setting(
      "consent", to: ["location": "not-asked", "camera": "granted", "calls": "not-asked"])
    for (people, found) in [
      ([mary], "not asked yet: Mary O'Neil (location, calls)"),
      ([AlarmPeople.mary.json.setting("consent", to: ["camera": "refused"])], nil), ([], nil),
    ] as [([JSONValue], String?)] {
      let daemon = try await FakeDaemon { request in
        request.method == .residentsList
          ? .success(.array(people))
          : .failure(ControlError(.unavailable, Message(verbatim: "not asked for.")))
      }
      let consent = try findings(daemon.tool, "/nowhere").first { $0["subject"] == "consent" }
      #expect(consent?["found"]?.stringContent == found)
      #expect(consent == nil || consent?["state"] == "warning")
      await daemon.stop()
    }
  }

  @Test(
    "A plugin that is not there, whose manifest cannot be read or whose settings are wrong fails")
  func plugins() throws {
    let directory = try TemporaryDirectory()
    try directory.write("{", to: "plugins/broken/plugin.json")
    let path = try directory.write(
      """
      plugins:
        directories: [\(directory.path(of: "plugins")), \(Checkout.path("plugins"))]
        enabled: [{name: ghost}, {name: broken}, {name: webhook, settings: {url: 5}}, {name: metrics}]
      """, to: "homeward.yaml")
    let found = try findings(Tool(), path)
    for (name, state, words) in [
      ("ghost", "failed", "no plugin.json in"), ("broken", "failed", "broken/plugin.json"),
      ("webhook", "failed", "its settings are wrong"), ("metrics", "working", "plugins/metrics"),
    ] {
      let plugin = found.first { $0["subject"] == .string("plugin/\(name)") }
      #expect(plugin?["state"]?.stringContent == state, "\(name)")
      #expect(plugin?["found"]?.stringContent?.contains(words) == true, "\(name)")
    }
    let none = try directory.write("gps: []\n", to: "none.yaml")
    let plugins = try findings(Tool(), none).first { $0["subject"] == "plugins" }
    #expect(plugins?["state"] == "warning")
  }

  @Test(
    "A plugin that cannot be checked is said before anything is started",
    arguments: [
      (["--loopback", "0"], 2, "0 is no port."), (["--loopback", "70000"], 2, "is no port."),
      (["--settings", "/nowhere.json"], 1, "/nowhere.json: No such file"),
      (["--settings", "/dev/null"], 1, "/dev/null is no JSON"),
    ] as [([String], Int32, String)])
  func pluginCheck(options: [String], code: Int32, sentence: String) throws {
    let outcome = try Tool().run(["plugin", "check", Checkout.path("plugins/metrics")] + options)
    #expect(outcome.code == code && outcome.errors.contains(sentence), "\(outcome)")
    #expect(outcome.output.isEmpty)
  }
}
