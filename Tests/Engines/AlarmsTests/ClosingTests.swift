import Bytes
import Care
import JSON
import Testing
import Texts

@testable import Alarms

@Suite("The words with which an alarm ends")
struct ClosingTests {
  /// A guardian who reads English, in the house of a resident who speaks Chinese.
  private func house(settings: [String: JSONValue] = ["language": "zh"]) -> House {
    let carol = Guardian(
      id: "carol", resident: "mary", name: "Carol", email: "carol@example.org", language: "en")
    let wei = Guardian(id: "wei", resident: "mary", name: "Wei", email: "wei@example.org")
    return House(guardians: [carol, wei], settings: settings, at: KindTests.noon)
  }

  private func endMail(to guardian: GuardianID, in house: House) -> String {
    house.messages.last {
      $0.message.notice == .cancelled && $0.message.guardian == guardian
    }?.message.text ?? ""
  }

  @Test(
    "Each guardian reads in their own language why the alarm is over; the journal is the resident's"
  )
  func languages() {
    var house = house()
    house.notice(.zoneLeft, ["zone": "home", "zoneName": "Home", "isOutside": true])
    house.wait(until: 5)
    house.notice(.zoneEntered, ["zone": "home", "zoneName": "Home", "isOutside": false])
    house.wait(until: 10)
    #expect(endMail(to: "carol", in: house).contains("Is back in Home."))
    #expect(endMail(to: "wei", in: house).contains("已回到Home"), "\(endMail(to: "wei", in: house))")
    #expect(!endMail(to: "wei", in: house).contains("Is back"))
    #expect(house.all(.alarmResolved).last?.draft.text("reason").contains("Is back") == false)
  }

  @Test(
    "A cancel without words of one's own is read in each guardian's language, also after a power cut"
  )
  func cancelled() throws {
    var house = house()
    try house.press()
    house.wait(until: 15)
    try house.ask(
      .cancel(resident: "mary", pin: nil, message: nil), as: .local, .verdict(.correct))
    house.cutPower(seconds: 5)
    house.wait(until: 200)
    #expect(endMail(to: "carol", in: house).contains("I'm OK."))
    #expect(!endMail(to: "wei", in: house).contains("I'm OK."))
  }

  @Test("Somebody's own words stay as they are")
  func ownWords() throws {
    var house = house()
    try house.press()
    house.wait(until: 15)
    try house.ask(
      .cancel(resident: "mary", pin: nil, message: "我没事"), as: .local, .verdict(.correct))
    #expect(endMail(to: "carol", in: house).contains("我没事"))
    #expect(house.all(.alarmCancelled).last?.draft.explanation == "我没事")
  }

  @Test("The words that an earlier version stored as a text are still told")
  func storedText() throws {
    var house = house(settings: [:])
    try house.press()
    house.wait(until: 15)
    try house.ask(
      .cancel(resident: "mary", pin: nil, message: "Fine"), as: .local, .verdict(.correct))
    let rows = house.storedRows.map { row in
      row.content["closing"] == nil
        ? row
        : EngineRow(
          engine: row.engine, subject: row.subject, name: row.name,
          content: row.content.setting("closing", to: "Fine as stored"))
    }
    house.restart(rows: rows)
    house.handle(.started)
    #expect(endMail(to: "carol", in: house).contains("Fine as stored"))
    #expect(!house.types.contains("fault.raised"))
  }

  @Test(
    "What is stored is read as it was",
    arguments: [
      Closing.words("摔倒了"), .allRight, .located, .charged, .works("GPS"), .unused("GPS"),
      .medicineSettled, .withinRange, .inZone("Home"), .backInZone("Home"), .zoneRemoved("Home"),
      .leavingAllowed("Home"), .lastZoneRemoved, .expectedOut("Day centre", until: "16:00"),
      .tested(sent: 2, all: 3),
    ])
  func stored(closing: Closing) throws {
    #expect(try Closing(json: closing.json) == closing)
    #expect(!closing.message.description.contains("{"))
    for wrong: JSONValue in [["what": "other"], [:], 7] {
      #expect(throws: DecodeError.self) { try Closing(json: wrong) }
    }
  }
}
