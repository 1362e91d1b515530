import Care
import Foundation
import JSON
import PluginProtocol
import TestSupport
import Testing

@testable import homeward_plugin_mqtt

@Suite(.serialized, .enabled(if: Broker.isInstalled, "mosquitto is not installed"))
struct ConnectionTests {
  @Test func presenceIsRetainedAndTheLastWillSaysOffline() throws {
    let broker = try Broker()
    let subscriber = try Subscriber(broker, "homeward/hub/status")
    let plugin = try PluginUnderTest(broker)
    _ = try subscriber.next("homeward/hub/status") { $0 == "online" }
    try plugin.process.kill()
    _ = try subscriber.next("homeward/hub/status") { $0 == "offline" }
    let late = try Subscriber(broker, "homeward/hub/status")
    let kept = try late.next("homeward/hub/status")
    #expect(kept.isRetained && kept.payload == "offline")
  }

  @Test func anOrderlyEndSaysOfflineToo() throws {
    let broker = try Broker()
    let subscriber = try Subscriber(broker, "homeward/hub/status")
    let plugin = try PluginUnderTest(broker)
    _ = try subscriber.next("homeward/hub/status") { $0 == "online" }
    try plugin.call(PluginMethod.shutdown)
    #expect(try plugin.process.waitForEnd() == 0)
    _ = try subscriber.next("homeward/hub/status") { $0 == "offline" }
  }

  @Test func whenTheHostGoesAwayThePluginEndsByItself() throws {
    let broker = try Broker()
    let plugin = try PluginUnderTest(broker)
    plugin.process.closeInput()
    #expect(try plugin.process.waitForEnd() == 0)
  }

  @Test func aClosedPortIsNamedAndTheBrokerIsFoundWhenItComes() throws {
    let broker = try Broker(isRunning: false)
    let plugin = try PluginUnderTest(broker, expecting: "refused")
    try broker.start()
    #expect(try plugin.health("").state == .working)
  }

  @Test func aHostThatDoesNotExistIsNamed() throws {
    let broker = try Broker(isRunning: false)
    let plugin = try PluginUnderTest(
      broker, ["host": "nobody.invalid"], expecting: "unknown-host")
    let health = try PluginHealth(json: plugin.call(PluginMethod.health).payload())
    #expect(health.state == .failed && health.detail.contains("nobody.invalid"))
  }

  @Test func aWrongPasswordIsNamedAndNeverLogged() throws {
    let folder = try TemporaryDirectory()
    let passwords = folder.path(of: "passwords")
    let tool = try LineProcess(
      "/usr/bin/mosquitto_passwd", ["-b", "-c", passwords, "homeward", "right-horse"])
    try tool.waitForEnd()
    let broker = try Broker(["allow_anonymous false", "password_file \(passwords)"])
    let wrong = try PluginUnderTest(
      broker, ["username": "homeward", "password": "wrong-battery"], expecting: "credentials")
    _ = try wrong.logged("refuses username or password")
    try wrong.call(PluginMethod.shutdown)
    try wrong.process.waitForEnd()
    #expect(!wrong.process.log.remaining.contains { $0.contains("wrong-battery") })
    #expect(!wrong.process.output.remaining.contains { $0.contains("wrong-battery") })
    _ = try PluginUnderTest(broker, ["username": "homeward", "password": "right-horse"])
  }

  @Test func aSilentServerIsGivenUpAndTheHostIsAnsweredMeanwhile() throws {
    let broker = try Broker()
    broker.pause(true)
    let plugin = try PluginUnderTest(uninitializedFor: broker)
    _ = try plugin.initialize(.object([]))
    let health = try PluginHealth(json: plugin.call(PluginMethod.health).payload())
    #expect(health.code == "connecting")
    #expect(try plugin.health("no-answer").state == .failed)
    broker.pause(false)
    #expect(try plugin.health("").state == .working)
  }

  @Test(
    arguments: [
      (["host": 7] as JSONValue, "host"), (["host": "h", "keepAliveSeconds": 1], "keepAlive"),
      (["host": "h", "topicPrefix": "a/#"], "topicPrefix"),
      (["host": "h", "tls": ["insecure": true]], "insecure"),
      (["host": "h", "tls": ["keyFile": "/k"]], "certificateFile"),
      (
        ["host": "h", "commands": [["principal": "a", "topic": "+/x", "actions": []]]], "wildcard"
      ),
    ] as [(JSONValue, String)])
  func settingsThatCannotWorkAreNamed(settings: JSONValue, word: String) throws {
    let fault = #expect(throws: RPCError.self) {
      try MQTTSettings(json: settings, gateway: "hub")
    }
    #expect(word == "wildcard" || fault?.message.contains(word) == true)
  }
}
