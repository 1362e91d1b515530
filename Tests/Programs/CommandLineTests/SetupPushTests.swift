import Configuration
import Foundation
import JSON
import TestSupport
import Testing

/// What set-up does about push messages, without a daemon.
@Suite struct SetupPushTests {
  private struct SetUp {
    var outcome: Tool.Outcome
    var push: ConfiguredPlugin?
    var text: String
  }

  /// One set-up with pages.
  private func setUp(
    _ more: [String], plugins: String = "enabled: []", installed: [String] = ["webpush"]
  ) throws -> SetUp {
    let directory = try TemporaryDirectory()
    let path = try SetupPagesTests().configuration(
      in: directory, plugins: plugins, installed: installed)
    let outcome = try Tool().run(
      [
        "setup", "--config", path, "--yes", "--name", "Mary", "--pages", "yes", "--port",
        "\(try freePort())", "--certificate", "home", "--host", "hub.local", "--address",
        "10.0.0.7",
      ] + more)
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let configuration = try ConfigurationSchema.common.resolve(
      file: ConfigurationSchema.common.read(text: text, path: path), environment: [:], flags: [:])
    return SetUp(
      outcome: outcome, push: configuration.plugins.enabled.first { $0.name == "webpush" },
      text: text)
  }

  @Test("With the pages push messages are switched on, and it is said to whom an address is told")
  func on() throws {
    let result = try setUp(["--push-contact", "owner@example.org"])
    #expect(result.outcome.code == 0, "\(result.outcome.errors)")
    let push = try #require(result.push)
    #expect(push.settings["contact"] == "owner@example.org")
    #expect(push.grants == ["network", "read:push", "command:account.push-gone"])
    #expect(result.outcome.output.contains("push services are told owner@example.org"))
    let page = try setUp(["--push-contact", "https://example.org/contact", "--json"])
    #expect(page.push?.settings["contact"] == "https://example.org/contact")
    let printed = try JSONValue(parsing: page.outcome.output)
    #expect(printed["pushContact"] == "https://example.org/contact")
  }

  @Test(
    "Nothing is switched on that is not wanted, not there, or has nobody behind it; it is said",
    arguments: [
      (["--push", "no"], ["webpush"], nil), ([], ["webpush"], "say --push-contact."),
      ([], [], "apt install homeward-plugin-webpush"), (["--push", "no"], [], nil),
    ] as [([String], [String], String?)])
  func off(options: [String], installed: [String], said: String?) throws {
    let result = try setUp(options, installed: installed)
    #expect(result.outcome.code == 0 && result.push == nil, "\(result.outcome.errors)")
    let words = result.outcome.errors
    #expect(words.contains(" push: ") == (said != nil), "\(words)")
    if let said { #expect(words.contains(said), "\(words)") }
    #expect(!result.outcome.output.contains("push services"))
  }

  @Test("What is there stays, and to say no does not take it away in silence")
  func present() throws {
    let plugins = """
      enabled:
          - name: webpush
            grants: [network, "read:push", "command:account.push-gone"]
            settings:
              contact: before@example.org
      """
    let changed = try setUp(["--push-contact", "after@example.org"], plugins: plugins)
    #expect(changed.outcome.code == 0, "\(changed.outcome.errors)")
    #expect(changed.push?.settings["contact"] == "after@example.org")
    for options in [[], ["--push", "no"]] {
      let result = try setUp(options, plugins: plugins)
      #expect(result.outcome.code == 0, "\(result.outcome.errors)")
      #expect(result.push?.settings["contact"] == "before@example.org")
      let isSaid = result.outcome.errors.contains("take webpush out of plugins.enabled yourself")
      #expect(isSaid == (options == ["--push", "no"]), "\(result.outcome.errors)")
    }
  }

  @Test(
    "What cannot be is said before anything is written",
    arguments: [
      (["--push", "maybe"], ["webpush"], 2, "--push is yes or no."),
      (["--push", "yes"], ["webpush"], 2, "say --push-contact."),
      (["--push-contact", "owner"], ["webpush"], 2, "--push-contact is an e-mail address"),
      (["--push-contact", "https://"], ["webpush"], 2, "--push-contact is an e-mail address"),
      (["--push", "yes"], [], 1, "push messages are not installed."),
      (["--pages", "no", "--push", "yes"], ["webpush"], 2, "push messages need the pages"),
    ] as [([String], [String], Int32, String)])
  func refused(options: [String], installed: [String], code: Int32, sentence: String) throws {
    let directory = try TemporaryDirectory()
    let path = try SetupPagesTests().configuration(in: directory, installed: installed)
    let before = try String(contentsOfFile: path, encoding: .utf8)
    let pages =
      options.contains("--pages") ? [] : ["--pages", "yes", "--port", "\(try freePort())"]
    let outcome = try Tool().run(
      ["setup", "--config", path, "--yes", "--name", "Mary"] + pages + options)
    #expect(outcome.code == code && outcome.errors.contains(sentence), "\(outcome.errors)")
    #expect(try String(contentsOfFile: path, encoding: .utf8) == before)
    #expect(!FileManager.default.fileExists(atPath: directory.path(of: "tls")))
  }
}
