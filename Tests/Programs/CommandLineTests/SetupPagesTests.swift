import Configuration
import Foundation
import JSON
import TestSupport
import Testing

/// What set-up does about the pages, without a daemon.
@Suite struct SetupPagesTests {
  /// A configuration beside an installed console, and more that is installed.
  func configuration(
    in directory: TemporaryDirectory, plugins: String = "enabled: []", installed more: [String] = []
  ) throws -> String {
    for plugin in ["console"] + more {
      try FileManager.default.createDirectory(
        atPath: directory.path(of: "plugins/\(plugin)"), withIntermediateDirectories: true)
      try FileManager.default.copyItem(
        atPath: Checkout.path("plugins/\(plugin)/plugin.json"),
        toPath: directory.path(of: "plugins/\(plugin)/plugin.json"))
    }
    return try directory.write(
      """
      gateway: {state: \(directory.path), runtime: \(directory.path)}
      gps: []
      plugins:
        directories: [\(directory.path(of: "plugins"))]
        \(plugins)

      """, to: "homeward.yaml")
  }

  private func setUp(_ path: String, _ more: [String], _ tool: Tool = Tool()) throws -> Tool.Outcome
  {
    try tool.run(["setup", "--config", path, "--yes", "--name", "Mary"] + more)
  }

  private func read(_ path: String) throws -> GatewayConfiguration {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    return try ConfigurationSchema.common.resolve(
      file: ConfigurationSchema.common.read(text: text, path: path), environment: [:], flags: [:])
  }

  private static let home = ["--host", "hub.local", "--address", "10.0.0.7"]

  @Test("Each rung of the ladder is said; the pages are switched on with the first that holds")
  func ladder() throws {
    let directory = try TemporaryDirectory()
    let path = try configuration(in: directory)
    let port = try freePort()
    let outcome = try setUp(path, ["--pages", "yes", "--port", "\(port)", "--json"] + Self.home)
    #expect(outcome.code == 0, "\(outcome.errors)")
    for line in [
      "certificate/domain: no domain was named",
      "certificate/tailscale: Tailscale is not installed", "ok        certificate/home: hub.local",
    ] { #expect(outcome.errors.contains(line), "\(outcome.errors)") }
    let pages = try JSONValue(parsing: outcome.output)["pages"]
    #expect(pages?["url"] == .string("https://hub.local:\(port)"))
    #expect(pages?["certificate"] == "home")
    let configuration = try read(path)
    #expect(configuration.gateway.pages == "https://hub.local:\(port)")
    let console = try #require(configuration.plugins.enabled.first)
    #expect(console.name == "console" && console.readPaths == [directory.path(of: "tls")])
    #expect(console.settings["names"] == ["hub.local", "hub"])
    #expect(console.grants.contains("accounts") && console.grants.contains("read:*"))
    #expect(try String(contentsOfFile: path + ".old", encoding: .utf8).contains("enabled: []"))
    let shown = try Tool().run(["certificate", "show", "--config", path, "--json"])
    #expect(try JSONValue(parsing: shown.output)["addresses"] == ["10.0.0.7"])
    let doctor = try Tool().run(["doctor", "--config", path])
    #expect(doctor.output.contains("ok        certificate: authority of this home"))
    // Another port alone leaves the certificate as it is.
    let other = try freePort()
    let before = FileManager.default.contents(atPath: directory.path(of: "tls/pages.pem"))
    let moved = try setUp(path, ["--port", "\(other)"])
    #expect(moved.code == 0, "\(moved.errors)")
    #expect(FileManager.default.contents(atPath: directory.path(of: "tls/pages.pem")) == before)
    #expect(try read(path).plugins.enabled.first?.settings["port"] == .integer(Int64(other)))
  }

  @Test("Tailscale goes before the home where it is up, and what it refuses is said")
  func tailscale() throws {
    let directory = try TemporaryDirectory()
    let path = try configuration(in: directory)
    let fake = try directory.write(
      """
      #!/bin/sh
      if [ "$1" = status ]; then
        echo '{"BackendState": "Running", "CertDomains": ["hub.tail1.ts.net"]}'
      else
        echo 'your Tailscale account does not support this' >&2; exit 1
      fi
      """, to: "tailscale")
    chmod(fake, 0o755)
    let tool = Tool(environment: ["PATH": "\(directory.path):/usr/bin:/bin"])
    let port = try freePort()
    let outcome = try setUp(path, ["--pages", "yes", "--port", "\(port)"] + Self.home, tool)
    #expect(outcome.code == 0, "\(outcome.errors)")
    #expect(
      outcome.errors.contains(
        "FAILED    certificate/tailscale: tailscale says: your Tailscale account does not support this"
      ), "\(outcome.errors)")
    #expect(outcome.errors.contains("ok        certificate/home"))
    let alone = try setUp(path, ["--certificate", "tailscale"], tool)
    #expect(alone.code == 1 && alone.errors.contains("stay as they were"), "\(alone.errors)")
  }

