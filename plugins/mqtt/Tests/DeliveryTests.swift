import Care
import Foundation
import JSON
import PluginProtocol
import TestSupport
import Testing

@Suite(.serialized, .enabled(if: Broker.isInstalled, "mosquitto is not installed"))
struct DeliveryTests {
  @Test func acceptedEventsArriveInOrderWithTheStoredBytes() throws {
    let broker = try Broker()
    let subscriber = try Subscriber(broker)
    let plugin = try PluginUnderTest(broker)
    let bodies = (0..<300).map {
      Stored.event($0, lane: .record, ["text": .string("漢字 \"quoted\" 🙂 \u{1} \($0)")])
    }
    #expect(try plugin.deliver(.record, bodies) == Array(repeating: .accepted, count: 300))
    let topic = "homeward/hub/event/record"
    let last = try subscriber.next(topic) { $0.contains("\"id-299\"") }
    #expect(subscriber.remaining(topic) + [last.payload] == Stored.texts(bodies))
    #expect(last.qualityOfService == "1")
    #expect(!last.isRetained)
  }

  @Test func twentyThousandEventsDrainCompletelyAndInOrder() throws {
    let broker = try Broker()
    let subscriber = try Subscriber(broker, "homeward/hub/event/trace")
    let plugin = try PluginUnderTest(broker)
    for start in stride(from: 0, to: 20_000, by: 1000) {
      let outcomes = try plugin.deliver(.trace, Stored.events(start..<start + 1000))
      #expect(outcomes.allSatisfy { $0 == .accepted })
    }
    let topic = "homeward/hub/event/trace"
    let last = try subscriber.next(topic) { $0.contains("\"id-19999\"") }
    let ids = (subscriber.remaining(topic) + [last.payload]).compactMap {
      $0.firstMatch(of: #/"id":"id-(\d+)"/#)?.1
    }
    #expect(ids == (0..<20_000).map { Substring("\($0)") })
  }

  @Test func whileTheBrokerIsDownEventsWaitAndThenArriveInOrder() throws {
    let broker = try Broker()
    try Subscriber(broker, session: "care").end()
    let plugin = try PluginUnderTest(broker)
    try broker.stop()
    _ = try plugin.health("disconnected")
    let alarms = (0..<5).map { Stored.event($0, .zoneLeft, lane: .alarm) }
    let traces = Stored.events(100..<900)
    let trace = try plugin.send(.trace, traces)
    let alarm = try plugin.send(.alarm, alarms)
    _ = try plugin.health("refused")
    try broker.start()
    #expect(try plugin.outcomes(of: alarm, count: 5).allSatisfy { $0 == .accepted })
    #expect(try plugin.outcomes(of: trace, count: 800).allSatisfy { $0 == .accepted })
    let subscriber = try Subscriber(broker, session: "care")
    let last = try subscriber.next("homeward/hub/event/trace") { $0.contains("\"id-899\"") }
    #expect(
      subscriber.remaining("homeward/hub/event/trace") + [last.payload] == Stored.texts(traces))
    #expect(subscriber.remaining("homeward/hub/event/alarm") == Stored.texts(alarms))
  }

  @Test func aBrokerThatEndsInTheMiddleOfABatchGetsTheRestAfterItsReturn() throws {
    let broker = try Broker()
    try Subscriber(broker, session: "care").end()
    let plugin = try PluginUnderTest(broker)
    broker.pause(true)
    let bodies = Stored.events(0..<1000)
    let batch = try plugin.send(.trace, bodies)
    try plugin.call(PluginMethod.health)
    broker.pause(false)
    try broker.stop()
    try broker.start()
    #expect(try plugin.outcomes(of: batch, count: 1000).allSatisfy { $0 == .accepted })
    let subscriber = try Subscriber(broker, session: "care")
    let topic = "homeward/hub/event/trace"
    let last = try subscriber.next(topic) { $0.contains("\"id-999\"") }
    var seen: Set<String> = []
    let received = (subscriber.remaining(topic) + [last.payload]).filter {
      seen.insert($0).inserted
    }
    #expect(received == Stored.texts(bodies))
  }

