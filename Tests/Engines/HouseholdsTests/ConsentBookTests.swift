import Care
import Moments
import Testing

@testable import Households

@Suite struct ConsentBookTests {
  private func consent(_ resident: ResidentID, _ kind: ConsentKind, _ isGranted: Bool) -> Consent {
    Consent(
      resident: resident, kind: kind, isGranted: isGranted, by: "Anna", at: .seconds(1),
      principal: "local:anna")
  }

  @Test("Answers are by resident and kind, and a later one stands for an earlier")
  func order() {
    var book = ConsentBook(rows: [])
    let given = [
      consent("mary", .microphone, true), consent("ada", .notifications, false),
      consent("mary", .location, true), consent("ada", .location, true),
    ]
    for answer in given { _ = book.put(answer) }
    let sorted = [given[3], given[1], given[2], given[0]]
    #expect(book.all == sorted)
    #expect(ConsentBook(rows: book.rows.reversed()).all == sorted)
    _ = book.put(consent("mary", .location, false))
    #expect(book.all.count == 4 && book.isRefused(.location, by: "mary"))
    book.erase("ada")
    #expect(book.all.map(\.resident) == ["mary", "mary"])
  }
}
