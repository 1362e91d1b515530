import Care
import Core
import JSON
import Moments
import Recurrence
import Testing

@Suite struct RoutineListTests {
  private static func item(_ number: Int) -> RoutineItem {
    RoutineItem(
      id: RoutineItemID("item-\(number)"), resident: "mary", kind: .medicine,
      title: "藥 \(number)", details: "long words", place: "Kitchen", schedule: .never)
  }

  private func heartbeat(_ result: StepResult) -> JSONValue? {
    result.events.first { $0.type == .heartbeat }?.facts
  }

  @Test func theFirstHeartbeatListsTheRoutineAndThenOneEachDay() throws {
    var fixture = CoreFixture(
      stored: StoredState(
        residents: [CoreFixture.mary], routineItems: [Self.item(1), Self.item(2)]))
    let first = try #require(heartbeat(fixture.step(.started(version: "0"))))
    let list = try #require(first["routine"]?.arrayContent)
    #expect(first["routineIsComplete"] == true && list.count == 2)
    #expect(list.first?["id"] == "item-1" && list.first?["title"] == "藥 1")
    #expect(list.first?["resident"] == "mary" && list.first?["state"] == "waiting")
    #expect(list.first?["details"] == nil)
    var lists = 0
    for _ in 0..<288 {
      let beat = try #require(heartbeat(fixture.step(.wake, afterSeconds: 300)))
      if beat["routine"] != nil { lists += 1 }
    }
    #expect(lists == 1)
  }

  @Test("What was listed before the clock was trusted, without next due times, is listed again")
  func listedAgain() throws {
    var dark = CoreFixture.start
    dark.quality = .untrusted
    var fixture = CoreFixture(
      stored: StoredState(residents: [CoreFixture.mary], routineItems: [Self.item(1)]), at: dark)
    let first = try #require(heartbeat(fixture.step(.started(version: "0"))))
    #expect(first["routine"]?.arrayContent?.count == 1)
    let second = try #require(heartbeat(fixture.step(.wake, afterSeconds: 300)))
    #expect(second["routine"] == nil)
    fixture.now.quality = .synchronised
    fixture.step(.observation(.clock(ClockReport(quality: .synchronised))))
    let next = try #require(heartbeat(fixture.step(.wake, afterSeconds: 300)))
    #expect(next["routine"]?.arrayContent?.count == 1)
  }

  @Test("The heartbeat names those who can take charge")
  func guardians() throws {
    var fixture = CoreFixture(stored: StoredState(residents: [CoreFixture.mary]))
    fixture.perform(
      .putGuardian(Guardian(id: "anna", resident: "mary", name: "Anna", phone: "+4791234567")))
    let beat = try #require(heartbeat(fixture.step(.wake, afterSeconds: 300)))
    #expect(beat["guardians"] == [["id": "anna", "resident": "mary", "name": "Anna"]])
  }

  @Test func aLongRoutineIsListedInPartAndSaysSo() throws {
    var fixture = CoreFixture(
      stored: StoredState(
        residents: [CoreFixture.mary], routineItems: (0..<900).map(Self.item)))
    let beat = try #require(heartbeat(fixture.step(.started(version: "0"))))
    #expect(beat["routine"]?.arrayContent?.count == 200 && beat["routineIsComplete"] == false)
  }
}
