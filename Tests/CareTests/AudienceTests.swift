import Care
import JSON
import Moments
import Testing

@Suite struct AudienceTests {
  private func encoded(
    _ type: EventType, isForGuardians: Bool, _ facts: JSONValue = .object([])
  ) -> EncodedEvent {
    Event(
      id: "e", type: type, lane: .alarm, resident: "mary",
      moment: Moment(tick: .seconds(1), utc: Timestamp(milliseconds: 1), quality: .untrusted),
      facts: facts, isForGuardians: isForGuardians
    ).cloudEvent(gateway: "hub", boot: "boot")
  }

  @Test("What only guardians may know is known by its bytes", arguments: [true, false])
  func marked(isForGuardians: Bool) {
    for type: EventType in [.alarmDuress, .alarmDelivery, .emergencyContacted, .deliveryReported] {
      #expect(encoded(type, isForGuardians: isForGuardians).isForGuardians == isForGuardians)
    }
  }

  @Test("Words of other people mark nothing")
  func words() {
    let facts: JSONValue = [
      "audience": "guardians", "detail": ",\"audience\":\"guardians\",",
      "data": ["audience": "guardians", "x": 1],
    ]
    #expect(!encoded(.alarmDelivery, isForGuardians: false, facts).isForGuardians)
    #expect(encoded(.alarmDelivery, isForGuardians: true, facts).isForGuardians)
  }

  @Test("Bytes that end anywhere are read without harm, and other kinds not at all")
  func cut() {
    let body = encoded(.alarmDuress, isForGuardians: true).body
    let mark = Array(#","audience":"guardians","#.utf8)
    for count in 0...body.count {
      let head = Array(body.prefix(count))
      let isWhole = (0...max(0, count - mark.count)).contains {
        head.dropFirst($0).starts(with: mark)
      }
      #expect(Audience.isGuardians(.alarmDuress, head) == isWhole)
    }
    #expect(!Audience.isGuardians(.heartbeat, body))
  }
}
