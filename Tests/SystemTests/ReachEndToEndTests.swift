import CareModel
import ControlSocket
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

  @Test("Every request that the socket takes is answered by the daemon")
  func everyMethodIsAnswered() throws {
    let house = try TalkingGateway()
    for method in ControlMethod.allCases where method != .watch {
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
