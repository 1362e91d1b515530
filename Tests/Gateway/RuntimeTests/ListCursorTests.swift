import Care
import Door
import JSON
import Moments
import Ports
import Testing

@testable import Runtime

@Suite struct ListCursorTests {
  private static let now = Timestamp(milliseconds: 1_795_000_000_000)
  private static let place = ListPlace(
    [1_794_000_000_000, -3, .max], ["note-\u{1F600} \"?&=/", ""])
  private static let question = ListCursor(.notesQuery, ["resident": "mary", "kind": "memo"])

  private func code(_ text: String, _ cursor: ListCursor = question, at now: Timestamp = now)
    -> CommandReply.Refusal.Code?
  {
    do throws(CommandReply.Refusal) {
      _ = try cursor.place(in: text, at: now)
      return nil
    } catch { return error.code }
  }

  @Test(
    "A cursor brings back its place, stands in an address as it is, and is the same within the hour"
  )
  func roundTrip() throws {
    let text = Self.question.text(of: Self.place, at: Self.now)
    #expect(try Self.question.place(in: text, at: Self.now) == Self.place)
    #expect(text.utf8.count < 300)
    #expect(
      text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") })
    #expect(Self.question.text(of: Self.place, at: Self.now.advanced(byMilliseconds: 1000)) == text)
  }

  @Test("How much is wanted, of which time, and in which order members stand makes no other list")
  func sameList() {
    let text = Self.question.text(of: Self.place, at: Self.now)
    let same: JSONValue = [
      "kind": "memo", "limit": 5, "since": "2026-01-01T00:00:00Z", "cursor": .string(text),
      "types": [], "tag": .null, "resident": "mary",
    ]
    #expect(code(text, ListCursor(.notesQuery, same)) == nil)
  }

  @Test("A cursor of another question, of another resident or of other words is refused")
  func foreign() {
    let text = Self.question.text(of: Self.place, at: Self.now)
    let others = [
      ListCursor(.glucoseQuery, ["resident": "mary", "kind": "memo"]),
      ListCursor(.notesQuery, ["resident": "olav", "kind": "memo"]),
      ListCursor(.notesQuery, ["resident": "mary"]),
    ]
    for other in others { #expect(code(text, other) == .invalid) }
  }

  @Test("A cursor that somebody altered, cut or made up is refused, each letter of it")
  func altered() {
    let text = Array(Self.question.text(of: Self.place, at: Self.now))
    for index in text.indices {
      var other = text
      other[index] = other[index] == "A" ? "B" : "A"
      #expect(code(String(other)) == .invalid, "letter \(index)")
      #expect(code(String(text.prefix(index))) == .invalid, "cut at \(index)")
    }
    for made in ["", "=", "0", "....", "e30", String(repeating: "A", count: 100_000), "päge"] {
      #expect(code(made) == .invalid)
    }
  }

  @Test("A cursor is good for a week, also where the clock was put back meanwhile")
  func age() {
    let text = Self.question.text(of: Self.place, at: Self.now)
    let week: Int64 = 7 * 86_400_000
    #expect(code(text, at: Self.now.advanced(byMilliseconds: week - 3_600_000)) == nil)
    #expect(code(text, at: Self.now.advanced(byMilliseconds: week + 1)) == .expired)
    #expect(code(text, at: Timestamp(milliseconds: 0)) == nil)
  }
}
