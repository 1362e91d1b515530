import Care
import JSON
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

  @Test("A row that cannot be read is kept until its answer is given anew, or the resident erased")
  func unreadable() {
    let rows = [
      EngineRow(engine: "consent", subject: "mary", name: "location", content: ["kind": "?"]),
      EngineRow(engine: "consent", subject: "mary", name: "drone", content: ["kind": "drone"]),
      EngineRow(engine: "consent", subject: "ada", name: "location", content: []),
    ]
    let others = EngineRow(
      engine: "homes", subject: "mary", name: "location",
      content: consent("mary", .location, false).json)
    var book = ConsentBook(rows: rows + [others])
    #expect(book.all.isEmpty && book.rows == rows)
    #expect(!book.isRefused(.location, by: "mary"))
    let refusal = consent("mary", .location, false)
    let change = book.put(refusal)
    let row = EngineRow(
      engine: "consent", subject: "mary", name: "location", content: refusal.json)
    #expect(change == .putEngineRow(row) && book.rows == [row, rows[1], rows[2]])
    #expect(ConsentBook(rows: book.rows).isRefused(.location, by: "mary"))
    book.erase("mary")
    #expect(book.rows == [rows[2]])
  }
}
