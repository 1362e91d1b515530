import Configuration
import Foundation
import JSON
import TestSupport
import Testing

/// What the daemon's program says of configurations, drivers' sections included.
@Suite struct ConfigurationCheckTests {
  private func homewardd(
    _ arguments: [String], environment: [String: String] = [:]
  ) throws -> Tool.Outcome {
    try Tool(environment: environment, program: "homewardd").run(arguments)
  }

  @Test(
    "The file that is installed is the one that the program documents, and says what holds without it"
  )
  func documented() throws {
    let printed = try homewardd(["--default-configuration"])
    #expect(printed.code == 0)
    let installed = try String(
      contentsOfFile: Checkout.path("debian/homeward.yaml"), encoding: .utf8)
    #expect(printed.output == installed, "run: make default-configuration")
    let directory = try TemporaryDirectory()
    let path = try directory.write(printed.output, to: "homeward.yaml")
    let documented = try homewardd(["--check", "--json", "--config", path])
    let nothing = try homewardd(["--check", "--json", "--config", "/dev/null"])
    #expect(documented.code == 0 && documented.output == nothing.output)
    let sections = try JSONValue(parsing: nothing.output)["configuration"]
    #expect(
      sections?.objectContent?.map(\.key) == [
        "gateway", "gps", "buttons", "lamp", "sound", "bluetooth", "clock", "tracking", "store",
        "plugins", "heartbeat", "log",
      ])
    #expect(sections?["gps"]?.arrayContent?.first?["host"] == "127.0.0.1")
    #expect(sections?["sound"]?["enabled"] == true)
  }

  @Test(
    "No driver's section is written almost like one of the gateway's own, which the command line reads alone"
  )
  func names() throws {
    let sections = try JSONValue(
      parsing: homewardd(["--check", "--json", "--config", "/dev/null"]).output)["configuration"]
    for name in sections?.objectContent?.map(\.key) ?? [] {
      #expect(throws: Never.self, "\(name)") {
        try ConfigurationSchema.common.read(text: "\(name):", path: "")
      }
    }
  }

  @Test(
    "Every section is checked, and the command line alone is not kept from talking by a driver's")
  func faults() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write(
      "gateway: {runtime: \(directory.path)}\nsound: {device: \"\"}\nbuttons: [{name: a}]\n",
      to: "homeward.yaml")
    let check = try homewardd(["--check", "--config", path])
    #expect(check.code == 2 && check.output.isEmpty)
    #expect(check.errors.contains("homeward.yaml:2:17: \"device\" must be a name"))
    #expect(check.errors.contains("homeward.yaml:3:11: the button \"a\" needs a device"))
    let status = try Tool().run(["status", "--config", path])
    #expect(status.errors.contains("\(directory.path)/control.sock"), "\(status.errors)")
  }

  @Test("What is right is said so; what an earlier version had is told; the environment counts")
  func right() throws {
    let directory = try TemporaryDirectory()
    let path = try directory.write("operations: {port: 1}\n", to: "homeward.yaml")
    let check = try homewardd(["--check", "--config", path])
    #expect(check.code == 0 && check.output == "The configuration is right.\n")
    #expect(check.errors.contains("\"operations\" is of an earlier version"))
    let json = try homewardd(
      ["--check", "--json", "--config", path], environment: ["HOMEWARD_LAMP_LED": "ACT"])
    #expect(try JSONValue(parsing: json.output)["configuration"]?["lamp"]?["led"] == "ACT")
    let loud = try homewardd(
      ["--check", "--config", path], environment: ["HOMEWARD_SOUND_ENABLED": "loud"])
    #expect(loud.code == 2 && loud.errors.contains("HOMEWARD_SOUND_ENABLED"))
    #expect(try homewardd(["--json"]).code == 2)
  }
}
