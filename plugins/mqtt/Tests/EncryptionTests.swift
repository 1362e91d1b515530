import Care
import JSON
import PluginProtocol
import TestSupport
import Testing

@Suite(
  .serialized,
  .enabled(
    if: Broker.isInstalled && TestAuthority.isInstalled, "mosquitto or openssl is not installed"))
struct EncryptionTests {
  private let authority: TestAuthority

  init() throws {
    authority = try TestAuthority()
    try authority.issue("broker", for: "localhost")
  }

  private func settings(_ more: KeyValuePairs<String, JSONValue?> = [:]) -> JSONValue {
    let trust: JSONValue = ["caFile": .string(authority.file("ca"))]
    let files = (JSONValue.object(more).objectContent ?? []).reduce(trust) {
      $0.setting($1.key, to: $1.value)
    }
    return ["host": "localhost", "tls": files]
  }

  @Test func aCertificateOfATrustedAuthorityIsAccepted() throws {
    let broker = try Broker(authority.broker("broker"))
    let plugin = try PluginUnderTest(broker, settings())
    let bodies = Stored.events(0..<700)
    #expect(try plugin.deliver(.trace, bodies).allSatisfy { $0 == .accepted })
  }

  @Test func anUnknownAuthorityIsNotTrusted() throws {
    let broker = try Broker(authority.broker("broker"))
    _ = try PluginUnderTest(
      broker, ["host": "localhost", "tls": .object([])], expecting: "certificate-unknown")
  }

  @Test func anExpiredCertificateIsNotTrusted() throws {
    try authority.issue("old", for: "localhost", days: -1)
    let broker = try Broker(authority.broker("old"))
    let plugin = try PluginUnderTest(broker, settings(), expecting: "certificate-expired")
    _ = try plugin.logged("renew it on the broker")
  }

  @Test func aCertificateForAnotherNameIsNotTrusted() throws {
    try authority.issue("other", for: "other.example")
    let broker = try Broker(authority.broker("other"))
    _ = try PluginUnderTest(broker, settings(), expecting: "certificate-name")
  }

  @Test func aBrokerThatWantsAClientCertificateGetsIt() throws {
    try authority.issue("gateway", for: "gateway")
    let broker = try Broker(
      authority.broker("broker", ["require_certificate true", "use_identity_as_username true"]))
    _ = try PluginUnderTest(broker, settings(), expecting: "client-certificate")
    let files: KeyValuePairs<String, JSONValue?> = [
      "certificateFile": .string(authority.file("gateway")),
      "keyFile": .string(authority.key("gateway")),
    ]
    let plugin = try PluginUnderTest(broker, settings(files))
    #expect(try plugin.deliver(.trace, Stored.events(0..<3)).count == 3)
  }

  @Test func aFileThatCannotBeReadIsNamed() throws {
    let broker = try Broker(authority.broker("broker"))
    let plugin = try PluginUnderTest(
      broker, ["host": "localhost", "tls": ["caFile": "/nonexistent/ca.pem"]], expecting: "file")
    _ = try plugin.logged("/nonexistent/ca.pem")
  }

  @Test func anUnencryptedGreetingToAnEncryptedPortIsNamed() throws {
    let broker = try Broker(authority.broker("broker"))
    _ = try PluginUnderTest(broker, expecting: "no-greeting")
  }

  @Test func commandsThatComeInOneEncryptedRecordAreAllTaken() throws {
    let broker = try Broker(authority.broker("broker"), hasPlainDoor: true)
    let commands: JSONValue = [["principal": "anna", "actions": ["locate"]]]
    let plugin = try PluginUnderTest(broker, settings().setting("commands", to: commands))
    for number in 0..<10 {
      try broker.publish(Requests.locate("c-\(number)"), to: "homeward/hub/command/anna")
    }
    for number in 0..<10 {
      #expect(try plugin.command(answering: .object([])).id == CommandID("c-\(number)"))
    }
  }
}
