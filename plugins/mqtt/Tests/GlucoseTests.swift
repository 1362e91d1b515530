import Care
import Foundation
import GlucoseValues
import JSON
import Moments
import PluginProtocol
import TestSupport
import Testing

@testable import homeward_plugin_mqtt

/// Events about readings as plugins/events.md has them.
enum GlucoseEvents {
  static func facts(
    _ reading: String, _ value: String, _ unit: GlucoseUnit = .millimolesPerLitre,
    time: String = "2026-11-22T07:41:00+01:00", doubt: String? = nil, revision: Int64 = 1
  ) -> JSONValue {
    [
      "reading": .string(reading), "value": .string(value), "unit": .string(unit.rawValue),
      "mgdl": 101, "time": .string(time), "tag": "before-breakfast", "sensor": "finger-stick",
      "source": "meter", "meter": ["name": "Contour Next"],
      "timeDoubt": doubt.map { .string($0) } ?? .null, "revision": .integer(revision),
    ]
  }

  static func event(_ number: Int, _ type: EventType, _ facts: JSONValue) -> [UInt8] {
    Stored.event(number, type, lane: .record, facts)
  }
}

@Suite(.serialized, .enabled(if: Broker.isInstalled, "mosquitto is not installed"))
struct GlucoseTests {
  private static let topic = "homeward/hub/resident/mary/glucose"
  private static let discovery = "homeassistant/device/hub/config"
  private static let homeAssistant: JSONValue = ["homeAssistant": ["enabled": true]]

  @Test func theLastReadingIsShownAsItWasReceivedWithItsTimeAndDoubt() throws {
    let broker = try Broker()
    let subscriber = try Subscriber(broker)
    let plugin = try PluginUnderTest(broker, Self.homeAssistant)
    _ = try plugin.deliver(
      .record,
      [
        GlucoseEvents.event(
          1, .glucoseRecorded,
          GlucoseEvents.facts("r-1", "5.60", doubt: "the meter's clock was wrong"))
      ])
    let payload = try subscriber.next(Self.discovery) { $0.contains("glucose") }.payload
    let entity = try JSONValue(parsing: payload)["components"]?["mary_glucose_mmol"]
    #expect(entity?["device_class"] == "blood_glucose_concentration")
    #expect(entity?["unit_of_measurement"] == "mmol/L")
    #expect(entity?["json_attributes_topic"] == .string(Self.topic))
    let state = try subscriber.next(Self.topic)
    let shown = try JSONValue(parsing: state.payload)
    #expect(shown["value"] == "5.60" && shown["unit"] == "mmol/L")
    #expect(shown["time"] == "2026-11-22T07:41:00+01:00" && shown["tag"] == "before-breakfast")
    #expect(shown["timeDoubt"] == "the meter's clock was wrong")
    let late = try Subscriber(broker, Self.topic)
    #expect(try late.next(Self.topic).isRetained)
  }

  @Test func eachUnitIsAnEntityOfItsOwn() throws {
    let broker = try Broker()
    let subscriber = try Subscriber(broker)
    let plugin = try PluginUnderTest(broker, Self.homeAssistant)
    let one = GlucoseEvents.facts("r-1", "5.6")
    let two = GlucoseEvents.facts(
      "r-2", "101", .milligramsPerDecilitre, time: "2026-11-22T08:00:00+01:00")
    _ = try plugin.deliver(
      .record,
      [
        GlucoseEvents.event(1, .glucoseRecorded, one),
        GlucoseEvents.event(2, .glucoseRecorded, two),
      ])
    _ = try subscriber.next(Self.topic) { $0.contains("\"101\"") }
    let payload = try subscriber.next(Self.discovery) { $0.contains("glucose_mgdl") }.payload
    let parts = try JSONValue(parsing: payload)["components"]
    #expect(parts?["mary_glucose_mmol"]?["unit_of_measurement"] == "mmol/L")
    #expect(parts?["mary_glucose_mgdl"]?["unit_of_measurement"] == "mg/dL")
    #expect(
      parts?["mary_glucose_mmol"]?["value_template"]
        == "{{ value_json.value if value_json.unit == 'mmol/L' else None }}")
  }

  @Test func aRemovedReadingGivesWayToTheOneBeforeAndThenToNone() throws {
    let broker = try Broker()
    let subscriber = try Subscriber(broker)
    let plugin = try PluginUnderTest(broker, Self.homeAssistant)
    let first = GlucoseEvents.facts("r-1", "5.6")
    let second = GlucoseEvents.facts("r-2", "7.2", time: "2026-11-22T09:00:00+01:00")
    _ = try plugin.deliver(
      .record,
      [
        GlucoseEvents.event(1, .glucoseRecorded, first),
        GlucoseEvents.event(2, .glucoseRecorded, second),
      ])
    _ = try subscriber.next(Self.topic) { $0.contains("7.2") }
    _ = try plugin.deliver(.record, [GlucoseEvents.event(3, .glucoseRemoved, second)])
    _ = try subscriber.next(Self.topic) { $0.contains("5.6") }
    try plugin.call(PluginMethod.shutdown)
    try plugin.process.waitForEnd()
    let again = try PluginUnderTest(broker, Self.homeAssistant, state: plugin.state)
    _ = try again.deliver(.record, [GlucoseEvents.event(4, .glucoseRemoved, first)])
    _ = try subscriber.next(Self.topic) { $0.contains("\"value\":null") }
    _ = try again.deliver(.record, [Stored.erased(5, "mary")])
    _ = try subscriber.next(Self.topic) { $0.isEmpty }
    let gone = try subscriber.next(Self.discovery) {
      $0.contains("\"mary_glucose_mmol\":{\"platform\":\"sensor\"}")
    }
    #expect(!gone.payload.contains("mmol/L"))
  }
}

