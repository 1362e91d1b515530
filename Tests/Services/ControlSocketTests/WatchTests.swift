import Care
import ControlSocket
import Door
import JSON
import Loop
import Testing

@Suite struct WatchTests {
  @Test func aWatcherGetsAlarmAndRecordLaneAndNoTraces() async throws {
    let fixture = try await ControlFixture()
    let client = try ControlClient(connectingTo: fixture.path)
    try client.watch()
    await publish(
      [event(.fixAccepted, lane: .trace), event(.zoneLeft), event(.heartbeat, lane: .record)],
      by: fixture.server)
    #expect(try client.nextEvent()?["type"] == "zone.left")
    #expect(try client.nextEvent()?["type"] == "gateway.heartbeat")
    await fixture.server.stop()
  }

  @Test func aWatcherOfTypesGetsThemAndEverythingBelowTheirWords() async throws {
    let fixture = try await ControlFixture()
    let client = try ControlClient(connectingTo: fixture.path)
    try client.watch(types: ["zone", "fix.rejected"])
    await publish(
      [
        event("zones.other"), event(.zoneEntered), event(.fixAccepted, lane: .trace),
        event(.fixRejected, lane: .trace), event("zone"),
      ], by: fixture.server)
    var types: [String?] = []
    for _ in 0..<3 { types.append(try client.nextEvent()?["type"]?.stringContent) }
    #expect(types == ["zone.entered", "fix.rejected", "zone"])
    await fixture.server.stop()
  }

  @Test func requestsAreAnsweredBetweenWatchedEvents() async throws {
    let fixture = try await ControlFixture()
    let client = try ControlClient(connectingTo: fixture.path)
    try client.watch()
    await publish([event(.zoneLeft)], by: fixture.server)
    #expect(try client.call(.health)["method"] == "health")
    #expect(try client.nextEvent(timeoutMilliseconds: 0)?["type"] == "zone.left")
    #expect(try client.nextEvent(timeoutMilliseconds: 0) == nil)
    await fixture.server.stop()
  }

  @Test func aWatcherThatDoesNotReadIsGivenUpWithASentenceAndOthersGoOn() async throws {
    let fixture = try await ControlFixture()
    let slow = RawClient(fixture.path)
    slow.write("{\"id\":1,\"method\":\"watch\"}\n")
    #expect(slow.line() == #"{"jsonrpc":"2.0","id":1,"result":{}}"#)
    let quick = try ControlClient(connectingTo: fixture.path)
    try quick.watch()
    for _ in 0..<30 {
      await publish([event(.zoneLeft, padding: 100_000)], by: fixture.server)
      #expect(try quick.nextEvent()?["type"] == "zone.left")
    }
    var lines: [String] = []
    while let line = slow.line() { lines.append(line) }
    #expect(lines.last?.contains("\"closed\"") == true)
    #expect(lines.last?.contains("watch again") == true)
    for line in lines.dropLast() { #expect(line.hasSuffix("}}}")) }
    #expect(lines.count < 30)
    await fixture.server.stop()
  }

  @LoopActor
  private func publish(_ events: [EncodedEvent], by server: ControlServer) {
    for event in events { server.publish(event) }
  }
}