  @Test func anAlarmPassesABigTraceBatchThatHasBegun() throws {
    let broker = try Broker()
    let subscriber = try Subscriber(broker, "homeward/hub/event/#")
    let plugin = try PluginUnderTest(broker)
    broker.pause(true)
    let trace = try plugin.send(.trace, Stored.events(0..<1000))
    let alarm = try plugin.send(.alarm, [Stored.event(5000, .zoneLeft, lane: .alarm)])
    try plugin.call(PluginMethod.health)
    broker.pause(false)
    _ = try plugin.outcomes(of: alarm, count: 1)
    _ = try subscriber.next("homeward/hub/event/alarm")
    let before = subscriber.remaining("homeward/hub/event/trace")
    _ = try plugin.outcomes(of: trace, count: 1000)
    _ = try subscriber.next("homeward/hub/event/trace") { $0.contains("\"id-999\"") }
    #expect(before.count < 1000)
  }

  @Test func withApplicationAcknowledgementABrokerReceiptIsNotEnough() throws {
    let broker = try Broker()
    let subscriber = try Subscriber(broker, "homeward/hub/event/#")
    let old: JSONValue = ["ids": ["id-1"]]
    try broker.publish(old.serialized, to: "homeward/hub/ack", isRetained: true)
    let plugin = try PluginUnderTest(broker, ["acceptedWhen": "application"])
    _ = try plugin.logged("ignored an acknowledgement")
    let trace = try plugin.send(.trace, Stored.events(0..<3))
    let alarm = try plugin.send(.alarm, [Stored.event(9, .zoneLeft, lane: .alarm)])
    _ = try subscriber.next("homeward/hub/event/trace") { $0.contains("\"id-2\"") }
    _ = try subscriber.next("homeward/hub/event/alarm")
    try broker.publish("{\"ids\":[\"id-0\",\"id-2\",\"unknown\"]}", to: "homeward/hub/ack")
    try broker.publish("[\"id-9\"]", to: "homeward/hub/ack")
    #expect(try plugin.outcomes(of: alarm, count: 1) == [.accepted])
    try plugin.call(PluginMethod.shutdown)
    let retry = EventOutcome.retry(afterSeconds: 1, reason: "the gateway stops the plugin")
    #expect(try plugin.outcomes(of: trace, count: 3) == [.accepted, retry, .accepted])
  }

  @Test func whatTheBrokerNeverTookIsHandedBackWhenThePluginEnds() throws {
    let broker = try Broker(isRunning: false)
    let plugin = try PluginUnderTest(broker, expecting: "refused")
    let batch = try plugin.send(.record, Stored.events(0..<2, lane: .record))
    try plugin.call(PluginMethod.shutdown)
    let outcomes = try plugin.outcomes(of: batch, count: 2)
    let reason = "the gateway stops the plugin"
    #expect(outcomes == Array(repeating: .retry(afterSeconds: 1, reason: reason), count: 2))
    #expect(try plugin.process.waitForEnd() == 0)
  }

  @Test func anEmptyBatchAndAnUnknownMethodAreAnswered() throws {
    let broker = try Broker()
    let plugin = try PluginUnderTest(broker)
    #expect(try plugin.deliver(.trace, []) == [])
    guard case .failure(_, let error) = try plugin.call("service.nothing").kind else {
      Issue.record("a service that is not offered was answered")
      return
    }
    #expect(error.code == RPCError.methodNotFoundCode)
  }

  @Test func eventsThatAreNoCloudEventsPassThroughAllTheSame() throws {
    let broker = try Broker()
    let subscriber = try Subscriber(broker)
    let plugin = try PluginUnderTest(broker)
    let bodies = ["{}", "{\"id\":7}", "[1]"].map { Array($0.utf8) }
    #expect(try plugin.deliver(.record, bodies).allSatisfy { $0 == .accepted })
    _ = try subscriber.next("homeward/hub/event/record") { $0 == "[1]" }
  }
}