@Suite struct ResidentGlucoseTests {
  private static let noon = (try? Timestamp(iso8601: "2026-11-22T12:00:00Z")) ?? .seconds(0)

  private func values(_ steps: [(EventType, Int64, JSONValue)]) -> [String] {
    var glucose = ResidentGlucose()
    return steps.map { type, minutes, facts in
      glucose.take(type, at: Self.noon.advanced(byMilliseconds: minutes * 60_000), facts)
      return glucose.last?.level.digits ?? "none"
    }
  }

  @Test func theLastOneIsTheOneMeasuredLastNotTheOneThatCameLast() {
    let steps: [(EventType, Int64, JSONValue)] = [
      (.glucoseRecorded, 0, GlucoseEvents.facts("b", "6.1", time: "2026-11-22T11:00:00Z")),
      (.glucoseRecorded, 1, GlucoseEvents.facts("a", "5.1", time: "2026-11-22T10:00:00Z")),
      (
        .glucoseCorrected, 2,
        GlucoseEvents.facts("a", "5.3", time: "2026-11-22T10:00:00Z", revision: 2)
      ),
      (
        .glucoseCorrected, 3,
        GlucoseEvents.facts("b", "6.3", time: "2026-11-22T11:00:00Z", revision: 2)
      ),
      // A reading that comes again as it was before its correction.
      (.glucoseRecorded, 4, GlucoseEvents.facts("b", "6.1", time: "2026-11-22T11:00:00Z")),
    ]
    #expect(values(steps) == ["6.1", "6.1", "6.1", "6.3", "6.3"])
  }

  @Test func aTimeThatMayBeWrongNeitherHidesAReadingNorKeepsItOnTop() {
    let steps: [(EventType, Int64, JSONValue)] = [
      (.glucoseRecorded, 0, GlucoseEvents.facts("a", "5.1", time: "2026-11-22T11:59:00Z")),
      (
        .glucoseRecorded, 1,
        GlucoseEvents.facts("b", "6.1", time: "2010-01-01T00:00:00Z", doubt: "never set")
      ),
      (
        .glucoseRecorded, 2,
        GlucoseEvents.facts("c", "7.1", time: "2031-01-01T00:00:00Z", doubt: "to come")
      ),
      (.glucoseRecorded, 9, GlucoseEvents.facts("d", "8.1", time: "2026-11-22T12:08:00Z")),
      // A correction of an old one does not make it the last.
      (
        .glucoseCorrected, 10,
        GlucoseEvents.facts(
          "b", "6.2", time: "2010-01-01T00:00:00Z", doubt: "never set", revision: 2)
      ),
    ]
    #expect(values(steps) == ["5.1", "6.1", "7.1", "8.1", "8.1"])
  }

  @Test func whatIsNoReadingIsPassedOver() {
    let good = GlucoseEvents.facts("a", "5.1")
    let strange: [JSONValue] = [
      [:], good.setting("value", to: 5.1), good.setting("value", to: "HI"),
      good.setting("value", to: "-5"), good.setting("unit", to: "g/L"),
      good.setting("time", to: "yesterday"), good.setting("reading", to: ""),
    ]
    var glucose = ResidentGlucose()
    for facts in strange { glucose.take(.glucoseRecorded, at: Self.noon, facts) }
    glucose.take(.glucoseLow, at: Self.noon, good)
    #expect(glucose == ResidentGlucose() && glucose.json == nil)
  }

  @Test func whatIsRememberedIsBoundedAndComesBack() {
    var glucose = ResidentGlucose()
    for number in 0..<100 {
      let time = Self.noon.advanced(byMilliseconds: Int64(number) * 60_000)
      glucose.take(
        .glucoseRecorded, at: time,
        GlucoseEvents.facts("r-\(number)", "5.\(number % 10)", time: time.iso8601))
    }
    #expect(glucose.readings.count == ResidentGlucose.maximumReadings)
    #expect(glucose.last?.id == "r-99")
    #expect(ResidentGlucose(storage: glucose.storage) == glucose)
    for damaged: JSONValue in [.null, 5, ["readings": 5], ["readings": [5, ["reading": "x"]]]] {
      #expect(ResidentGlucose(storage: damaged) == ResidentGlucose())
    }
  }
}
