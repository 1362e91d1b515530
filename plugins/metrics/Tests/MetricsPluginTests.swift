import Care
import JSON
import PluginTestSupport
import TestSupport
import Testing
import Texts

@testable import homeward_plugin_metrics

@Suite("The plugin metrics under the gateway's own host", .timeLimit(.minutes(2)))
struct MetricsPluginTests {
  private static let grants: Set = ["network", "read:gateway"]

  @Test("What other machines reach is refused with what to write")
  func open() async throws {
    let plugin = try await HostedPlugin(
      "metrics", settings: ["listen": "0.0.0.0"], grants: Self.grants)
    let report = try #require(await plugin.wait(for: .failed))
    #expect(report.detail.description.contains("set listen to 127.0.0.1"))
    await plugin.stop()
  }

  @Test("A port that another program has is told, and which")
  func taken() async throws {
    let other = await MetricsPages(
      listen: "127.0.0.1", port: 0, metrics: { $0("") }, health: { $0(true, .null) })
    try await other.start()
    let port = try #require(await other.port)
    let plugin = try await HostedPlugin(
      "metrics", settings: ["port": .integer(Int64(port))], grants: Self.grants)
    let report = try #require(await plugin.wait(for: .failed, code: "port"))
    #expect(report.detail.description.contains("127.0.0.1 port \(port)"))
    await plugin.stop()
    await other.stop()
  }

  @Test("A gateway that answers neither question is not healthy")
  func unanswered() async throws {
    let port = try LocalPort.free()
    let plugin = try await HostedPlugin(
      "metrics", settings: ["port": .integer(Int64(port))], grants: Self.grants)
    _ = await plugin.wait(for: .working)
    let address = UInt16(port)
    let health = WebClient.exchange(address, "GET /health HTTP/1.0\r\n\r\n")
    #expect(health.status == 503)
    #expect(health.body.contains("The gateway does not answer."))
    #expect(WebClient.exchange(address, "GET /metrics HTTP/1.0\r\n\r\n").status == 503)
    await plugin.stop()
  }
}
