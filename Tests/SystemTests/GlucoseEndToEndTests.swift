import CareModel
import ControlSocket
import Foundation
import TestSupport
import Testing

/// The log of glucose readings through the real daemon, its socket and its database.
@Suite(.serialized) struct GlucoseEndToEndTests {
  @Test("Readings typed in are kept through a power cut, changed, alarmed about and erased")
  func log() throws {
    let house = try TalkingGateway()
    let now = Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
    func reading(_ id: GlucoseReadingID, _ level: String, minutesAgo: Int64) throws
      -> GlucoseReading
    {
      let time = now.advanced(byMilliseconds: -minutesAgo * 60_000)
      return GlucoseReading(
        id: id, resident: "mary", level: try GlucoseConcentration(withUnit: level),
        tag: .own("после чая"), time: time, receivedAt: time, source: .hand, origin: "Анна")
    }
    try house.perform(.glucose(.put(reading("g1", "5.60 mmol/L", minutesAgo: 5000), revision: 0)))
    try house.perform(.glucose(.put(reading("g2", "50 mg/dL", minutesAgo: 5), revision: 0)))
    let alarms = try house.call(.alarmsList, .object([]))
    #expect(alarms.arrayContent?.first?["kind"] == "glucose")
    house.gateway.kill()
    try house.start()
    let listed = try house.call(.glucoseQuery, ["resident": "mary"]).arrayContent ?? []
    #expect(listed.map { $0["id"] } == ["g2", "g1"])
    #expect(listed.last?["level"] == "5.60" && listed.last?["tag"] == "после чая")
    #expect(throws: ControlError.self) {
      try house.perform(.glucose(.put(reading("g2", "90 mg/dL", minutesAgo: 5), revision: 7)))
    }
    try house.perform(.glucose(.put(reading("g2", "90 mg/dL", minutesAgo: 5), revision: 1)))
    #expect(try house.call(.alarmsList, .object([])).arrayContent?.isEmpty == true)
    #expect(try house.call(.glucoseGet, ["id": "g2"])["revision"] == 2)
    try house.perform(.glucose(.remove("g1", revision: 1)))
    #expect(throws: ControlError.self) { try house.call(.glucoseGet, ["id": "g1"]) }
    for params in [["resident": "nobody"], ["resident": "mary", "since": "soon"]] as [JSONValue] {
      #expect(throws: ControlError.self) { try house.call(.glucoseQuery, params) }
    }
    try house.perform(.eraseResident("mary"))
    #expect(throws: ControlError.self) { try house.call(.glucoseGet, ["id": "g2"]) }
  }
}