  @Test("One that signs itself is a warning, and it is said what does not work then")
  func selfSigned() throws {
    let directory = try TemporaryDirectory()
    let path = try configuration(in: directory)
    let port = try freePort()
    let outcome = try setUp(
      path, ["--certificate", "self-signed", "--port", "\(port)"] + Self.home)
    #expect(outcome.code == 0 && outcome.errors.contains("WARNING   certificate/self-signed"))
    #expect(outcome.output.contains("cannot ring a closed browser"), "\(outcome.output)")
    #expect(!FileManager.default.fileExists(atPath: directory.path(of: "authority/key.pem")))
  }

  @Test(
    "What cannot be is said before anything is written",
    arguments: [
      (["--certificate", "paper"], 2, "--certificate is one of best, domain"),
      (["--host", "Hub Local"], 2, "--host is a name"),
      (["--address", "10.0.0"], 2, "--address is an address"),
      (["--port", "80"], 2, "from 1024 to 65535"), (["--port", "x"], 2, "from 1024 to 65535"),
      (["--domain", "Example"], 2, "in small letters"),
      (["--domain", "home.example.org"], 2, "say --dns-provider"),
      (["--pages", "maybe"], 2, "write yes or no"),
      (["--caregiver", "Anna"], 3, "Start it (systemctl start homeward)"),
    ] as [([String], Int32, String)])
  func refused(options: [String], code: Int32, sentence: String) throws {
    let directory = try TemporaryDirectory()
    let path = try configuration(in: directory)
    let before = try String(contentsOfFile: path, encoding: .utf8)
    let port = try freePort()
    let besides = [["--pages", "yes"], ["--port", "\(port)"]].filter { $0[0] != options[0] }
    let outcome = try setUp(path, besides.flatMap { $0 } + options)
    #expect(outcome.code == code && outcome.errors.contains(sentence), "\(outcome.errors)")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == before)
    #expect(!FileManager.default.fileExists(atPath: directory.path(of: "tls")))
    #expect(
      !FileManager.default.fileExists(atPath: directory.path(of: "pending-commands.jsonl")))
  }

  @Test("A port that somebody has, and pages that are not installed")
  func taken() throws {
    let directory = try TemporaryDirectory()
    let path = try configuration(in: directory)
    let broker = try Broker(in: directory)
    let outcome = try setUp(path, ["--port", "\(broker.port)"] + Self.home)
    #expect(outcome.code == 1 && outcome.errors.contains("listens on port \(broker.port)"))
    broker.stop()
    let bare = try TemporaryDirectory()
    let other = try bare.write(
      "gateway: {state: \(bare.path), runtime: \(bare.path)}\nplugins: {directories: [\(bare.path)]}\n",
      to: "homeward.yaml")
    let missing = try setUp(other, ["--pages", "yes"])
    #expect(missing.code == 1 && missing.errors.contains("the pages are not installed"))
  }

  @Test(
    "A file that does not allow it is not touched, and the lines are shown",
    arguments: [
      "enabled: [{name: mqtt, settings: {host: x}}]", "enabled: [ {name: mqtt} ]  # one line",
    ])
  func brackets(plugins: String) throws {
    let directory = try TemporaryDirectory()
    let path = try configuration(in: directory, plugins: plugins)
    let before = try String(contentsOfFile: path, encoding: .utf8)
    let port = try freePort()
    let outcome = try setUp(path, ["--port", "\(port)"] + Self.home)
    #expect(outcome.code == 1, "\(outcome.errors)")
    #expect(outcome.errors.contains("    - name: console\n"), "\(outcome.errors)")
    #expect(outcome.errors.contains("port: \(port)"), "\(outcome.errors)")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == before)
    #expect(!FileManager.default.fileExists(atPath: directory.path(of: "tls")))
    // Tabs are no YAML: the file is not understood, and not touched.
    let tabs = try directory.write("plugins:\n\tenabled: []\n", to: "tabs.yaml")
    let odd = try setUp(tabs, ["--pages", "yes"])
    #expect(odd.code == 1 && odd.errors.contains("tabs.yaml:2:1"), "\(odd.errors)")
  }

  @Test("Without a certificate of Homeward's there is nothing to show or to renew")
  func nothing() throws {
    let directory = try TemporaryDirectory()
    let path = try configuration(in: directory)
    for words in [["certificate", "show"], ["certificate", "renew"]] {
      let outcome = try Tool().run(words + ["--config", path])
      #expect(outcome.code == 1 && outcome.errors.contains("homeward setup --pages yes"))
    }
  }

  @Test("At a terminal two questions lead to the pages")
  func dialogue() throws {
    let directory = try TemporaryDirectory()
    let path = try configuration(in: directory)
    let port = try freePort()
    let outcome = try Tool().talk(
      ["setup", "--config", path, "--name", "Mary", "--port", "\(port)", "--broker", "none"]
        + ["--sound", "no", "--guardian", "none", "--home", "none", "--language", "en"]
        + ["--time-zone", "Europe/Oslo"] + Self.home,
      typing: [
        ("(yes or no)? [yes]", "perhaps"), ("(yes or no)? [yes]", ""),
        ("home.example.org, or none)? [none]", "Home"), ("or none)? [none]", "none"),
      ])
    #expect(outcome.code == 0, "\(outcome.shown)")
    #expect(
      outcome.shown.contains("write yes or no.") && outcome.shown.contains("in small letters"))
    #expect(outcome.shown.contains("An account is made by the running gateway."))
  }

  @Test("A terminal shows the address as a code for a telephone's camera, a file does not")
  func code() throws {
    let directory = try TemporaryDirectory()
    let path = try configuration(in: directory)
    let port = try freePort()
    let words =
      ["setup", "--config", path, "--yes", "--name", "Mary", "--port", "\(port)"] + Self.home
    let shown = try Tool().look(words, columns: 80)
    #expect(try !Tool().run(words).output.contains("\u{1B}"))
    let rows = shown.split(whereSeparator: \.isNewline)
      .filter { $0.contains("\u{1B}[30;107m") }
      .map { row in row.filter { " █▀▄".contains($0) }.map { $0 } }
    let squares = rows.flatMap { row in
      [row.map { "█▀".contains($0) }, row.map { "█▄".contains($0) }]
    }
    let width = try #require(squares.first).count
    #expect(squares.count >= width && squares.allSatisfy { $0.count == width })
    // In three of its corners a code has seven squares by seven, by which cameras find it.
    let size = width - 8
    #expect(size >= 21 && (size - 17) % 4 == 0, "\(size)")
    for (top, left) in [(4, 4), (4, width - 11), (width - 11, 4)] {
      for row in 0..<7 {
        for column in 0..<7 {
          let ring = max(abs(row - 3), abs(column - 3))
          #expect(squares[top + row][left + column] == (ring != 2), "\(top) \(left)")
        }
      }
    }
  }
}
