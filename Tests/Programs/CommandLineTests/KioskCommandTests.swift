import Configuration
import ControlSocket
import Door
import Foundation
import JSON
import TestSupport
import Testing
import Texts

/// `homeward kiosk`, with a configuration of its own, where no systemd is asked for anything.
@Suite("The gateway's own screen")
struct KioskCommandTests {
  private static let mary: JSONValue = ["id": "mary", "name": "Mary", "timeZone": "Europe/Oslo"]

  private func daemon() async throws -> FakeDaemon {
    try await FakeDaemon { request in
      switch request.method {
      case .residentsList: .success([Self.mary])
      case .command: .success(["resident": "mary", "code": "AbCd2345"])
      default: .failure(ControlError(.unavailable, Message(verbatim: "not asked for.")))
      }
    }
  }

  private static let pages = """
    enabled:
        # Ours.
        - name: console
          grants: [network, accounts]
          settings:
            port: 8474
    """

  /// A configuration beside what the package of the screen makes.
  private func configuration(
    in directory: TemporaryDirectory, plugins: String = pages, isInstalled: Bool = true
  ) throws -> String {
    try FileManager.default.createDirectory(
      atPath: directory.path(of: "kiosk"), withIntermediateDirectories: true)
    if isInstalled { _ = try directory.write("", to: "kiosk/start") }
    return try SetupPagesTests().configuration(in: directory, plugins: plugins)
  }

  private func text(_ path: String) throws -> String {
    try String(contentsOfFile: path, encoding: .utf8)
  }

  private func screenPort(_ path: String) throws -> Int64? {
    let configuration = try ConfigurationSchema.common.resolve(
      file: ConfigurationSchema.common.read(text: text(path), path: path), environment: [:],
      flags: [:])
    return configuration.plugins.enabled.first { $0.name == "console" }?
      .settings["screenPort"]?.integerContent
  }

  @Test("It opens a port for this machine alone and leaves the address with a code for the screen")
  func begins() async throws {
    let (daemon, directory) = (try await daemon(), try TemporaryDirectory())
    let path = try configuration(in: directory)
    let outcome = try daemon.tool.run(["kiosk", "--config", path, "--resident", "Mary"])
    #expect(outcome.code == 0, "\(outcome.errors)")
    let port = try #require(try screenPort(path))
    #expect((8475...8484).contains(port))
    #expect(
      try text(directory.path(of: "kiosk/start"))
        == "http://localhost:\(port)/screen?new=1#screen=AbCd2345\n")
    #expect(await daemon.commands == [["action": "account.add-screen", "resident": "mary"]])
    #expect(try text(path).contains("# Ours."))
    // The code is for the screen alone.
    #expect(!outcome.output.contains("AbCd2345") && !outcome.errors.contains("AbCd2345"))
    #expect(
      outcome.output.contains(
        "sudo systemctl reload homeward && sudo systemctl enable --now homeward-kiosk"))
    await daemon.stop()
  }

  @Test("A port that is open already stays, and a program is told what was done")
  func goesOn() async throws {
    let (daemon, directory) = (try await daemon(), try TemporaryDirectory())
    let path = try configuration(in: directory, plugins: Self.pages + "\n        screenPort: 9001")
    let before = try text(path)
    let outcome = try daemon.tool.run(["kiosk", "--config", path, "--json"])
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(
      try JSONValue(parsing: outcome.output)
        == ["resident": "mary", "port": 9001, "changed": false, "started": false])
    #expect(try text(path) == before)
    #expect(try text(directory.path(of: "kiosk/start")).hasPrefix("http://localhost:9001/screen?"))
    let said = try daemon.tool.run(["kiosk", "--config", path])
    #expect(said.output.contains("minutes: sudo systemctl enable --now homeward-kiosk"))
    await daemon.stop()
  }

  @Test(
    "Where there is no screen or there are no pages, that is said and nothing is changed",
    arguments: [
      (pages, false, "Try: sudo apt install homeward-kiosk"),
      ("enabled: []", true, "Switch them on: sudo homeward setup --pages yes"),
    ])
  func refused(plugins: String, isInstalled: Bool, hint: String) async throws {
    let (daemon, directory) = (try await daemon(), try TemporaryDirectory())
    let path = try configuration(in: directory, plugins: plugins, isInstalled: isInstalled)
    let before = try text(path)
    let outcome = try daemon.tool.run(["kiosk", "--config", path])
    #expect(outcome.code == 1 && outcome.errors.contains(hint), "\(outcome.errors)")
    #expect(try text(path) == before)
    #expect(await daemon.commands.isEmpty)
    await daemon.stop()
  }
}
