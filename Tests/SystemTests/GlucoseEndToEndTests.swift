import Care
import ControlSocket
import Door
import Foundation
import GlucoseValues
import JSON
import Moments
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

  @Test(
    "Readings of a file come in at once or not at all, raise no alarm when old, and go with their person"
  )
  func file() throws {
    let house = try TalkingGateway()
    let now = Timestamp(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
    func readings(_ level: String, _ count: Int) throws -> [GlucoseReading] {
      try (0..<count).map { index in
        let time = now.advanced(byMilliseconds: -172_800_000 - Int64(index) * 900_000)
        return GlucoseReading(
          id: GlucoseReadingID("f\(index)"), resident: "mary",
          level: try GlucoseConcentration(withUnit: level), time: time, receivedAt: now,
          source: .file, origin: "export.csv", sensor: .continuous)
      }
    }
    let part = try readings("45 mg/dL", GlucoseRequest.importedAtOnce)
    #expect(try house.perform(.glucose(.add(part, to: "mary")))["added"] == 400)
    #expect(try house.perform(.glucose(.add(part, to: "mary")))["known"] == 400)
    var wrong = try readings("100 mg/dL", 2)
    wrong[0].id = "new"
    wrong[1].resident = "nobody"
    #expect(throws: ControlError.self) { try house.perform(.glucose(.add(wrong, to: "mary"))) }
    #expect(throws: ControlError.self) { try house.call(.glucoseGet, ["id": "new"]) }
    #expect(try house.call(.alarmsList, .object([])).arrayContent?.isEmpty == true)
    house.gateway.kill()
    try house.start()
    let kept = try house.call(.glucoseQuery, ["resident": "mary", "limit": 1000]).arrayContent
    #expect(kept?.count == 400 && kept?.last?["origin"] == "export.csv")
    try house.perform(.eraseResident("mary"))
    #expect(throws: ControlError.self) { try house.call(.glucoseGet, ["id": "f0"]) }
  }
}
