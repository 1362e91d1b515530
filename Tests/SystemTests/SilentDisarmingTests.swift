import Care
import ControlSocket
import Door
import Foundation
import JSON
import TestSupport
import Testing

/// The real daemon with a telephone: who switches somebody's protection off is told of.
@Suite(.serialized) struct SilentDisarmingTests {
  @Test("A text message says who switched what off", .timeLimit(.minutes(1)))
  func told() throws {
    let house = try TalkingGateway(phone: true)
    try house.perform(
      .putGuardian(Guardian(id: "anna", resident: "mary", name: "Anna", phone: "+4791234567")))
    try house.perform(.putSetting(resident: "mary", name: "zoneAlarm", value: false))
    try house.perform(.setTracking(resident: "mary", isOn: false))
    let isTold = Eventually.holds(withinSeconds: 30) { !house.gateway.texts().isEmpty }
    try #require(isTold, "\(house.gateway.log)")
    let texts = house.gateway.texts()
    #expect(texts.count == 1)
    #expect(texts[0].contains("at the gateway switched an alarm of Mary off"))
    let events = try house.call(.eventsQuery, ["types": ["protection"], "limit": 5])
    #expect(events.arrayContent?.count == 2)
  }

  @Test("The last guardian hears that nobody is told any more", .timeLimit(.minutes(1)))
  func lastGuardian() throws {
    let house = try TalkingGateway(phone: true)
    try house.perform(
      .putGuardian(Guardian(id: "anna", resident: "mary", name: "Anna", phone: "+4791234567")))
    try house.perform(.removeGuardian("anna"))
    let isTold = Eventually.holds(withinSeconds: 30) {
      house.gateway.texts().contains { $0.contains("an alarm reaches nobody any more") }
    }
    #expect(isTold, "\(house.gateway.texts()) \(house.gateway.log)")
  }
}
