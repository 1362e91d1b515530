import Care
import JSON
import Moments
import Testing

@testable import homeward_plugin_mqtt

/// What the broker is told of a resident who is expected to be out.
@Suite struct AbsenceTests {
  private static let absence: JSONValue = [
    "absence": "day-centre", "absenceName": "Day centre", "from": "2026-11-23T08:00:00.000Z",
    "until": "2026-11-23T15:00:00.000Z", "untilLocal": "16:00",
  ]

  private static func left(isExpected: Bool) -> JSONValue {
    let facts: JSONValue = [
      "zone": "home", "zoneName": "Home", "presence": "outside", "isOutside": true,
      "latitude": 1.25, "longitude": 2.5,
    ]
    return isExpected ? facts.setting("isExpected", to: true) : facts
  }

  private func state(_ events: [(EventType, JSONValue)]) -> ResidentState {
    var state = ResidentState(id: "mary")
    for (number, event) in events.enumerated() {
      state.take(type: event.0, at: .seconds(Int64(number)), facts: event.1)
    }
    return state
  }

  @Test func whoIsExpectedToBeOutIsNoAlarmAndIsShownWhere() {
    let state = state([(.absenceBegan, Self.absence), (.zoneLeft, Self.left(isExpected: true))])
    #expect(state.alarms.isEmpty && state.zoneText == "outside")
    #expect(state.positionJSON?["expected_at"] == "Day centre")
    #expect(state.positionJSON?["expected_until"] == "2026-11-23T15:00:00.000Z")
  }

  @Test func whoDoesNotComeBackIsAnAlarm() {
    let ended = Self.absence.setting("reason", to: "overdue").setting("isOutside", to: true)
    let state = state([
      (.absenceBegan, Self.absence), (.zoneLeft, Self.left(isExpected: true)),
      (.absenceEnded, ended),
    ])
    #expect(state.alarms == [.outside] && state.positionJSON?["expected_at"] == nil)
  }

  @Test func onlyWhatSomebodySaysNowEndsAnAlarm() {
    let left = Self.left(isExpected: false)
    for isAsked in [true, false] {
      let began = Self.absence.setting("isOutside", to: true)
        .setting("isAsked", to: .bool(isAsked))
      #expect(state([(.zoneLeft, left), (.absenceBegan, began)]).alarms.isEmpty == isAsked)
    }
  }
}
