import Care
import Door
import Moments
import Testing

@Suite("Who looked at whom") struct LookBookTests {
  private static let anna = Account(
    id: "anna", name: "Anna", role: .caregiver, residents: ["mary", "ben"])
  private static let bo = Account(id: "bo", name: "Bo", role: .caregiver, residents: ["mary"])
  private static let mary = Account(id: "mary", name: "Mary", role: .resident, residents: ["mary"])

  @Test("Each kind is noted once an hour, of each who looks and each who is looked at")
  func hourly() {
    var book = LookBook()
    let start = Tick.seconds(1_000)
    #expect(
      book.note(Self.anna, at: "mary", [.position, .health], now: start) == [.position, .health])
    #expect(
      book.note(Self.anna, at: "mary", [.position], now: start.advanced(byMilliseconds: 3_599_999))
        == [])
    #expect(book.note(Self.anna, at: "mary", [.position, .notes], now: start) == [.notes])
    #expect(book.note(Self.anna, at: "ben", [.position], now: start) == [.position])
    #expect(book.note(Self.bo, at: "mary", [.position], now: start) == [.position])
    let later = start.advanced(byMilliseconds: 3_600_000)
    #expect(
      book.note(Self.anna, at: "mary", [.position, .health], now: later) == [.position, .health])
  }

  @Test("What tells nothing of a resident is no look, and whoever looks at themselves is not noted")
  func noLook() {
    var book = LookBook()
    #expect(
      book.note(Self.anna, at: "mary", [.gateway, .settings, .contacts, .alarms], now: .seconds(0))
        == [])
    #expect(book.note(Self.mary, at: "mary", [.position, .health], now: .seconds(0)) == [])
  }

  @Test(
    "It does not grow without end, and what was looked at within the hour is noted again rather than lost"
  )
  func bounded() {
    var book = LookBook()
    for number in 0..<25_000 {
      let account = Account(id: AccountID("a\(number)"), name: "A", role: .caregiver)
      #expect(
        book.note(account, at: "mary", [.position], now: .seconds(Int64(number))) == [.position])
    }
  }
}
