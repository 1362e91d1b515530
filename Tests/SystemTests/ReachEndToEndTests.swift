import Care
import ControlSocket
import Door
import JSON
import TestSupport
import Testing
import Texts

/// Through the real daemon and its socket: who can be told, what can be heard, what is open.
@Suite(.serialized) struct ReachEndToEndTests {
  private func reach(_ house: TalkingGateway) throws -> JSONValue? {
    try house.call(.status, .object([]))["reach"]?.arrayContent?.first
  }

  @Test(
    "A house without a guardian, and one whose guardian no plugin reaches, does not look healthy")
  func nobodyReachable() throws {
    let house = try TalkingGateway()
    let isTold = Eventually.holds(withinSeconds: 20) {
      (try? house.call(.health, .object([]))["healthy"]) == false
    }
    #expect(isTold, "\(house.gateway.log)")
    #expect(try reach(house)?["isReachable"] == false)
    let anna = Guardian(id: "anna", resident: "mary", name: "Anna", phone: "+4791234567")
    try house.perform(.putGuardian(anna))
    #expect(try reach(house)?["isReachable"] == false)
    let listed = try house.call(.guardiansList, .object([])).arrayContent?.first
    #expect(listed?["ways"]?.arrayContent?.map { $0["state"] } == ["missing", "missing"])

    let raised = try house.perform(
      .alarm(.raise(resident: "mary", kind: .sos, trigger: .commandLine, text: "")))
    #expect(raised["isReachable"] == false)
    #expect(raised["reach"]?.stringContent?.contains("no plugin offers sms") == true)
    let open = try house.call(.status, .object([]))["alarms"]?.arrayContent?.first
    #expect(open?["tag"] == raised["tag"] && open?["kind"] == "sos")
  }

  private func isHealthy(_ house: TalkingGateway) -> Bool? {
    (try? house.call(.health, .object([]))["healthy"])?.boolContent
  }

  @Test("The last guardian's going, and a plugin that reaches nobody, are not healthy either")
  func lastGuardian() throws {
    let house = try TalkingGateway(phone: true)
    let anna = Guardian(id: "anna", resident: "mary", name: "Anna", phone: "+4791234567")
    try house.perform(.putGuardian(anna))
    let isWell = Eventually.holds(withinSeconds: 20) { isHealthy(house) == true }
    #expect(isWell, "\(house.gateway.log)")
    try house.perform(.removeGuardian("anna"))
    #expect(isHealthy(house) == false)
    #expect(try reach(house)?["isReachable"] == false)
    let said = try house.call(.status, .object([]))["components"]?.arrayContent?.first {
      $0["component"] == "guardians"
    }
    #expect(said?["state"] == "failed" && said?["code"] == "nobody-reachable")
    // A guardian whom this plugin does not reach changes nothing.
    try house.perform(
      .putGuardian(Guardian(id: "bo", resident: "mary", name: "Bo", email: "bo@example.org")))
    #expect(isHealthy(house) == false)
  }

  @Test("A plugin that offers no way to people makes nobody reachable")
  func noOffer() throws {
    let broker = try Broker()
    try broker.start()
    let house = try TalkingGateway(broker: broker.port)
    try house.perform(
      .putGuardian(Guardian(id: "anna", resident: "mary", name: "Anna", phone: "+4791234567")))
    let isUp = Eventually.holds(withinSeconds: 20) {
      let parts = try? house.call(.status, .object([]))["components"]?.arrayContent
      return parts?.contains { $0["component"] == "plugin/mqtt" && $0["state"] == "working" }
        ?? false
    }
    #expect(isUp, "\(house.gateway.log)")
    #expect(isHealthy(house) == false)
    #expect(try reach(house)?["isReachable"] == false)
  }

  @Test("Every request that the socket takes is answered by the daemon")
  func everyMethodIsAnswered() throws {
    let house = try TalkingGateway()
    for method in Route.all where method != .watch {
      do {
        try house.call(method, .object([]))
      } catch let error as ControlError {
        #expect(!error.message.description.contains("does not know the request"), "\(method)")
      }
    }
    let figures = try house.call(.metrics, .object([]))["text"]?.stringContent ?? ""
    #expect(figures.contains("homeward_uptime_seconds"))
  }

  @Test("With sound switched off nobody is told that something was said")
  func silentHouse() throws {
    let house = try TalkingGateway()
    #expect(throws: ControlError.self) {
      try house.perform(.room(.say(text: "Lunch", language: "en")))
    }
    #expect(throws: ControlError.self) {
      try house.perform(.room(.startFakeCall(resident: "mary", afterSeconds: 0)))
    }
    #expect(try house.perform(.alarm(.silence))["silenced"] == [])
  }
}
