import Foundation
import Testing

/// What the plugins' manifests ask for, beside what their sources do.
@Suite("Manifests of the plugins")
struct ManifestTests {
  /// What no broker may do, whoever publishes there: secrets, the emergency services, who is a guardian, what erases, and
  /// what replaces a whole routine, and a resident's own address book; and everything that takes one of ``neverByBroker``.
  private static let keptFromBroker: Set<String> = [
    "profile.put", "pin.set", "emergency.prepare", "emergency.confirm", "emergency.disable",
    "emergency.contact", "account.show-view-code", "account.end-view",
    "guardian.put", "guardian.remove", "resident.erase", "routine.replace", "routine.zone",
    "glucose.import", "guidance.keep", "guidance.forget",
  ]

  /// What a command takes that no broker may do: consent, sounds in the room, devices, accounts, and what keeps the gateway.
  /// To be silent is no sound.
  private static let neverByBroker: Set<String> = [
    "consent", "useRoom", "changeDevices", "logIn", "changeAccount", "administer",
  ]
  private static let silence = "alarm.silence"

  /// Grants that show in sources, each with what shows it.
  private static let signs: [(grant: String, pattern: String)] = [
    (
      "network",
      #"curl_|CurlTransfer|CurlSession|mosquitto_|import CCurl|urllib|http\.client|import requests|import socket|import smtplib|import apprise|import WebServer"#
    ),
    ("bus.system", #"import DBus"#),
    ("observe:delivery", #"observe:delivery"#),
    ("service:speech", #"ServiceCall\(service: "speech""#),
    ("command:sos.raise", #"\.raise\(|"sos\.raise""#),
    ("command:alarm.acknowledge", #"\.acknowledge\(|"alarm\.acknowledge""#),
    ("command:routine.replace", #""routine\.replace""#),
    ("read:gateway", #"ask\("(metrics|health|status)"\)"#),
    ("read:push", #""accounts\.pushes""#),
    ("command:account.push-gone", #""account\.push-gone""#),
    ("command:guidance.start", #"\.guidance\(\.start|"guidance\.start""#),
  ]

  private func manifest(_ plugin: String) throws -> [String: Any] {
    let text = try Repository.text("plugins/\(plugin)/plugin.json")
    return try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
  }

  private func grants(_ plugin: String) throws -> Set<String> {
    Set(try #require(try manifest(plugin)["grants"] as? [String]))
  }

  /// The plugin's sources as one text, without what every plugin in Python shares.
  private func sources(_ plugin: String) throws -> String {
    let folder = "plugins/\(plugin)"
    let files = try Repository.paths(below: [folder]).filter { path in
      (path.hasSuffix(".swift") || path.hasSuffix(".py")) && !path.contains("/Tests/")
        && !path.hasSuffix("/pluginkit.py")
    }
    return try files.map { try Repository.text($0) }.joined(separator: "\n")
  }

  private var plugins: [String] {
    Repository.entries("plugins").filter { Repository.exists("plugins/\($0)/plugin.json") }.sorted()
  }

  /// Every action with what it takes, from where the rules are declared.
  private func actions() throws -> [String: String] {
    let files = try Repository.swiftFiles(below: ["Sources/Care"])
    let rules = files.flatMap {
      $0.text.matches(of: /CommandRule\(\s*"([a-z.-]+)", \.(\w+)/).map {
        (String($0.1), String($0.2))
      }
    }
    return Dictionary(rules) { first, _ in first }
  }

  @Test(
    "The broker's plugin may be granted every command that is not kept from brokers, and no other")
  func brokerCommands() throws {
    let actions = try actions()
    #expect(actions.count > 40 && Self.keptFromBroker.isSubset(of: actions.keys))
    #expect(Self.neverByBroker.isSubset(of: actions.values))
    let kept = actions.filter { Self.neverByBroker.contains($0.value) && $0.key != Self.silence }
    let granted = Set(
      try grants("mqtt").filter { $0.hasPrefix("command:") }.map { String($0.dropFirst(8)) })
    #expect(granted == Set(actions.keys).subtracting(Self.keptFromBroker).subtracting(kept.keys))
  }

  @Test("Each manifest asks for what its sources use, and for nothing that they do not")
  func uses() throws {
    #expect(plugins.count >= 11)
    for plugin in plugins where !["mqtt", "console"].contains(plugin) {
      let (grants, text) = (try grants(plugin), try sources(plugin))
      for (grant, pattern) in Self.signs {
        let isUsed = try text.contains(Regex(pattern))
        #expect(grants.contains(grant) == isUsed, "\(plugin): \(grant)")
      }
      let known = Set(Self.signs.map(\.grant)).union([
        "position.precise", "content.personal", "contacts", "health", "messages", "notes", "places",
      ])
      #expect(grants.isSubset(of: known), "\(plugin): \(grants.subtracting(known))")
    }
  }

  @Test(
    "The pages ask for whatever an account may do or see, and for nothing that only a keeper may")
  func pages() throws {
    let granted = try grants("console")
    #expect(granted.filter { $0.hasPrefix("command:") } == ["command:*"])
    #expect(granted.filter { $0.hasPrefix("read:") }.count == 13)
    let others: Set = [
      "network", "accounts", "position.precise", "content.personal", "contacts", "health",
      "messages", "notes", "places",
    ]
    #expect(granted.filter { !$0.contains(":") } == others)
  }

  @Test("Pages and the configuration show no grant that the manifest does not ask for")
  func shown() throws {
    var pages = [(path: "debian/homeward.yaml", plugin: "mqtt")]
    pages += plugins.map { ("plugins/\($0)/README.md", $0) }
    var count = 0
    for (path, plugin) in pages {
      let asked = try grants(plugin)
      for match in try Repository.text(path).matches(of: /grants:\s+\[([^\]]*)\]/) {
        count += 1
        let words = match.1.split { " ,\"\n#".contains($0) }.map(String.init)
        let kinds = plugin == "console" ? ["read:*", "service:*"] : []
        #expect(Set(words).isSubset(of: asked.union(kinds)), "\(path): \(words)")
      }
    }
    #expect(count > 8)
  }
}
